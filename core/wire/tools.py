"""What a step of an agent is called, from its tool's name and arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from core.model.events import ToolKind


@dataclass(frozen=True, slots=True)
class Tool:
    """*shown*: the argument that stands for the step; it is a path where *path* is set."""

    kind: ToolKind
    shown: str = ""
    path: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    kind: ToolKind
    title: str
    paths: tuple[str, ...] = ()


OTHER = Tool(ToolKind.OTHER)
_ARGUMENTS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXT = msgspec.json.Decoder(str)


def step(tools: Mapping[str, Tool], name: str, arguments: msgspec.Raw, title: str = "") -> Step:
    """A tool that is not in the table goes by *title*, or its own *name*. A model wrote the arguments: what
    they lack costs the title only."""
    tool = tools.get(name, OTHER)
    shown = argument(arguments, tool.shown) if tool.shown else ""
    return Step(tool.kind, shown or title or name, (shown,) if tool.path and shown else ())


def argument(arguments: msgspec.Raw, name: str) -> str:
    """The text under *name*, empty where there is none."""
    try:
        return _TEXT.decode(_ARGUMENTS.decode(arguments)[name])
    except (msgspec.DecodeError, KeyError):
        return ""
