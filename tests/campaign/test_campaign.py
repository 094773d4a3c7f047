"""The campaign as CI runs it: 200 SIGKILL, 40 SIGTERM and 40 killed agents, in four seeded parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.campaign import Plan, play

PARTS = 4


@pytest.mark.campaign
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_is_lost_or_done_twice(tmp_path: Path, part: int) -> None:
    report = await play(tmp_path, Plan(seed=part, kills=200 // PARTS, terms=40 // PARTS, agents=40 // PARTS))
    assert "each ended once" in report
