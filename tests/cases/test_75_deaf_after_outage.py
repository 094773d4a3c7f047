"""Case 75, at the adapter: it hears again by itself, soon after any kind of outage."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.chat import ChatError, Message, Text
from bot.telegram.insisting import LONGEST_PAUSE, Trouble
from tests.bot.telegram.rig import HastyClock, Rig, telegram
from tests.cases.resolving import Resolving
from tests.telegram.server import BotApi, Rule

HOUR = 3600.0


async def goes_on(rig: Rig, begin: Callable[[], Awaitable[None]], end: Callable[[], Awaitable[None]], *,
                  seconds: float) -> None:  # fmt: skip
    """Words before, during and after an outage of so many seconds are all heard, once each."""
    incoming = rig.adapter.incoming()
    rig.ann.writes("before")
    heard = [await asyncio.wait_for(anext(incoming), 20)]
    await begin()
    back_at = rig.clock.at + seconds

    async def back() -> None:
        rig.ann.writes("during")
        await end()

    rig.clock.due[back_at] = back
    heard.append(await asyncio.wait_for(anext(incoming), 40))
    assert rig.clock.at - back_at <= LONGEST_PAUSE
    rig.ann.writes("after")
    heard.append(await asyncio.wait_for(anext(incoming), 20))
    assert [one.text for one in heard if isinstance(one, Message)] == ["before", "during", "after"]
    assert rig.heard == [Trouble.UNREACHABLE, Trouble.BACK]
    assert rig.adapter.polled_at == rig.clock.at


async def test_nobody_there_for_three_hours(tmp_path: Path) -> None:
    async with BotApi() as api, telegram(api, tmp_path) as rig:
        await goes_on(rig, api.close_port, api.open_port, seconds=3 * HOUR)
        assert await rig.adapter.send(rig.room, Text("Done."))
    trouble, back = rig.reasons
    assert (trouble.partition(":")[0], back) == ("httpx.ConnectError", "")


async def test_a_black_hole(tmp_path: Path) -> None:
    async with BotApi() as api, telegram(api, tmp_path) as rig:

        async def begin() -> None:
            api.go_dark()

        async def end() -> None:
            api.come_back()

        await goes_on(rig, begin, end, seconds=10.0)


async def test_a_gateway_that_answers_for_nobody(tmp_path: Path) -> None:
    async with BotApi() as api, telegram(api, tmp_path) as rig:
        armed = api.faults.add(Rule("nothing"))

        async def begin() -> None:
            nonlocal armed
            armed = api.faults.add(Rule(any_method=True, html=True))

        async def end() -> None:
            api.faults.remove(armed)

        await goes_on(rig, begin, end, seconds=600.0)


def test_no_names(tmp_path: Path) -> None:
    """Name servers that answer nothing, from the start."""

    async def scene(loop: Resolving) -> None:
        clock = HastyClock()
        async with BotApi() as api:
            port = api.url.rpartition(":")[2]
            async with telegram(api, tmp_path, base_url=f"http://api.test:{port}", clock=clock) as rig:

                async def back() -> None:
                    loop.addresses = ["127.0.0.1"]

                clock.due[clock.at + 600.0] = back
                with pytest.raises(ChatError):
                    await rig.adapter.send(rig.room, Text("Done."))
                rig.ann.writes("hello")
                heard = await asyncio.wait_for(anext(rig.adapter.incoming()), 20)
                assert isinstance(heard, Message)
                assert rig.heard == [Trouble.UNREACHABLE, Trouble.BACK]

    Resolving.play(scene, socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"))
