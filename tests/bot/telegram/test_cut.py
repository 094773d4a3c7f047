"""Whatever is said comes as messages that Telegram takes, and the same ones after a restart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import Button, File, MessageRef, Outgoing, Picture, Text
from bot.markup.cutting import utf16_units
from bot.markup.telegram import LONGEST_MESSAGE, Entity
from bot.replies.streaming import with_words
from bot.telegram.cut import FOR_A_MARK, LONGEST_CAPTION, cut, first
from bot.telegram.part import Part, decode, encode
from core.model.answer import Placed
from tests.bot.markup.tables import LONG, LONG_CSV
from tests.support import telegram_rules
from tests.support.documents import documents

STOP = (Button("Stop", "/cancel 7"),)
PHOTO = Placed("output/plot.png", "photo", "ab12.png", "", "plot.png")
REPORT = Placed("report.pdf", "file", "cd34.pdf", "", "report.pdf", "picture.document")


def longest(part: Part) -> int:
    return LONGEST_CAPTION if part.media else LONGEST_MESSAGE


@pytest.mark.parametrize("word", ["`w`", "👍👍👍", "[w](https://a.example)"])
def test_of_words_that_grow_one_message_holds_the_newest(word: str) -> None:
    part = first(with_words(Text("⏳ **Codex** · shop", STOP, silent=True), f"{word} " * 1_200 + "and **so"))
    assert part
    assert part.text.startswith("⏳ Codex · shop\n\n…")
    assert part.text.endswith("and so…")
    assert utf16_units(part.text) <= LONGEST_MESSAGE
    assert len(part.entities) <= telegram_rules.MOST_ENTITIES
    assert part.buttons == STOP


def test_a_short_answer_is_one_message() -> None:
    said = Text("It is **slow**.", STOP, reply_to=MessageRef("7"))
    assert cut(said) == [Part("It is slow.", (Entity("bold", 6, 4),), buttons=STOP, reply_to=MessageRef("7"))]


def test_pictures_stand_where_they_are_named() -> None:
    text = "Before.\n\n![Sales](output/plot.png)\n\nBetween.\n\n![](report.pdf)\n\nAfter."
    said = Text(text, STOP, reply_to=MessageRef("7"), placed=(PHOTO, REPORT))
    assert cut(said) == [
        Part("Before.", reply_to=MessageRef("7")),
        Part("Sales", media="ab12.png", name="plot.png", photo=True, silent=True),
        Part("Between.", silent=True),
        Part("", media="cd34.pdf", name="report.pdf", silent=True),
        Part("After.", silent=True, buttons=STOP),
    ]


def test_an_image_that_is_nowhere_stays_in_the_text() -> None:
    gone = Placed("output/gone.png", "refused", reason="picture.missing")
    (part,) = cut(Text("See ![gone](output/gone.png).", placed=(gone,)))
    assert not part.media
    assert "gone" in part.text


def test_nothing_to_say_is_no_message() -> None:
    assert cut(Text(" \n", STOP)) == []


@pytest.mark.parametrize("kind", [Picture, File])
def test_a_caption_that_is_too_long_follows_as_text(kind: type[Picture | File]) -> None:
    short, long = "One **line**.", "Words of a long caption. " * 80
    assert [part.text for part in cut(kind("ab.png", "x.png", short))] == ["One line."]
    picture, text = cut(kind("ab.png", "x.png", long, STOP))
    assert (picture.media, picture.text, picture.buttons) == ("ab.png", "", ())
    assert (text.text, text.silent, text.buttons) == (long.strip(), True, STOP)
    assert picture.photo is (kind is Picture)


@pytest.mark.parametrize("sign", ["x", "🙂", "é"])
def test_a_description_is_shortened_to_a_caption(sign: str) -> None:
    (part,) = cut(Text(f"![{sign * 1500}](output/plot.png)", placed=(PHOTO,)))
    assert part.text.endswith("…")
    assert LONGEST_CAPTION - FOR_A_MARK - 2 <= utf16_units(part.text) <= LONGEST_CAPTION - FOR_A_MARK


def test_a_message_of_emoji_is_cut_by_what_they_take() -> None:
    parts = cut(Text("🙂" * 4096))
    assert "".join(part.text for part in parts) == "🙂" * 4096
    assert [part.silent for part in parts] == [False, True, True]


def test_what_is_silent_is_so_in_all_its_parts() -> None:
    assert all(part.silent for part in cut(Text("word " * 3000, silent=True)))


def picture(caption: str) -> Outgoing:
    return Picture("a.png", "a.png", caption)


@given(documents(), st.sampled_from(["", "(may be a repeat)", "(from 02:14) (🙂)"]), st.booleans())
def test_every_part_is_taken_by_telegram_with_its_mark(said: str, mark: str, is_caption: bool) -> None:
    for part in cut(picture(said) if is_caption else Text(said)):
        assert decode(encode(part)) == part
        marked = part.marked(mark)
        assert marked.text.startswith(mark)
        assert not marked.text or not telegram_rules.faults(
            marked.text, marked.entities, longest=longest(part)
        )


def test_a_mark_moves_what_is_marked() -> None:
    part = Part("It is slow.", (Entity("bold", 6, 4),))
    assert part.marked("🙂") == Part("🙂\n\nIt is slow.", (Entity("bold", 10, 4),))
    assert part.marked("") == part
    assert Part(media="a.png").marked("(from 02:14)").text == "(from 02:14)"


def test_what_is_plain_says_the_same() -> None:
    (part,) = cut(Text("It is **slow**.", STOP))
    assert part.plain == replace(part, entities=())


@pytest.mark.parametrize("rich", [False, True])
def test_a_very_long_table_is_a_file_after_its_head(rich: bool) -> None:
    before, head, file, after = cut(Text(f"Before.\n\n{LONG}\n\nAfter.", rich=rich))
    assert (before.text, after.text) == ("Before.", "After.")
    assert [head.text.count(row) for row in ("row 0 ", "row 9 ", "row 10 ", "…")] == [1, 1, 0, 1]
    assert (file.name, file.content) == ("table.csv", LONG_CSV)
