"""An answer as Matrix messages: its words, its pictures where they stand, and the files that it made."""

from __future__ import annotations

from bot.chat import Text
from bot.matrix.cut import cut
from core.model.answer import Placed
from tests.bot.markup.tables import LONG, LONG_CSV

PHOTO = Placed("a.png", "photo", "ab12.png", "", "a.png")
MADE = Placed("output/report.pdf", "made", "cd34.pdf", "", "report.pdf")


def test_what_it_made_comes_after_its_words_and_pictures() -> None:
    said = Text("One.\n\n![a](a.png)\n\nSee [it](output/report.pdf).", placed=(PHOTO, MADE))
    parts = cut(said)
    assert [(part.media, part.photo) for part in parts] == [
        ("", False),
        ("ab12.png", True),
        ("", False),
        ("cd34.pdf", False),
    ]
    assert parts[2].body == "See it (output/report.pdf)."
    assert parts[3].name == "report.pdf"


def test_a_very_long_table_is_a_file_after_its_head() -> None:
    before, head, file, after = cut(Text(f"Before.\n\n{LONG}\n\nAfter."))
    assert (before.body, after.body) == ("Before.", "After.")
    assert [head.body.count(row) for row in ("row 0 ", "row 9 ", "row 10 ", "…")] == [1, 1, 0, 1]
    assert head.html.startswith("<table>")
    assert (file.name, file.content) == ("table.csv", LONG_CSV)
