"""JSON-RPC 2.0 as Codex speaks it: one message a line, without the `jsonrpc` field."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from core.errors import MalformedLine
from core.model.launch import Word
from core.wire.shapes import Shape, head

Id = int | str
Params = dict[str, object]

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602


@dataclass(frozen=True, slots=True)
class Request:
    """The other side waits for an answer under *id*; *params* is JSON, as are all that follow."""

    id: Id
    method: str
    params: bytes


@dataclass(frozen=True, slots=True)
class Notification:
    """*at*: when it was sent, in seconds since the epoch (Codex tells it), else 0."""

    method: str
    params: bytes
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Response:
    id: Id
    result: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """A request was refused; one that could not even be read has no *id*."""

    id: Id | None
    message: str
    code: int = 0


Message = Request | Notification | Response | Failure


class Fault(Shape, frozen=True, gc=False):
    message: str = ""
    code: int = 0


class _Envelope(Shape, frozen=True, gc=False, rename="camel"):
    id: Id | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"null")
    result: msgspec.Raw = msgspec.Raw(b"")
    error: Fault | None = None
    emitted_at_ms: float | None = None


_ENVELOPE = msgspec.json.Decoder(_Envelope)


def read(line: bytes) -> Message:
    """Raises msgspec's DecodeError or RecursionError where *line* is no JSON, MalformedLine where it is no
    message."""
    said = _ENVELOPE.decode(line)
    if said.method is not None:
        if said.id is None:
            return Notification(said.method, bytes(said.params), (said.emitted_at_ms or 0.0) / 1000)
        return Request(said.id, said.method, bytes(said.params))
    if said.error is not None:
        return Failure(said.id, said.error.message, said.error.code)
    if said.id is not None and (result := bytes(said.result)):
        return Response(said.id, result)
    raise MalformedLine(head(line), "no message: neither method nor result nor error")


def request(id: Id, method: str, params: Params) -> Word:  # noqa: A002
    return _word(str(id), {"id": id, "method": method, "params": params})


def notification(method: str, params: Params | None = None) -> Word:
    """Its key is its method: it is told once in an agent's life."""
    given = {} if params is None else {"params": params}
    return _word(method, {"method": method, **given})


def response(id: Id, result: object) -> Word:  # noqa: A002
    return _word(answer_key(id), {"id": id, "result": result})


def refusal(id: Id, message: str, *, code: int = METHOD_NOT_FOUND) -> Word:  # noqa: A002
    return _word(answer_key(id), {"id": id, "error": {"code": code, "message": message}})


def answer_key(id: Id) -> str:  # noqa: A002
    """The key of what answers the other side's request *id*: its ids are not ours."""
    return f"answer/{id}"


def keys(inp: bytes) -> set[str]:
    """The keys of the words that stand whole in *inp*."""
    return {key for line in inp.split(b"\n")[:-1] if (key := _key(line))}


def _key(line: bytes) -> str:
    try:
        said = read(line)
    except (msgspec.DecodeError, RecursionError, MalformedLine):
        return ""
    match said:
        case Request(id=name):
            return str(name)
        case Notification(method=method):
            return method
        case Response(id=name) | Failure(id=name):
            return "" if name is None else answer_key(name)


def _word(key: str, said: Params) -> Word:
    return Word(key, msgspec.json.encode(said) + b"\n")
