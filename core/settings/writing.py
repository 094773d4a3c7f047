"""A configuration file changed in place: whatever else it says stays, word for word."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import tomlkit
from tomlkit.exceptions import TOMLKitError

from core.errors import ConfigFault

Value: TypeAlias = str | list[int | str]
PRIVATE = 0o600


def put_into(file: Path, table: str, values: Mapping[str, Value]) -> None:
    """Let *table* of *file* say *values*. A list is added to what stands there. A secret that is given
    outright takes the place of its `…_file`. The file is there as a whole or as it was, and closed to
    everybody else, since it holds secrets; where it is a link, what it leads to is written.

    Errors: `ConfigFault` where it is no TOML, or the table none, `OSError`.
    """
    real = file.resolve()
    real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    document = _read(real)
    here = document.setdefault(table, tomlkit.table())
    if not isinstance(here, MutableMapping):
        raise ConfigFault(setting=table, value="…")
    for name, value in values.items():
        here.pop(f"{name}_file", None)
        here[name] = _joined(here.get(name), value)
    _replace(real, tomlkit.dumps(document))


def _read(file: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(file.read_text())
    except FileNotFoundError:
        return tomlkit.document()
    except (TOMLKitError, UnicodeDecodeError):
        raise ConfigFault("config.file_unreadable", file=file) from None


def _joined(there: object, value: Value) -> object:
    """What a person has put around the entries of a list stays around them."""
    if isinstance(value, str):
        return value
    if not isinstance(there, list):
        return value
    there.extend(one for one in value if one not in there)
    return there


def _replace(file: Path, text: str) -> None:
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with open(handle, "w") as new:
            os.fchmod(handle, PRIVATE)
            new.write(text)
            new.flush()
            os.fsync(handle)
        os.replace(beside, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
