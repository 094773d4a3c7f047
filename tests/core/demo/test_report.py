"""What the built-in agent says of a project is true of odd ones too."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from core.demo.memory import Session
from core.demo.report import report
from core.demo.speech import Speech
from core.demo.survey import MOST_FILES, survey
from core.demo.words import ENGLISH, FRENCH, Words


def told(
    root: Path,
    *,
    words: Words = ENGLISH,
    writable: bool = False,
    session: Session | None = None,
    most: int = MOST_FILES,
) -> str:
    """Its answer, without its signature."""
    here = os.getcwd()
    os.chdir(root)
    try:
        text, _ = report(Speech(io.StringIO(), 0), words, session or Session(), writable=writable, most=most)
    finally:
        os.chdir(here)
    assert text.encode()
    return text.rpartition("\n\n*")[0]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


def put(root: Path, **sizes: int) -> None:
    for name, size in sizes.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({"a_js": 27, "b_html": 26, "c_css": 25, "d_md": 22}, "The largest part is JavaScript (27 %)."),
        ({"a_js": 50, "b_html": 50}, "The largest part is HTML (50 %)."),
        ({"a_js": 51, "b_html": 49}, "Most of it is JavaScript (51 %)."),
        ({"a_js": 10}, "Most of it is JavaScript (100 %)."),
    ],
)
def test_most_is_more_than_half(shop: Path, sizes: dict[str, int], said: str) -> None:
    put(shop, **sizes)
    assert f", {sum(sizes.values())} B in all. {said}" in told(shop)


def test_parts_without_a_name_are_called_nothing(shop: Path) -> None:
    put(shop, a_bin=90, b_py=10)
    assert "part" not in told(shop)
    assert "Most" not in told(shop)
    assert "The largest file is `a.bin` (90 B)." in told(shop)


def test_french_says_the_same(shop: Path) -> None:
    put(shop, a_js=27, b_html=26, c_css=25, d_md=22)
    assert "La plus grande part : JavaScript (27 %)." in told(shop, words=FRENCH)


def test_one_file_is_not_the_largest_and_lies_in_no_folder(shop: Path) -> None:
    put(shop, app_py=8)
    said = told(shop)
    assert said.startswith("**shop** holds 1 file, 8 B in all.")
    assert "largest" not in said


def test_nothing_but_empty_files_has_no_largest_part(shop: Path) -> None:
    put(shop, a_py=0, b_js=0)
    said = told(shop, writable=True)
    assert said.startswith("**shop** holds 2 files, 0 B in all.\n")
    assert "largest" not in said


def test_folders_within_folders_are_counted_too(shop: Path) -> None:
    put(shop, src__deep__a_py=8, b_py=8)
    assert told(shop).startswith("**shop** holds 2 files and 2 folders, 16 B in all.")


def test_what_is_passed_over_is_said(shop: Path) -> None:
    assert told(shop) == "**shop** is still empty. What shall it become?"
    put(shop, node_modules=1)
    (shop / "node.modules").unlink()
    for name in ("node_modules", ".git", ".tox", ".venv", "dist", "build"):
        put(shop / name, a_js=1)
    said = told(shop)
    assert said == (
        "In **shop** is nothing that I count. Folders that programs make and hidden ones are not counted"
        " (`.tox`, `.venv`, `build`, `dist`, …)."
    )


def test_what_cannot_be_seen_is_said(shop: Path) -> None:
    put(shop, app_py=8)
    seen = survey(str(shop))
    assert seen.unread == 0
    assert survey(str(shop / "gone")).unread == 1


def test_of_a_large_project_only_what_was_seen_is_told(shop: Path) -> None:
    put(shop, a_py=5, b_py=9, c_py=20)
    said = told(shop, most=2)
    assert said.startswith("**shop** holds over 2 files, 14 B in all. I stopped counting there")
    assert "The largest file that I saw is `b.py` (9 B)." in said


def test_where_no_picture_can_be_put_it_says_so(shop: Path) -> None:
    put(shop, app_py=8, output=1)
    said = told(shop, writable=True)
    assert "](output" not in said
    assert said.endswith("I could not put a picture into `output`, so I drew none.")


def test_names_that_are_no_text(shop: Path) -> None:
    Path(os.fsdecode(os.fsencode(shop) + b"/a\xff\n`b`.py")).write_bytes(b"x" * 9)
    put(shop, b_py=1)
    assert "The largest file is `a\ufffd\ufffd'b'.py` (9 B)." in told(shop)


def test_a_folder_is_no_readme(shop: Path) -> None:
    put(shop, readme__a_py=8)
    assert survey(str(shop)).readme is None


def test_words_of_the_turn_before_are_quoted_as_they_were(shop: Path) -> None:
    assert "you wrote: “look at \\*this\\*”." in told(
        shop, session=Session(turns=1, said=("look at *this*",))
    )
