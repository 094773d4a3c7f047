"""What Claude Code is told over its standard input, and how our keys are read back from that."""

from __future__ import annotations

import msgspec

from core.model.launch import Word
from core.wire.shapes import Shape

Json = dict[str, object]


def _word(key: str, line: Json) -> Word:
    return Word(key, msgspec.json.encode(line) + b"\n")


def say(key: str, text: str) -> Word:
    """A prompt. Claude Code gives its `uuid`, which may be any string, back in `command_lifecycle` and in
    `result`, and passes over a second line with the same one."""
    return _word(key, {"type": "user", "uuid": key, "message": {"role": "user", "content": text}})


def with_pictures(text: str, images: tuple[str, ...]) -> str:
    """Claude Code reads files that are named like this by itself, pictures as pictures."""
    named = "\n".join(f'@"{image}"' for image in images)
    return f"{text}\n\n{named}" if named else text


def interrupt(turn: str) -> Word:
    """The turn ends, and what waits behind it is dropped: it would be run all the same."""
    return request(f"{turn}:interrupt", {"subtype": "interrupt", "cancel_queued": True})


def request(key: str, what: Json) -> Word:
    return _word(key, {"type": "control_request", "request_id": key, "request": what})


def answer(asked: str, what: Json) -> Word:
    """The answer to the request *asked* of Claude Code's."""
    response = {"subtype": "success", "request_id": asked, "response": what}
    return _word(answer_key(asked), {"type": "control_response", "response": response})


def refuse(asked: str, why: str) -> Word:
    """To a request of a kind that this version cannot answer: Claude Code waits for no answer."""
    response = {"subtype": "error", "request_id": asked, "error": why}
    return _word(answer_key(asked), {"type": "control_response", "response": response})


def answer_key(asked: str) -> str:
    return f"answer:{asked}"


class _Response(Shape, frozen=True, gc=False):
    request_id: str = ""


class _Told(Shape, frozen=True, gc=False):
    type: str
    uuid: str = ""
    request_id: str = ""
    response: _Response = _Response()

    @property
    def key(self) -> str:
        match self.type:
            case "user":
                return self.uuid
            case "control_request":
                return self.request_id
            case "control_response" if self.response.request_id:
                return answer_key(self.response.request_id)
            case _:
                return ""


_TOLD = msgspec.json.Decoder(_Told)


def keys(inp: bytes) -> set[str]:
    """The keys of the whole lines in *inp*; a last one that was cut off counts as not told."""
    told = (_key(line) for line in inp.split(b"\n")[:-1])
    return {key for key in told if key}


def _key(line: bytes) -> str:
    try:
        return _TOLD.decode(line).key
    except (msgspec.DecodeError, RecursionError):
        return ""
