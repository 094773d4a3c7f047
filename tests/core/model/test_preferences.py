"""Quiet hours, over midnight too."""

from __future__ import annotations

import pytest

from core.model.preferences import Quiet

HOUR = 60


@pytest.mark.parametrize(
    ("quiet", "within", "outside"),
    [
        (Quiet(22 * HOUR, 7 * HOUR), (22 * HOUR, 0, 7 * HOUR - 1), (7 * HOUR, 12 * HOUR, 22 * HOUR - 1)),
        (Quiet(13 * HOUR, 14 * HOUR), (13 * HOUR, 14 * HOUR - 1), (0, 14 * HOUR, 13 * HOUR - 1)),
        (Quiet(0, 0), (0, 12 * HOUR, 24 * HOUR - 1), ()),
    ],
)
def test_its_minutes_are_covered_and_no_others(
    quiet: Quiet, within: tuple[int, ...], outside: tuple[int, ...]
) -> None:
    assert all(quiet.covers(minute) for minute in within)
    assert not any(quiet.covers(minute) for minute in outside)
