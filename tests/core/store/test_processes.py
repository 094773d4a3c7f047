"""Several processes on one database file, at the same moment."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from core.dispatch.queue import decide
from core.model.events import PromptEnded, PromptStarted
from core.model.ids import ConversationId
from core.model.prompt import Source
from core.model.slots import Caps
from core.store import log, prompts, queue, turns
from core.store.database import FILE_NAME, Database
from tests.support.store import (
    DONE,
    NOW,
    a_conversation,
    a_project,
    connected,
    new_agent,
    opened,
    step,
    submit,
)

PROCESSES = 4
CAPS = Caps(per_engine=2)
FIRST = ConversationId(1)


def meet(barrier: Barrier) -> None:
    """Nobody begins before all are there."""
    barrier.wait(30)


def at_once(job: Callable[[Path, int], list[int]], data_dir: Path) -> list[list[int]]:
    """What *job* gave in each of several fresh processes that began together."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        PROCESSES, mp_context=spawn, initializer=meet, initargs=(spawn.Barrier(PROCESSES),)
    ) as pool:
        return list(pool.map(job, [data_dir] * PROCESSES, range(PROCESSES)))


def submit_the_same(data_dir: Path, _: int) -> list[int]:
    async def all_of_them() -> list[int]:
        store = await Database.open(data_dir)
        there = [
            await store.write(prompts.accept, Source("t", "a", str(number)), FIRST, "Go", now=NOW)
            for number in range(20)
        ]
        await store.close()
        return [accepted.prompt.id for accepted in there if not accepted.again]

    return asyncio.run(all_of_them())


def work_off(data_dir: Path, _: int) -> list[int]:
    """Claim and finish until nothing waits."""

    async def until_empty() -> list[int]:
        store = await Database.open(data_dir)
        mine: list[int] = []
        while await store.read(prompts.every_open):
            for work in await store.write(queue.claim, decide, CAPS, new_agent, now=NOW):
                mine.append(work.prompt.id)
                await store.write(turns.end, [step(work)], DONE, now=NOW)
                await store.write(queue.release, work.prompt.id)
        await store.close()
        return mine

    return asyncio.run(until_empty())


def open_only(data_dir: Path, _: int) -> list[int]:
    async def opening() -> list[int]:
        store = await Database.open(data_dir)
        await store.close()
        return []

    return asyncio.run(opening())


def test_a_new_database_is_made_once_by_whoever_comes_first(tmp_path: Path) -> None:
    assert at_once(open_only, tmp_path) == [[]] * PROCESSES


async def test_the_same_updates_from_everywhere_are_stored_once(tmp_path: Path) -> None:
    store, _ = await opened(tmp_path)
    await store.close()
    new = [prompt for made in await asyncio.to_thread(at_once, submit_the_same, tmp_path) for prompt in made]
    assert sorted(new) == list(range(1, 21))


@pytest.mark.timeout(120)
def test_each_prompt_is_claimed_once_and_one_at_a_time_runs_in_a_conversation(tmp_path: Path) -> None:
    with closing(connected(tmp_path / FILE_NAME)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        here = [a_conversation(db, a_project(db, name, (name[0],))) for name in ("aa", "ab", "ba", "ca")]
        asked = [submit(db, here[number % 4]).id for number in range(40)]
        claims = at_once(work_off, tmp_path)
        assert sorted(prompt for mine in claims for prompt in mine) == asked
        history = [entry for where in here for entry in log.read(db, where.id)[0]]
    running: set[int] = set()
    for entry in sorted(history, key=lambda entry: entry.id):
        match entry.event:
            case PromptStarted():
                assert len(running) < CAPS.per_engine
                assert entry.conversation not in running
                assert not {here[0].id, here[1].id} <= running | {entry.conversation}
                running.add(entry.conversation)
            case PromptEnded():
                running.remove(entry.conversation)
    assert not running
