"""One turn's bytes, from where the store left off to its last word, kept as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from core.dispatch.launching import beside, name_of, request_of, with_pictures
from core.dispatch.means import Means
from core.dispatch.place import Place
from core.dispatch.speaking import Speaker
from core.dispatch.voice import Voice
from core.engines.port import Engine, Failure
from core.errors import HostError
from core.hosts.port import Host
from core.model.events import (
    EngineEvent,
    Event,
    MessageDelta,
    Recovering,
    Resolved,
    SessionStarted,
    TurnCompleted,
    TurnFailed,
)
from core.model.ids import PromptId
from core.model.launch import Chunk, Exited, Gone
from core.model.prompt import Prompt
from core.model.request import TurnRequest
from core.model.turn import Turn, advance
from core.store import log, said
from core.store.queue import Work
from core.store.turns import Step

SILENCE_LOOKS = 4
"""How many times in a row nothing may have moved before a turn counts as silent."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The engine said that the turn ended well."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The engine said, on its protocol or on stderr, that it could not. *until*: as in `TurnFailed`."""

    text: str
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing at all moved for too long."""


@dataclass(frozen=True, slots=True)
class Mute:
    """A new process that is spoken to has not named its session, and says nothing more."""


Outcome = Completed | Failed | Silent | Mute | Exited | Gone


@dataclass(frozen=True, slots=True)
class Followed:
    """How the turn came out, its fold, and its last step, which is to be stored with the ending. *offered*:
    the agent may have the words of the prompt."""

    outcome: Outcome
    turn: Turn
    last: Step
    offered: bool


async def follow(
    means: Means, work: Work, engine: Engine, host: Host, voice: Voice, place: Place
) -> Followed:
    """Hear the agent out, and say what there is to say, until its last word or its end.

    When somebody asks to stop, the agent is asked first where that can be done. Its whole tree is ended if
    that has not helped, and the reading goes on to its last byte.
    """
    request = await with_pictures(request_of(means, work, engine), engine, host)
    follower = _Follower(means, work, engine, host, request, place)
    async with follower.minding(voice):
        outcome, last = await follower.to_the_last_word()
    return Followed(outcome, follower.turn, last, follower.offered)


async def fold(means: Means, work: Work) -> Turn:
    """The turn as the store knows it."""
    turn = Turn()
    for event in await means.store.glance(log.of_turn, work.prompt.id, work.turn.id):
        turn = advance(turn, event)
    return turn


class _Follower:
    def __init__(
        self, means: Means, work: Work, engine: Engine, host: Host, request: TurnRequest, place: Place
    ) -> None:
        self._means = means
        self._work = work
        self._engine = engine
        self._host = host
        self._place = place
        self._dialogue = engine.dialogue(request, name_of(work.turn), warm=work.turn.begin > 0)
        self._speaker = Speaker(host, work.turn.agent, engine, self._dialogue, means.clock)
        self._caught_up = asyncio.Event()
        self._over = asyncio.Event()
        self._asking = asyncio.Event()
        self._stirred = means.clock.monotonic()
        self._steering: dict[str, PromptId] = {}
        self.turn = Turn()

    @property
    def offered(self) -> bool:
        return self._dialogue.offered

    # -- what the agent says ---------------------------------------------------------------------------

    async def to_the_last_word(self) -> tuple[Outcome, Step]:
        self.turn = await fold(self._means, self._work)
        self._mind_questions()
        await self._speaker.recall()
        await self._replay()
        position = self._work.turn.offset
        try:
            while True:
                await self._speaker.say()
                self._caught_up.set()
                chunk = await self._read(position)
                if chunk is None:
                    return Mute() if self._starting else Silent(), self._step([])
                position += len(chunk.data)
                await self._stirs(chunk)
                events = self._heard(chunk)
                await self._settle_steers()
                step = self._taken(events, position if chunk.end else None)
                match events[-1] if events else None:
                    case TurnCompleted():
                        return Completed(), step
                    case TurnFailed(text, until):
                        return Failed(text, until), step
                if chunk.end is not None:
                    return await self._without_word(chunk.end), step
                if events:
                    await self._means.book.add(step)
        finally:
            self._over.set()

    async def _replay(self) -> None:
        """The dialogue hears what an earlier one was told already; its events are in the store."""
        position, until = self._begin, self._work.turn.offset
        while position < until:
            chunk = await self._host.read(self._work.turn.agent, position)
            data = chunk.data[: until - position]
            if not data:
                return
            self._dialogue.feed(data)
            position += len(data)

    @property
    def _begin(self) -> int:
        """A dialogue that is only listened to may as well begin where the store left off."""
        return self._work.turn.begin if self._engine.spoken else self._work.turn.offset

    def _heard(self, chunk: Chunk) -> list[EngineEvent]:
        events = self._dialogue.feed(chunk.data)
        return _until_terminal(events + self._dialogue.finish() if chunk.end else events)

    def _taken(self, events: Sequence[EngineEvent], offset: int | None) -> Step:
        kept: list[Event] = []
        for event in _joined(events):
            kept += self._checked(event)
            self.turn = advance(self.turn, event)
        self._mind_questions()
        return self._step(kept, offset)

    def _checked(self, event: EngineEvent) -> list[Event]:
        """A session that is not the one asked for means that the old one is gone, whatever it says. What was
        settled in an earlier life of ours is so no second time."""
        asked = self._work.turn.session
        if isinstance(event, Resolved) and all(event.key != one.key for one in self.turn.asked):
            return []
        if isinstance(event, SessionStarted) and asked and event.session.strip() != asked.strip():
            return [event, Recovering("session_gone")]
        return [event]

    def _step(self, events: Sequence[Event], offset: int | None = None) -> Step:
        work, heard = self._work, self._begin + self._dialogue.consumed
        offset = heard if offset is None else offset
        return Step(work.turn.id, work.prompt.id, work.conversation.id, tuple(events), offset)

    async def _read(self, position: int) -> Chunk | None:
        """The next bytes; None when neither the spool nor the processor time has moved for too long, and
        the agent waits for nobody's answer."""
        agent, used, still = self._work.turn.agent, -1.0, 0
        limits = self._means.limits
        if self._starting:
            chunk = await self._host.read(agent, position, patience=min(limits.answering, limits.silence))
            return chunk if chunk.data or chunk.end else None
        patience = limits.silence / SILENCE_LOOKS
        while still < SILENCE_LOOKS:
            chunk = await self._host.read(agent, position, patience=patience)
            if chunk.data or chunk.end:
                return chunk
            before, used = used, await self._host.cpu_seconds(agent)
            still = 0 if used > before or self.turn.asked else still + 1
        return None

    @property
    def _starting(self) -> bool:
        """Whether a sign of its protocol is due soon: it may as well wait for a key that nobody presses."""
        return self._engine.spoken and not self._work.turn.begin and self.turn.session is None

    # -- its place -------------------------------------------------------------------------------------

    def _mind_questions(self) -> None:
        if self.turn.asked:
            self._asking.set()
        else:
            self._asking.clear()

    async def _stirs(self, chunk: Chunk) -> None:
        self._stirred = self._means.clock.monotonic()
        if chunk.data:
            await self._place.resume()

    async def _give_place_unanswered(self) -> None:
        """While nobody answers, and the agent does nothing else meanwhile."""
        clock, patience = self._means.clock, self._means.limits.unanswered
        while await self._asking.wait():
            quiet = clock.monotonic() - self._stirred
            if quiet >= patience:
                await self._place.give()
            await clock.sleep(patience - quiet if quiet < patience else patience)

    # -- its end ---------------------------------------------------------------------------------------

    async def _without_word(self, end: Exited | Gone) -> Outcome:
        """The process ended and its protocol did not say so: its last warning or stderr may."""
        errors = f"{self.turn.notice}\n{await self._host.errors(self._work.turn.agent)}".strip()
        sorted_as = self._engine.sort(errors, resumed=self._work.turn.session is not None)
        return end if sorted_as is Failure.OTHER else Failed(errors)

    # -- what people say -------------------------------------------------------------------------------

    @asynccontextmanager
    async def minding(self, voice: Voice) -> AsyncIterator[None]:
        """Pass on what people say, and stop when they ask for it."""
        stop = asyncio.create_task(self._stop_when_asked(voice.cancel), name=f"stop {self._work.prompt.id}")
        tell = asyncio.create_task(self._pass_on(voice.news), name=f"pass on to {self._work.prompt.id}")
        wait = asyncio.create_task(self._give_place_unanswered(), name=f"place of {self._work.prompt.id}")
        try:
            yield
            if voice.cancel.is_set():
                await stop
        finally:
            for task in (stop, tell, wait):
                task.cancel()
                with suppress(asyncio.CancelledError, HostError):
                    await task

    async def _stop_when_asked(self, cancel: asyncio.Event) -> None:
        await cancel.wait()
        if self._engine.spoken:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._means.limits.asking):
                    await self._caught_up.wait()
                    self._dialogue.interrupt()
                    await self._speaker.say()
                    await self._over.wait()
        await self._host.stop(self._work.turn.agent, grace=self._means.limits.grace)

    async def _pass_on(self, news: asyncio.Event) -> None:
        """Answers to the agent's questions, and words for the running turn, each once."""
        await self._caught_up.wait()
        await self._answer_again()
        while self._engine.spoken:
            for reply in await self._means.store.glance(said.replies, self._work.turn.id):
                if not await self._place.regained():
                    break
                self._stirred = self._means.clock.monotonic()
                self._dialogue.answer(reply.question, reply.choice, reply.text)
                await self._speaker.say()
                await self._means.store.insist(said.passed_on, reply)
            if self._engine.capabilities.steer:
                for prompt in await self._means.store.glance(said.to_steer, self._work.conversation.id):
                    await self._steer(prompt)
            await news.wait()
            news.clear()

    async def _answer_again(self) -> None:
        """Of several questions of one request some may have been answered before a restart of ours: the agent
        is told of all of them at once, and whoever speaks for us now has heard of none."""
        for reply in await self._means.store.read(said.replies, self._work.turn.id, passed=True):
            self._dialogue.answer(reply.question, reply.choice, reply.text)

    async def _steer(self, prompt: Prompt) -> None:
        if (key := f"m{prompt.id}") not in self._steering:
            self._steering[key] = prompt.id
            add = self._means.instructions(self._work.conversation.language)
            self._dialogue.steer("\n\n".join([prompt.text, *beside(prompt, add)]), key)
            await self._speaker.say()

    async def _settle_steers(self) -> None:
        """What the agent has taken ends with that; what it has not goes on waiting as a prompt."""
        store, now = self._means.store, self._means.clock.now()
        for key in self._steering.keys() & self._dialogue.heard:
            await store.insist(said.steered, self._steering.pop(key), now=now)
        for key in self._steering.keys() & self._dialogue.refused:
            await store.insist(said.not_steered, self._steering.pop(key))


def _joined(events: Iterable[EngineEvent]) -> list[EngineEvent]:
    """Pieces of one message that came together, as one: each event is a row in the store."""
    joined: list[EngineEvent] = []
    for event in events:
        last = joined[-1] if joined else None
        if isinstance(event, MessageDelta) and isinstance(last, MessageDelta) and last.item == event.item:
            joined[-1] = MessageDelta(event.item, last.text + event.text)
        else:
            joined.append(event)
    return joined


def _until_terminal(events: list[EngineEvent]) -> list[EngineEvent]:
    for index, event in enumerate(events):
        if isinstance(event, TurnCompleted | TurnFailed):
            return events[: index + 1]
    return events
