"""How calls to a homeserver fail, as what that says about the message."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import aiohttp
import msgspec
from nio import EncryptionError, LocalProtocolError

from bot.chat import ChatError, Flood, NotSent, Refused, Unknown, Why
from bot.matrix.wire import Trouble
from bot.tasks import within

LONGEST_WORDS = 200
FAILURES = (
    aiohttp.ClientError,
    TimeoutError,
    OSError,
    msgspec.MsgspecError,
    EncryptionError,
    LocalProtocolError,
)
"""What a call may end with besides an answer; the last two are the library's."""
LOGGED_OUT = ("M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED")

REFUSALS = {
    "M_TOO_LARGE": Why.TOO_LARGE,
    "M_FORBIDDEN": Why.FORBIDDEN,
    "M_GUEST_ACCESS_FORBIDDEN": Why.FORBIDDEN,
    "M_NOT_FOUND": Why.GONE,
}


class LoggedOut(NotSent):
    """The homeserver doesn't know our token any more."""


class KeysLost(LoggedOut):
    """Our keys are not those that the homeserver has seen of this device: lost, or put back from a copy."""


class AskedForPassword(Refused):
    """A call that wants the password as well, in a conversation of the name *session*."""

    def __init__(self, session: str) -> None:
        super().__init__("asked for the password")
        self.session = session


def calling(seconds: float) -> AbstractAsyncContextManager[None]:
    """A call that ends within so many seconds. Errors: `ChatError`, and nothing else."""
    return within(seconds, FAILURES, chat_error)


def chat_error(error: BaseException) -> ChatError:
    match error:
        case aiohttp.ClientConnectorError() | aiohttp.InvalidURL():
            return NotSent(words(error))
        case EncryptionError() | LocalProtocolError():
            return NotSent(words(error))
        case _:
            return Unknown(words(error))


def refusal(status: int, body: bytes) -> ChatError:
    """What an answer of this status says. One that is no homeserver's comes from something before it."""
    try:
        trouble = msgspec.json.decode(body, type=Trouble)
    except msgspec.MsgspecError:
        trouble = Trouble()
    said = f"{status} {trouble.errcode} {trouble.error}"[:LONGEST_WORDS]
    if trouble.errcode in LOGGED_OUT:
        return LoggedOut(said)
    if status == 429:
        return Flood((trouble.retry_after_ms or 0.0) / 1000)
    if status >= 500 or not trouble.errcode:
        return Unknown(said)
    return Refused(said, REFUSALS.get(trouble.errcode, Why.OTHER))


def words(error: BaseException) -> str:
    """For a log: of the library's own only the kind, since they may hold what somebody wrote."""
    cause = error.strerror if isinstance(error, OSError) and error.strerror else ""
    return f"{type(error).__name__} {cause}".strip()[:LONGEST_WORDS]


def pausing(first: float, longest: float) -> Callable[[ChatError, int, float], float]:
    """Seconds until the next try after an error, one of so many in a row, spread by a chance between 0 and 1:
    never fewer than the homeserver asks for."""

    def pause(error: ChatError, failures: int, chance: float) -> float:
        asked = error.seconds if isinstance(error, Flood) else 0.0
        ours: float = min(first * 2 ** min(failures - 1, 10), longest) * (0.5 + chance / 2)
        return max(asked, ours)

    return pause
