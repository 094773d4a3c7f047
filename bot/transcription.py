"""Spoken words become written ones, by an endpoint of the user's choice."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 10.0
KNOCK_SECONDS = 5.0
WHOLE_SECONDS = 120.0
"""For one recording, its way there and back included."""
LARGEST_ANSWER = 1_000_000
"""Bytes."""
OK = 200


class Why(StrEnum):
    """Why there are no words; each is a sentence beneath `voice.why`."""

    UNREACHABLE = "unreachable"
    SLOW = "slow"
    REFUSED = "refused"
    STRANGE = "strange"
    SILENT = "silent"


class NotTranscribed(RuntimeError):
    """There are no words. *status* is what the endpoint answered with, where it refused."""

    def __init__(self, why: Why, status: int = 0) -> None:
        super().__init__(f"{why} {status}" if status else why)
        self.why = why
        self.status = status


class _Answer(msgspec.Struct):
    """What an endpoint that is compatible with OpenAI's answers with, as far as it is needed."""

    text: str


@dataclass(frozen=True, slots=True)
class Transcriber:
    """An endpoint that is compatible with OpenAI's `/audio/transcriptions`: *base_url* is what stands before
    that. Empty *language*: it finds out itself. *seconds* is how long one call may take."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    language: str = ""
    seconds: float = WHOLE_SECONDS

    async def __call__(self, name: str, data: bytes) -> str:
        """What is said in the recording *data*, whose *name* tells its format. Errors: `NotTranscribed`."""
        # Its library is large: nothing of it is loaded where nobody speaks.
        import httpx

        try:
            async with asyncio.timeout(self.seconds):
                status, body = await self._asked(name, data)
        except (TimeoutError, httpx.TimeoutException):
            raise NotTranscribed(Why.SLOW) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            raise NotTranscribed(Why.UNREACHABLE) from None
        if status != OK:
            raise NotTranscribed(Why.REFUSED, status)
        return _words(body)

    async def knock(self) -> int:
        """The status with which it answers to who asks for nothing: whether it is there, and takes the key.
        Errors: `NotTranscribed`."""
        import httpx

        url = f"{self.base_url.rstrip('/')}/models"
        try:
            async with (
                asyncio.timeout(KNOCK_SECONDS),
                httpx.AsyncClient(timeout=KNOCK_SECONDS) as client,
                client.stream("GET", url, headers=self._headers) as answer,
            ):
                return answer.status_code
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError):
            raise NotTranscribed(Why.UNREACHABLE) from None

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    async def _asked(self, name: str, data: bytes) -> tuple[int, bytes]:
        """The status and the body. It is sent nowhere but there: a redirect is a refusal."""
        import httpx

        form = {"model": self.model, "response_format": "json"}
        form |= {"language": self.language} if self.language else {}
        bounds = httpx.Timeout(self.seconds, connect=CONNECT_SECONDS)
        url = f"{self.base_url.rstrip('/')}/audio/transcriptions"
        async with (
            httpx.AsyncClient(timeout=bounds) as client,
            client.stream(
                "POST", url, data=form, files={"file": (name, data)}, headers=self._headers
            ) as answer,
        ):
            return answer.status_code, await _body(answer)


async def _body(answer: httpx.Response) -> bytes:
    """Errors: `NotTranscribed` for one without an end."""
    body = bytearray()
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > LARGEST_ANSWER:
            raise NotTranscribed(Why.STRANGE)
    return bytes(body)


def _words(body: bytes) -> str:
    try:
        said = msgspec.json.decode(body, type=_Answer).text.strip()
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise NotTranscribed(Why.STRANGE) from None
    if not said:
        raise NotTranscribed(Why.SILENT)
    return said
