"""A prompt on its way, as values that every chat draws: it waits, it works, it has ended."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.keeping import kept_from, whose
from bot.replies.progress import Live, Phase
from bot.replies.queue import InLine, WaitsFor
from core.dispatch.clock import Clock, until_tick
from core.model.answer import StoredMessage
from core.model.conversation import Conversation
from core.model.events import (
    Asked,
    Denied,
    Leftovers,
    OrdersFound,
    PromptStarted,
    Recovering,
    Resolved,
    Retrying,
)
from core.model.ids import PromptId
from core.model.project import Project
from core.model.prompt import Kind, Prompt, Slot, Status
from core.model.slots import Caps
from core.model.turn import Turn, advance, before_another
from core.store import conversations, line, log, prompts, queue, said
from core.store.database import Database, Db
from core.store.log import Logged
from core.store.said import Reply

LOOK_SECONDS = 0.02
LONGEST_LOOK_SECONDS = 2.0
"""The further back in line, the rarer the looks: a long queue would do nothing else."""
RARER = 2
"""How often the pause between two looks doubles, each time that nothing was seen. Not in the first second: a
short turn is answered at once."""
TICK_SECONDS = 1.0
LONGEST_GAP = 3_600.0
"""Between two events of a turn; a longer one is a clock that was set, not work."""


@dataclass(frozen=True, slots=True)
class Waits:
    """*reason* is None while nothing keeps it: it is about to start."""

    prompt: Prompt
    reason: WaitsFor | None


@dataclass(frozen=True, slots=True)
class Works:
    prompt: Prompt
    live: Live


Tellable = Recovering | Asked | Denied | OrdersFound


@dataclass(frozen=True, slots=True)
class Told:
    """Something that is told once, beside the progress. *engine* is its label, *number* the event's."""

    prompt: Prompt
    event: Tellable
    engine: str
    number: int
    project: str


@dataclass(frozen=True, slots=True)
class Settled:
    """A question that was told as event *number* waits for nobody any more: *reply* was given to it, by
    somebody, at a time (since the epoch), or it was taken back."""

    prompt: Prompt
    number: int
    question: Asked
    reply: Reply | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The last word on a prompt. *elapsed* in seconds, 0 where it never began; *following* is the next
    prompt that waits in its conversation, *newest* the one of those that was asked last."""

    prompt: Prompt
    project: Project
    conversation: Conversation
    turn: Turn
    elapsed: float
    answer: StoredMessage | None
    following: Prompt | None
    newest: PromptId | None


View = Waits | Works | Told | Settled | Ended


async def watch(
    store: Database, prompt: PromptId, *, clock: Clock, caps: Caps, label: Callable[[str], str]
) -> AsyncIterator[View]:
    """What becomes of *prompt*: a view at each change, each second while it works, and `Ended` as the last.

    *label* is an engine's name as people know it. Any process may be the one that dispatches.
    """
    shown, seen, drawn = _Shown(clock, label), -1, 0.0
    while True:
        version = store.version()
        before, asks = shown.look, shown.asks
        look = await store.glance(_look, prompt, before, caps, asks=asks) if version != seen else None
        seen = -1 if look and look.more else version
        for view in shown.after(look):
            yield view
            drawn = clock.monotonic()
            if isinstance(view, Ended):
                return
        if clock.monotonic() - drawn >= TICK_SECONDS and (works := shown.works):
            yield works
            drawn = clock.monotonic()
        await clock.sleep(until_tick(clock.monotonic(), shown.pause))


async def seen_out(store: Database, prompt: PromptId, *, clock: Clock) -> list[Leftovers]:
    """After its end, once nothing holds its place any more: what its agent had left running."""
    while prompt in await store.glance(queue.holding):
        await clock.sleep(LOOK_SECONDS)
    return await store.glance(log.leftovers, prompt)


def running_for(db: Db, prompt: PromptId, now: float) -> float:
    """Seconds since *prompt* began, as far as the wall clock can be believed."""
    began = [one.at for one in _since_start(_events(db, prompt))]
    return _spent([*began, now]) if began else 0.0


def turn_of(db: Db, prompt: PromptId) -> Turn:
    """The fold of everything that is stored of *prompt*."""
    turn = Turn()
    for one in _events(db, prompt):
        turn = advance(turn, one.event)
    return turn


def retry_of(db: Db, prompt: PromptId, now: float) -> tuple[Retrying, float] | None:
    """What the turn of *prompt* waits for before its next try, and in how many seconds that is due."""
    turn, due = Turn(), 0.0
    for one in _events(db, prompt):
        turn = advance(turn, one.event)
        due = one.at + one.event.delay if isinstance(one.event, Retrying) else due
    return (turn.waiting, min(max(0.0, due - now), turn.waiting.delay)) if turn.waiting else None


@dataclass(frozen=True, slots=True)
class _Look:
    """One consistent state of the store; *more*: its log goes on."""

    prompt: Prompt
    project: Project
    conversation: Conversation
    events: list[Logged]
    offset: int
    reason: WaitsFor | None
    answer: StoredMessage | None
    following: Prompt | None
    newest: PromptId | None
    replies: Mapping[str, Reply]

    @property
    def more(self) -> bool:
        return len(self.events) == log.PAGE


def _look(db: Db, number: PromptId, before: _Look | None, caps: Caps, *, asks: bool) -> _Look | None:
    """None where nothing has become of a prompt that runs: most of what is written is of others. *asks*: a
    question of its agent is open."""
    prompt = prompts.get(db, number)
    events, offset = log.of_prompt(db, number, before.offset if before else 0)
    if before and not events and _is_as(db, before, prompt, asks=asks):
        return None
    project, conversation = whose(db, number)
    ended = prompt.status.ended
    waiting = prompts.open_of(db, prompt.conversation, most=1) if ended else []
    return _Look(
        prompt,
        project,
        conversation,
        events,
        offset,
        kept_from(db, prompt, caps),
        conversations.answer_to(db, number) if ended else None,
        next(iter(waiting), None),
        line.newest(db, prompt.conversation) if ended else None,
        said.of_prompt(db, number),
    )


def _is_as(db: Db, before: _Look, prompt: Prompt, *, asks: bool) -> bool:
    """Whether *prompt* goes on as it did, and nobody has answered its agent since."""
    runs = prompt.status is Status.RUNNING and prompt.slot is not Slot.WANTED
    if not runs or prompt != before.prompt:
        return False
    return not asks or said.of_prompt(db, prompt.id) == before.replies


class _Shown:
    """What has been seen of one prompt, by a clock that never jumps."""

    def __init__(self, clock: Clock, label: Callable[[str], str]) -> None:
        self._clock = clock
        self._label = label
        self._turn = Turn()
        self._last: Waits | None = None
        self._times: list[float] = []
        self._began: float | None = None
        self._retry_at = 0.0
        self._heard = clock.monotonic()
        self._asked: dict[str, Logged] = {}
        self._in_vain = 0
        self.look: _Look | None = None

    def after(self, look: _Look | None) -> Iterator[View]:
        """The views that *look* gives, oldest first."""
        self._in_vain = 0 if look else min(self._in_vain + 1, RARER)
        if look is None:
            return
        self.look = look
        for logged in look.events:
            self._take(logged)
            yield from self._told(logged, look)
        if look.more:
            return
        yield from self._answered(look)
        self._settle_clock(look.prompt)
        if look.prompt.status.ended:
            for key in list(self._asked):
                yield self._settled(key, look)
            yield self._ended(look)
        elif look.prompt.status is Status.QUEUED:
            waits = Waits(look.prompt, look.reason)
            if waits != self._last:
                self._last = waits
                yield waits
        elif works := self.works:
            yield works

    def _told(self, logged: Logged, look: _Look) -> Iterator[View]:
        match logged.event:
            case Asked(key):
                self._asked[key] = logged
            case Resolved(key) if key in self._asked:
                yield self._settled(key, look)
        if isinstance(logged.event, Tellable):
            engine, project = self._label(look.conversation.engine), look.project.name
            yield Told(look.prompt, logged.event, engine, logged.id, project)

    def _answered(self, look: _Look) -> Iterator[View]:
        """Its agent may wait for the answers to all of several questions, and say nothing of one."""
        for key, logged in list(self._asked.items()):
            if (reply := look.replies.get(key)) and reply.at >= logged.at:  # or of an earlier try
                yield self._settled(key, look)

    def _settled(self, key: str, look: _Look) -> Settled:
        logged = self._asked.pop(key)
        assert isinstance(logged.event, Asked)
        return Settled(look.prompt, logged.id, logged.event, look.replies.get(key))

    @property
    def asks(self) -> bool:
        return bool(self._asked)

    @property
    def pause(self) -> float:
        """Seconds until the next look: more after some in vain, and the more the further back in line."""
        reason = self._last.reason if self._last and self._began is None else None
        ahead = reason.ahead if isinstance(reason, InLine) else 0
        rarer = 1 << self._in_vain if self._elapsed >= TICK_SECONDS else 1
        return min(LOOK_SECONDS * max(rarer, ahead), LONGEST_LOOK_SECONDS)

    @property
    def works(self) -> Works | None:
        """The turn as it stands now; None while it doesn't run."""
        look = self.look
        if look is None or look.prompt.status is not Status.RUNNING:
            return None
        retry_in = max(0.0, self._retry_at - self._clock.monotonic()) if self._turn.waiting else 0.0
        live = Live(
            look.prompt.id,
            self._label(look.conversation.engine),
            look.project.name,
            self._turn,
            self._elapsed,
            retry_in,
            self._phase(look.prompt),
            look.reason,
            self._clock.monotonic() - self._heard,
        )
        return Works(look.prompt, live)

    def _phase(self, prompt: Prompt) -> Phase:
        if prompt.cancelling:
            return Phase.STOPPING
        if prompt.kind is Kind.COMPACT:
            return Phase.COMPACTING
        return Phase.WORKING if self._turn.started or self._turn.waiting else Phase.STARTING

    def _take(self, logged: Logged) -> None:
        event = logged.event
        self._turn = advance(self._turn, event)
        self._heard = self._clock.monotonic() - max(0.0, self._clock.now() - logged.at)
        if self._times or isinstance(event, PromptStarted):
            self._times.append(logged.at)
        if isinstance(event, Retrying | Recovering):
            self._turn = before_another(self._turn)
        if isinstance(event, Retrying):
            passed = min(max(self._clock.now() - logged.at, 0.0), event.delay)
            self._retry_at = self._clock.monotonic() + event.delay - passed

    def _settle_clock(self, prompt: Prompt) -> None:
        """When it began, on our own clock: as it was seen, else as the log's times tell."""
        if self._began is None and self._times:
            now = () if prompt.status.ended else (self._clock.now(),)
            before = 0.0 if self._last else _spent([*self._times, *now])
            self._began = self._clock.monotonic() - before

    @property
    def _elapsed(self) -> float:
        return 0.0 if self._began is None else self._clock.monotonic() - self._began

    def _ended(self, look: _Look) -> Ended:
        return Ended(
            look.prompt,
            look.project,
            look.conversation,
            self._turn,
            self._elapsed,
            look.answer,
            look.following,
            look.newest,
        )


def _events(db: Db, prompt: PromptId) -> list[Logged]:
    found: list[Logged] = []
    offset = 0
    while page := log.of_prompt(db, prompt, offset)[0]:
        found += page
        offset = page[-1].id
    return found


def _since_start(events: Iterable[Logged]) -> Iterator[Logged]:
    begun = False
    for one in events:
        begun = begun or isinstance(one.event, PromptStarted)
        if begun:
            yield one


def _spent(times: Sequence[float]) -> float:
    """Seconds from the first of *times* to the last, without what a clock that was set adds."""
    return sum(min(max(later - earlier, 0.0), LONGEST_GAP) for earlier, later in pairwise(times))
