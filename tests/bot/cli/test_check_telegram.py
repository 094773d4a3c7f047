"""`roost check` asks the bot of the settings who it is, where it is heard, and who makes words of voices."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.roost import Roost
from tests.support.transcription_server import transcription
from tests.telegram.server import TOKEN, BotApi


async def findings(home: Path, settings: str, secret: str) -> dict[str, Any]:
    """All that is told, by its name."""
    done = await asyncio.to_thread(Roost(home, config=settings), "check", "--json")
    assert secret not in done.out + done.err
    return {line["name"]: line for line in json.loads(done.out)}


def bot_of(url: str, token: str = TOKEN, owners: str = "[1001]", more: str = "") -> str:
    return f'[telegram]\ntoken = "{token}"\nbase_url = "{url}"\nallowed_users = {owners}\n{more}'


async def finding(home: Path, url: str, token: str = TOKEN, owners: str = "[1001]") -> Any:
    return (await findings(home / owners, bot_of(url, token, owners), token))["telegram"]


async def test_it_says_whose_bot_it_is_and_whether_anybody_owns_it(tmp_path: Path) -> None:
    async with BotApi() as api:
        mine = await finding(tmp_path, api.url)
        nobodys = await finding(tmp_path, api.url, owners="[]")
    assert (mine["state"], mine["message"]) == ("ok", f"@{api.bot.user.username} answers.")
    assert (nobodys["state"], nobodys["remedy"]) == ("warning", "`roost pair` makes the code.")


@pytest.mark.parametrize(
    ("token", "state", "words"),
    [
        ("nonsense", "fault", "The Telegram token in the configuration is none."),
        ("7000009:nobody-has-this-one-here", "fault", "Telegram no longer takes the bot’s token."),
    ],
)
async def test_a_token_that_is_none(tmp_path: Path, token: str, state: str, words: str) -> None:
    async with BotApi() as api:
        told = await finding(tmp_path, api.url, token)
    assert (told["state"], told["message"].startswith(words)) == (state, True), told


async def test_nobody_there(tmp_path: Path) -> None:
    told = await finding(tmp_path, "http://127.0.0.1:9")
    assert (told["state"], told["message"]) == ("warning", "Telegram can’t be reached.")
    assert told["remedy"].startswith("Is this machine online?")


VOICE_KEY = "sk-voice-0123456789"
OURS = "https://roost.example.org/hook"


@pytest.mark.parametrize(
    ("there", "waiting", "failed", "state", "words"),
    [
        (OURS, 0, "", "ok", "Telegram brings what people write to https://roost.example.org/hook."),
        ("", 0, "", "warning", "Telegram brings nothing to https://roost.example.org/hook yet."),
        ("https://other.example.net/x", 0, "", "warning", "to other.example.net: another program uses"),
        (OURS, 2, "Wrong response from the webhook: 502", "warning", "Wrong response from the webhook"),
        (OURS, 0, "Connection refused", "ok", "Telegram brings what people write"),
    ],
    ids=["well", "not yet", "another's", "failing", "failed once"],
)
async def test_what_becomes_of_the_webhook(
    tmp_path: Path, there: str, waiting: int, failed: str, state: str, words: str
) -> None:
    async with BotApi() as api:
        updates = api.bot.updates
        updates.webhook, updates.error = there, failed
        for _ in range(waiting):
            api.person(user_id=1001).writes("Go")
        told = await findings(tmp_path, bot_of(api.url, more=f'webhook_url = "{OURS}"\n'), TOKEN)
    assert (told["webhook"]["state"], words in told["webhook"]["message"]) == (state, True), told["webhook"]
    assert bool(told["webhook"]["remedy"]) == (state != "ok")


async def test_a_webhook_of_somebody_else_is_told_where_updates_are_fetched(tmp_path: Path) -> None:
    async with BotApi() as api:
        clean = await findings(tmp_path / "clean", bot_of(api.url), TOKEN)
        api.bot.updates.webhook = "https://other.example.net/secret-path"
        told = await findings(tmp_path / "taken", bot_of(api.url), TOKEN)
    assert "webhook" not in clean
    assert told["webhook"]["state"] == "warning"
    assert "other.example.net" in told["webhook"]["message"]
    assert "secret-path" not in told["webhook"]["message"]
    assert told["telegram"]["state"] == "ok"


@pytest.mark.parametrize(
    ("status", "state", "words"),
    [(200, "ok", "answers."), (404, "ok", "answers."), (401, "fault", "does not take the key.")],
)
async def test_the_endpoint_for_voices_is_asked_whether_it_takes_the_key(
    tmp_path: Path, status: int, state: str, words: str
) -> None:
    async with transcription() as endpoint:
        endpoint.models = status
        settings = (
            f'[transcription]\nbase_url = "{endpoint.base_url}"\nmodel = "m"\napi_key = "{VOICE_KEY}"\n'
        )
        told = (await findings(tmp_path, settings, VOICE_KEY))["transcription"]
        assert endpoint.heard == []  # nobody's voice, and nothing that costs anything
    assert (told["state"], told["message"].endswith(words)) == (state, True), told


async def test_no_endpoint_is_no_finding_and_one_that_is_away_is_told(tmp_path: Path) -> None:
    away = '[transcription]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n'
    told = (await findings(tmp_path / "away", away, VOICE_KEY))["transcription"]
    assert (told["state"], "can’t be reached" in told["message"]) == ("warning", True)
    assert "transcription" not in await findings(tmp_path / "none", "", VOICE_KEY)
