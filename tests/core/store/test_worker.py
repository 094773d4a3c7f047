"""What is done beside the loop: in order, with what was raised, and not where nobody waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from functools import partial

import pytest

from core.store.worker import Worker


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    made = Worker("test")
    yield made
    made.close()


async def test_one_after_the_other_in_a_thread_of_its_own(worker: Worker) -> None:
    done: list[int] = []
    await asyncio.gather(*(worker.run(partial(done.append, number)) for number in range(100)))
    assert done == list(range(100))
    assert await worker.run(lambda: threading.current_thread().name) == "test"


async def test_what_is_raised_is_raised_where_it_is_awaited(worker: Worker) -> None:
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1 / 0)
    assert await worker.run(lambda: "still there") == "still there"


async def test_what_is_cancelled_before_it_begins_is_not_done(worker: Worker) -> None:
    begun, go, done = threading.Event(), threading.Event(), list[str]()

    def first() -> None:
        begun.set()
        go.wait(5)
        done.append("first")

    waits = worker.run(first)
    never = worker.run(lambda: done.append("never"))
    await asyncio.to_thread(begun.wait, 5)
    waits.cancel()
    never.cancel()
    go.set()
    await worker.run(lambda: None)
    assert done == ["first"]
