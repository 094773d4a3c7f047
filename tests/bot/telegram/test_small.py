"""Buttons, menus and files within what Telegram takes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from bot.chat import Button, Refused, Why
from bot.telegram.buttons import LONGEST_ROW, MOST_BUTTONS, keyboard
from bot.telegram.files import as_document, read
from bot.telegram.menu import MOST_BYTES, MOST_COMMANDS, fitting
from tests.telegram.client import picture


def rows(*labels: str) -> list[list[str]]:
    markup = keyboard(Button(label, "/queue") for label in labels)
    return [[button.text for button in row] for row in markup.inline_keyboard] if markup else []


def test_short_buttons_share_a_row_and_long_ones_have_their_own() -> None:
    assert rows("Stop") == [["Stop"]]
    assert rows("Tell it now", "Move up", "Remove") == [["Tell it now", "Move up", "Remove"]]
    assert rows("Carry on with it now", "Drop it for good") == [
        ["Carry on with it now"],
        ["Drop it for good"],
    ]
    assert rows(*"abcde") == [list("abcd"), ["e"]]
    assert rows("x" * (LONGEST_ROW + 1), "y") == [["x" * (LONGEST_ROW + 1)], ["y"]]


def test_no_buttons_are_no_keyboard() -> None:
    assert keyboard(()) is None


def test_a_button_that_carries_too_much_is_left_out() -> None:
    assert keyboard([Button("shop", f"/project {'é' * 28}")]) is None
    markup = keyboard([Button("shop", f"/project {'é' * 27}"), Button("blog", f"/project {'x' * 56}")])
    assert markup is not None
    assert [button.text for button in markup.inline_keyboard[0]] == ["shop"]


def test_there_are_no_more_buttons_than_telegram_takes() -> None:
    assert sum(len(row) for row in rows(*map(str, range(130)))) == MOST_BUTTONS


def test_a_menu_is_cut_before_telegram_refuses_all_of_it() -> None:
    few = [("new", "Begin a conversation."), ("stop", "Stop it.")]
    assert [*fitting(few)] == few
    assert len([*fitting((f"c{n}", "x") for n in range(50))]) == MOST_COMMANDS
    large = [*fitting((f"c{n:02}", "é" * 300) for n in range(50))]
    assert {len(description) for _, description in large} == {256}
    assert sum(len((name + said).encode()) for name, said in large) <= MOST_BYTES


def test_a_webp_is_a_document_as_png_only() -> None:
    data, name = as_document(picture(kind="WEBP"), "chart.v2.webp")
    assert name == "chart.v2.png"
    assert Image.open(io.BytesIO(data)).format == "PNG"
    png = picture()
    assert as_document(png, "chart.webp") == (png, "chart.png")


def test_what_cannot_be_read_is_refused_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    for name in ("gone", "empty"):
        with pytest.raises(Refused) as failed:
            read(tmp_path / name)
        assert failed.value.why is Why.MEDIA
        assert str(tmp_path) not in str(failed.value)


@pytest.mark.parametrize(
    ("kind", "name", "sent"),
    [
        ("WEBP", "chart.webp", "chart.png"),
        ("PNG", "chart.bmp", "chart.png"),
        ("JPEG", "photo.JPEG", "photo.JPEG"),
        ("PNG", "chart", "chart"),
        ("PNG", "data.csv", "data.csv"),
    ],
)
def test_a_name_says_what_its_bytes_are(kind: str, name: str, sent: str) -> None:
    assert as_document(picture(kind=kind), name)[1] == sent


def test_a_button_that_stands_apart_begins_a_row() -> None:
    markup = keyboard(
        [Button("app.py", "/get #1 0"), Button("Diff", "/diff 1", apart=True), Button("Fork", "/fork #1")]
    )
    assert markup
    assert [[one.text for one in row] for row in markup.inline_keyboard] == [["app.py"], ["Diff", "Fork"]]
