"""One turn's bytes, from where the store left off to its last word, kept as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from core.dispatch.means import Means
from core.engines.port import Decoder, Engine, Failure
from core.hosts.port import Host
from core.model.events import EngineEvent, Event, Recovering, SessionStarted, TurnCompleted, TurnFailed
from core.model.launch import Chunk, Exited, Gone
from core.model.turn import Turn, advance
from core.store import log
from core.store.queue import Work
from core.store.turns import Step

SILENCE_LOOKS = 4
"""How many times in a row nothing may have moved before a turn counts as silent."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The engine said that the turn ended well."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The engine said, on its protocol or on stderr, that it could not."""

    text: str


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing at all moved for too long."""


Outcome = Completed | Failed | Silent | Exited | Gone


@dataclass(frozen=True, slots=True)
class Followed:
    """How the turn came out, its fold, and its last step, which is to be stored with the ending."""

    outcome: Outcome
    turn: Turn
    last: Step


async def follow(means: Means, work: Work, engine: Engine, host: Host, cancel: asyncio.Event) -> Followed:
    """Read what the agent says until its last word or its end.

    When *cancel* is set its whole tree is ended, and the reading goes on to its last byte.
    """
    follower = _Follower(means, work, engine, host)
    async with _stopping(means, work, host, cancel):
        outcome, last = await follower.to_the_last_word()
    return Followed(outcome, follower.turn, last)


async def fold(means: Means, work: Work) -> Turn:
    """The turn as the store knows it."""
    turn = Turn()
    for event in await means.store.read(log.of_turn, work.prompt.id, work.turn.id):
        turn = advance(turn, event)
    return turn


class _Follower:
    def __init__(self, means: Means, work: Work, engine: Engine, host: Host) -> None:
        self._means = means
        self._work = work
        self._engine = engine
        self._host = host
        self.turn = Turn()

    async def to_the_last_word(self) -> tuple[Outcome, Step]:
        self.turn = await fold(self._means, self._work)
        decoder = self._engine.decoder()
        begin = position = self._work.turn.offset
        while True:
            chunk = await self._read(position)
            if chunk is None:
                return Silent(), self._step([], begin + decoder.consumed)
            position += len(chunk.data)
            events = _until_terminal(_decoded(decoder, chunk))
            step = self._taken(events, position if chunk.end else begin + decoder.consumed)
            match events[-1] if events else None:
                case TurnCompleted():
                    return Completed(), step
                case TurnFailed(text):
                    return Failed(text), step
            if chunk.end is not None:
                return await self._without_word(chunk.end), step
            if events:
                await self._means.book.add(step)

    def _taken(self, events: Sequence[EngineEvent], offset: int) -> Step:
        kept: list[Event] = []
        for event in events:
            kept += self._checked(event)
            self.turn = advance(self.turn, event)
        return self._step(kept, offset)

    def _checked(self, event: EngineEvent) -> list[Event]:
        """A session that is not the one asked for means that the old one is gone, whatever it says."""
        asked = self._work.turn.session
        if isinstance(event, SessionStarted) and asked and event.session != asked:
            return [event, Recovering("session_gone")]
        return [event]

    def _step(self, events: Sequence[Event], offset: int) -> Step:
        work = self._work
        return Step(work.turn.id, work.prompt.id, work.conversation.id, tuple(events), offset)

    async def _read(self, position: int) -> Chunk | None:
        """The next bytes; None when neither the spool nor the processor time has moved for too long."""
        agent, used, still = self._work.turn.agent, -1.0, 0
        patience = self._means.limits.silence / SILENCE_LOOKS
        while still < SILENCE_LOOKS:
            chunk = await self._host.read(agent, position, patience=patience)
            if chunk.data or chunk.end:
                return chunk
            before, used = used, await self._host.cpu_seconds(agent)
            still = 0 if used > before else still + 1
        return None

    async def _without_word(self, end: Exited | Gone) -> Outcome:
        """The process ended and its protocol did not say so: its last warning or stderr may."""
        errors = f"{self.turn.notice}\n{await self._host.errors(self._work.turn.agent)}".strip()
        sorted_as = self._engine.sort(errors, resumed=self._work.turn.session is not None)
        return end if sorted_as is Failure.OTHER else Failed(errors)


@asynccontextmanager
async def _stopping(means: Means, work: Work, host: Host, cancel: asyncio.Event) -> AsyncIterator[None]:
    async def stop_when_asked() -> None:
        await cancel.wait()
        await host.stop(work.turn.agent, grace=means.limits.grace)

    task = asyncio.create_task(stop_when_asked(), name=f"stop prompt {work.prompt.id} when asked")
    try:
        yield
        if cancel.is_set():
            await task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _decoded(decoder: Decoder, chunk: Chunk) -> list[EngineEvent]:
    events = decoder.feed(chunk.data)
    return events + decoder.finish() if chunk.end else events


def _until_terminal(events: list[EngineEvent]) -> list[EngineEvent]:
    for index, event in enumerate(events):
        if isinstance(event, TurnCompleted | TurnFailed):
            return events[: index + 1]
    return events
