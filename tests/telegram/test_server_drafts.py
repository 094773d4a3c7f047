"""The server's drafts and rich messages, by the rules of the Bot API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.telegram.client import Client, Clock
from tests.telegram.server import BotApi, Person


async def test_a_draft_is_shown_until_a_message_comes_or_for_half_a_minute(
    bot: Client, ann: Person, clock: Clock
) -> None:
    assert await bot.ok("sendMessageDraft", chat_id=1001, draft_id=7, text="It is sl") is True
    assert words(ann, clock) == "It is sl"
    clock.now += 5
    await bot.ok("sendMessageDraft", chat_id=1001, draft_id=7, text="It is slow")
    assert words(ann, clock) == "It is slow"
    clock.now += 31
    assert words(ann, clock) == ""
    await bot.ok("sendMessageDraft", chat_id=1001, draft_id=7, text="")
    assert words(ann, clock) == "Thinking…"
    clock.now += 1
    await bot.ok("sendMessage", chat_id=1001, text="It is slow.")
    assert words(ann, clock) == ""
    assert ann.chat.reads() == ["It is slow."]


def words(ann: Person, clock: Clock) -> str:
    draft = ann.chat.drafted(clock())
    return draft.text if draft else ""


async def test_drafts_are_for_one_person_and_have_a_name(api: BotApi, bot: Client, ann: Person) -> None:
    group = api.group("shop", ann)
    draft: dict[str, Any] = {"draft_id": 7, "text": "x"}
    assert "TEXTDRAFT_PEER_INVALID" in await bot.refused("sendMessageDraft", chat_id=group.id, **draft)
    assert "RANDOM_ID_INVALID" in await bot.refused("sendMessageDraft", chat_id=1001, draft_id=0, text="x")
    assert "too long" in await bot.refused("sendMessageDraft", chat_id=1001, draft_id=7, text="x" * 5000)


async def test_a_draft_can_be_stopped_where_it_says_so(api: BotApi, bot: Client, ann: Person) -> None:
    allowed = ["message", "stopped_message_generation"]
    await bot.ok("getUpdates", allowed_updates=allowed, offset=-1)
    await bot.ok("sendMessageDraft", chat_id=1001, draft_id=7, text="x")
    with pytest.raises(AssertionError, match="cannot be stopped"):
        ann.stops()
    await bot.ok("sendMessageDraft", chat_id=1001, draft_id=7, text="x", can_stop=True)
    ann.stops()
    *_, update = await bot.ok("getUpdates", allowed_updates=allowed)
    assert update["stopped_message_generation"] == {"chat": ann.chat.json(), "draft_id": 7}


async def test_a_rich_message_is_html_of_known_tags(api: BotApi, bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendRichMessage", chat_id=1001, rich_message={"html": "<p>a <b>b</b> &lt;c&gt;</p>"})
    assert "text" not in sent
    assert ann.chat.reads() == ["a b <c>"]
    for wrong, why in (
        ({"html": "<blink>x</blink>"}, "unsupported tag blink"),
        ({"html": "x", "markdown": "x"}, "exactly one"),
        ({}, "exactly one"),
        ({"html": "<p> </p>"}, "text is empty"),
        ({"html": "x" * 40_000}, "TOO_LONG"),
    ):
        assert why in await bot.refused("sendRichMessage", chat_id=1001, rich_message=wrong)


async def test_an_old_server_has_no_such_method(api: BotApi, bot: Client, ann: Person) -> None:
    api.bot.lacks = {"sendmessagedraft"}
    told = await bot.call("sendMessageDraft", chat_id=1001, draft_id=7, text="x")
    assert told["error_code"] == 404
