"""Case 70: another program locks the database while prompts come in (sopel-irc/sopel#736)."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from core.errors import StoreBusy
from core.model.conversation import Conversation
from core.model.prompt import Source
from core.store import prompts
from core.store.database import FILE_NAME, Database
from core.store.prompts import Accepted
from tests.support.faults import lock_held
from tests.support.store import NOW, opened

LOCKED_SECONDS = 8
PROMPTS = 20
LOOP_BLOCKED_MOST = 1.0


async def come_in(store: Database, here: Conversation) -> list[Accepted | BaseException]:
    """Twenty prompts at once, each as its adapter stores it."""
    updates = [Source("telegram", "bot", str(number)) for number in range(PROMPTS)]
    coming = [store.write(prompts.accept, update, here.id, update.update, now=NOW) for update in updates]
    return await asyncio.gather(*coming, return_exceptions=True)


async def longest_block(stop: asyncio.Event) -> float:
    """The longest time in which the loop did nothing else, in seconds."""
    longest = 0.0
    while not stop.is_set():
        before = time.monotonic()
        await asyncio.sleep(0.01)
        longest = max(longest, time.monotonic() - before)
    return longest


async def test_for_eight_seconds_everything_waits_and_is_stored_once(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    stop = asyncio.Event()
    watching = asyncio.create_task(longest_block(stop))
    with lock_held(tmp_path / FILE_NAME, seconds=LOCKED_SECONDS):
        stored = await come_in(store, here)
    stop.set()
    assert [type(accepted) for accepted in stored] == [Accepted] * PROMPTS
    kept = await store.read(prompts.open_of, here.id)
    assert [prompt.text for prompt in kept] == [str(number) for number in range(PROMPTS)]
    assert await watching < LOOP_BLOCKED_MOST
    await store.close()


async def test_for_longer_nothing_is_acknowledged_and_it_comes_again(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    await store.close()
    store = await Database.open(tmp_path, patience=0.02)
    with lock_held(tmp_path / FILE_NAME):
        refused = await come_in(store, here)
    assert [type(refusal) for refusal in refused] == [StoreBusy] * PROMPTS
    assert not await store.read(prompts.every_open)
    for _ in range(2):
        await come_in(store, here)
    assert len(await store.read(prompts.every_open)) == PROMPTS
    await store.close()
