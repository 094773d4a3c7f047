"""Case 34, at the adapter: a token that is no longer one is told of once and stands nowhere."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.chat import NotSent, Text
from bot.telegram.insisting import REVOKED_PAUSE, Trouble
from bot.telegram.token import MalformedToken
from tests.bot.telegram.rig import HastyClock, Rig, hears, telegram
from tests.telegram.server import TOKEN, BotApi

REVOKED = {"ok": False, "error_code": 401, "description": "Unauthorized"}


async def test_a_revoked_token(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    clock = HastyClock()
    async with BotApi(clock.now) as api, telegram(api, tmp_path, clock=clock) as rig:
        rig.ann.writes("one")
        await hears(rig, "one")
        for_a_while = 4 * REVOKED_PAUSE
        api.faults.load([{"any_method": True, "for_seconds": for_a_while, "status": 401, "body": REVOKED}])
        with pytest.raises(NotSent) as failed:
            await rig.adapter.send(rig.room, Text("Done."))
        rig.ann.writes("two")
        await hears(rig, "one", "two")
    assert rig.heard == [Trouble.REVOKED, Trouble.BACK]
    assert clock.rests == [REVOKED_PAUSE] * 4
    for word in (TOKEN, TOKEN.partition(":")[2]):
        assert word not in caplog.text + repr([failed.value, rig.reasons])


@pytest.mark.parametrize(
    "pasted", [f"Use this token:\n{TOKEN}\nKeep it secret.", TOKEN[:12], TOKEN.replace(":", "")]
)
async def test_what_was_pasted_beside_it_is_refused_at_once(api: BotApi, tmp_path: Path, pasted: str) -> None:
    with pytest.raises(MalformedToken) as failed:
        Rig(api, tmp_path, token=pasted)
    assert str(failed.value) == ""
    assert not api.calls


@pytest.fixture
def api() -> BotApi:
    return BotApi()
