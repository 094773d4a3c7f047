"""The parameters of a call, whichever way they came."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.telegram.server.errors import bad
from tests.telegram.server.wire import Upload

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Params:
    """Each reader gives the empty value of its kind where the parameter is missing."""

    fields: dict[str, Any]
    files: dict[str, Upload] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        return name in self.fields or name in self.files

    def text(self, name: str) -> str:
        return str(self.fields.get(name, ""))

    def number(self, name: str) -> int:
        given = self.fields.get(name, 0)
        try:
            return int(given)
        except (TypeError, ValueError):
            raise bad(f"invalid {name} specified") from None

    def flag(self, name: str) -> bool:
        return self.text(name).lower() in ("true", "1", "yes")

    def json(self, name: str) -> Any:
        """Lists and objects come as such in a JSON body, else as text."""
        given = self.fields.get(name)
        if not isinstance(given, str):
            return given
        try:
            return json.loads(given) if given else None
        except ValueError:
            raise bad(f"can't parse {name} JSON object") from None

    def listed(self, name: str) -> list[Any]:
        return self.json(name) or []

    def table(self, name: str) -> Json:
        return self.json(name) or {}

    def upload(self, name: str) -> Upload | None:
        """What is uploaded as this parameter, directly or as `attach://part`."""
        return self.files.get(name) or self.attached(self.text(name))

    def attached(self, reference: str) -> Upload | None:
        return (
            self.files.get(reference.removeprefix("attach://")) if reference.startswith("attach://") else None
        )

    def told(self) -> Json:
        """For the log: what was given, files by name and size."""
        files = {name: f"<{file.name}, {len(file.data)} bytes>" for name, file in self.files.items()}
        return {name: _plain(value) for name, value in self.fields.items()} | files


def _plain(value: Any) -> Any:
    """`{"a": 1}` and `12` as such, where they came as text; words as they are."""
    if isinstance(value, str) and (
        value[:1] in "[{" or value.lstrip("-").isdigit() or value in ("true", "false")
    ):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
