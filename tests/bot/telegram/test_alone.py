"""Programs of one user don't poll for one bot together, and nobody else keeps them from it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.telegram.adapter import AlreadyPolled
from bot.telegram.alone import BACKLOG, Holder, OnlyPoller
from tests.bot.telegram.rig import Rig
from tests.support.fake_chat import take
from tests.telegram.server import BotApi

OURS = Holder(os.getpid(), os.geteuid())


@contextmanager
def silent(bot: int) -> Iterator[None]:
    """Somebody has the bot's name and answers nobody, to be in the way."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as held:
        held.bind(f"\0roost-telegram-{bot}")
        yield


async def test_one_program_of_a_user_polls_for_a_bot() -> None:
    first, second, other = OnlyPoller(6999991), OnlyPoller(6999991), OnlyPoller(6999992)
    assert (first.take(), first.take()) == (None, None)
    assert second.take() == OURS
    assert second.is_ours(OURS)
    assert other.take() is None
    first.release()
    assert second.take() is None
    for one in (second, other):
        one.release()


async def test_however_often_it_is_asked_it_is_known_who_it_is() -> None:
    first, second = OnlyPoller(6999993), OnlyPoller(6999993)
    first.take()
    for _ in range(2 * BACKLOG):
        assert second.take() == OURS
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    first.release()


async def test_a_program_of_another_user_is_named_and_is_not_ours() -> None:
    first, second = OnlyPoller(6999994), OnlyPoller(6999994, user=os.geteuid() + 1)
    first.take()
    holder = second.take()
    assert holder == OURS
    assert not second.is_ours(holder)
    assert holder.named
    first.release()


async def test_who_does_not_say_who_they_are_is_nobody_of_ours() -> None:
    poller = OnlyPoller(6999995)
    with silent(6999995):
        holder = poller.take()
    assert holder == Holder()
    assert not poller.is_ours(holder)
    assert (holder.named, Holder(1, 2**31 - 2).named) == ("", str(2**31 - 2))


async def test_a_second_adapter_says_so_and_the_first_goes_on(api: BotApi, tmp_path: Path) -> None:
    first, second = Rig(api, tmp_path), Rig(api, tmp_path)
    assert first.adapter.open() is None
    with pytest.raises(AlreadyPolled):
        second.adapter.open()
    await second.adapter.close()
    await first.adapter.close()
    assert second.adapter.open() is None
    await second.adapter.close()


async def test_an_adapter_goes_on_beside_whoever_is_in_the_way(rig: Rig) -> None:
    with silent(int(rig.account)):
        assert rig.adapter.open() == Holder()
        rig.ann.writes("one")
        incoming = rig.adapter.incoming()
        assert (await take(incoming)).source.account == rig.account
