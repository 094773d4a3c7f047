"""A terminal's screen in memory: what a person would see on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.terminal.draw import Paper


@dataclass
class MemoryScreen:
    """*kept* was shown for good, *changing* stands beneath; *rung* counts the bell."""

    paper: Paper = field(default=Paper(lambda name, called: Path("media", called or name)))
    kept: list[str] = field(default_factory=list)
    changing: list[str] = field(default_factory=list)
    rung: int = 0

    async def put(self, text: str, *, ring: bool) -> None:
        self.kept.append(text)
        self.rung += ring

    def live(self, lines: Sequence[str]) -> None:
        self.changing = list(lines)

    @property
    def seen(self) -> list[str]:
        return [*self.kept, *self.changing]
