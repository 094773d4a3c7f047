"""The account of the settings at work, and what is said when something is wrong with it."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Never

from bot.chat import ChatError, DeliveringChat, Text
from bot.matrix.adapter import MatrixChat
from bot.matrix.errors import KeysLost, LoggedOut, pausing, words
from bot.matrix.kept import FOLDER, Kept
from bot.matrix.login import BadLogin, Device, another_device, logged_in
from bot.matrix.threads import Threads
from bot.matrix.translate import PLATFORM
from bot.matrix.trouble import Trouble
from bot.matrix.way import Way
from bot.service import ChatService
from bot.tasks import either
from bot.texts import Texts
from core.dispatch.locks import FileLock
from core.dispatch.means import Means
from core.store import heard, people

AGAIN_SECONDS = 300.0
"""Until somebody who was turned away knocks again, at the latest: a login counts much on a homeserver."""
TELLING = (Trouble.NEW_DEVICE, Trouble.BAD_RECOVERY_KEY)
"""What owners are told in their rooms too."""
NO_TROUBLE = (Trouble.BACK, Trouble.LIMITED)
"""What is no error of ours or theirs."""

logger = logging.getLogger(__name__)
pause_after = pausing(1.0, 60.0)
pause_outside = pausing(1.0, AGAIN_SECONDS)

MakeService = Callable[[DeliveringChat], ChatService]


async def _ended(over: asyncio.Future[LoggedOut]) -> None:
    await asyncio.wait([over])


class Account:
    """One account and its service. *elsewhere* tells owners by other chats what keeps us out of it, None:
    nothing any more."""

    def __init__(
        self,
        way: Way,
        owners: Collection[str],
        data_dir: Path,
        means: Means,
        texts: Texts,
        make: MakeService,
        *,
        threads: str = Threads.AUTO,
        space: str = "",
        elsewhere: Callable[[Text | None], None] = lambda trouble: None,
    ) -> None:
        self._way = way
        self._owners = frozenset(owners)
        self._kept = Kept(data_dir / FOLDER)
        self._means = means
        self._texts = texts
        self._make = make
        self._threads = Threads(threads)
        self._space = space
        self._elsewhere = elsewhere
        self._lost = False
        self._shut_out = False
        self._service: ChatService | None = None

    async def run(self) -> None:
        """Until cancelled; one process at a time, or the two would use up each other's keys."""
        kept = self._kept.made()
        lock = FileLock(kept.lock)
        try:
            while not lock.acquire():
                logger.error("%s", self._texts.say("matrix.already_running"))
                await self._means.clock.sleep(AGAIN_SECONDS)
            await self._stay(kept)
        finally:
            lock.release()

    async def _stay(self, kept: Kept) -> None:
        """One session after another. The first that is over is followed at once by the next; those that are
        over soon, by longer and longer pauses."""
        clock, ends = self._means.clock, 0
        while True:
            began = clock.monotonic()
            error = await self._session(kept)
            ends = 1 if clock.monotonic() - began > AGAIN_SECONDS else ends + 1
            if error is None:
                await clock.sleep(AGAIN_SECONDS)
            else:
                await clock.sleep(pause_outside(error, ends, random.random()))

    async def _session(self, kept: Kept) -> LoggedOut | None:
        """Why it is over; None where the settings let nobody in."""
        try:
            await self._work(await self._device(kept))
        except KeysLost as error:
            logger.error("matrix: %s", error)
            self._lost = True
            return error
        except BadLogin as error:
            said = self._texts.say(error.key, **error.fields)
            logger.error("%s", said)
            self._stays_out(said)
            return None
        except LoggedOut as error:
            self._tell(Trouble.LOGGED_OUT, str(error))
            return error

    async def _device(self, kept: Kept) -> Device:
        """Errors: `BadLogin`, `LoggedOut`."""
        failures = 0
        while True:
            try:
                if not (self._lost and self._way.password):
                    return await logged_in(self._way, kept)
                device, self._lost = await another_device(self._way, kept), False
                return replace(device, troubles=(*device.troubles, Trouble.NEW_DEVICE))
            except LoggedOut:
                raise
            except ChatError as error:
                failures += 1
                if failures == 1:
                    self._tell(Trouble.UNREACHABLE, words(error))
                await self._means.clock.sleep(pause_after(error, failures, random.random()))

    async def _work(self, device: Device) -> Never:
        """Until our session is over. Errors: `LoggedOut`, always."""
        store, user = self._means.store, device.session.user
        chat = MatrixChat(
            device,
            store=store,
            media=self._means.media.path,
            clock=self._means.clock,
            chance=random.random,
            tell=self._tell,
            allowed=self._allowed,
            since=await store.read(heard.token, PLATFORM, user),
            threads=self._threads,
            space=self._space,
            words=lambda language: Texts(language or self._texts.language),
        )
        try:
            await chat.open()
            self._is_in()
            self._service = service = self._make(chat)
            for trouble in device.troubles:
                self._tell(trouble, "")
                if trouble in TELLING:
                    service.tell_owners(Text(self._texts.say(f"matrix.{trouble}")))
            await either(service.run(), _ended(chat.over))
            raise chat.over.result()
        finally:
            await chat.close()

    async def _allowed(self) -> frozenset[str]:
        """Everybody who was let in, by the settings or in a chat."""
        known = await self._means.store.glance(people.everybody, PLATFORM)
        return self._owners | {one.person for one in known}

    def _tell(self, trouble: Trouble, why: str) -> None:
        said = self._texts.say(f"matrix.{trouble}", user=self._way.user)
        level = logging.INFO if trouble in NO_TROUBLE else logging.ERROR
        logger.log(level, "%s", f"{said} ({why})" if why else said)
        if trouble is Trouble.LOGGED_OUT and not self._way.password:
            self._stays_out(said)
        if trouble is Trouble.BACK and self._service:
            self._service.reached()
        if trouble is Trouble.LIMITED and self._service:
            self._service.tell_owners(Text(said, silent=True), note=trouble)

    def _stays_out(self, said: str) -> None:
        """Nobody is let in until an owner does something about it, of which they hear once."""
        if not self._shut_out:
            self._shut_out = True
            self._elsewhere(Text(said))

    def _is_in(self) -> None:
        if self._shut_out:
            self._shut_out = False
            self._elsewhere(None)
