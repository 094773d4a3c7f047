"""What python-telegram-bot raises, as what it says about the message."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.chat import ChatError, Flood, NotSent, Refused, Unknown, Why
from bot.tasks import within
from core.answers.secrets import Masker

LONGEST_WORDS = 200

FAILURES = (TelegramError, TimeoutError, LookupError, TypeError, ValueError, AttributeError)
"""What a call may end with. The last four: JSON that is no answer of a Bot API, as a captive portal gives, of
which the library makes what it can."""

NEVER_LEFT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)

# The library changes the case of the server's words. The first that is in them tells.
REFUSALS = (
    ("message is not modified", Why.SAME),
    ("topic_not_modified", Why.SAME),
    ("message thread not found", Why.THREAD),
    ("topic_closed", Why.THREAD),
    ("topic_deleted", Why.THREAD),
    ("topic_id_invalid", Why.THREAD),
    ("not a forum", Why.THREAD),
    ("not enough rights to manage topics", Why.THREAD),
    ("not enough rights to create a topic", Why.THREAD),
    ("message to edit not found", Why.GONE),
    ("message to delete not found", Why.GONE),
    ("message to react not found", Why.GONE),
    ("message to pin not found", Why.GONE),
    ("message to unpin not found", Why.GONE),
    ("message_id_invalid", Why.GONE),
    ("message can't be edited", Why.GONE),
    ("no text in the message to edit", Why.GONE),
    ("chat not found", Why.FORBIDDEN),
    ("chat_write_forbidden", Why.FORBIDDEN),
    ("not enough rights to send text", Why.FORBIDDEN),
    ("not enough rights to send", Why.MEDIA),
    ("not enough rights", Why.FORBIDDEN),
    ("have no rights", Why.FORBIDDEN),
    ("peer_id_invalid", Why.FORBIDDEN),
    ("too big for a photo", Why.MEDIA),
    ("photo_invalid_dimensions", Why.MEDIA),
    ("photo_ext_invalid", Why.MEDIA),
    ("photo_save_file_invalid", Why.MEDIA),
    ("image_process_failed", Why.MEDIA),
    ("file must be non-empty", Why.MEDIA),
    ("file is too big", Why.TOO_LARGE),
    ("request entity too large", Why.TOO_LARGE),
    ("can't parse", Why.TEXT),
    ("entit", Why.TEXT),
    ("too long", Why.TEXT),
    ("too_long", Why.TEXT),
    ("text must be non-empty", Why.TEXT),
    ("text is empty", Why.TEXT),
)

_masker = Masker(())


def calling(seconds: float) -> AbstractAsyncContextManager[None]:
    """A call to the platform, which ends within so many seconds. Errors: `ChatError`, and nothing else."""
    return within(seconds, FAILURES, chat_error)


def chat_error(error: BaseException) -> ChatError:
    # BadRequest is a NetworkError to the library, so it has to come first.
    match error:
        case RetryAfter():
            return Flood(retry_seconds(error))
        case ChatMigrated(new_chat_id=to):
            return Refused(words(error), Why.MOVED, to=str(to))
        case Forbidden():
            return Refused(words(error), Why.FORBIDDEN)
        case EndPointNotFound():
            return Refused(words(error), Why.UNKNOWN)
        case BadRequest():
            return _refused(words(error))
        case InvalidToken() | Conflict():
            return NotSent(words(error))
        case NetworkError() if isinstance(error.__cause__, NEVER_LEFT):
            return NotSent(words(error))
        case NetworkError() if "request entity too large" in str(error).lower():
            return _refused(words(error))
        case _:
            return Unknown(words(error))


def retry_seconds(error: RetryAfter) -> float:
    """0 where it doesn't say."""
    seconds = error.retry_after
    return seconds.total_seconds() if isinstance(seconds, timedelta) else float(seconds)


def words(error: BaseException) -> str:
    """Words for a log: short, without what a gateway said, and never with a token."""
    said, _, _ = str(error).partition(". Parsing the server response")
    cause = type(error.__cause__ or error).__name__
    return _masker.mask(said or cause)[:LONGEST_WORDS]


def _refused(said: str) -> Refused:
    lower = said.lower()
    return Refused(said, next((why for words, why in REFUSALS if words in lower), Why.OTHER))
