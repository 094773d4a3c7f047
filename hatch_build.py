"""Compiles the catalogues of `locales/` when a wheel or an editable checkout of Roost is built."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def catalogues(root: Path) -> Iterator[Path]:
    """`locales/<language>/LC_MESSAGES/roost.po`, each language's words."""
    yield from sorted(root.glob("locales/*/LC_MESSAGES/*.po"))


def compile_catalogue(source: Path) -> None:
    """`roost.mo` beside *source*, replaced in one step: somebody may be reading the old one."""
    fresh = source.with_name(f".{source.stem}.{os.getpid()}.mo")
    with source.open("rb") as words, fresh.open("wb") as compiled:
        write_mo(compiled, read_po(words, locale=source.parts[-3]))
    fresh.replace(source.with_suffix(".mo"))


class Catalogues(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in catalogues(Path(self.root)):
            compile_catalogue(source)
