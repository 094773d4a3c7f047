"""What is wrong with a key, in our words: never the library's, and never a secret."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches

from pydantic import ValidationError

from core.errors import ConfigFault
from core.settings.schema import ACP, BUILT_IN_ENGINES, expected_at, known_keys

HIDDEN = "…"
SHOWN_CHARS = 60
SECRETIVE = re.compile(r"://[^/\s]*@|(?=[\w:-]*\d)[\w:-]{20,}|\d:[\w-]{8,}|\s")
"""Values that may be, or hold, a secret that was put in the wrong place."""


def worded(error: ValidationError, environ: Mapping[str, str]) -> list[ConfigFault]:
    """One fault for each key that the schema refused."""
    faults: dict[str, ConfigFault] = {}
    for detail in error.errors(include_url=False, include_context=False):
        path = tuple(str(part) for part in detail["loc"])
        if detail["type"] == "extra_forbidden":
            fault = unknown(path, environ, detail["input"])
        else:
            key, expected = expected_at(path)
            value = HIDDEN if expected.secret else shown(detail["input"])
            fault = ConfigFault(expected.key, setting=_named(key, environ), value=value)
        faults.setdefault(fault.fields["setting"], fault)
    return list(faults.values())


def unknown(path: tuple[str, ...], environ: Mapping[str, str], value: object = None) -> ConfigFault:
    """The fault of a key that nobody knows, with the key that was probably meant."""
    key = ".".join(path)
    if not value:
        value = environ.get(_variable(key), "")
    fields = {"setting": _named(key, environ), "value": str(value) if _is_number(value) else HIDDEN}
    near = nearest(key, known_keys(path[1] if path[0] == "engines" and len(path) > 1 else "NAME"))
    if not near:
        return ConfigFault("config.unknown_key", **fields)
    near = _variable(near) if _variable(key) in environ else near
    return ConfigFault("config.unknown_key_near", **fields, near=near)


def engine_faults(tree: Mapping[str, object]) -> list[ConfigFault]:
    """Agent programs that are none of ours, and don't say that they speak ACP, or how they are started."""
    engines = tree.get("engines")
    faults = []
    for name, engine in engines.items() if isinstance(engines, dict) else ():
        if name in BUILT_IN_ENGINES or not isinstance(engine, dict):
            continue
        key = f"engines.{name}"
        if engine.get("kind") != ACP:
            near = nearest(name, BUILT_IN_ENGINES) or BUILT_IN_ENGINES[0]
            faults.append(ConfigFault("config.unknown_engine", setting=key, near=f"engines.{near}"))
        elif not engine.get("command"):
            faults.append(ConfigFault("config.no_command", setting=f"{key}.command"))
    return faults


def nearest(key: str, known: Collection[str]) -> str | None:
    """The known key that *key* is probably a slip of: nearly the same, or that in another table."""
    leaves = {other.rpartition(".")[2]: other for other in known}
    if key in leaves:
        return leaves[key]
    whole = get_close_matches(key, known, n=1, cutoff=0.7)
    return next(
        iter(whole or [leaves[leaf] for leaf in get_close_matches(key, leaves, n=1, cutoff=0.7)]), None
    )


def shown(value: object) -> str:
    """A bad value as it may be printed: short, on one line, and nothing that looks like a secret."""
    if isinstance(value, list | tuple | dict):
        return HIDDEN
    text = str(value)
    return HIDDEN if SECRETIVE.search(text) else text[:SHOWN_CHARS] or '""'


def _is_number(value: object) -> bool:
    """Of what stands under an unknown name, only a number is surely no secret."""
    return isinstance(value, str | int) and str(value).removeprefix("-").isdecimal() and len(str(value)) < 8


def _variable(key: str) -> str:
    return "ROOST_" + key.upper().replace(".", "__")


def _named(key: str, environ: Mapping[str, str]) -> str:
    """The key, and the variable that sets it, if one does."""
    return f"{key} ({_variable(key)})" if _variable(key) in environ else key
