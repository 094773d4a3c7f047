"""The campaign as CI runs it: 200 SIGKILL, 40 SIGTERM and 40 killed agents, in four seeded parts; and 60, 12
and 12 through Telegram."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.campaign import Plan, play

PARTS = 4
PHONE_PARTS = 2


@pytest.mark.campaign
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_is_lost_or_done_twice(tmp_path: Path, part: int) -> None:
    report = await play(tmp_path, Plan(seed=part, kills=200 // PARTS, terms=40 // PARTS, agents=40 // PARTS))
    assert "each ended once" in report


@pytest.mark.campaign
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", range(PHONE_PARTS))
async def test_every_phone_gets_its_answer_once(tmp_path: Path, part: int) -> None:
    share = 12 // PHONE_PARTS
    plan = Plan(seed=part, kills=60 // PHONE_PARTS, terms=share, agents=share, telegram=True)
    assert "each ended once" in await play(tmp_path, plan)
