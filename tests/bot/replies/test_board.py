"""A board says what runs, waits and failed, each conversation on a line or two."""

from __future__ import annotations

import time

from bot.replies.board import Row, board
from bot.replies.queue import ForProject
from bot.texts import Texts
from tests.support.fake_chat import visible

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)
TWO = time.mktime((2026, 12, 1, 14, 2, 0, 0, 0, -1))
ROWS = [
    Row("checkout is slow", "Codex", since=TWO, waiting=2),
    Row("*stars*", "Claude", since=TWO, asks=True),
    Row("fix the tests", "Codex", waiting=1, reason=ForProject("shop", "checkout is slow")),
    Row("deploy", "Codex", failed=TWO),
]


def lines(texts: Texts, rows: list[Row] = ROWS) -> list[str]:
    return visible(board("shop", rows, texts).markdown).split("\n")


def test_it_says_what_runs_waits_and_failed() -> None:
    assert lines(EN) == [
        "shop",
        "▸ checkout is slow · Codex at work since 14:02 · 2 wait",
        "▸ *stars* · Claude asks something",
        "⏳ fix the tests · 1 waits",
        "Waits for shop: checkout is slow is at work there.",
        "✗ deploy · failed at 14:02",
    ]
    assert board("shop", ROWS, EN).silent


def test_in_french() -> None:
    assert lines(FR)[1].startswith("▸ checkout is slow · Codex au travail depuis 14:02")
    assert lines(FR)[-1] == "✗ deploy · échec à 14:02"


def test_where_nothing_happens_it_says_so() -> None:
    assert lines(EN, []) == ["shop", "Nothing runs or waits."]


def test_it_stays_short() -> None:
    shown = lines(EN, [Row(f"title {n}", "Codex", since=TWO) for n in range(40)])
    assert len(shown) == 14
    assert shown[-1] == "… and 28 more"
