"""Recordings become words by an endpoint; whatever it does, the call ends, and the key goes nowhere else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.transcription import LARGEST_ANSWER, NotTranscribed, Transcriber, Why
from tests.support.transcription_server import Transcription, transcription

KEY = "sk-transcription-key-0123456789"


@pytest.fixture
async def endpoint() -> AsyncIterator[Transcription]:
    async with transcription() as endpoint:
        yield endpoint


def listener(endpoint: Transcription) -> Transcriber:
    return Transcriber(endpoint.base_url, "whisper-1", KEY)


async def test_what_is_said_comes_back_and_the_language_is_left_out_where_none_is_set(
    endpoint: Transcription,
) -> None:
    endpoint.text = " Répare les tests. \n"
    assert await listener(endpoint)("voice-7.ogg", b"OggS") == "Répare les tests."
    (call,) = endpoint.heard
    assert call.fields == {"model": "whisper-1", "response_format": "json"}
    assert (call.name, call.data, call.authorization) == ("voice-7.ogg", b"OggS", f"Bearer {KEY}")


async def test_a_local_endpoint_needs_no_key(endpoint: Transcription) -> None:
    await Transcriber(f"{endpoint.base_url}/", "tiny")("a.ogg", b"x")
    assert endpoint.heard[0].authorization == ""


@pytest.mark.parametrize(
    ("faults", "why", "status"),
    [
        ({"status": 401}, Why.REFUSED, 401),
        ({"status": 500, "body": b"<html>"}, Why.REFUSED, 500),
        ({"status": 307, "location": "http://127.0.0.1:1/v1"}, Why.REFUSED, 307),
        ({"body": b"[]"}, Why.STRANGE, 0),
        ({"body": b'{"text": 7}'}, Why.STRANGE, 0),
        ({"body": b"\xff"}, Why.STRANGE, 0),
        ({"body": b"x" * (LARGEST_ANSWER + 1)}, Why.STRANGE, 0),
        ({"text": "\n"}, Why.SILENT, 0),
        ({"port": 1}, Why.UNREACHABLE, 0),
    ],
)
async def test_every_failure_is_one_of_a_few(
    endpoint: Transcription, faults: dict[str, object], why: Why, status: int
) -> None:
    for name, value in faults.items():
        setattr(endpoint, name, value)
    with pytest.raises(NotTranscribed) as raised:
        await listener(endpoint)("a.ogg", b"x")
    assert (raised.value.why, raised.value.status) == (why, status)
    assert KEY not in str(raised.value)


async def test_one_that_never_answers_is_waited_for_so_long_and_no_longer(endpoint: Transcription) -> None:
    endpoint.delay = 60.0
    with pytest.raises(NotTranscribed) as raised:
        await replace(listener(endpoint), seconds=0.2)("a.ogg", b"x")
    assert raised.value.why is Why.SLOW


def test_the_key_is_not_shown() -> None:
    assert KEY not in repr(Transcriber("http://127.0.0.1/v1", "whisper-1", KEY))
