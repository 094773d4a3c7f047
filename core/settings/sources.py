"""Where settings come from: the environment, credentials, one file; each of them a tree of plain values."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from core.errors import ConfigFault
from core.files import read_regular
from core.settings.faults import HIDDEN, shown
from core.settings.schema import SECRETS, Settings

PREFIX = "ROOST_"
LEVEL = "__"
NO_SETTINGS = re.compile(r"ROOST_(CONFIG|RUN|CRASH_AT|REQUIRE_REAL|REMOTE_CHANNEL|TEST_\w+|HOST_AGENT_\w+)$")
"""Variables of ours that say nothing about the configuration."""

TABLES_IN_FILE = ("telegram", "matrix", "engines", "provider", "transcription")
FILE_SIZE = 1024 * 1024
SECRET_SIZE = 64 * 1024

Tree = dict[str, object]


def variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Our variables under the names that the file has for them: `ROOST_A__B` is `a__b`."""
    return {
        _lowered(name.removeprefix(PREFIX)): value
        for name, value in environ.items()
        if _is_ours(name) and name == _in_capitals(name)
    }


def miscased(environ: Mapping[str, str]) -> list[ConfigFault]:
    """The faults of variables that would be ours in capitals: nobody reads them."""
    return [
        ConfigFault("config.unknown_key_near", setting=name, value=HIDDEN, near=_in_capitals(name))
        for name in environ
        if _is_ours(name) and name != _in_capitals(name)
    ]


def _is_ours(name: str) -> bool:
    return name.startswith(PREFIX) and not NO_SETTINGS.match(name)


def _in_capitals(name: str) -> str:
    """As we read it; a variable of an agent's environment may be written as its program wants it."""
    agent, env, variable = name.partition("__ENV__")
    return agent.upper() + env + variable


def _lowered(name: str) -> str:
    """In small letters, but for a variable of an agent's environment: `ENGINES__CODEX__ENV__Key`."""
    agent, env, variable = name.partition("__ENV__")
    return agent.lower() + env.lower() + variable


def from_environment(environ: Mapping[str, str]) -> tuple[Tree, list[tuple[str, ...]]]:
    """What the environment sets, and the paths that no table has."""
    tree: Tree = {}
    strange = []
    given = {tuple(name.split(LEVEL)): text for name, text in variables(environ).items()}
    for path in sorted(given, key=len):  # a table as a whole first, then what is set within it
        if path[0] in Settings.model_fields and (len(path) == 1 or path[0] in TABLES_IN_FILE):
            _table(tree, path[:-1], make=True)[path[-1]] = _value(path, given[path])
        else:
            strange.append(path)
    return tree, strange


def _value(path: tuple[str, ...], text: str) -> object:
    """Lists and tables are JSON; secrets and an agent's own variables are text, whatever they look like,
    and so is what is no JSON: the schema judges it."""
    if path in SECRETS or "env" in path[:-1] or not text.lstrip().startswith(("[", "{")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def from_credentials(environ: Mapping[str, str]) -> Tree:
    """The secrets that systemd laid out for us, each in a file named after its key: `telegram_token`."""
    directory = environ.get("CREDENTIALS_DIRECTORY")
    tree: Tree = {}
    for path in SECRETS if directory else ():
        file = Path(directory or "", "_".join(path))
        if os.path.isfile(file):
            _table(tree, path[:-1], make=True)[f"{path[-1]}_file"] = str(file)
    return tree


def from_file(path: Path, *, needed: bool) -> Tree:
    """What the file sets; nothing where there is none and none is *needed*.

    Errors: `ConfigFault`, if it can't be read or is no TOML.
    """
    try:
        text = read_regular(path, most=FILE_SIZE).decode()
    except FileNotFoundError:
        if not needed:
            return {}
        raise ConfigFault("config.file_missing", file=path) from None
    except (OSError, UnicodeDecodeError):
        raise ConfigFault("config.file_unreadable", file=path) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))  # none: the end of the text
        raise ConfigFault("config.file_not_toml", file=path, line=line[1] if line else _lines(text)) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets within brackets
        raise ConfigFault("config.file_absurd", file=path) from None


def _lines(text: str) -> int:
    return len(text.splitlines())


def read_secrets(tree: Tree, home: Path) -> list[ConfigFault]:
    """Put each secret that *tree* names by its file into its place; a secret given outright wins."""
    faults = []
    for *tables, name in SECRETS:
        table = _table(tree, tables)
        file = table.pop(f"{name}_file", None)
        key = ".".join([*tables, f"{name}_file"])
        if not file or table.get(name):
            continue
        try:
            table[name] = _secret(expanded(Path(str(file)), home))
        except (OSError, UnicodeDecodeError):
            faults.append(ConfigFault("config.secret_unreadable", setting=key, value=shown(file)))
    return faults


def _secret(file: Path) -> str:
    return read_regular(file, most=SECRET_SIZE).decode()


def _table(tree: Tree, path: Iterable[str], *, make: bool = False) -> Tree:
    """The table at *path*; where none is, an empty one, which is the tree's only if we *make* it."""
    for name in path:
        inner = tree.setdefault(name, {}) if make else tree.get(name)
        tree = inner if isinstance(inner, dict) else {}
    return tree


def expanded(path: Path, home: Path) -> Path:
    """*path* with `~` at its start for *home*, and absolute."""
    first, *rest = path.parts or (".",)
    return home.joinpath(*rest) if first == "~" else path.absolute()


def merged(under: Tree, over: Tree) -> Tree:
    """*under* with everything that *over* says in its place; tables are merged, lists are not."""
    both = {**under, **over}
    for name, value in over.items():
        below = under.get(name)
        if isinstance(value, dict) and isinstance(below, dict):
            both[name] = merged(below, value)
    return both
