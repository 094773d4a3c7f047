"""Work that fails begins again and disturbs no other; its owner ends it all."""

from __future__ import annotations

import asyncio

import pytest

from bot.tasks import Tasks, either, finished


async def test_work_of_one_name_goes_on_once() -> None:
    tasks, begun, end = Tasks(), [], asyncio.Event()

    async def work() -> None:
        begun.append(1)
        await end.wait()

    for _ in range(3):
        tasks.start("one", work)
    await asyncio.sleep(0)
    end.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    tasks.start("one", work)
    await asyncio.sleep(0)
    assert len(begun) == 2
    await tasks.close()


async def test_what_fails_says_so_and_begins_again(caplog: pytest.LogCaptureFixture) -> None:
    tries, slept, done = [], [], asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    tasks = Tasks(sleep)

    async def work() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise ValueError("no")
        done.set()

    async def other() -> None:
        await asyncio.Event().wait()

    tasks.start("other", other)
    tasks.start("one", work)
    await asyncio.wait_for(done.wait(), 10)
    assert [record.message for record in caplog.records] == ["one failed"] * 2
    assert slept == [1.0, 2.0]
    await tasks.close()


async def test_stopping_waits_until_it_has_ended() -> None:
    tasks, ended = Tasks(), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(1)

    tasks.start("one", work)
    await asyncio.sleep(0)
    await tasks.stop("another")
    await tasks.stop("one")
    assert ended == [1]


async def test_either_ends_with_the_first_and_leaves_nothing_running() -> None:
    news, ended = asyncio.Event(), []

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(1)

    news.set()
    await either(for_ever(), news.wait())
    assert ended == [1]


async def test_either_ends_both_when_it_is_ended() -> None:
    ended: list[int] = []

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(1)

    waiting = asyncio.create_task(either(for_ever(), for_ever()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended == [1, 1]


@pytest.mark.parametrize(("seconds", "came_to_its_end"), [(5.0, True), (0.0, False)])
async def test_what_is_under_way_may_come_to_its_end(seconds: float, came_to_its_end: bool) -> None:
    begun, go, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        await go.wait()
        done.set()

    task = asyncio.create_task(finished(work(), seconds=seconds))
    await begun.wait()
    task.cancel()
    asyncio.get_running_loop().call_later(0.01, go.set)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done.is_set() is came_to_its_end
