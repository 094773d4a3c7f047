"""A table of very many rows stands apart, whatever it stands in, and nothing else does."""

from __future__ import annotations

import pytest

from bot.markup.long_tables import HEAD_ROWS, MOST_ROWS, LongTable, apart
from tests.bot.markup.tables import LONG, LONG_CSV

HEAD = ["| a | b |", "|:--|--:|"]
ROWS = [f"| {n} | x |" for n in range(MOST_ROWS + 1)]
TABLE = "\n".join([*HEAD, *ROWS])


def test_what_stands_around_it_stays_in_order() -> None:
    before, first, between, second, after = apart(f"Before.\n\n{TABLE}\n\nBetween.\n{TABLE}\n\n# After")
    assert (before, between, after) == ("Before.\n", "\nBetween.", "\n# After")
    assert isinstance(first, LongTable)
    assert first == second
    assert first.head.split("\n") == [*HEAD, *ROWS[:HEAD_ROWS], "| … |"]


def test_all_of_it_is_in_the_file() -> None:
    (found,) = apart(LONG)
    assert isinstance(found, LongTable)
    assert found.csv() == LONG_CSV


def test_cells_are_as_they_were_written() -> None:
    rows = ["a | `b`", "--- | ---", 'x \\| y | **"z"**\r', *["1 | 2"] * MOST_ROWS]
    (found,) = apart("\n".join(rows))
    assert isinstance(found, LongTable)
    assert found.csv().split("\n")[:3] == ["a,`b`", 'x | y,"**""z""**"', "1,2"]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([*HEAD, *ROWS[:MOST_ROWS]]),
        f"```\n{TABLE}\n```",
        f"````\n```\n{TABLE}\n````",
        f"~~~\n```\n{TABLE}",
        "\n".join(f"> {line}" for line in (*HEAD, *ROWS)),
        "\n".join(f"    {line}" for line in (*HEAD, *ROWS)),
        "\n".join(["| a |", *HEAD[1:], *ROWS]),
        "\n".join([*HEAD, *ROWS, "| ![p](a.png) | |"]),
        "\n".join(ROWS),
        "word\n" * 1000,
    ],
    ids=["short", "code", "longer", "tilde", "quote", "indented", "uneven", "picture", "no-head", "words"],
)
def test_what_is_none_stays_as_it_is(text: str) -> None:
    assert apart(text) == [text]


def test_after_code_it_is_one_again() -> None:
    code, found = apart(f"```\n| a |\n```\n{TABLE}")
    assert code == "```\n| a |\n```"
    assert isinstance(found, LongTable)
