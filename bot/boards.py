"""The boards of one account: each kept as things stand, pinned once, taken away when nobody wants it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.access import Role
from bot.bodies import sendable
from bot.chat import DeliveringChat, MessageRef, Person, Refused, RoomAddress, Text, Why
from bot.discretion import Discretion
from bot.handlers.desk import Desk
from bot.keeping import waits_for
from bot.outbox import Outbox
from bot.replies import board as reply
from bot.replies import conversations as titles
from bot.replies.board import Row
from bot.replies.queue import veiled
from bot.texts import Texts
from core.model.conversation import Conversation
from core.model.ids import ProjectId, RoomId
from core.model.prompt import Status
from core.store import boards, conversations, deliveries, projects, prompts, said
from core.store.boards import Board
from core.store.database import Db

LOOK_SECONDS = 1.0
AGAIN_SECONDS = 20.0
"""Until something is tried again that a chat did not take in: pinning, or taking away."""
FAILED_SECONDS = 86_400.0
"""How long a failure is news."""

Sign = Callable[[RoomAddress], Awaitable[None]]

logger = logging.getLogger(__name__)


class Boards:
    """Looks whenever the store has changed; the outbox shows a board when the chat has time for it."""

    def __init__(self, chat: DeliveringChat, desk: Desk, outbox: Outbox) -> None:
        self._chat = chat
        self._desk = desk
        self._outbox = outbox
        self._discretion = Discretion(chat.private_to, desk.rights)
        self._again: dict[tuple[RoomId, bool], float] = {}

    async def run(self) -> None:
        """Until cancelled."""
        seen, open_ends = -1, False
        while True:
            version = self._desk.store.version()
            if version != seen or open_ends:
                found = await self._desk.store.read(boards.every, self._chat.platform, self._chat.account)
                seen, open_ends = version, any([await self._keep(board) for board in found])
            await self._desk.clock.sleep(LOOK_SECONDS)

    async def _keep(self, board: Board) -> bool:
        """Whether something is left to do, whatever happens in the store."""
        address, texts = RoomAddress(*board.address), self._desk.words(board.language)
        if not board.wanted or not self._open(board, address):
            self._outbox.drop_board(board.room)
            if board.message is None:
                return False
            await self._now_and_then(board, address, partial(self._take_away, board, texts))
            return True
        if text := await self._desk.store.read(_drawn, board, self._desk, self._discretion, texts):
            self._outbox.show_board(board.room, address, text)
        if board.message and not board.pinned:
            await self._now_and_then(board, address, partial(self._pin, board, texts))
            return True
        return False

    def _open(self, board: Board, address: RoomAddress) -> bool:
        """Whether somebody is there who may see how the project stands: rights may change meanwhile."""
        person = self._chat.private_to(address)
        if not person or board.project is None:
            return True
        return self._desk.rights(Person(person, "")).within(board.project) is not Role.STRANGER

    async def _now_and_then(self, board: Board, address: RoomAddress, sign: Sign) -> None:
        """What a chat may not take in is not tried at every look."""
        ticks, what = self._desk.clock.monotonic(), (board.room, board.wanted)
        if ticks >= self._again.get(what, 0.0):
            self._again[what] = ticks + AGAIN_SECONDS
            await self._outbox.sign(board.room, address, sign)

    async def _pin(self, board: Board, texts: Texts, there: RoomAddress) -> None:
        """Once; where we may not, that is said once, and it stays a message like any other."""
        try:
            await self._chat.pin(there, MessageRef(board.message or ""))
        except Refused as refusal:
            logger.info("the board of room %d is not pinned: %s", board.room, refusal)
            if refusal.why in (Why.MOVED, Why.GONE):
                return
            if refusal.why is Why.FORBIDDEN:
                now, bodies = self._desk.clock.now(), sendable(self._chat, [reply.not_pinned(texts)])
                await self._desk.store.insist(deliveries.add, board.room, bodies, now=now)
                self._outbox.wake()
        await self._desk.store.insist(boards.pinned, board.room)

    async def _take_away(self, board: Board, texts: Texts, there: RoomAddress) -> None:
        """One that is too old to be deleted says that it is none any more."""
        if board.message:
            message = MessageRef(board.message)
            with suppress(Refused):
                await self._chat.unpin(there, message)
            try:
                await self._chat.delete(there, message)
            except Refused as refusal:
                if refusal.why is Why.MOVED:
                    raise
                with suppress(Refused):
                    await self._chat.edit(there, message, reply.gone(texts))
        await self._desk.store.insist(boards.shows_none, board.room)


def _drawn(db: Db, board: Board, desk: Desk, discretion: Discretion, texts: Texts) -> Text | None:
    """None while the chat is in no project."""
    if board.project is None or (project := projects.get(db, board.project)).archived:
        return None
    known = discretion.known(db, RoomAddress(*board.address), board.project)
    rows = sorted(_rows(db, board.project, desk, texts), key=_urgency)
    seen = (replace(row, reason=veiled(row.reason, known)) for row in rows)
    return reply.board(project.name, list(seen), texts)


def _urgency(row: Row) -> tuple[bool, bool, float]:
    """What is at work comes first, longest first, then what waits, then the newest failure."""
    return not row.since, not row.waiting, row.since or -row.failed


def _rows(db: Db, project: ProjectId, desk: Desk, texts: Texts) -> Iterator[Row]:
    now = desk.clock.now()
    for number in boards.conversations_in(db, project, failed_after=now - FAILED_SECONDS):
        yield _row(db, conversations.get(db, number), desk, texts)


def _row(db: Db, here: Conversation, desk: Desk, texts: Texts) -> Row:
    opened = prompts.open_of(db, here.id)
    title, engine = titles.title(here, texts), desk.catalogue.label(here.engine)
    running = next((one for one in opened if one.status is Status.RUNNING), None)
    if not opened:
        return Row(title, engine, failed=boards.failed_at(db, here.id))
    if running is None:
        return Row(title, engine, waiting=len(opened), reason=waits_for(db, opened[0], desk.caps))
    asks = bool(said.open_questions(db, here.id))
    return Row(title, engine, since=running.started_at or 1.0, asks=asks, waiting=len(opened) - 1)
