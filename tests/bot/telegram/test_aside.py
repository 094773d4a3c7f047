"""What no phone shows as text: long answers, long code, wide tables; and pictures in a row."""

from __future__ import annotations

import csv
import io

import pytest
from PIL import Image

from bot.chat import Button, Divided, MessageRef, Text
from bot.markup.cutting import utf16_units
from bot.markup.telegram import Entity
from bot.telegram.aside import HEAD_UNITS, LIST_MESSAGES
from bot.telegram.cut import MOST_MESSAGES, TEXT, cut
from bot.telegram.part import Part, decode, encode
from core.model.answer import Placed
from tests.bot.telegram.rig import Rig
from tests.support import telegram_rules
from tests.telegram.server.faults import Rule

STOP = (Button("Stop", "/cancel 7"),)
HEAD = ("Endpoint", "Method", "Median", "Slowest", "What is the matter with it")
ROWS = (
    ("/checkout", "POST", "120 ms", "3,140 ms", "asks for the stock of each item"),
    ("/search", "GET", "44 ms", "310 ms", "has no index for names, only for numbers"),
)


def table(*rows: tuple[str, ...]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], ("--",) * len(rows[0]), *rows[1:]))


def photos(count: int) -> tuple[Placed, ...]:
    return tuple(Placed(f"{n}.png", "photo", f"kept{n}.png", "", f"{n}.png") for n in range(count))


# --- long -------------------------------------------------------------------------------------------------


def test_a_long_answer_is_its_beginning_and_a_file() -> None:
    said = "\n\n".join(f"Paragraph {n}. " + "word " * 100 for n in range(60))
    head, file = cut(Text(said, STOP, reply_to=MessageRef("7")))
    assert head.text.startswith("Paragraph 0.")
    assert head.text.endswith("\n…")
    assert utf16_units(head.text) <= HEAD_UNITS + 2
    assert (head.silent, head.reply_to, file.silent) == (False, MessageRef("7"), True)
    assert (file.name, file.content, file.buttons) == ("answer.md", said, STOP)


def test_an_answer_of_four_messages_is_no_file() -> None:
    said = "word " * (MOST_MESSAGES * TEXT // 5)
    assert not any(part.content for part in cut(Text(said)))
    assert any(part.content for part in cut(Text(said + said[:200])))


def test_many_pictures_make_no_answer_long() -> None:
    said = "\n\n".join(f"Before {n}.\n\n![]({n}.png)" for n in range(12))
    parts = cut(Text(said, placed=photos(12)))
    assert len(parts) == 24
    assert not any(part.content for part in parts)


def test_the_pictures_of_a_long_answer_are_shown_after_it() -> None:
    said = "![one](0.png)\n\n" + "word " * 5000 + "\n\n![two](1.png)"
    head, file, album = cut(Text(said, STOP, placed=photos(2)))
    assert (head.photo, file.content, [one.text for one in album.album]) == (False, said, ["one", "two"])
    assert (head.buttons, file.buttons, album.buttons) == ((), STOP, ())


# --- code -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("info", "name", "language"),
    [
        ("python", "code.py", "python"),
        ('python title="src/shop/cart.py"', "cart.py", "python"),
        ("js filename=cart.js", "cart.js", "js"),
        ("zig", "code.zig", "zig"),
        ("", "code.txt", None),
        ("sh title=..", "code.sh", "sh"),
    ],
)
def test_long_code_is_its_beginning_and_a_file_of_its_own_name(
    info: str, name: str, language: str | None
) -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(400))
    before, head, file, after = cut(Text(f"Before.\n\n```{info}\n{code}\n```\n\nAfter."))
    assert (before.text, after.text) == ("Before.", "After.")
    assert head.text.startswith("line_0 = 0\nline_1 = 1\n")
    assert head.text.endswith("\n…")
    assert head.entities == (Entity("pre", 0, utf16_units(head.text) - 2, language=language),)
    assert (file.name, file.content) == (name, code)


def test_code_that_a_chat_can_show_stays_in_it() -> None:
    (part,) = cut(Text("```py\n" + "x = 1\n" * 500 + "```"))
    assert [entity.language for entity in part.entities] == ["py"]


# --- tables -----------------------------------------------------------------------------------------------


def test_a_table_as_wide_as_a_phone_is_text() -> None:
    (part,) = cut(Text(table(("a", "b"), ("x" * 27, "y" * 30))))
    assert (part.table, part.entities[0].type) == (None, "pre")


def test_a_wider_table_is_a_picture_with_its_words_folded_up() -> None:
    before, picture = cut(Text(f"Slow:\n\n{table(HEAD, *ROWS)}", STOP))
    assert before.text == "Slow:"
    assert picture.table is not None
    assert picture.text.startswith("• Endpoint: /checkout\nMethod: POST\n")
    assert picture.entities == (Entity("expandable_blockquote", 0, utf16_units(picture.text)),)
    assert picture.buttons == STOP
    assert decode(encode(picture)) == picture
    assert telegram_rules.faults(picture.text, picture.entities, longest=1024) == []


def test_a_table_of_many_words_has_them_in_a_file() -> None:
    rows = [(f"/page/{n}", "GET", f"{n} ms", "1,000 ms", "an index | is missing") for n in range(15)]
    picture, file = cut(Text(table(HEAD, *((*row[:4], row[4].replace("|", "\\|")) for row in rows))))
    assert (picture.text, picture.table is not None) == ("", True)
    assert file.name == "table.csv"
    assert [tuple(row) for row in csv.reader(io.StringIO(file.content))] == [HEAD, *rows]


def test_a_table_that_cannot_be_drawn_is_a_list() -> None:
    """Words from right to left take more than a font."""
    (part,) = cut(Text(table(HEAD, (*ROWS[0][:4], "שלום"))))
    assert part.table is None
    assert part.text.endswith("Slowest: 3,140 ms\nWhat is the matter with it: שלום")


def test_a_table_that_is_too_large_for_a_picture_and_a_list_is_a_file() -> None:
    rows = [(f"/page/{n}", "GET", f"{n} ms", "1,000 ms", "an index is missing") for n in range(200)]
    head, file = cut(Text(table(HEAD, *rows)))
    assert head.text.startswith("• Endpoint: /page/0")
    assert file.name == "table.csv"
    assert LIST_MESSAGES == 2


async def test_a_drawn_table_arrives_as_a_photo(rig: Rig) -> None:
    for body in rig.adapter.cut(Text(table(HEAD, *ROWS), STOP)):
        await rig.adapter.deliver(rig.room, body)
    (shown,) = rig.ann.chat.screen()
    width, height = Image.open(io.BytesIO(shown.photo[-1].data)).size
    assert width == 1080
    assert 200 < height < 800
    assert rig.ann.chat.buttons() == ["Stop"]
    assert rig.api.violations == []


async def test_a_table_that_is_no_photo_there_is_told_in_words(rig: Rig) -> None:
    refusal = {"ok": False, "error_code": 400, "description": "Bad Request: not enough rights to send photos"}
    rig.api.faults.add(Rule(method="sendPhoto", status=400, body=refusal))
    (body,) = rig.adapter.cut(Text(table(HEAD, *ROWS), STOP, reply_to=MessageRef("1")))
    with pytest.raises(Divided) as divided:
        await rig.adapter.deliver(rig.room, body)
    (listed,) = map(decode, divided.value.bodies)
    assert listed.text.startswith("• Endpoint: /checkout")
    assert (listed.buttons, listed.silent, listed.reply_to) == (STOP, False, "1")


# --- albums -----------------------------------------------------------------------------------------------


def images(count: int) -> str:
    return "\n\n".join(f"![no. {n}]({n}.png)" for n in range(count))


def test_pictures_in_a_row_are_an_album_and_the_words_have_the_buttons() -> None:
    text, album = cut(Text(f"Look:\n\n{images(3)}", STOP, reply_to=MessageRef("7"), placed=photos(3)))
    assert (text.text, text.buttons, text.reply_to) == ("Look:", STOP, "7")
    assert [one.text for one in album.album] == ["no. 0", "no. 1", "no. 2"]
    assert (album.silent, album.buttons) == (True, ())


def test_an_album_has_ten_pictures_at_most() -> None:
    parts = cut(Text(f"Look:\n\n{images(21)}", placed=photos(21)))
    assert [len(part.album) for part in parts] == [0, 10, 10, 0]


def test_pictures_alone_leave_one_for_the_buttons() -> None:
    album, last = cut(Text(images(3), STOP, placed=photos(3)))
    assert ([one.media for one in album.album], last.media) == (["kept0.png", "kept1.png"], "kept2.png")
    assert last.buttons == STOP


def png(width: int = 30) -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (width, 20), "teal").save(held, "PNG")
    return held.getvalue()


async def test_an_album_arrives_as_one(rig: Rig) -> None:
    for one in photos(3):
        rig.keep(one.media, png())
    said = Text(f"Look:\n\n{images(3)}", reply_to=MessageRef("1"), placed=photos(3))
    for body in rig.adapter.cut(said):
        await rig.adapter.deliver(rig.room, body, mark="(may be a repeat)")
    (call,) = rig.api.called("sendMediaGroup")
    shown = rig.ann.chat.screen()
    assert [one.text for one in shown[1:]] == ["(may be a repeat)\n\nno. 0", "no. 1", "no. 2"]
    assert len({one.album for one in shown[1:]}) == 1
    assert call.status == 200
    assert rig.api.violations == []


async def test_an_album_that_is_refused_goes_one_by_one(rig: Rig) -> None:
    for one in photos(3):
        rig.keep(one.media, png(width=30_000 if one.media == "kept1.png" else 30))
    _, album = rig.adapter.cut(Text(f"Look:\n\n{images(3)}", placed=photos(3)))
    with pytest.raises(Divided) as divided:
        await rig.adapter.deliver(rig.room, album)
    assert rig.ann.chat.reads() == []
    for body in divided.value.bodies:
        await rig.adapter.deliver(rig.room, body)
    assert [bool(one.photo) for one in rig.ann.chat.screen()] == [True, False, True]
    assert rig.ann.chat.rung == []


async def test_an_album_with_a_picture_that_is_gone_goes_one_by_one(rig: Rig) -> None:
    rig.keep("kept0.png", png())
    body = encode(
        Part(album=(Part(media="kept0.png", name="0.png", photo=True), Part(media="gone", photo=True)))
    )
    with pytest.raises(Divided):
        await rig.adapter.deliver(rig.room, body)
    assert rig.api.called("sendMediaGroup") == []


def test_an_answer_that_begins_with_nothing_to_see_has_a_head_all_the_same() -> None:
    head, _ = cut(Text("\u200b" * 20_000 + "word " * 5_000))
    assert "word" in head.text
