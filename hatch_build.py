"""Compiles the catalogues of `locales/` when a wheel or an editable checkout of Roost is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface):
    """`locales/<language>/LC_MESSAGES/roost.po` in, `roost.mo` beside it out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in sorted(Path(self.root, "locales").glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as words, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(words, locale=source.parts[-3]))
