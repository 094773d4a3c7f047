"""What waits in a room's conversation is one message, kept as things stand, however much it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from bot.chat import RoomAddress, Text
from bot.discretion import Discretion
from bot.ears import hears
from bot.endings import SHORT_SECONDS
from bot.handlers.desk import Desk
from bot.intents.values import DropThose
from bot.keeping import waits_for
from bot.live import LOOK_SECONDS
from bot.outbox import Outbox
from bot.replies import queue
from bot.replies.queue import LINE_MOST, Entry, ForFile, InLine, WaitsFor
from bot.tasks import Tasks
from bot.texts import Texts
from core.dispatch.clock import until_tick
from core.model.ids import ConversationId, PromptId, RoomId
from core.model.prompt import Prompt, Status
from core.store import conversations, line, mirrors, prompts
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class _Look:
    """A line at one moment: who waits *here*, in order; the *first* few of all *count* in the conversation,
    said here or elsewhere, and what keeps them; which of *here* has a message already. *moved*: who was
    known to wait here and waits in another room by now, since its chat got another name. *steers*: the first
    may be told to the turn that runs before it. *rest* names all that wait now."""

    here: tuple[PromptId, ...]
    first: tuple[Entry, ...] = ()
    count: int = 0
    reason: WaitsFor | None = None
    shown: PromptId | None = None
    moved: tuple[tuple[Prompt, RoomId], ...] = ()
    steers: bool = False
    rest: DropThose | None = None

    def said(self, texts: Texts) -> Text | None:
        """None while nothing keeps them: the first is about to start."""
        if self.reason is None:
            return None
        if len(self.here) == 1:
            return queue.place(self.here[0], self.reason, texts, steers=self.steers)
        return queue.line(self.first, self.count, self.reason, self.rest, texts, steers=self.steers)


@dataclass(slots=True)
class _Line:
    """Those of a conversation that were said in one room and are known to be *waiting*. *since* (monotonic)
    it stands as it does; *moved*: one has left it. *shows*: whose message shows it."""

    room: RoomId
    conversation: ConversationId
    since: float
    moved: bool = False
    shows: PromptId | None = None
    waiting: set[PromptId] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"line of conversation {self.conversation} in room {self.room}"

    def without(self, gone: Iterable[PromptId], now: float) -> None:
        self.waiting.difference_update(gone)
        self.shows = self.shows if self.shows in self.waiting else None
        self.since, self.moved = now, True


class Waiting:
    """One task for each line, while it lasts. The message that shows it belongs to one of those that wait:
    when that one's turn comes it is that turn's progress, and the others get another.

    *left* is told of each that waits no longer, unless `leaves` was.
    """

    def __init__(
        self, desk: Desk, outbox: Outbox, discretion: Discretion, *, left: Callable[[PromptId], None]
    ) -> None:
        self._desk = desk
        self._discretion = discretion
        self._outbox = outbox
        self._left = left
        self._lines: dict[str, _Line] = {}
        self._tasks = Tasks(desk.clock.sleep)

    def joins(self, prompt: Prompt, room: RoomId) -> None:
        fresh = _Line(room, prompt.conversation, self._desk.clock.monotonic())
        here = self._lines.setdefault(fresh.name, fresh)
        here.waiting.add(prompt.id)
        self._begin(here)

    async def leaves(self, prompt: PromptId) -> None:
        """*prompt* has ended: once this is over, nothing shows any more that it waits."""
        for here in [one for one in self._lines.values() if prompt in one.waiting]:
            await self._tasks.stop(here.name)
            here.without({prompt}, self._desk.clock.monotonic())
            self._begin(here)

    async def close(self) -> None:
        await self._tasks.close()

    def _begin(self, here: _Line) -> None:
        self._tasks.start(here.name, partial(self._watch, here))

    async def _watch(self, here: _Line) -> None:
        address, language = await self._desk.store.glance(conversations.address_of, here.room)
        texts, seen, drawn = self._desk.words(language), -1, True
        look = _Look(())
        while True:
            version = self._desk.store.version()
            if version != seen:
                look, seen, drawn = await self._looked(here, RoomAddress(*address)), version, False
            if not here.waiting:
                break
            if not drawn and self._desk.clock.monotonic() >= _due(here, look):
                self._draw(here, look, RoomAddress(*address), texts)
                drawn = True
            await self._desk.clock.sleep(until_tick(self._desk.clock.monotonic(), LOOK_SECONDS))
        del self._lines[here.name]

    async def _looked(self, here: _Line, address: RoomAddress) -> _Look:
        """Who joins meanwhile may be missing in it, and is no less there."""
        known, named = frozenset(here.waiting), partial(self._discretion.known, room=address)
        look = await self._desk.store.read(_look, here.conversation, here.room, self._desk, known, named)
        if gone := known.difference(look.here):
            here.without(gone, self._desk.clock.monotonic())
        here.waiting.update(look.here)
        here.shows = here.shows or look.shown
        for waits, room in look.moved:
            self.joins(waits, room)
        for prompt in sorted(gone.difference(waits.id for waits, _ in look.moved)):
            self._left(prompt)
        return look

    def _draw(self, here: _Line, look: _Look, address: RoomAddress, texts: Texts) -> None:
        if said := look.said(texts):
            here.shows = here.shows or look.here[0]
            self._outbox.show(here.room, address, here.shows, said, 0.0)


def _due(here: _Line, look: _Look) -> float:
    """When it may be shown. While short turns follow one another, or a file is just on its way, a new
    message would be no news."""
    lasts = here.shows is None and (here.moved or isinstance(look.reason, ForFile))
    return here.since + (SHORT_SECONDS if lasts else 0.0)


def _look(
    db: Db,
    conversation: ConversationId,
    room: RoomId,
    desk: Desk,
    known: Collection[PromptId],
    named: Callable[..., Collection[str]],
) -> _Look:
    here = line.said_in(db, conversation, room)
    moved = tuple(_moved(db, room, set(known).difference(here)))
    if not here:
        return _Look((), moved=moved)
    first = tuple(Entry(*one) for one in line.first(db, conversation, LINE_MOST))
    kept = here[0] if len(here) == 1 else first[0].prompt
    project = conversations.get(db, conversation).project
    reason = queue.veiled(waits_for(db, prompts.get(db, kept), desk.caps), named(db, own=project))
    shown = line.shown_by(db, conversation, room)
    steers = isinstance(reason, InLine) and hears(db, conversation, desk.catalogue)
    newest = line.newest(db, conversation)
    rest = DropThose(conversation, newest) if newest else None
    return _Look(tuple(here), first, line.count(db, conversation), reason, shown, moved, steers, rest)


def _moved(db: Db, room: RoomId, gone: Iterable[PromptId]) -> Iterator[tuple[Prompt, RoomId]]:
    for number in sorted(gone):
        prompt, place = prompts.get(db, number), prompts.place_of(db, number)
        if place and prompt.status is Status.QUEUED and mirrors.seat_in(db, number, room) is None:
            yield prompt, place.room
