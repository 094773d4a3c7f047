"""What a chat sees of each prompt from its turn on: one silent message, signs of typing, and its end."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from functools import partial

from bot import endings, told
from bot.access import Role
from bot.bench import Bench, Card
from bot.bodies import End, amending, sendable
from bot.chat import DeliveringChat, MessageRef, Person, Refused, RoomAddress, Text
from bot.discretion import Discretion
from bot.drafting import CLEARING_SECONDS, Drafting
from bot.endings import SHORT_SECONDS
from bot.handlers.desk import Desk
from bot.live import Ended, Settled, Told, Works, seen_out
from bot.live import View as Seen
from bot.outbox import Outbox
from bot.replies import cancelled, errors, queue
from bot.replies.progress import Live
from bot.tasks import Tasks, finished
from bot.texts import Texts
from bot.waiting import Waiting
from core.answers.signs import visible
from core.model.events import Asked
from core.model.ids import EventId, ProjectId, PromptId, RoomId
from core.model.preferences import Theme, View
from core.model.prompt import ChatPlace, Kind, Prompt, Status
from core.model.reasons import DROPPED, DROPPED_ELSEWHERE, NO_RIGHT
from core.store import (
    accounts,
    conversations,
    deliveries,
    line,
    mirrors,
    preferences,
    projects,
    prompts,
    threads,
)
from core.store.database import Db
from core.store.said import still_open

TYPING_SECONDS = 4.0
"""A sign of typing lasts five (Bot API), so it is given again before."""
ASK_AGAIN_SECONDS = 600.0
AGAIN, SETTLED = deliveries.BEYOND, 2 * deliveries.BEYOND
"""Added to a question's number: what rings once more for it, and what takes its place at last."""
NAMING_TRIES, NAMING_SECONDS = 30, 2.0
"""A chat that has had enough for now takes a thread's name a little later."""
LATER, TYPING = "show", "typing"
"""The names of what is shown if it lasts, and of the sign."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where a prompt is shown, in which words, and as what."""

    place: ChatPlace
    address: RoomAddress
    texts: Texts
    shape: Card | Bench
    project: ProjectId
    person: str
    """Who alone is there, besides us; empty where others can be too."""
    asker: str
    """Whom it is shown to, whoever reads along."""
    beside: bool = False
    """It was asked in another room."""
    drafting: Drafting | None = None
    rich: bool = False
    theme: Theme = Theme.SYSTEM


class Showing:
    """One task for each prompt that works for this chat, and one for each line in which others wait."""

    def __init__(self, chat: DeliveringChat, desk: Desk, outbox: Outbox) -> None:
        self._chat = chat
        self._desk = desk
        self._outbox = outbox
        self._tasks = Tasks(desk.clock.sleep)
        self._discretion = Discretion(chat.private_to, desk.rights)
        self._waiting = Waiting(desk, outbox, self._discretion, left=self._begin)

    async def take_up(self) -> None:
        """Show what waits and works already, as after a restart."""
        account = (self._chat.platform, self._chat.account)
        for room, prompt in await self._desk.store.read(prompts.in_chats, *account):
            self.follow(prompt, room)

    def follow(self, prompt: Prompt, room: RoomId) -> None:
        """Show what becomes of *prompt*, which was said in *room*."""
        if prompt.status is Status.QUEUED:
            self._waiting.joins(prompt, room)
        else:
            self._begin(prompt.id)

    async def close(self) -> None:
        await self._waiting.close()
        await self._tasks.close()

    async def compose(self, prompt: PromptId, room: RoomId) -> End:
        """What tells its end in *room*; nothing else shows it, and no sign of typing is given for it, once
        this has begun."""
        await self._waiting.leaves(prompt)
        await self._tasks.stop(prompt)
        seat = await self._seat(prompt, room)
        async for view in self._desk.watch(prompt):
            if isinstance(view, Told | Settled):  # its end may have been quicker than who watched it
                await self._note(view, seat)
            elif isinstance(view, Ended):
                if view.prompt.started_at is None:
                    await self._desk.store.insist(line.hand_on, prompt, seat.place.room)
                await self._follow_next(view.following, seat.place.room)
                await self.name(seat.place.room, seat.address)
                said = await self._told(view, seat) if await self._open(prompt, seat) else []
                stray = endings.stray(endings.folded(view, seat.texts), seat.texts)
                return End(said, await seat.shape.left(view, seat.texts), stray)
        raise AssertionError("a prompt that has ended is seen to have ended")

    async def _follow_next(self, following: Prompt | None, room: RoomId) -> None:
        """A compaction that comes by itself is shown too: nobody brought it here."""
        if following and following.kind is Kind.COMPACT:
            us = (self._chat.platform, self._chat.account)
            if room in await self._desk.store.read(mirrors.rooms_of, following.id, *us):
                self.follow(following, room)

    async def _told(self, ended: Ended, seat: _Seat) -> list[Text]:
        """In reply to the prompt; the first of it rings."""
        said = await self._said(ended, seat)
        begun = ended.prompt.started_at is not None
        if begun and ended.prompt.status is Status.CANCELLED:
            said += await self._aftermath(ended, seat)
        elif begun:
            self._tasks.start(f"see out {ended.prompt.id}", partial(self._see_out, ended, seat))
        reply_to = MessageRef(seat.place.message) if seat.place.message else None
        said = [replace(one, reply_to=reply_to, rich=seat.rich, theme=seat.theme) for one in said]
        calls = [replace(one, to=seat.asker) for one in said[:1]]
        return [*calls, *(replace(one, silent=True) for one in said[1:])]

    async def _said(self, ended: Ended, seat: _Seat) -> list[Text]:
        """What became of it, as far as no message that showed it says so."""
        reason = ended.prompt.reason
        if reason == DROPPED_ELSEWHERE or (seat.beside and reason == DROPPED):
            return await self._dropped_elsewhere(ended.prompt, seat)
        if reason == NO_RIGHT:
            return await self._set_aside(ended, seat)
        if endings.is_compacted(ended) and await self._is_shown(ended.prompt, seat):
            return []
        engine, hint = ended.conversation.engine, await self._is_news(ended)
        said = endings.said(ended, self._desk.about(ended.project, engine), seat.texts, hint=hint)
        if said and not any(map(_is_seen, said)):
            said = [endings.nothing(seat.texts)]  # a title alone, say, or signs that nobody sees
        if not self._chat.limits.buttons:
            return said
        forks = self._desk.catalogue.engine(engine).capabilities.fork
        return endings.with_ways_on(said, ended, seat.texts, forks=forks)

    async def _is_news(self, ended: Ended) -> bool:
        """Whether a sandbox is missing and nobody was told of it here today."""
        if not errors.lacks_sandbox(ended.turn):
            return False
        once = (self._chat.platform, self._chat.account, f"sandbox of project {ended.project.id}")
        return await self._desk.store.insist(accounts.note, *once, now=self._desk.clock.now())

    async def _dropped_elsewhere(self, prompt: Prompt, seat: _Seat) -> list[Text]:
        """One word for all that were dropped in one go; none where a message that showed it says so."""
        together = await self._desk.store.read(prompts.ended_with, prompt)
        if together[0].id != prompt.id:
            return []
        if len(together) > 1:
            return [queue.cleared(len(together), seat.texts)]
        shown = await self._is_shown(prompt, seat)
        return [] if shown else [cancelled.dropped(prompt.text, seat.texts)]

    async def _set_aside(self, ended: Ended, seat: _Seat) -> list[Text]:
        """One word for all of one person that were set aside in one go."""
        together = await self._desk.store.read(prompts.ended_with, ended.prompt)
        theirs = [one for one in together if one.person == ended.prompt.person]
        if theirs[0].id != ended.prompt.id:
            return []
        alone = seat.person and self._desk.rights(Person(seat.person, "")).everywhere is not Role.OWNER
        return [queue.set_aside(theirs, ended.project.name, seat.texts, runs=not alone)]

    async def _is_shown(self, prompt: Prompt, seat: _Seat) -> bool:
        """Whether there is, or may be, a message that shows it."""
        return await self._desk.store.glance(deliveries.progress_of, prompt.id, seat.place.room) is not None

    async def _see_out(self, ended: Ended, seat: _Seat) -> None:
        if said := sendable(self._chat, await self._aftermath(ended, seat)):
            now = self._desk.clock.now()
            await self._desk.store.insist(deliveries.add, seat.place.room, said, now=now)
            self._outbox.wake()

    async def _aftermath(self, ended: Ended, seat: _Seat) -> list[Text]:
        left = await seen_out(self._desk.store, ended.prompt.id, clock=self._desk.clock)
        return endings.aftermath(ended, left, seat.texts)

    def _begin(self, prompt: PromptId) -> None:
        self._tasks.start(prompt, lambda: self._follow(prompt))

    async def _follow(self, prompt: PromptId) -> None:
        us = (self._chat.platform, self._chat.account)
        async with asyncio.TaskGroup() as everywhere:
            for room in await self._desk.store.glance(mirrors.rooms_of, prompt, *us):
                everywhere.create_task(self._follow_in(prompt, room))

    async def _follow_in(self, prompt: PromptId, room: RoomId) -> None:
        seat, signs = await self._seat(prompt, room), Tasks()
        shown = await self._desk.store.glance(deliveries.progress_of, prompt, room) is not None
        signs.start("measure", seat.shape.measure)
        try:
            async for view in self._desk.watch(prompt):
                await signs.stop(LATER)
                if not (isinstance(view, Ended) or await self._open(prompt, seat)):
                    await signs.stop(TYPING)
                    continue
                if isinstance(view, Works):
                    signs.start(TYPING, lambda: self._type(seat))
                    view = await self._veiled(view, seat)
                await self._shown(view, seat, signs, at_once=shown)
        finally:  # the end is being told: whoever tells it waits until no sign is given any more
            await finished(self._cease(prompt, seat, signs), seconds=CLEARING_SECONDS)

    async def _cease(self, prompt: PromptId, seat: _Seat, signs: Tasks) -> None:
        await signs.close()
        if seat.drafting:
            await seat.drafting.clear(prompt)

    async def _veiled(self, works: Works, seat: _Seat) -> Works:
        """Without the names of projects that nobody there is to know."""
        if works.live.kept_by is None:
            return works
        known = await self._desk.store.glance(self._discretion.known, seat.address, seat.project)
        return replace(works, live=replace(works.live, kept_by=queue.veiled(works.live.kept_by, known)))

    async def _shown(self, view: Seen, seat: _Seat, signs: Tasks, *, at_once: bool) -> None:
        """*at_once*: a message has shown it before, so that a short turn is no reason for none."""
        prompt, texts = view.prompt.id, seat.texts
        if isinstance(view, Works):
            self._draft(view.live, seat, signs)
        match view:
            case Works(_, live) if at_once or live.elapsed >= SHORT_SECONDS:
                self._show(prompt, seat, seat.shape.draw(_beside(live, seat), texts), live.elapsed)
            case Works(_, live):
                said = seat.shape.draw(_beside(replace(live, elapsed=SHORT_SECONDS), seat), texts)
                wait = SHORT_SECONDS - live.elapsed
                signs.start(LATER, lambda: self._show_in(wait, prompt, seat, said, SHORT_SECONDS))
            case Told(_, event, _, number):
                await self._note(view, seat)
                if isinstance(event, Asked) and not seat.beside:
                    signs.start(_still(number), lambda: self._ring_again(prompt, seat, number))
            case Settled(_, number):
                await signs.stop(_still(number))
                await self._note(view, seat)
            case Ended():
                self._outbox.wake()
            case _:
                pass

    async def name(self, room: RoomId, address: RoomAddress) -> None:
        """Let a thread be called as its conversation is by now. Where that fails, the next time does."""
        if address.thread:
            self._tasks.start(f"name room {room}", partial(self._name, room, address))

    async def _name(self, room: RoomId, address: RoomAddress) -> None:
        for _ in range(NAMING_TRIES):
            if title := await self._desk.store.glance(threads.to_rename, room):
                await self._outbox.sign(room, address, partial(self._rename, room, title), counts=True)
            if not await self._desk.store.glance(threads.to_rename, room):
                return
            await self._desk.clock.sleep(NAMING_SECONDS)

    async def _rename(self, room: RoomId, title: str, there: RoomAddress) -> None:
        """One that can't be is let be."""
        try:
            await self._chat.rename_thread(there, title)
        except Refused as refusal:
            logger.info("a thread keeps its name: %s", refusal)
        await self._desk.store.insist(threads.named, room, title)

    def _draft(self, live: Live, seat: _Seat, signs: Tasks) -> None:
        if (drafting := seat.drafting) and drafting.takes(live):
            signs.start("draft", lambda: drafting.say(live))

    async def _note(self, view: Told | Settled, seat: _Seat) -> None:
        """Told once, however often it is seen."""
        prompt, number = view.prompt.id, view.number
        if isinstance(view, Told):
            said = told.said(view, seat.place, seat.texts)
            await self._tell(prompt, seat, number, told.elsewhere(view, said) if seat.beside else said)
        else:
            await self._settle(prompt, seat, number, told.settled(view, seat.texts))

    async def _tell(self, prompt: PromptId, seat: _Seat, number: int, text: Text) -> None:
        (body,) = sendable(self._chat, [replace(text, to=seat.asker)])
        once = (seat.place.room, prompt, number, body)
        await self._desk.store.insist(deliveries.add_once, *once, now=self._desk.clock.now())
        self._outbox.wake()

    async def _ring_again(self, prompt: PromptId, seat: _Seat, number: int) -> None:
        """Nobody has answered for a while."""
        await self._desk.clock.sleep(ASK_AGAIN_SECONDS)
        if await self._desk.store.read(still_open, EventId(number)):
            await self._tell(prompt, seat, number + AGAIN, told.still(seat.texts))

    async def _settle(self, prompt: PromptId, seat: _Seat, number: int, text: Text) -> None:
        """The question, told as event *number*, says from now on what became of it."""
        body = amending(number, text)
        once = (seat.place.room, prompt, number + SETTLED, body)
        await self._desk.store.insist(deliveries.add_once, *once, now=self._desk.clock.now())
        self._outbox.wake()

    def _show(self, prompt: PromptId, seat: _Seat, text: Text, elapsed: float) -> None:
        self._outbox.show(seat.place.room, seat.address, prompt, text, elapsed)

    async def _show_in(
        self, seconds: float, prompt: PromptId, seat: _Seat, text: Text, elapsed: float
    ) -> None:
        await self._desk.clock.sleep(seconds)
        self._show(prompt, seat, text, elapsed)

    async def _type(self, seat: _Seat) -> None:
        """A sign every few seconds while the room is open."""
        if hold := self._chat.limits.hold:
            await self._desk.clock.sleep(hold)
        while True:
            await self._outbox.sign(seat.place.room, seat.address, self._chat.typing)
            await self._desk.clock.sleep(TYPING_SECONDS)

    async def _seat(self, prompt: PromptId, room: RoomId) -> _Seat:
        place, address, language = await self._desk.store.glance(seat_of, prompt, room)
        beside = await self._desk.store.glance(mirrors.seat_in, prompt, room) is not None
        shape = await self._desk.store.glance(_shape, prompt, place.room, self._desk, self._chat.limits.text)
        project = await self._desk.store.glance(prompts.project_of, prompt)
        wishes = await self._desk.store.glance(preferences.of_room, place.room)
        drafting = Drafting(self._chat, self._outbox, self._desk.clock, place.room, address)
        return _Seat(
            place,
            address,
            self._desk.words(language),
            shape,
            project,
            self._chat.private_to(address),
            "" if beside else (await self._desk.store.glance(prompts.get, prompt)).person,
            beside,
            drafting if wishes.drafts else None,
            wishes.rich,
            wishes.theme,
        )

    async def _open(self, prompt: PromptId, seat: _Seat) -> bool:
        """Whether somebody is there who may see what becomes of it: rights may change meanwhile, and so may
        which rooms show the same."""
        if seat.beside and not await self._desk.store.glance(mirrors.is_open, prompt, seat.place.room):
            return False
        rights = self._desk.rights(Person(seat.person, ""))
        return not seat.person or rights.within(seat.project) is not Role.STRANGER


def _beside(live: Live, seat: _Seat) -> Live:
    """*live* without what a draft shows of it."""
    return seat.drafting.beside(live) if seat.drafting else live


def _is_seen(said: Text) -> bool:
    """Every sign that leaves ink arrives, so the first of them is enough."""
    return bool(said.placed) or visible(said.markdown)


def seat_of(db: Db, prompt: PromptId, room: RoomId | None = None) -> tuple[ChatPlace, RoomAddress, str]:
    """Where it was said, or is shown as well in *room*, what that room is called, and its language. As one:
    what a message is called says nothing without the name of its room."""
    place = (mirrors.seat_in(db, prompt, room) if room else None) or prompts.place_of(db, prompt)
    assert place is not None
    address, language = conversations.address_of(db, place.room)
    return place, RoomAddress(*address), language


def _shape(db: Db, prompt: PromptId, room: RoomId, desk: Desk, most: int) -> Card | Bench:
    """As the room wishes it."""
    if preferences.of_room(db, room).view is View.DASHBOARD:
        return Card()
    conversation = conversations.get(db, prompts.get(db, prompt).conversation)
    return Bench(projects.get(db, conversation.project), desk, most=most)


def _still(number: int) -> str:
    return f"still {number}"
