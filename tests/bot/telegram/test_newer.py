"""Drafts and rich messages: sent where the server has them, and given up for good where it has not."""

from __future__ import annotations

import asyncio

import pytest

from bot.chat import Button, Divided, Flood, MessageRef, Person, Press, Refused, Text
from bot.telegram.part import decode
from tests.bot.telegram.rig import Rig
from tests.telegram.server.faults import Rule
from tests.telegram.server.model import Draft

STOP = (Button("Stop", "/cancel 7"),)
TABLE = "# Head\n\n| a | b |\n|--|--|\n| `List<String>` | 2 |"


def seen(rig: Rig) -> Draft | None:
    return rig.ann.chat.drafted(rig.api.clock())


async def test_what_is_being_written_is_seen_as_a_draft_that_can_be_stopped(rig: Rig) -> None:
    await rig.adapter.draft(rig.room, 7, Text("It is **sl**…"))
    assert (draft := seen(rig))
    assert (draft.id, draft.text, draft.can_stop) == (7, "It is sl…", True)
    await rig.adapter.draft(rig.room, 7, Text(""))
    assert (gone := seen(rig))
    assert gone.text == "Thinking…"
    await rig.adapter.send(rig.room, Text("It is slow."))
    assert seen(rig) is None
    assert rig.api.violations == []


async def test_who_stops_a_draft_stops_its_prompt(rig: Rig) -> None:
    incoming = rig.adapter.incoming()
    rig.ann.writes("Go")
    await asyncio.wait_for(anext(incoming), timeout=20)
    await rig.adapter.draft(rig.room, 7, Text("It is"))
    rig.ann.stops()
    pressed = await asyncio.wait_for(anext(incoming), timeout=20)
    assert isinstance(pressed, Press)
    assert (pressed.room, pressed.person, pressed.text) == (rig.room, Person("1001", "Ann"), "/cancel 7")


async def test_the_first_draft_that_is_refused_is_the_last(rig: Rig) -> None:
    rig.api.bot.lacks = {"sendmessagedraft"}
    assert rig.adapter.drafts(rig.room)
    with pytest.raises(Refused):
        await rig.adapter.draft(rig.room, 7, Text("It is"))
    assert not rig.adapter.drafts(rig.room)
    assert len(rig.api.called("sendMessageDraft")) == 1


async def test_a_flood_is_no_reason_to_give_drafts_up(rig: Rig) -> None:
    flood = {"ok": False, "error_code": 429, "description": "", "parameters": {"retry_after": 3}}
    rig.api.faults.add(Rule("sendMessageDraft", times=1, status=429, body=flood))
    with pytest.raises(Flood):
        await rig.adapter.draft(rig.room, 7, Text("It is"))
    assert rig.adapter.drafts(rig.room)


async def test_who_shut_the_bot_out_takes_drafts_from_nobody_else(rig: Rig) -> None:
    rig.ann.blocks()
    with pytest.raises(Refused):
        await rig.adapter.draft(rig.room, 7, Text("It is"))
    assert rig.adapter.drafts(rig.room)


async def test_a_group_has_no_drafts(rig: Rig) -> None:
    assert not rig.adapter.drafts(rig.address(rig.api.group("shop", rig.ann)))


async def test_a_rich_answer_is_one_message_with_all_of_its_signs(rig: Rig) -> None:
    (body,) = rig.adapter.cut(Text(TABLE, STOP, reply_to=MessageRef("1"), rich=True))
    await rig.adapter.deliver(rig.room, body, mark="(may be a repeat) <b>")
    (call,) = rig.api.called("sendRichMessage")
    assert "<table>" in call.params["rich_message"]["html"]
    assert "&lt;String&gt;" in call.params["rich_message"]["html"]
    (read,) = rig.ann.chat.reads()
    assert read.split() == ["(may", "be", "a", "repeat)", "<b>", "Head", "a", "b", "List<String>", "2"]
    assert rig.ann.chat.buttons() == ["Stop"]
    assert rig.api.violations == []


async def test_where_there_are_none_the_answer_comes_as_ever_and_nobody_asks_again(rig: Rig) -> None:
    rig.api.bot.lacks = {"sendrichmessage"}
    (body,) = rig.adapter.cut(Text(TABLE, STOP, reply_to=MessageRef("1"), rich=True))
    with pytest.raises(Divided):
        await rig.adapter.deliver(rig.room, body)
    with pytest.raises(Divided) as divided:
        await rig.adapter.deliver(rig.room, body)
    (plain,) = map(decode, divided.value.bodies)
    assert plain.text.startswith("Head\n\na")
    assert (plain.buttons, plain.silent, plain.reply_to) == (STOP, False, "1")
    assert len(rig.api.called("sendRichMessage")) == 1


async def test_a_rich_message_that_may_not_be_there_is_no_reason_for_another_form(rig: Rig) -> None:
    (body,) = rig.adapter.cut(Text(TABLE, rich=True))
    rig.ann.blocks()
    with pytest.raises(Refused) as refused:
        await rig.adapter.deliver(rig.room, body)
    assert not isinstance(refused.value, Divided)
    rig.ann.unblocks()
    await rig.adapter.deliver(rig.room, body)
    assert len(rig.ann.chat.reads()) == 1


def test_a_very_long_answer_is_a_file_however_it_is_wanted(rig: Rig) -> None:
    parts = [decode(body) for body in rig.adapter.cut(Text("word " * 5_000, rich=True))]
    assert [part.rich for part in parts] == ["", ""]
