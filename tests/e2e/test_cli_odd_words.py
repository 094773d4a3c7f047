"""Words that nobody types on purpose: each is refused in a sentence, and nothing was done."""

from __future__ import annotations

import pytest

from tests.support.roost import Roost


def refused(roost: Roost, *words: str) -> str:
    ran = roost(*words)
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert "Traceback" not in ran.err
    assert "no word for" not in ran.err
    return ran.err


@pytest.mark.parametrize("number", ["99999999999999999999", "-1", "9" * 5_000])
@pytest.mark.parametrize(
    "words",
    [
        ("cancel", "--", "N"),
        ("cancel", "--conversation", "N"),
        ("events", "--", "N"),
        ("events", "1", "--from", "N"),
        ("ask", "shop", "Go", "--conversation", "N"),
    ],
)
def test_a_number_that_can_be_none_is_a_slip(roost: Roost, words: tuple[str, ...], number: str) -> None:
    assert "Expected: a number." in refused(roost, *(word.replace("N", number) for word in words))
