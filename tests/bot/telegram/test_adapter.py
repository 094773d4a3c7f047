"""Telegram is a chat as every other, seen from the people's side of a Bot API server."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import (
    Button,
    ChatError,
    File,
    FileRef,
    Message,
    MessageRef,
    NotSent,
    Picture,
    Press,
    Refused,
    Standing,
    Text,
    TooLarge,
    Unknown,
    Why,
)
from bot.telegram.files import DOWNLOADS, SLOWEST
from bot.telegram.naming import Me
from core.model.answer import Placed
from tests.bot.chat_conformance import DeliveringConformance
from tests.bot.telegram.rig import HASTY, Rig
from tests.support.fake_chat import take
from tests.telegram.client import picture
from tests.telegram.server import BotApi, Rule

STOP = (Button("Stop", "/cancel 7"),)
PLOT = Placed("output/plot.png", "photo", "plot", "", "plot.png")


class TestTelegram(DeliveringConformance):
    pass


async def delivered(rig: Rig, said: Text | Picture | File, mark: str = "") -> list[MessageRef]:
    bodies = rig.adapter.cut(said)
    return [await rig.adapter.deliver(rig.room, body, mark=mark) for body in bodies]


# --- what arrives ------------------------------------------------------------------------------------------


async def test_an_answer_arrives_in_order_and_rings_once(rig: Rig) -> None:
    rig.keep("plot", picture(kind="PNG"))
    asked = rig.ann.writes("Why?")
    text = "Before.\n\n![Sales](output/plot.png)\n\n`main.py` is **slow**."
    await delivered(rig, Text(text, STOP, reply_to=MessageRef(str(asked.id)), placed=(PLOT,)))
    first, photo, last = rig.ann.chat.screen()[-3:]
    assert rig.reads() == ["Before.", "[plot.jpg] Sales", "main.py is slow."]
    assert rig.rings() == 1
    assert first.reply_to == asked
    assert [one.buttons for one in (first, photo, last)] == [[], [], [["Stop"]]]
    assert not rig.api.violations


async def test_a_mark_stands_above(rig: Rig) -> None:
    await delivered(rig, Text("It is **slow**."), "(may be a repeat)")
    assert rig.reads() == ["(may be a repeat)\n\nIt is slow."]
    assert not rig.api.violations


async def test_no_link_is_unfolded(rig: Rig) -> None:
    await delivered(rig, Text("[here](https://example.org/x)"))
    assert not rig.ann.chat.screen()[-1].preview


async def test_a_reply_arrives_though_what_it_answers_is_gone(rig: Rig) -> None:
    await rig.adapter.send(rig.room, Text("Done.", reply_to=MessageRef("99")))
    assert rig.reads() == ["Done."]


async def test_it_speaks_into_the_topic_that_it_was_asked_in(rig: Rig) -> None:
    forum = rig.api.group("shop", rig.ann, chat_id=-100500, forum=True)
    forum.bot = "administrator"
    thread = rig.ann.opens_topic(forum, "checkout")
    topic, general = rig.address(forum, thread), rig.address(forum)
    for room in (topic, general):
        await rig.adapter.send(room, Text("Done."))
        await rig.adapter.typing(room)
    assert [message.thread for message in forum.screen() if message.text == "Done."] == [thread, 0]


async def test_an_edit_without_buttons_takes_them_away(rig: Rig) -> None:
    message = await rig.adapter.send(rig.room, Text("0:12", STOP, silent=True))
    assert rig.ann.chat.buttons() == ["Stop"]
    await rig.adapter.edit(rig.room, message, Text("0:13", STOP))
    assert rig.ann.chat.buttons() == ["Stop"]
    await rig.adapter.edit(rig.room, message, Text("Done."))
    assert rig.ann.chat.buttons() == []


async def test_of_what_is_longer_than_a_message_its_beginning_is_shown(rig: Rig) -> None:
    """A turn that streams goes on under the same message: the answer that follows has all of it."""
    message = await rig.adapter.send(rig.room, Text("one", STOP))
    await rig.adapter.edit(rig.room, message, Text("word " * 2000, STOP))
    assert rig.ann.chat.reads() == [("word " * 793).strip()]
    assert rig.ann.chat.buttons() == ["Stop"]
    with pytest.raises(Refused):
        await rig.adapter.send(rig.room, Text(" "))


async def test_marks_that_are_refused_cost_no_text(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    bad = {"ok": False, "error_code": 400, "description": "Bad Request: entity 1 begins beyond the text"}
    for method in ("sendMessage", "editMessageText"):
        rig.api.faults.add(Rule(method, times=1, status=400, body=bad))
    (message,) = await delivered(rig, Text("It is **slow**."))
    assert rig.reads() == ["It is slow."]
    await rig.adapter.edit(rig.room, message, Text("It is **quick**."))
    assert rig.reads() == ["It is quick."]
    assert len([record for record in caplog.records if record.levelno == logging.ERROR]) == 2


# --- signs -------------------------------------------------------------------------------------------------


async def test_a_message_that_is_stored_is_looked_at(rig: Rig) -> None:
    asked = rig.ann.writes("Why?")
    await rig.adapter.acknowledge(rig.room, MessageRef(str(asked.id)))
    assert [emoji for _, emoji in rig.ann.chat.messages[asked.id].reactions] == ["👀"]


async def test_typing_is_shown(rig: Rig) -> None:
    await rig.adapter.typing(rig.room)
    assert rig.ann.chat.log[-1].kind == "typing"


async def test_a_press_lets_its_button_rest_once(rig: Rig) -> None:
    await rig.adapter.send(rig.room, Text("0:12", STOP))
    pressed = rig.ann.presses("Stop")
    press = await take(rig.adapter.incoming())
    assert isinstance(press, Press)
    assert pressed.answered is None
    for _ in range(2):
        await rig.adapter.pressed(press)
    assert pressed.answered is not None
    assert len(rig.api.called("answerCallbackQuery")) == 1


async def test_a_press_that_is_too_old_is_no_error(rig: Rig) -> None:
    await rig.adapter.send(rig.room, Text("0:12", STOP))
    rig.ann.presses("Stop")
    press = await take(rig.adapter.incoming())
    assert isinstance(press, Press)
    rig.api.faults.add(Rule("answerCallbackQuery", status=400, body={"description": "query is too old"}))
    await rig.adapter.pressed(press)


async def test_the_pace_slows_down_and_groups_are_slow(rig: Rig) -> None:
    group = rig.address(rig.api.group("shop", rig.ann))
    assert [rig.adapter.pace(rig.room, elapsed) for elapsed in (0, 59, 60, 299, 300)] == [1.2, 1.2, 3, 3, 5]
    assert [rig.adapter.pace(group, elapsed) for elapsed in (0, 60, 300)] == [6, 6, 6]


async def test_who_takes_it_in_is_told(rig: Rig) -> None:
    group = rig.api.group("shop", rig.ann)
    group.bot = "left"
    incoming = rig.adapter.incoming()
    told = []
    for status in ("member", "administrator", "kicked"):
        rig.ann.sets_bot(status, group)
        told.append(await asyncio.wait_for(anext(incoming), timeout=10))
    stands = [(one.inside, one.new, one.hears) for one in told if isinstance(one, Standing)]
    assert stands == [(True, True, False), (True, False, True), (False, False, False)]


async def test_it_knows_who_it_is_and_what_groups_show_it(rig: Rig) -> None:
    rig.api.bot.reads_all = True
    await rig.writes("hello")
    await take(rig.adapter.incoming())
    assert rig.adapter.me == Me(7000001, "demo_agent_bot", hears_all=True)
    assert await rig.adapter.called() == ("demo_agent_bot",)


# --- files -------------------------------------------------------------------------------------------------


async def test_a_photo_that_is_none_goes_as_a_document(rig: Rig) -> None:
    for name, data in (
        ("tall.png", picture(10, 900)),
        ("text.png", b"no picture at all"),
        ("tall.webp", picture(10, 900, "WEBP")),
    ):
        rig.keep(name, data)
        await delivered(rig, Picture(name, name, "look"))
    assert rig.reads() == ["[tall.png] look", "[text.png] look", "[tall.png] look"]
    assert [message.document.mime for message in rig.ann.chat.screen() if message.document][-1] == "image/png"
    assert not rig.api.violations


async def test_a_photo_that_is_too_large_is_not_tried_as_one(rig: Rig) -> None:
    rig.keep("large.png", picture() + b"\0" * 10 * 1024 * 1024)
    await delivered(rig, Picture("large.png", "large.png"))
    assert rig.reads() == ["[large.png]"]
    assert not rig.api.called("sendPhoto")


async def test_a_file_goes_under_its_own_name(rig: Rig) -> None:
    rig.keep("ab12", b"%PDF-1.7")
    await delivered(rig, File("ab12", "rapport d'été.pdf", "Here", STOP))
    assert rig.reads() == ["[rapport d'été.pdf] Here"]
    assert rig.ann.chat.buttons() == ["Stop"]


async def test_a_file_that_is_gone_is_refused(rig: Rig) -> None:
    with pytest.raises(Refused) as failed:
        await delivered(rig, Picture("gone.png", "gone.png"))
    assert failed.value.why is Why.MEDIA


async def test_a_photo_whose_fate_is_unknown_is_sent_no_second_time(rig: Rig) -> None:
    rig.keep("plot", picture())
    rig.api.faults.add(Rule("sendPhoto", times=1, drop_connection=True, store_anyway=True))
    with pytest.raises(Unknown):
        await delivered(rig, Picture("plot", "plot.png"))
    assert rig.reads() == ["[plot.jpg]"]


async def test_a_file_that_telegram_keeps_to_itself_is_not_asked_for(rig: Rig) -> None:
    with pytest.raises(TooLarge):
        await rig.adapter.fetch(FileRef("F1", "film.mp4", 25_000_000))
    assert not rig.api.called()
    large = rig.api.bot.keep("film.mp4", b"\0" * 21_000_000)
    with pytest.raises(TooLarge):
        await rig.adapter.fetch(FileRef(large.id, "film.mp4"))


async def test_a_photo_is_fetched_in_its_largest_size(rig: Rig) -> None:
    rig.ann.writes("look", photo=picture(900, 600))
    message = await take(rig.adapter.incoming())
    assert isinstance(message, Message)
    assert len(await rig.adapter.fetch(message.files[0])) == message.files[0].size


@pytest.mark.parametrize("rule", [Rule("getFile", times=1, html=True), Rule("file", times=1, hang=9.0)])
async def test_a_fetch_that_fails_can_be_made_again(rig: Rig, rule: Rule) -> None:
    kept = rig.api.bot.keep("notes.txt", b"words")
    rig.api.faults.add(rule)
    with pytest.raises(ChatError):
        await rig.adapter.fetch(FileRef(kept.id, "notes.txt"))
    assert await rig.adapter.fetch(FileRef(kept.id, "notes.txt")) == b"words"


def file_says(code: int, description: str) -> Rule:
    return Rule("file", status=code, body={"ok": False, "error_code": code, "description": description})


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (file_says(404, "Not Found"), Refused),
        (file_says(400, "Bad Request: wrong file_id or the file is temporarily unavailable"), Refused),
        (file_says(401, "Unauthorized"), NotSent),
        (Rule("getFile", status=401, body={"ok": False, "description": "Unauthorized"}), NotSent),
    ],
)
async def test_only_a_file_that_is_gone_will_never_come(rig: Rig, rule: Rule, kind: type[ChatError]) -> None:
    """To the library «not found» says that the token is none."""
    kept = rig.api.bot.keep("notes.txt", b"words")
    rig.api.faults.add(rule)
    with pytest.raises(ChatError) as failed:
        await rig.adapter.fetch(FileRef(kept.id, "notes.txt"))
    assert type(failed.value) is kind


async def test_downloads_that_hang_keep_nothing_else_from_its_way(api: BotApi, tmp_path: Path) -> None:
    rig = Rig(api, tmp_path, patience=replace(HASTY, read=20.0))
    kept = api.bot.keep("notes.txt", b"words")
    api.faults.add(Rule("file", hang=60, drop_connection=True))
    hanging = [asyncio.ensure_future(rig.adapter.fetch(FileRef(kept.id, "n"))) for _ in range(20)]
    await api.until(lambda: len(api.called("file")) >= DOWNLOADS)
    await rig.adapter.send(rig.room, Text("hello"))
    for one in hanging:
        one.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)
    await rig.adapter.close()
    assert rig.reads() == ["hello"]


async def test_pitfall_plus_4_the_bigger_a_file_the_longer_it_may_be_on_its_way(rig: Rig) -> None:
    """A slow line is no reason to think that it is lost, and to send it again."""
    rig.api.faults.add(Rule("sendDocument", delay=3 * HASTY.read))
    (rig.folder / "small").write_bytes(b"x" * 10)
    (rig.folder / "big").write_bytes(b"x" * SLOWEST * 5)
    (small,), (big,) = (rig.adapter.cut(File(name, "it.bin")) for name in ("small", "big"))
    with pytest.raises(Unknown):
        await rig.adapter.deliver(rig.room, small)
    await rig.adapter.deliver(rig.room, big)
    assert rig.reads() == ["[it.bin]", "[it.bin]"]
