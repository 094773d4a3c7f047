"""A room of Ann's with our account in it, on the real homeserver."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.chat import Edited, Heard, Message, Press, Redacted, RoomAddress
from bot.matrix.adapter import MatrixChat
from bot.matrix.kept import Kept
from bot.matrix.login import Device, logged_in
from bot.matrix.signing import signed_devices
from bot.matrix.trouble import Trouble
from bot.matrix.way import Way
from bot.matrix.wire import SignedKey
from core.store import heard
from core.store.database import Database
from tests.bot.telegram.rig import HastyClock
from tests.matrix.clients import SECONDS
from tests.matrix.person import People, Person
from tests.matrix.synapse import Member
from tests.support.store import lay


@dataclass
class Rig:
    """Keeps to what `ChatConformance` asks of a rig. *allowed*: who may invite us and read us."""

    people: People
    folder: Path
    store: Database
    member: Member
    ann: Person
    clock: HastyClock = field(default_factory=HastyClock)
    told: list[Trouble] = field(default_factory=list)
    allowed: set[str] = field(default_factory=set)
    space: str = ""
    open: MatrixChat | None = None
    adapter: MatrixChat = field(init=False)
    room: RoomAddress = field(init=False)

    @property
    def chat(self) -> str:
        return self.room.chat

    @property
    def kept(self) -> Kept:
        return Kept(self.folder / "matrix").made()

    def way(self, url: str = "", **terms: str) -> Way:
        return Way(
            url or self.people.server.url, self.member.id, **({"password": self.member.password} | terms)
        )

    async def closes(self) -> None:
        """Our side ends, with nothing under way."""
        if self.open:
            await self.open.close()
        self.open = None

    async def opens(self, device: Device | None = None, *, url: str = "", since: str | None = None) -> None:
        """Our side begins, as after every start."""
        device = device or await logged_in(self.way(url), self.kept)
        if since is None:
            since = await self.store.read(heard.token, "matrix", device.session.user)
        self.adapter = self.open = MatrixChat(
            device,
            store=self.store,
            media=self.folder.joinpath,
            clock=self.clock,
            chance=lambda: 0.5,
            tell=lambda trouble, why: self.told.append(trouble),
            allowed=self._allowed,
            since=since,
            poll=1,
            space=self.space,
        )
        await self.adapter.open()

    async def joins(self, *, encrypted: bool, version: str = "") -> None:
        """Ann invites us, and we are there."""
        name = self.ann.room(self.member.id, encrypted=encrypted, version=version)
        self.room = RoomAddress("matrix", self.member.id, name)
        async with self.listening():
            await self.ann.until(lambda: self.adapter.private_to(self.room))

    async def hears(self, *last: str) -> list[Message]:
        """Every message up to where each of *last* was heard, in one batch, and stored."""
        waiting, before = {*last}, await self.heard_up_to()
        async with self.listening() as said:
            await self.ann.until(lambda: waiting <= {one.text for one in said if isinstance(one, Message)})
            async with asyncio.timeout(SECONDS):
                while await self.heard_up_to() == before:
                    await asyncio.sleep(0.05)
        return [one for one in said if isinstance(one, Message)]

    async def heard_up_to(self) -> tuple[str, int]:
        """What differs once a batch is stored, were it only that a message waits for its key no more."""
        us = ("matrix", self.member.id)
        return await self.store.read(heard.token, *us), len(await self.store.read(heard.sealed, *us))

    async def keeps_sealed(self, number: int) -> None:
        """Until so many messages wait for their key."""
        async with self.listening() as heard_meanwhile:
            while len(await self.store.read(heard.sealed, "matrix", self.member.id)) < number:
                await asyncio.sleep(0.05)
        assert heard_meanwhile == []

    @asynccontextmanager
    async def listening(self, *kinds: type[Heard]) -> AsyncIterator[list[Heard]]:
        """What people say meanwhile, and what else of these *kinds* is heard."""
        heard: list[Heard] = []

        async def listen() -> None:
            incoming = self.adapter.incoming()
            while True:
                one = await anext(incoming)
                if isinstance(one, (Message, Press, Edited, Redacted, *kinds)):
                    heard.append(one)

        task = asyncio.create_task(listen())
        try:
            yield heard
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _allowed(self) -> set[str]:
        return self.allowed

    async def writes(self, text: str) -> None:
        self.ann.says(self.chat, text)

    async def attaches(self, name: str, data: bytes) -> None:
        self.ann.attaches(self.chat, name, data)

    async def presses(self, label: str) -> None:
        """By typing what stands for it."""
        typed = re.findall(rf"{re.escape(label)}: (![^·\n]+)", self.ann.reads(self.chat)[-1])
        self.ann.says(self.chat, typed[-1].strip())

    def reads(self) -> list[str]:
        return self.ann.reads(self.chat)

    def rings(self) -> int:
        return self.ann.rings(self.chat)


def vouched_for(rig: Rig) -> bool:
    """Whether Ann's client finds our device signed by its account."""
    keys = rig.ann.keys_of(rig.member.id)
    signer = SignedKey(rig.member.id, ["self_signing"], keys["self_signing_keys"][rig.member.id]["keys"])
    devices = keys["device_keys"][rig.member.id]
    return rig.adapter.device.session.device in signed_devices(rig.member.id, devices, signer)


def texts(heard: Iterable[Message]) -> list[str]:
    return [message.text for message in heard]


@asynccontextmanager
async def matrix(
    people: People, folder: Path, *, encrypted: bool = False, version: str = ""
) -> AsyncIterator[Rig]:
    """Ann and us in a room of hers."""
    lay(folder / "data")
    store = await Database.open(folder / "data")
    rig = Rig(people, folder, store, people.server.member("bot"), people.person("ann"))
    rig.allowed.add(rig.ann.id)
    try:
        await rig.opens()
        await rig.joins(encrypted=encrypted, version=version)
        yield rig
    finally:
        await rig.closes()
        await store.close()
