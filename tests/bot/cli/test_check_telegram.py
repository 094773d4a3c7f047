"""`roost check` asks the bot of the settings who it is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.roost import Roost
from tests.telegram.server import TOKEN, BotApi


async def finding(home: Path, url: str, token: str = TOKEN, owners: str = "[1001]") -> Any:
    settings = f'[telegram]\ntoken = "{token}"\nbase_url = "{url}"\nallowed_users = {owners}\n'
    roost = Roost(home / owners, config=settings)
    done = await asyncio.to_thread(roost, "check", "--json")
    (told,) = [line for line in json.loads(done.out) if line["name"] == "telegram"]
    assert token not in done.out + done.err
    return told


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
    assert (told["state"], told["message"][:26]) == ("warning", "Telegram can’t be reached.")
