"""A screen that is none: lines for whoever reads them at the other end of a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from bot.terminal.draw import Paper


@dataclass(frozen=True, slots=True)
class PlainScreen:
    """What stays is written; what still changes is not."""

    paper: Paper
    out: TextIO

    async def put(self, text: str, *, ring: bool) -> None:
        self.out.write(f"{text}\n")
        self.out.flush()

    def live(self, lines: Sequence[str]) -> None:
        """Nobody watches."""
