"""Case 33, at the adapter: another program polls with our token, for a minute or beside us for good."""

from __future__ import annotations

from pathlib import Path

from bot.telegram.insisting import CALM_SECONDS, Trouble
from tests.bot.telegram.rig import HastyClock, hears, telegram
from tests.telegram.client import client
from tests.telegram.server import BotApi

CONFLICT = {
    "ok": False,
    "error_code": 409,
    "description": "Conflict: terminated by other getUpdates request; make sure that only one bot instance is"
    " running",
}


async def test_a_minute_of_conflict_is_waited_out(tmp_path: Path) -> None:
    clock = HastyClock()
    async with BotApi(clock.now) as api, telegram(api, tmp_path, clock=clock) as rig:
        api.faults.load([{"method": "getUpdates", "for_seconds": 60, "status": 409, "body": CONFLICT}])
        rig.ann.writes("one")
        await hears(rig, "one")
        assert rig.heard == [Trouble.CONFLICT]
        assert all(rest >= rig.patience.poll for rest in clock.rests)
        clock.at += CALM_SECONDS
        rig.ann.writes("two")
        await hears(rig, "one", "two")
        assert rig.heard == [Trouble.CONFLICT, Trouble.BACK]
        assert ["terminated by other" in reason for reason in rig.reasons] == [True, False]


async def test_a_poller_that_comes_between_takes_nothing_from_us(tmp_path: Path) -> None:
    async with BotApi() as api, telegram(api, tmp_path) as rig, client(api) as other:
        rig.ann.writes("one")
        assert len(await other.ok("getUpdates", offset=0)) == 1
        await hears(rig, "one")
