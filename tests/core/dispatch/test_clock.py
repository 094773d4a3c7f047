"""A tick is shared by all who look again and again, and never takes no time."""

from __future__ import annotations

from hypothesis import given
from hypothesis.strategies import floats, sampled_from

from core.dispatch.clock import until_tick

PERIODS = sampled_from((0.02, 0.08, 2.0))


@given(floats(0, 1e7), floats(0, 0.01), PERIODS)
def test_all_wait_for_the_same_tick_and_never_for_no_time(now: float, later: float, seconds: float) -> None:
    tick = now + until_tick(now, seconds)
    assert seconds / 10 <= tick - now + 1e-6
    assert tick - now <= 1.1 * seconds + 1e-6
    assert abs((tick + seconds / 2) % seconds - seconds / 2) < 1e-6
