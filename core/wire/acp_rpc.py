"""JSON-RPC as ACP speaks it: each line of ours bears a key in the `_meta` that ACP keeps free."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from core.errors import MalformedLine
from core.model.launch import Word
from core.wire.shapes import KIND_KEPT, Json, S, Shape, head, mended

MARK = "roost"
"""Under this name in `_meta`, which ACP keeps free for us, a line without a request's id carries its key."""

Id = int | str | None
Object = dict[str, Json]
NOTHING = msgspec.Raw(b"null")


@dataclass(frozen=True, slots=True)
class Trouble:
    """The other side could not do what it was asked."""

    code: int
    message: str
    data: msgspec.Raw


@dataclass(frozen=True, slots=True)
class Answer:
    """To the request *id* of ours."""

    id: Id
    outcome: msgspec.Raw | Trouble


@dataclass(frozen=True, slots=True)
class Call:
    """A request of the other side; it waits for the answer."""

    id: Id
    method: str
    params: msgspec.Raw


@dataclass(frozen=True, slots=True)
class Note:
    """A notification."""

    method: str
    params: msgspec.Raw


class _Error(Shape, frozen=True, gc=False):
    message: str
    code: int = 0
    data: msgspec.Raw = NOTHING


class _Line(Shape, frozen=True, gc=False):
    id: Id | msgspec.UnsetType = msgspec.UNSET
    method: str | None = None
    params: msgspec.Raw = NOTHING
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: _Error | None = None


class _Meta(Shape, frozen=True, gc=False):
    roost: str = ""


class _Marked(Shape, frozen=True, gc=False, rename={"meta": "_meta"}):
    meta: _Meta = _Meta()


class _Refused(Shape, frozen=True, gc=False):
    data: _Marked = _Marked()


class _Said(Shape, frozen=True, gc=False):
    id: Id = None
    method: str = ""
    params: _Marked = _Marked()
    result: _Marked = _Marked()
    error: _Refused = _Refused()


_LINE = msgspec.json.Decoder(_Line)
_SAID = msgspec.json.Decoder(_Said)
_BAD = (msgspec.DecodeError, RecursionError)


def hear(line: bytes) -> Answer | Call | Note:
    """What a line of the other side is. Raises MalformedLine and nothing else."""
    if rb"\u0000" in line:
        line = mended(line)
    try:
        return _sort(_LINE.decode(line))
    except msgspec.ValidationError as error:
        raise MalformedLine(head(line), f"no message: {error}") from error
    except _BAD:
        pass
    try:
        return _sort(_LINE.decode(mended(line)))
    except _BAD as error:
        raise MalformedLine(head(line), f"no message: {error}") from error


def _sort(line: _Line) -> Answer | Call | Note:
    if line.method is not None:
        if isinstance(line.id, msgspec.UnsetType):
            return Note(line.method, line.params)
        return Call(line.id, line.method, line.params)
    if isinstance(line.id, msgspec.UnsetType):
        raise msgspec.ValidationError("neither a method nor an id")
    if line.error:
        return Answer(line.id, Trouble(line.error.code, line.error.message, line.error.data))
    if isinstance(line.result, msgspec.UnsetType):
        raise msgspec.ValidationError("neither result nor error")
    return Answer(line.id, line.result)


def read(decoder: msgspec.json.Decoder[S], raw: msgspec.Raw, name: str) -> S:
    """*raw* in its shape. Raises MalformedLine that says *name*."""
    try:
        return decoder.decode(raw)
    except _BAD as error:
        raise MalformedLine(head(bytes(raw)), f"{name[:KIND_KEPT]}: {error}") from error


def glean(decoder: msgspec.json.Decoder[S], raw: msgspec.Raw, otherwise: S) -> S:
    """*raw* in its shape, *otherwise* where it has another: for what nothing depends on."""
    try:
        return decoder.decode(raw)
    except _BAD:
        return otherwise


def request(key: str, method: str, params: Mapping[str, Json]) -> Word:
    return _word(key, {"id": key, "method": method, "params": dict(params)})


def note(key: str, method: str, params: Mapping[str, Json]) -> Word:
    return _word(key, {"method": method, "params": {**params, **_mark(key)}})


def reply(key: str, to: Id, result: Mapping[str, Json]) -> Word:
    return _word(key, {"id": to, "result": {**result, **_mark(key)}})


def refuse(key: str, to: Id, code: int, why: str, data: Mapping[str, Json]) -> Word:
    """Answer with an error, so that nobody waits."""
    error: Object = {"code": code, "message": why, "data": {**data, **_mark(key)}}
    return _word(key, {"id": to, "error": error})


def keys(inp: bytes) -> set[str]:
    """The keys of the lines in *inp*, which may hold anything and end within a line. A last line that is
    whole but for its line feed counts: once the line is ended, it has been said."""
    return {key for line in inp.split(b"\n") if line.strip() and (key := _key(line))}


def _key(line: bytes) -> str:
    try:
        said = _SAID.decode(line)
    except _BAD:
        return ""
    marks = (said.params.meta.roost, said.result.meta.roost, said.error.data.meta.roost)
    own = said.id if said.method and isinstance(said.id, str) else ""
    return own or next(filter(None, marks), "")


def _mark(key: str) -> Object:
    return {"_meta": {MARK: key}}


def _word(key: str, fields: Object) -> Word:
    return Word(key, msgspec.json.encode({"jsonrpc": "2.0", **fields}) + b"\n")
