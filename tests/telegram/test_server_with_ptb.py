"""Our Bot API server as python-telegram-bot sees it: answers it can read, errors as it names them."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from datetime import timedelta

import pytest
from telegram import (
    Bot,
    BotCommand,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaPhoto,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
    Update,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)
from telegram.request import HTTPXRequest

from tests.telegram.client import picture
from tests.telegram.ptb import real_bot
from tests.telegram.server import BotApi, Person, Rule


async def test_a_whole_conversation(api: BotApi, ann: Person) -> None:
    asked = ann.writes("Why is checkout slow?", photo=picture())
    async with real_bot(api) as bot:
        updates = await bot.get_updates(timeout=5, allowed_updates=Update.ALL_TYPES)
        photo = updates[-1].message and updates[-1].message.photo[-1]
        assert photo
        assert bytes(await (await photo.get_file()).download_as_bytearray()).startswith(b"\xff\xd8")
        await bot.set_message_reaction(1001, asked.id, [ReactionTypeEmoji("👀")])
        stop = InlineKeyboardMarkup([[InlineKeyboardButton("Stop", callback_data="s:1")]])
        progress = await bot.send_message(1001, "⏳ Codex", reply_markup=stop, disable_notification=True)
        press = ann.presses("Stop")
        query = (await bot.get_updates(offset=updates[-1].update_id + 1))[-1].callback_query
        assert query
        await query.answer("stopped")
        await progress.edit_text("✓ 0:05", entities=[MessageEntity("bold", 2, 4)])
        reply = ReplyParameters(asked.id, allow_sending_without_reply=True)
        await bot.send_message(1001, "Three queries.", reply_parameters=reply)
        shot = await bot.send_photo(1001, picture(), caption="shot")
        await bot.send_document(1001, b"%PDF", filename="a.pdf", reply_to_message_id=shot.id)
        await bot.send_media_group(1001, [InputMediaPhoto(picture()), InputMediaPhoto(picture())])
    assert press.text == "stopped"
    reads = ann.chat.reads()
    assert reads[:2] == ["✓ 0:05", "Three queries."]
    assert reads[2].endswith(".jpg] shot")
    assert reads[3] == "[a.pdf]"
    assert len(ann.chat.rung) == 5
    assert ann.chat.screen()[1].reactions == ((7000001, "👀"),)
    assert api.violations == []


async def test_everything_about_the_bot_and_its_chats_is_readable(api: BotApi, ann: Person) -> None:
    group = api.group("team", ann, chat_id=-1001700000001, forum=True)
    ann.sets_bot("administrator", group)
    ann.reacts(ann.writes("a"), "👍")
    async with real_bot(api) as bot:
        assert await bot.set_my_commands([BotCommand("stop", "Stop it")])
        assert [one.command for one in await bot.get_my_commands()] == ["stop"]
        assert (await bot.get_chat(group.id)).is_forum
        assert len(await bot.get_chat_administrators(group.id)) == 1
        topic = await bot.create_forum_topic(group.id, "checkout")
        assert await bot.send_chat_action(group.id, "typing", message_thread_id=topic.message_thread_id)
        assert (await bot.get_webhook_info()).pending_update_count == 4
        assert len(await bot.get_updates()) == 4


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (Rule("sendMessage", drop_connection=True), NetworkError),
        (Rule("sendMessage", html=True), NetworkError),
        (Rule("sendMessage", hang=1.0), TimedOut),
        (Rule("sendMessage", delay=1.0), TimedOut),
        (Rule("sendMessage", status=401, body={"ok": False, "description": "Unauthorized"}), InvalidToken),
    ],
)
async def test_faults_by_their_names(api: BotApi, ann: Person, rule: Rule, kind: type[TelegramError]) -> None:
    api.faults.add(rule)
    async with real_bot(api, timeout=0.3) as bot:
        with pytest.raises(TelegramError) as caught:
            await bot.send_message(1001, "a")
    assert type(caught.value) is kind
    assert ann.chat.reads() == (["a"] if rule.delay else [])


async def test_refusals_by_their_names(api: BotApi, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # without it the library warns at every flood
    api.bot.flood.shut(1001, 7)
    api.person("Eve", 2002)
    old = api.group("team", ann)
    new = ann.migrates(old)
    async with real_bot(api) as bot:
        with pytest.raises(RetryAfter) as flood:
            await bot.send_message(1001, "a")
        with pytest.raises(Forbidden, match="initiate"):
            await bot.send_message(2002, "a")
        with pytest.raises(ChatMigrated) as moved:
            await bot.send_message(old.id, "a")
        with pytest.raises(BadRequest, match=r"(?i)chat not found"):
            await bot.send_message(4711, "a")
        with pytest.raises(EndPointNotFound):
            await bot.do_api_request("sendTelepathy", {"chat_id": 1001})
    assert (flood.value.retry_after, moved.value.new_chat_id) == (timedelta(seconds=7), new.id)
    api.revoke()
    with pytest.raises(InvalidToken):
        async with real_bot(api):
            pass


async def test_it_tells_when_something_has_come(api: BotApi, ann: Person) -> None:
    async with real_bot(api) as bot:
        sending = asyncio.create_task(bot.send_message(1001, "a"))
        await api.until(lambda: ann.chat.reads() == ["a"])
        await sending
    with pytest.raises(AssertionError, match=r"not so after 0.01 s: {'Ann': \['a'\]}"):
        await api.until(lambda: False, seconds=0.01)


async def test_by_hand_on_the_command_line() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.telegram.server",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        told = dict([(await process.stdout.readline()).decode().split() for _ in range(4)])
        requests = HTTPXRequest(), HTTPXRequest()
        async with Bot(told["token"], told["base_url"], told["file_url"], *requests) as bot:
            process.stdin.write(b"hello\n")
            [update] = await bot.get_updates(timeout=10)
            assert update.message
            await update.message.reply_text("well")
        lines = [(await process.stdout.readline()).decode().split()[1:] for _ in range(2)]
        assert lines == [["sent", "hello"], ["sent", "well"]]
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
