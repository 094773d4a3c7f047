"""JSON lines read by name: one small function and one tolerant shape for each type of line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, TypeVar

import msgspec

from core.errors import MalformedLine
from core.model.events import EngineEvent, Unrecognised
from core.wire.lines import HEAD_KEPT

KIND_KEPT = 1_000

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


class Shape(msgspec.Struct, frozen=True, gc=False):
    """What we need of a line: further fields may be there and are passed over."""


class Named(Shape, frozen=True, gc=False):
    type: str


SessionName = Annotated[str, msgspec.Meta(pattern=r"^\w[\w.:-]*$", max_length=200)]
"""A session's name comes back to the program as a word of its command line: it can be no option there."""

S = TypeVar("S", bound=Shape)
Handler = Callable[[bytes], Iterable[EngineEvent]]
_NAMED = msgspec.json.Decoder(Named)


def reads(shape: type[S], tell: Callable[[S], Iterable[EngineEvent]]) -> Handler:
    """A handler that checks a line against *shape* and lets *tell* say what it stands for."""
    decoder = msgspec.json.Decoder(shape)
    return lambda line: tell(decoder.decode(line))


def decode(line: bytes, handlers: Mapping[str, Handler]) -> list[EngineEvent]:
    """The events of one line; often one, sometimes none. Raises MalformedLine and nothing else."""
    if rb"\u0000" in line:
        line = mended(line)
    try:
        return _dispatch(line, handlers)
    except MalformedLine as error:
        if isinstance(error.__cause__, msgspec.ValidationError | RecursionError):
            raise
    return _dispatch(mended(line), handlers)


def _dispatch(line: bytes, handlers: Mapping[str, Handler]) -> list[EngineEvent]:
    kind = ""
    try:
        kind = _NAMED.decode(line).type
        handler = handlers.get(kind)
        return list(handler(line)) if handler else [Unrecognised(kind[:KIND_KEPT])]
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedLine(head(line), f"{kind[:KIND_KEPT] or 'no event'}: {error}") from error


def head(line: bytes) -> str:
    """The beginning of *line*, fit for a log."""
    return _CONTROL.sub(" ", line[: 4 * HEAD_KEPT].decode("utf-8", "replace"))[:HEAD_KEPT]


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPE = re.compile(r"\\u0000|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(\\u[dD][89a-fA-F]\w\w)|\\.")


def mended(line: bytes) -> bytes:
    """*line* with what no chat, database or JSON reader takes replaced where it stands: bytes that are no
    UTF-8, bare control characters and half surrogates; NUL is left out."""
    text = _CONTROL.sub(" ", line.decode("utf-8", "replace").replace("\0", ""))
    return _ESCAPE.sub(_mend_escape, text).encode()


def _mend_escape(found: re.Match[str]) -> str:
    if found[1]:
        return r"\ufffd"
    return "" if found[0] == r"\u0000" else found[0]
