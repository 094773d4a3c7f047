"""A 429 is a flood whatever else its answer says: to the library only one with sensible seconds is."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from telegram.error import RetryAfter

LONGEST_SECONDS = 86_400.0
"""More than any flood was ever heard to last (`telegram.md` §1.10): after that it is tried once more."""


class _Terms(msgspec.Struct):
    retry_after: float = 0.0


class _Flood(msgspec.Struct):
    parameters: _Terms


def no_flood(code: int, payload: bytes) -> tuple[int, bytes]:
    """The status and the body of an answer, as they came. Errors: `RetryAfter`."""
    if code == HTTPStatus.TOO_MANY_REQUESTS:
        raise RetryAfter(_told_wait(payload))  # type: ignore[arg-type]
    return code, payload


def _told_wait(payload: bytes) -> float:
    """For how many seconds a flood closes a chat, as its answer tells; 0 where it tells nothing sensible, as
    a gateway's own does."""
    try:
        seconds = msgspec.json.decode(payload, type=_Flood).parameters.retry_after
    except msgspec.DecodeError:
        return 0.0
    return min(max(seconds, 0.0), LONGEST_SECONDS)
