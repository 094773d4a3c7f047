"""Voice becomes words that are shown and run, else the recording is the prompt: the whole way."""

from __future__ import annotations

import json

import pytest

from tests.e2e.test_telegram_sent import answered, asked, ready
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.support.transcription_server import Transcription, transcription
from tests.support.whole import BEGUN, COMPLETED, STARTED, says

KEY = "sk-transcription-key-0123456789"
OGG = b"OggS" + bytes(200)


@pytest.fixture
def reader(shop: Roost) -> Roost:
    shop.play.steps({"read_stdin": "eof"}, STARTED, BEGUN, says("Hi."), COMPLETED)
    return shop


def hears_at(shop: Roost, endpoint: Transcription) -> None:
    """The service of *shop* has *endpoint* in its settings from its next start on."""
    table = {"base_url": endpoint.base_url, "model": "whisper-1", "api_key": KEY, "language": "en"}
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())
    shop.config.write_text(f"{shop.config.read_text()}\n[transcription]\n{lines}")


def recordings(shop: Roost) -> list[bytes]:
    folder = shop.shop / ".roost" / "inbox"
    return [file.read_bytes() for file in folder.iterdir()] if folder.exists() else []


async def speaks(held: Phone, shop: Roost, endpoint: Transcription) -> None:
    hears_at(shop, endpoint)
    await ready(held)
    held.ann.writes(voice=OGG)


async def test_a_voice_becomes_words_that_are_shown_and_run(reader: Roost) -> None:
    async with transcription() as endpoint, phone(reader) as held:
        await speaks(held, reader, endpoint)
        await answered(held)
        shown = held.one("Fix the tests.")
        assert shown.buttons == [["Wrong"]]
        assert shown.silent
        assert KEY not in held.log
        assert KEY not in "".join(held.chat.reads())
    (call,) = endpoint.heard
    assert call.fields == {"model": "whisper-1", "response_format": "json", "language": "en"}
    assert call.data == OGG
    assert (call.name[-4:], call.authorization) == (".ogg", f"Bearer {KEY}")
    assert asked(reader)[0].startswith("Fix the tests.\n\n")
    assert KEY not in json.dumps(reader.play.starts[0].env)
    assert recordings(reader) == []


async def test_wrong_takes_it_back_for_editing(shop: Roost) -> None:
    shop.holds()
    async with transcription() as endpoint, phone(shop) as held:
        await speaks(held, shop, endpoint)
        await held.until("⏳")
        held.ann.presses("Wrong")
        await held.until("Taken back. Copy this, put it right, and send it:\n\nFix the tests.")
        await held.until("Stopped after")


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ({"status": 401, "body": b'{"error": "bad key"}'}, "the service answered 401"),
        ({"body": b"<html>"}, "the service answered nothing that I understand"),
        ({"text": " "}, "I heard no words in it"),
        ({"port": 1}, "the service can’t be reached"),
    ],
)
async def test_a_failure_is_one_sentence_and_the_recording_is_the_prompt(
    reader: Roost, faults: dict[str, object], why: str
) -> None:
    async with transcription() as endpoint, phone(reader) as held:
        for name, value in faults.items():
            setattr(endpoint, name, value)
        await speaks(held, reader, endpoint)
        await answered(held)
        assert held.says(f"couldn’t be made into words: {why}. The agent gets the recording.")
        assert KEY not in held.log
    assert recordings(reader) == [OGG]
    assert ".roost/inbox/voice-" in asked(reader)[0]


async def test_without_an_endpoint_the_recording_is_the_prompt(reader: Roost) -> None:
    async with phone(reader) as held:
        await ready(held)
        held.ann.writes(voice=OGG)
        await answered(held)
        assert len(held.chat.reads()) == 2
    assert recordings(reader) == [OGG]


async def test_a_kill_while_it_listens_makes_one_prompt(reader: Roost) -> None:
    async with transcription() as endpoint, phone(reader) as held:
        endpoint.delay = 30.0
        await speaks(held, reader, endpoint)
        await held.api.until(lambda: bool(endpoint.heard))
        await held.end()
        endpoint.delay = 0.0
        await held.start()
        await answered(held)
        assert held.chat.reads().count("I heard:\n\nFix the tests.") == 1
    assert len(asked(reader)) == 1
