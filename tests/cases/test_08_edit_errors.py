"""Cases 08 and 10, at the adapter: an edit that fails says how, and nothing is ever sent in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import ChatError, Flood, MessageRef, NotSent, Refused, Text, Unknown
from tests.bot.telegram.rig import HastyClock, Rig, telegram
from tests.telegram.server import BotApi

FAULTS = [
    {
        "method": "editMessageText",
        "nth": 3,
        "status": 429,
        "body": {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 5",
            "parameters": {"retry_after": 5},
        },
    },
    {"method": "editMessageText", "nth": 5, "drop_connection": True},
    {
        "method": "editMessageText",
        "nth": 7,
        "status": 400,
        "body": {
            "ok": False,
            "error_code": 400,
            "description": "Bad Request: message is not modified: specified new message content and reply"
            " markup are exactly the same as a current content and reply markup of the message",
        },
    },
]
BROKEN = {"ok": False, "error_code": 400, "description": "Bad Request: edits are broken today"}


Came = type[ChatError] | None


async def edits(rig: Rig, count: int) -> list[Came]:
    """What came of each of so many edits of one message."""
    message = await rig.adapter.send(rig.room, Text("0:00", silent=True))
    return [await edited(rig, message, f"0:0{second}") for second in range(1, count + 1)]


async def edited(rig: Rig, message: MessageRef, text: str) -> Came:
    try:
        await rig.adapter.edit(rig.room, message, Text(text))
    except ChatError as failed:
        return type(failed)
    return None


async def test_each_fault_of_an_edit_is_what_it_is(tmp_path: Path) -> None:
    clock = HastyClock()
    async with BotApi(clock.now) as api, telegram(api, tmp_path, clock=clock) as rig:
        api.faults.load(FAULTS)
        assert await edits(rig, 3) == [None, None, Flood]
        clock.at += 5
        message = MessageRef(str(rig.ann.chat.screen()[-1].id))
        came = [await edited(rig, message, f"0:0{second}") for second in range(4, 9)]
        assert came == [None, Unknown, None, None, None]
        assert (rig.reads(), rig.rings()) == (["0:08"], 0)
        assert not api.violations


@pytest.mark.parametrize(("status", "kind"), [(400, Refused), (500, Unknown), (401, NotSent)])
async def test_edits_that_fail_for_long_send_nothing(
    tmp_path: Path, status: int, kind: type[ChatError]
) -> None:
    async with BotApi() as api, telegram(api, tmp_path) as rig:
        api.faults.load([{"method": "editMessageText", "for_seconds": 30, "status": status, "body": BROKEN}])
        assert await edits(rig, 6) == [kind] * 6
        assert rig.reads() == ["0:00"]
