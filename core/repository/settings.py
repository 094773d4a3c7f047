"""Settings files of agent programs, in JSON with comments or TOML: what they run, connect to and allow."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from core.model.repository import OrderKind

Finding = tuple[OrderKind, str]
"""What it is, and its words, whole."""
NODES_MOST = 5_000
DEPTH_MOST = 12
DOTS_MOST = 200
"""In a line of TOML: its reader's time grows with the square of a key's parts (30 s for 64 kB of one)."""
SERVERS = frozenset({"mcpServers", "mcp_servers", "mcp"})
ADDRESSES = ("url", "httpUrl", "serverUrl", "tcp")
PROGRAMS = frozenset(
    {
        *("notify", "plugin", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper"),
        *("gcpAuthRefresh", "discoveryCommand", "callCommand", "toolDiscoveryCommand", "toolCallCommand"),
        "mcpServerCommand",
    }
)
"""Keys whose value is a program, in the settings of Codex, OpenCode, Claude Code and Gemini."""
TOLD = PROGRAMS | SERVERS | {"hooks", "formatter", "lsp", "$schema"}
"""What stands at these keys is told by the programs in it, or says nothing."""
SEALED = frozenset({"env", "headers", "http_headers"})
"""Their values may be secret: only the names are told."""
STRING = re.compile(r'"(?:\\.|[^"\\])*"', re.DOTALL)
REMARKABLE = re.compile(r'"|//|/\*')
LOOSE_COMMA = re.compile(rf"({STRING.pattern})|,(?=\s*[}}\]])", re.DOTALL)


def findings(path: str, data: bytes) -> Iterator[Finding]:
    """The programs and servers, then everything else that is set. Errors: ValueError or RecursionError for
    what is not in the form that the name of the file promises."""
    tree = _parsed(path, data)
    if not isinstance(tree, dict):
        raise ValueError("no table")
    yield from _programs(tree)
    for key, value in tree.items():
        if key not in TOLD and not (isinstance(value, dict) and _command(value)):
            yield OrderKind.SETS, f"{key} = {_shown(value, sealed=key in SEALED)}"


def _parsed(path: str, data: bytes) -> object:
    text = data.decode("utf-8-sig")
    if path.endswith(".toml"):
        if any(line.count(".") > DOTS_MOST for line in text.split("\n")):
            raise ValueError("a key of too many parts")
        return tomllib.loads(text)
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(without_comments(text))


def without_comments(text: str) -> str:
    """JSON as some programs write it, as all can read it: no comments, no comma before a bracket."""
    kept: list[str] = []
    at = 0
    while found := REMARKABLE.search(text, at):
        kept.append(text[at : found.start()])
        if found.group() == '"':
            string = STRING.match(text, found.start())
            if string is None:
                raise ValueError("a string without an end")
            kept.append(string.group())
            at = string.end()
        else:
            ending = "\n" if found.group() == "//" else "*/"
            end = text.find(ending, found.end())
            at = len(text) if end < 0 else end + len(ending)
            kept.append(" ")
    return LOOSE_COMMA.sub(lambda found: found[1] or "", "".join((*kept, text[at:])))


def _programs(tree: Mapping[str, Any]) -> Iterator[Finding]:
    """What is to be run or connected to, anywhere in *tree*."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), tree)]
    for _ in range(NODES_MOST):
        if not waiting:
            return
        path, node = waiting.pop()
        if isinstance(node, list):
            waiting += [(path, child) for child in reversed(node)]
        elif isinstance(node, dict):
            yield from _table(path, node)
            if len(path) == DEPTH_MOST:
                raise ValueError("nested too deep")
            waiting += [((*path, str(key)), child) for key, child in reversed(node.items())]
    raise ValueError("too much in it")


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[Finding]:
    name = path[min(1, len(path) - 1)] if path else ""
    served = bool(SERVERS.intersection(path))
    if command := _command(table):
        yield (OrderKind.SERVER if served else OrderKind.RUNS), f"{name}: {command}" if name else command
    if served:
        for key in ADDRESSES:
            if isinstance(address := table.get(key), str):
                yield OrderKind.SERVER, f"{name}: {address}"
    for key in PROGRAMS.intersection(table):
        yield OrderKind.RUNS, f"{key}: {_words(table[key])}"


def _command(table: Mapping[str, Any]) -> str:
    """The words of a program with its arguments; empty where the table names none."""
    command = table.get("command")
    if not isinstance(command, str | list):
        return ""
    return " ".join(filter(None, (_words(command), _words(table.get("args", [])))))


def _words(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return " ".join(value)
    return _shown(value)


def _shown(value: object, *, sealed: bool = False) -> str:
    if sealed and isinstance(value, dict):
        return ", ".join(map(str, value))
    return json.dumps(_unsealed(value), ensure_ascii=False, default=str)


def _unsealed(value: object) -> object:
    """*value* with the names alone of what may be secret in it."""
    if isinstance(value, dict):
        return {
            key: list(one) if key in SEALED and isinstance(one, dict) else _unsealed(one)
            for key, one in value.items()
        }
    return [_unsealed(one) for one in value] if isinstance(value, list) else value
