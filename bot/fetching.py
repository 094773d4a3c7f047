"""The files of stored prompts are brought to their agents, for as long as that takes."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial

from bot.bodies import sendable
from bot.chat import ChatError, DeliveringChat, FileRef, MessageRef, Refused
from bot.handlers.beside import hand_on, reworded
from bot.handlers.desk import Desk
from bot.handlers.files import Brought, bring
from bot.outage import Outage
from bot.outbox import Outbox
from bot.pacing import again_in
from bot.roster import Roster
from bot.showing import seat_of
from bot.tasks import Tasks
from core.errors import CoreError, DiskFull, HostError, StoreBusy
from core.model.ids import PromptId
from core.model.prompt import ChatPlace
from core.model.reasons import ATTACHMENT
from core.store import deliveries, pieces, prompts
from core.store.database import Db

RETRY_SECONDS, LONGEST_RETRY_SECONDS = 5.0, 300.0
FETCHING_SECONDS = 86_400.0
"""A file that can't be had for so long is left out; what came with it runs, and what waits behind it."""

logger = logging.getLogger(__name__)


class Fetching:
    """One task for each prompt whose files are on their way; *outage* is told where the disk is full."""

    def __init__(
        self, chat: DeliveringChat, desk: Desk, *, outbox: Outbox, roster: Roster, outage: Outage
    ) -> None:
        self._chat = chat
        self._desk = desk
        self._outbox = outbox
        self._roster = roster
        self._outage = outage
        self._tasks = Tasks(desk.clock.sleep)

    async def take_up(self) -> None:
        """What a restart interrupted."""
        account = (self._chat.platform, self._chat.account)
        for prompt in await self._desk.store.read(prompts.fetching, *account):
            self.begin(prompt)

    def begin(self, prompt: PromptId) -> None:
        self._tasks.start(f"fetch for prompt {prompt}", partial(self._fetch, prompt))

    async def close(self) -> None:
        await self._tasks.close()

    async def _fetch(self, number: PromptId) -> None:
        """Bring a prompt's files; whoever cancels it ends that. Where the project can't take them, it ends
        there and then, and what waits behind it goes on."""
        place, address, language = await self._desk.store.glance(seat_of, number)
        clock, failures = self._desk.clock, 0
        until = clock.monotonic() + FETCHING_SECONDS
        while place.files:
            prompt = await self._desk.store.read(prompts.get, number)
            if prompt.status.ended:
                return
            desk = self._desk if clock.monotonic() < until else replace(self._desk, fetch=self._fetch_now)
            try:
                brought = await bring(prompt, place, desk, self._desk.words(language))
            except (ChatError, StoreBusy, DiskFull) as trouble:
                logger.warning("cannot fetch a file of prompt %d: %s", number, type(trouble).__name__)
                if isinstance(trouble, DiskFull) and self._roster.reads(address):
                    self._outage.begins(address)
                await clock.sleep(_until_again(trouble, failures))
                failures += 1
                continue
            except CoreError as fault:
                await self._cannot_begin(number, fault)
                return
            self._outage.ends(address)
            await self._brought(number, place, brought)
            return

    async def _brought(self, number: PromptId, place: ChatPlace, brought: Brought) -> None:
        reply_to, now = MessageRef(place.message) if place.message else None, self._desk.clock.now()
        said = [replace(one, reply_to=reply_to) for one in brought.said]
        bodies = sendable(self._chat, said)
        await self._desk.store.insist(_settle, number, place, brought, bodies, self._desk, now=now)
        self._desk.ring()
        if bodies:
            self._outbox.wake()
        if brought.copies or brought.heard:
            self._desk.news.tell()

    async def _fetch_now(self, file: FileRef) -> bytes:
        """Or never. Errors: `Refused`."""
        try:
            return await self._chat.fetch(file)
        except Refused:
            raise
        except ChatError as trouble:
            raise Refused(str(trouble)) from trouble

    async def _cannot_begin(self, number: PromptId, fault: CoreError) -> None:
        logger.warning("prompt %d can't have its files: %s", number, fault)
        reason = fault.key if isinstance(fault, HostError) else ATTACHMENT
        why, now = fault.fields.get("why", ""), self._desk.clock.now()
        await self._desk.store.insist(prompts.fail, number, reason=reason, detail=why, now=now)
        self._desk.ring()


def _settle(
    db: Db, number: PromptId, place: ChatPlace, brought: Brought, bodies: list[str], desk: Desk, *, now: float
) -> None:
    """The prompt may start, if there is anything left to it, and its sender is told about its files; who else
    sees it gets them."""
    if brought.heard:
        prompts.reword(db, number, pieces.append(db, prompts.get(db, number), brought.heard))
        reworded(db, number, place.room, desk, now=now)
    hand_on(db, number, brought.copies, desk, now=now)
    if brought.empty:
        prompts.cancel(db, number, by=place.room, now=now)
    else:
        prompts.fetched(db, number, brought.kept)
    there = prompts.place_of(db, number)
    moved = there is None or there.message != place.message
    deliveries.add(db, place.room, bodies, now=now, moved=moved)


def _until_again(trouble: Exception, failures: int) -> float:
    """Seconds until a file is asked for again. A full disk is looked at steadily: nobody is asked."""
    if isinstance(trouble, DiskFull | StoreBusy):
        return RETRY_SECONDS
    return again_in(trouble, RETRY_SECONDS, LONGEST_RETRY_SECONDS, failures)
