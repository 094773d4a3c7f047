"""One claimed prompt, from its start or from wherever a restart found it, to its end and release."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import Literal, assert_never

from core.crash import crash_point
from core.dispatch import renewal
from core.dispatch.answers import compose
from core.dispatch.compaction import fills
from core.dispatch.following import Completed, Failed, Followed, Mute, Outcome, Silent, fold, follow
from core.dispatch.launching import prepare, request_of
from core.dispatch.lookout import look_round
from core.dispatch.means import Means
from core.dispatch.place import Place
from core.dispatch.retry import Again, GiveUp, after_interruption, another_way, pending
from core.dispatch.voice import Voice, first_of
from core.dispatch.warm import Idle, Warm, see_off
from core.engines.port import Engine, Failure
from core.errors import CoreError, DiskFull, HostError
from core.model.events import Leftovers
from core.model.ids import SessionId
from core.model.launch import Alive, Exited, Gone, NotStarted
from core.model.prompt import Kind, Status
from core.model.turn import Turn
from core.store import queue, turns
from core.store.limits import WAITS_FOR_IT
from core.store.queue import Work
from core.store.turns import Ending, Step

DETAIL_CHARS = 600
DISK_PAUSE = 1.0
SIGKILL = 9
HEAD_START = 0.02
"""Seconds that an answer has to leave, before all processes are looked at for what the agent left running:
that would hold it up."""


class Run:
    """Drives one prompt. *voice* tells what people say to it meanwhile; that is stored already.

    It holds the keys of its prompt until `to_its_end` returns. If the task is cancelled (Roost stops) the
    agent works on, and another `Run` with *found* takes it up. Errors: `Refused` for an engine that this
    version cannot drive, `HostError` for a host that it does not know.
    """

    def __init__(self, means: Means, work: Work, voice: Voice, warm: Warm, *, found: bool = False) -> None:
        self._means = means
        self._warm = warm
        self._work = work
        self._voice = voice
        self._cancel = voice.cancel
        self._place = Place(means, work, voice)
        self._found = found
        self._chosen = means.engine(work.conversation.engine)
        self._host = means.host(work.project.host)
        self._turn = Turn()
        self._last: Step | None = None
        self._outcome: Outcome | None = None
        self._strays: tuple[str, ...] = ()

    async def to_its_end(self) -> None:
        """Start or take up the agent, follow it, try again as the table says, answer, release."""
        if self._work.turn.outcome and not self._work.prompt.status.ended:
            await self._take_up_wait()
        while not self._work.prompt.status.ended:
            await self._one_turn()
        idle = await self._idle()
        if idle:  # before the release: the next turn may begin with it
            self._warm.keep(self._work.conversation.id, idle)
        else:
            await self._see_out()
        crash_point("releasing")
        await self._means.store.insist(queue.release, self._work.prompt.id)
        if idle is None:
            await self._host.discard(self._work.turn.agent)

    # -- one turn --------------------------------------------------------------------------------------

    async def _one_turn(self) -> None:
        match await self._verdict():
            case Ending() as ending:
                await self._end(ending)
            case Again() as decision:
                await self._go_on(decision)

    async def _verdict(self) -> Ending | Again:
        """What follows when the agent was started, or found, and heard out."""
        found, self._found = self._found, False
        agent = self._work.turn.agent
        state = await self._host.inspect(agent) if found else None
        if isinstance(state, NotStarted):
            return self._or_fail(
                after_interruption("never_started", await self._outcomes(), taken=self._taken)
            )
        if state is None and (instead := await self._not_started()):
            return instead
        try:
            async with asyncio.timeout(self._means.limits.compacting if self._compacts else None):
                followed = await self._follow()
        except HostError as error:
            return await self._unreadable(error)
        except TimeoutError:
            return await self._unreadable(HostError("compact.timeout"))
        self._turn, self._last, self._outcome = followed.turn, followed.last, followed.outcome
        if self._cancel.is_set():
            return Ending(Status.CANCELLED, self._said)
        return await self._judged(followed, lost=isinstance(state, Gone))

    def _follow(self) -> Awaitable[Followed]:
        return follow(self._means, self._work, self._engine, self._host, self._voice, self._place)

    async def _not_started(self) -> Ending | Again | None:
        """What is done in place of starting an agent; None once it runs."""
        if self._cancel.is_set():
            return Ending(Status.CANCELLED)
        if limit := await renewal.known(self._means, self._work, taken=self._taken):
            return limit
        try:
            await self._start()
        except CoreError as error:
            return Ending(Status.FAILED, reason=error.key, detail=" · ".join(error.fields.values()))
        crash_point("running")
        return None

    async def _start(self) -> None:
        """A new agent, or the one that the conversation's last turn has left warm, if this turn fits it.
        Errors: `CoreError`, and then nothing was started."""
        await look_round(self._means, self._work, self._step(), self._host)
        idle = self._warm.take(self._work.conversation.id)
        if idle and await self._fits(idle):
            await self._means.store.insist(
                turns.go_on_with, self._work.turn.id, idle.agent, offset=idle.offset
            )
            self._work = await self._means.store.read(queue.work, self._work.prompt.id)
            return
        if idle:  # a session has one writer: it goes before the next one comes
            await see_off(idle, grace=self._means.limits.grace)
        launch = await prepare(self._means, self._work, self._engine, self._host)
        await self._host.start(self._work.turn.agent, launch)

    async def _fits(self, idle: Idle) -> bool:
        same = idle.host is self._host and idle.fixed == self._fixed()
        return same and isinstance(await self._host.inspect(idle.agent), Alive)

    def _fixed(self) -> tuple[object, ...]:
        work = self._work
        request = request_of(self._means, work, self._engine)
        own = (self._engine.name, work.turn.fallback, work.project.path, work.project.real, request.env)
        return (*own, *self._engine.fixed(request))

    async def _idle(self) -> Idle | None:
        """The agent as it is kept for the next turn: only where this one ended well, and nothing of it runs
        on."""
        ended_well = self._last is not None and isinstance(self._outcome, Completed)
        if not (ended_well and self._engine.spoken and self._warm.wanted) or self._cancel.is_set():
            return None
        agent = self._work.turn.agent
        if not isinstance(await self._host.inspect(agent), Alive):
            return None
        self._strays = await self._host.strays(agent)
        if self._strays:
            return None
        return Idle(agent, self._host, self._step().offset, self._fixed())

    async def _unreadable(self, error: HostError) -> Ending:
        """The agent says too much, or nothing can be read of it: it is ended, what it said so far is kept."""
        await self._host.stop(self._work.turn.agent, grace=self._means.limits.grace)
        await self._means.book.flush()
        self._turn = await fold(self._means, self._work)
        return Ending(Status.FAILED, self._said, reason=error.key, detail=" · ".join(error.fields.values()))

    async def _judged(self, followed: Followed, *, lost: bool) -> Ending | Again:
        if other := self._other_way(followed):
            return other
        match followed.outcome:
            case Completed():
                return Ending(Status.DONE, "" if self._compacts else self._turn.answer)
            case Failed(text, until):
                failure = self._sorted(text)
                if self._compacts and failure is Failure.SESSION_GONE:
                    return Ending(Status.DONE, reset=True)
                after = renewal.after(
                    self._means, self._work, self._engine, failure, until, taken=self._taken
                )
                return self._or_fail(await after, detail=text)
            case Silent():
                await self._host.stop(self._work.turn.agent, grace=self._means.limits.grace)
                return Ending(Status.FAILED, self._said, reason="prompt.silent")
            case Mute():
                await self._host.stop(self._work.turn.agent, grace=self._means.limits.grace)
                return Ending(Status.FAILED, reason="prompt.mute")
            case Exited() | Gone() as end:
                return await self._gone(end, lost=lost)
            case _:
                assert_never(followed.outcome)

    async def _gone(self, end: Exited | Gone, *, lost: bool) -> Ending | Again:
        """The agent ended without a last word. *lost*: the machine went down with it."""
        if not lost and not (self._work.turn.begin and not self._turn.started):
            return await self._died(end)
        cause: Literal["interrupted", "never_started"] = "interrupted" if lost else "never_started"
        return self._or_fail(after_interruption(cause, await self._outcomes(), taken=self._taken))

    def _other_way(self, followed: Followed) -> Again | None:
        """The fallback, where the first way failed by itself and nobody has the words (behaviour §7)."""
        outcome = followed.outcome
        failed = isinstance(outcome, Failed | Exited | Mute)
        if self._engine.fallback is None or followed.offered or not failed:
            return None
        text = outcome.text if isinstance(outcome, Failed) else ""
        failure = self._sorted(text)
        return another_way() if failure in (Failure.OTHER, Failure.VERSION) else None

    def _sorted(self, text: str) -> Failure:
        known = self._work.turn.session or self._work.forks
        return self._engine.sort(text, resumed=known is not None)

    def _or_fail(self, decision: Again | GiveUp, *, detail: str = "") -> Ending | Again:
        if isinstance(decision, Again):
            return decision
        return Ending(Status.FAILED, self._said, reason=decision.reason, detail=detail)

    async def _died(self, end: Exited | Gone) -> Ending:
        signal = end.signal if isinstance(end, Exited) else SIGKILL
        if signal is not None:
            reason = "prompt.killed" if signal == SIGKILL else "prompt.signal"
            return Ending(Status.FAILED, self._said, reason=reason, detail=str(signal))
        errors = await self._host.errors(self._work.turn.agent)
        code = f"exit {end.code}" if isinstance(end, Exited) else ""
        words = "\n".join(part for said in (self._turn.notice, errors, code) if (part := said.strip()))
        reason = "prompt.ended_early" if self._said else "prompt.no_answer"
        return Ending(Status.FAILED, self._said, reason=reason, detail=words)

    # -- another turn ----------------------------------------------------------------------------------

    async def _go_on(self, decision: Again) -> None:
        await self._see_out()
        await self._means.store.insist(
            turns.follow_up,
            await self._steps(),
            decision.event,
            outcome=decision.cause,
            drop_session=decision.drop_session or self._forks_no_more(decision),
            now=self._means.clock.now(),
        )
        await self._host.discard(self._work.turn.agent)
        await self._wait_then_begin(decision)

    def _forks_no_more(self, decision: Again) -> bool:
        """Whether a session was to be forked, which the other way to the program can't do."""
        other = self._engine.fallback if decision.cause == "transport" else None
        return bool(self._work.forks and other and not other.capabilities.fork)

    async def _take_up_wait(self) -> None:
        """Roost stopped between two turns: wait as long as was said then, and begin the next one."""
        self._found = False
        await self._host.discard(self._work.turn.agent)  # seen out before; whether this followed isn't known
        self._turn = await fold(self._means, self._work)
        decision = pending(
            await self._outcomes(),
            taken=self._taken,
            waiting=self._turn.waiting,
            now=self._means.clock.now(),
        )
        assert decision is not None
        await self._wait_then_begin(decision)

    async def _wait_then_begin(self, decision: Again) -> None:
        if decision.cause == WAITS_FOR_IT:
            await self._place.give_all()
        crash_point("waiting")
        await self._waited(decision)
        await self._place.awaited()
        if self._cancel.is_set():
            await self._end(Ending(Status.CANCELLED, self._said))
            return
        session = self._next_session(decision)
        await self._means.store.insist(
            turns.begin,
            self._work.prompt.id,
            self._means.new_agent(),
            session=session,
            carry_on=not decision.words and session is not None,
            fallback=decision.cause == "transport" or self._work.turn.fallback,
            now=self._means.clock.now(),
        )
        self._work = await self._means.store.read(queue.work, self._work.prompt.id)

    def _next_session(self, decision: Again) -> SessionId | None:
        """The one that was resumed; the one that this turn opened only if it has the words: whether a
        session that was just opened took them is not known for sure, and it holds nothing else."""
        if decision.drop_session:
            return None
        opened = None if decision.words else self._turn.session
        return opened or self._work.turn.session

    async def _waited(self, decision: Again) -> None:
        """Wait, or until somebody asks to stop. No wall clock makes it longer; it is shorter only where a
        limit's end has come."""
        for seconds in decision.pauses:
            await first_of(self._means.clock.sleep(seconds), self._cancel.wait())
            if self._cancel.is_set() or 0 < decision.until <= self._means.clock.now():
                return

    # -- the end ---------------------------------------------------------------------------------------

    async def _end(self, ending: Ending) -> None:
        """Store the end of the prompt and its answer as one."""
        # Masked before it is cut: half a secret is not known for one.
        ending = replace(ending, detail=self._means.mask(ending.detail.strip())[-DETAIL_CHARS:])
        if ending.text:
            ending = await self._composed(ending)
        ending = replace(ending, full=fills(self._work, self._engine, self._turn, ending))
        steps, now = await self._steps(), self._means.clock.now()
        status = await self._means.store.insist(turns.end, steps, ending, now=now)
        self._work = replace(self._work, prompt=replace(self._work.prompt, status=status))
        self._means.news.tell()
        crash_point("answered")
        await asyncio.sleep(HEAD_START)

    async def _composed(self, ending: Ending) -> Ending:
        """With its pictures kept. A full disk is waited out: the answer is safe in the spool."""
        host, media, mask, project = self._host, self._means.media, self._means.mask, self._work.project
        find = partial(host.open, project.path, real=project.real)
        begun = self._work.prompt.started_at or 0.0
        while True:
            try:
                answer = await compose(ending.text, find, media=media, mask=mask, since=begun)
            except DiskFull:
                await self._means.clock.sleep(DISK_PAUSE)
            else:
                return replace(ending, text=answer.text, placed=answer.placed, title=answer.title)

    async def _see_out(self) -> None:
        """Let the agent end, find what it left running, and end that unless the project allows it."""
        agent, keep = self._work.turn.agent, self._work.project.background
        match await self._host.inspect(agent):
            case NotStarted():
                return
            case Gone():  # its wrapper is, which cannot end what it left
                await self._host.stop(agent, grace=self._means.limits.grace)
        await self._lingering()
        left = await self._host.clean(agent, keep=keep)
        # Claude Code ends its background commands itself when it is hung up on: they are told all the same.
        with_it = tuple(name for name in self._strays if name not in (*left.ended, *left.survivors))
        for programs, ended in (((*left.ended, *with_it), True), (left.survivors, False)):
            if programs:
                note = Leftovers(programs, ended=ended)
                await self._means.store.insist(turns.note, self._step(), note, now=self._means.clock.now())

    async def _lingering(self) -> None:
        agent, position = self._work.turn.agent, self._step().offset
        if self._engine.spoken:
            await self._host.hang_up(agent)
        try:
            async with asyncio.timeout(self._means.limits.linger):
                while (chunk := await self._host.read(agent, position)).end is None:
                    position += len(chunk.data)
        except (TimeoutError, HostError):
            await self._host.stop(agent, grace=self._means.limits.grace)

    @property
    def _engine(self) -> Engine:
        """The first way to the program, or the other one if this turn goes there."""
        return self._chosen.fallback if self._work.turn.fallback and self._chosen.fallback else self._chosen

    # -- small words -----------------------------------------------------------------------------------

    def _step(self) -> Step:
        """The newest step, or an empty one where the store has everything."""
        work = self._work
        empty = Step(work.turn.id, work.prompt.id, work.conversation.id, (), work.turn.offset)
        return self._last if self._last and self._last.turn == work.turn.id else empty

    async def _steps(self) -> list[Step]:
        return await self._means.book.taking(self._step())

    async def _outcomes(self) -> list[str]:
        return await self._means.store.glance(turns.outcomes, self._work.prompt.id)

    @property
    def _compacts(self) -> bool:
        return self._work.prompt.kind is Kind.COMPACT

    @property
    def _taken(self) -> bool:
        """Whether a session has the person's words already."""
        return self._turn.started or self._work.turn.carry_on

    @property
    def _said(self) -> str:
        return self._turn.answer or self._turn.streamed
