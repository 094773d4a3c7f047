"""What keeps one chat from saying anything is told to owners by another one."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

import pytest

from bot.chat import DeliveringChat, RoomAddress, Text
from bot.chatting import desk_of
from bot.heralds import Heralds
from bot.intents.parse import TELEGRAM_MARKS
from bot.service import ChatService
from bot.telegram.account import Account, Server
from tests.support.at_work import AtWork
from tests.support.whole import roost
from tests.telegram.server import BotApi, own_token

ANNS = RoomAddress("fake", "roost", "1001")
REVOKED = {"ok": False, "error_code": 401, "description": "Unauthorized"}
CONFLICT = {"ok": False, "error_code": 409, "description": "Conflict: terminated by other getUpdates request"}
SAID = Text("Telegram no longer takes the bot’s token.")


async def test_it_is_told_by_the_others_and_not_by_itself(work: AtWork) -> None:
    heralds = Heralds()
    heralds.joins("fake", work.service)
    heralds.tell("telegram", SAID)
    await work.passes()
    assert work.chat.reads(ANNS) == [SAID.markdown]
    heralds.tell("fake", Text("I can’t speak."))
    await work.passes()
    assert work.chat.reads(ANNS) == [SAID.markdown]


async def test_a_chat_that_comes_later_is_told_of_what_lasts(work: AtWork) -> None:
    heralds = Heralds()
    heralds.tell("telegram", Text("It was wrong once."))
    heralds.tell("telegram", None)
    heralds.joins("fake", work.service)
    heralds.joins("telegram", work.service)
    await work.passes()
    assert work.chat.reads(ANNS) == []
    late = Heralds()
    late.tell("telegram", SAID)
    late.joins("fake", work.service)
    await work.passes()
    assert work.chat.reads(ANNS) == [SAID.markdown]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, REVOKED, "Telegram no longer takes the bot’s token."),
        (409, CONFLICT, "Another program fetches this bot’s messages."),
    ],
)
async def test_a_bot_that_hears_nothing_any_more_says_so_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, status: int, body: dict[str, object], words: str
) -> None:
    caplog.set_level(logging.CRITICAL)
    heard: asyncio.Queue[Text | None] = asyncio.Queue()
    config = tmp_path / "roost.toml"
    config.write_text(f'data_dir = "{tmp_path / "data"}"\n')
    async with BotApi(token=own_token()) as api, roost(config, duty=False) as whole:
        api.faults.load([{"method": "getUpdates", "status": status, "body": body}])
        app = whole.app

        def service(chat: DeliveringChat) -> ChatService:
            desk, mask = desk_of(app, "codex"), app.means.mask
            return ChatService(chat, desk, marks=TELEGRAM_MARKS, owners=[], mask=mask)

        account = Account(api.token, Server(api.url), app.means, app.texts("en"), service, heard.put_nowait)
        running = asyncio.create_task(account.run())
        try:
            told = await heard.get()
            assert told
            assert told.markdown.startswith(words)
            assert api.token not in told.markdown
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
