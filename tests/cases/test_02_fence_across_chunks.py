"""Code longer than a message is code of its language in each part, none of it lost or told twice."""

from __future__ import annotations

import pytest

from bot.markup.telegram import TextPart, render
from tests.support import telegram_rules

LINES = [f"print('line {number:03}')  # step {number}" for number in range(400)]
ONES = ["print(1)"] * 1_000


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("Here is the program.\n\n```python\n" + "\n".join(LINES) + "\n```\n\nDone.\n", LINES),
        ("```python\n" + "\n".join(ONES) + "\n```\n", ONES),
    ],
)
def test_a_long_fence(answer: str, lines: list[str]) -> None:
    code: list[str] = []
    for part in render(answer):
        assert isinstance(part, TextPart)
        assert telegram_rules.faults(part.text, part.entities) == []
        for entity in part.entities:
            assert (entity.type, entity.language) == ("pre", "python")
            code += telegram_rules.covered(part.text, entity).split("\n")
    assert code == lines


def test_what_stands_around_it_is_no_code() -> None:
    first, *_, last = render("Here is the program.\n\n```python\n" + "\n".join(LINES) + "\n```\n\nDone.\n")
    assert first == TextPart("Here is the program.")
    assert isinstance(last, TextPart)
    (code,) = last.entities
    assert last.text.endswith("\n\nDone.")
    assert code.offset + code.length == len(last.text) - len("\n\nDone.")
