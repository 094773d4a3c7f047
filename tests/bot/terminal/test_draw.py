"""Messages as lines: clean words, pictures as blocks and paths, commands in place of buttons."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from bot.chat import Button, File, Picture, Text
from bot.markup.tables import display_width
from bot.terminal.draw import Paper, drawn
from bot.terminal.pixels import WIDEST, Colours, colours_of, picture
from core.model.answer import Placed

RED, BLUE = (255, 0, 0), (0, 0, 255)
CODES = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def paper(tmp_path: Path) -> Paper:
    return Paper(lambda name, called: tmp_path / (called or name), columns=80)


def save(path: Path, size: tuple[int, int], colour: tuple[int, ...] = RED, mode: str = "RGB") -> Path:
    Image.new(mode, size, colour).save(path, "PNG")
    return path


def test_words_without_marks(paper: Paper) -> None:
    assert drawn(Text("**shop** · `pytest -k`"), paper) == "shop · pytest -k"
    coloured = drawn(Text("**shop** · `pytest -k`"), replace(paper, colours=Colours.FEW))
    assert coloured == "\x1b[1mshop\x1b[0m · \x1b[36mpytest -k\x1b[0m"


def test_an_agents_words_cannot_drive_the_terminal(paper: Paper) -> None:
    said = drawn(Text("a\x1b[2Jb\x1b]0;title\x07c\rd\x9b5m"), replace(paper, colours=Colours.TRUE))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", said)


def test_long_lines_are_broken_for_people_only(paper: Paper) -> None:
    words = " ".join(["word"] * 40)
    assert max(map(len, drawn(Text(words), paper).splitlines())) <= 80
    assert drawn(Text(words), Paper(paper.media)) == words


def test_commands_stand_for_buttons(paper: Paper) -> None:
    buttons = (Button("Remove", "/queue drop 8"), Button("high", "/effort high"))
    assert drawn(Text("Second in line.", buttons), paper).splitlines() == [
        "Second in line.",
        "Remove: /queue drop 8 · 1 high",
    ]


def test_a_colon_stands_as_the_readers_language_writes_it(paper: Paper) -> None:
    text = Text("Deuxième.", (Button("Retirer", "/queue drop 8"),))
    assert drawn(text, replace(paper, colon=" : ")).splitlines()[-1] == "Retirer : /queue drop 8"


def test_a_label_that_was_said_is_not_said_again(paper: Paper) -> None:
    text = Text(
        "Theme: dark.", (Button("Theme", "/settings theme"), Button("Language", "/settings language"))
    )
    assert drawn(text, paper).splitlines() == [
        "Theme: dark.",
        "/settings theme · Language: /settings language",
    ]


def test_what_was_listed_by_its_number_is_not_listed_again(paper: Paper) -> None:
    buttons = (Button("checkout is slow", "/conversations 3"), Button("↪ tests", "/conversations import x"))
    text = Text("Which?\n`3` checkout is slow\n· tests", buttons)
    for colours in (Colours.NONE, Colours.FEW):
        said = CODES.sub("", drawn(text, replace(paper, colours=colours)))
        assert said.splitlines() == ["Which?", "3 checkout is slow", "· tests", "4 ↪ tests"]


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_line_of_choices_is_broken_between_them(paper: Paper, columns: int) -> None:
    names = [*("shop", "a house of cards", "買い物 買い物", "👀 looking"), *(f"project{n}" for n in range(9))]
    text = Text("", tuple(Button(name, f"/project {name}") for name in names))
    lines = drawn(text, replace(paper, columns=columns)).splitlines()
    assert max(map(display_width, lines)) <= columns
    assert " · ".join(lines).split(" · ") == [f"{at} {name}" for at, name in enumerate(names, 1)]


def test_a_choice_that_no_line_holds_is_broken_between_its_words(paper: Paper) -> None:
    text = Text("", (Button("a project that has a long name", "/project x"),))
    assert drawn(text, replace(paper, columns=20)).splitlines() == ["1 a project that has", "a long name"]


def test_a_picture_stands_where_the_answer_names_it(paper: Paper, tmp_path: Path) -> None:
    placed = (Placed("output/chart.png", "photo", "abc.png", name="chart.png"),)
    text = Text("Before.\n\n![Sales](output/chart.png)\n\nAfter.", placed=placed)
    assert drawn(text, paper) == "Before.\n\noutput/chart.png\n\nAfter."


def test_what_came_in_the_words_themselves_is_named_as_it_was_kept(paper: Paper, tmp_path: Path) -> None:
    placed = (Placed("data:image/png;base64,AAAA", "photo", "small.png", "large.png"),)
    text = Text("![](data:image/png;base64,AAAA)", placed=placed)
    assert drawn(text, paper) == f"{tmp_path}/large.png"
    assert drawn(text, replace(paper, home=tmp_path)) == "~/large.png"


def test_pictures_and_files_by_themselves(paper: Paper, tmp_path: Path) -> None:
    assert drawn(Picture("a.png", "a.png", "*Sales*"), paper) == f"Sales\n\n{tmp_path}/a.png"
    assert drawn(File("9f3c.bin", "notes.txt"), paper) == f"{tmp_path}/notes.txt"


def test_a_picture_is_drawn_in_blocks_above_its_path(paper: Paper, tmp_path: Path) -> None:
    save(tmp_path / "a.png", (40, 20))
    lines = drawn(Picture("a.png", "a.png"), replace(paper, colours=Colours.TRUE)).splitlines()
    assert CODES.sub("", lines[0]) == "▀" * 40
    assert len(lines) == 11
    assert CODES.sub("", lines[-1]) == f"{tmp_path}/a.png"


@pytest.mark.parametrize(
    ("size", "columns", "cells"),
    [
        ((1280, 640), 200, (80, 20)),
        ((1280, 320), 200, (100, 13)),
        ((1280, 640), 30, (30, 8)),
        ((10, 1000), 80, (1, 20)),
        ((3, 3), 80, (3, 2)),
    ],
)
def test_blocks_keep_a_pictures_shape(
    tmp_path: Path, size: tuple[int, int], columns: int, cells: tuple[int, int]
) -> None:
    lines = picture(
        save(tmp_path / "a.png", size), columns=columns, rows=30, colours=Colours.TRUE
    ).splitlines()
    assert (len(CODES.sub("", lines[0])), len(lines)) == cells
    assert cells[0] <= WIDEST


def test_a_block_has_two_pixels(tmp_path: Path) -> None:
    image = Image.new("RGB", (2, 2), RED)
    image.putpixel((1, 1), BLUE)
    image.save(tmp_path / "a.png")
    assert picture(tmp_path / "a.png", columns=80, rows=30, colours=Colours.TRUE) == (
        "\x1b[38;2;255;0;0;48;2;255;0;0m▀\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m"
    )
    assert picture(tmp_path / "a.png", columns=80, rows=30, colours=Colours.INDEXED) == (
        "\x1b[38;5;196;48;5;196m▀\x1b[38;5;196;48;5;21m▀\x1b[0m"
    )


def test_what_is_clear_is_white(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", (1, 2), (0, 0, 0, 0), "RGBA")
    assert "38;2;255;255;255;48;2;255;255;255" in picture(path, columns=80, rows=30, colours=Colours.TRUE)


def test_what_cannot_be_drawn_costs_nothing(tmp_path: Path) -> None:
    whole = io.BytesIO()
    Image.new("RGB", (64, 64)).save(whole, "PNG")
    (tmp_path / "cut.png").write_bytes(whole.getvalue()[:60])
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    for name in ("cut.png", "a.pdf", "gone.png"):
        assert picture(tmp_path / name, columns=80, rows=30, colours=Colours.TRUE) == ""


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm-direct"}, Colours.TRUE),
        ({"TERM": "tmux-256color"}, Colours.INDEXED),
        ({"TERM": "linux"}, Colours.FEW),
        ({"TERM": "dumb"}, Colours.NONE),
        ({}, Colours.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, Colours.NONE),
    ],
)
def test_a_terminal_says_what_it_can_show(environ: dict[str, str], colours: Colours) -> None:
    assert colours_of(environ) is colours
