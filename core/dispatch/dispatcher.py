"""Claims what may start, runs one task for each prompt that does, and takes up what a restart left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress

from core.crash import crash_point
from core.dispatch.means import Means
from core.dispatch.queue import decide
from core.dispatch.turns import Run
from core.dispatch.voice import Voice
from core.dispatch.warm import Warm, see_off
from core.errors import CoreError
from core.model.ids import PromptId
from core.model.prompt import Status
from core.store import queue, said, turns
from core.store.queue import Work
from core.store.turns import Ending, Step

POLL_SECONDS = 5.0
"""The backstop, should a bell not be heard."""
MEMORY_WANTED = 400_000_000
"""Bytes: with less that is free, no agent is kept for a turn that may come."""
LOST_SECONDS = 30.0
"""Before a prompt whose end could not be stored is taken up once more."""

logger = logging.getLogger(__name__)


class Dispatcher:
    """The one dispatcher of a data directory; whoever calls `run` holds its lock.

    `wake` says that the store has news: a prompt, a cancel, a change of a project.
    """

    def __init__(self, means: Means) -> None:
        self._means = means
        self._news = asyncio.Event()
        self._tasks: dict[PromptId, asyncio.Task[None]] = {}
        self._voices: dict[PromptId, Voice] = {}
        self._again: dict[PromptId, float] = {}
        caps, seconds = means.limits.caps, means.limits.warm
        self._warm = Warm(means.clock, seconds=seconds, most=caps.total or caps.per_engine)

    def wake(self) -> None:
        self._news.set()

    async def run(self) -> None:
        """Work until cancelled; then let go of every agent, alive, for the next dispatcher to find."""
        writing = asyncio.create_task(self._means.book.run(), name="keep progress")
        try:
            await self._take_up()
            while True:
                self._news.clear()
                await self._look()
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._news.wait()
        finally:
            await _ended([writing, *self._tasks.values()])
            for idle in self._warm.everybody():
                await idle.host.hang_up(idle.agent)
            await self._means.book.close()
            # A write that was under way ends before somebody else may look at what there is to do.
            await self._means.store.settled()

    async def _take_up(self) -> None:
        """Everything that held keys when the last dispatcher stopped (behaviour §1.5)."""
        for work in await self._means.store.read(queue.held):
            self._begin(work, found=True)
        for host in self._means.hosts.values():
            await host.sweep(lambda: self._means.store.read(turns.agents))

    async def _look(self) -> None:
        """Stop what is to be stopped, start what may start."""
        try:
            for prompt in await self._means.store.glance(queue.stopping):
                if prompt in self._voices:
                    self._voices[prompt].cancel.set()
            for prompt in await self._means.store.glance(said.spoken_to):
                if prompt in self._voices:
                    self._voices[prompt].news.set()
            crash_point("queued")
            claimed = await self._claim()
        except CoreError as error:
            # The store is busy or full: nothing was claimed, and the next look is soon.
            logger.warning("cannot look at the queue: %s", error.key)
            return
        for work in claimed:
            if work.back and work.prompt.id in self._voices:
                self._voices[work.prompt.id].news.set()
            else:
                self._begin(work, found=work.back)
        await asyncio.sleep(0)  # who waits for an answer comes before our own housekeeping
        await self._find_lost()
        for idle in self._warm.spare(short=await self._short_of_memory()):
            await see_off(idle, grace=self._means.limits.grace)

    async def _claim(self) -> list[Work]:
        means = self._means
        waiting, _ = await means.store.glance(queue.line)
        if not waiting:
            return []
        caps, now = means.limits.caps, means.clock.now()
        return await means.store.write(queue.claim, decide, caps, means.new_agent, now=now)

    async def _short_of_memory(self) -> bool:
        hosts = self._means.hosts.values() if self._warm.any else ()
        return any([await host.free_memory() < MEMORY_WANTED for host in hosts])

    async def _find_lost(self) -> None:
        """What holds keys and has no task: its end could not be stored, or its claim was not seen."""
        for prompt in await self._means.store.glance(queue.holding):
            if prompt not in self._tasks and self._means.clock.monotonic() >= self._again.get(prompt, 0.0):
                self._begin(await self._means.store.read(queue.work, prompt), found=True)

    def _begin(self, work: Work, *, found: bool = False) -> None:
        prompt = work.prompt.id
        voice = self._voices[prompt] = Voice(self.wake)
        if work.prompt.cancelling:
            voice.cancel.set()
        task = asyncio.create_task(self._watched(work, voice, found=found), name=f"prompt {prompt}")
        self._tasks[prompt] = task
        task.add_done_callback(lambda _: self._gone(prompt))

    def _gone(self, prompt: PromptId) -> None:
        del self._tasks[prompt], self._voices[prompt]
        self.wake()

    async def _watched(self, work: Work, voice: Voice, *, found: bool) -> None:
        """One failing prompt never takes another with it, and never stays `running`."""
        prompt = work.prompt.id
        self._again[prompt] = self._means.clock.monotonic() + LOST_SECONDS
        try:
            await Run(self._means, work, voice, self._warm, found=found).to_its_end()
        except CoreError as error:
            logger.error("prompt %d: %s", prompt, error)
            await self._fail(work, error.key)
        except Exception:
            logger.exception("prompt %d", prompt)
            await self._fail(work, CoreError.key)
        del self._again[prompt]

    async def _fail(self, work: Work, reason: str) -> None:
        prompt = work.prompt.id
        work = await self._means.store.read(queue.work, prompt)
        host = self._means.hosts.get(work.project.host)
        if host is not None:
            await host.stop(work.turn.agent, grace=self._means.limits.grace)
        step = Step(work.turn.id, prompt, work.conversation.id, (), work.turn.offset)
        steps = await self._means.book.taking(step)
        now = self._means.clock.now()
        await self._means.store.insist(turns.end, steps, Ending(Status.FAILED, reason=reason), now=now)
        await self._means.store.insist(queue.release, prompt)
        if host is not None:
            await host.discard(work.turn.agent)


async def _ended(tasks: Iterable[asyncio.Task[None]]) -> None:
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
