"""A desk with a real store behind it and a chat in memory before it: a person writes, and reads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.access import Rights, Role
from bot.chat import Heard, Person, RoomAddress
from bot.handlers.act import answer
from bot.handlers.desk import Desk, Place
from bot.intents.parse import Here
from bot.live import watch
from bot.replies.errors import About
from bot.texts import Texts
from core.dispatch.clock import Clock
from core.dispatch.offers import Offers
from core.dispatch.queries import Asker
from core.engines.catalogue import Catalogue
from core.errors import CoreError
from core.hosts.port import Host
from core.model.conversation import Conversation
from core.model.events import Event
from core.model.project import Project
from core.model.prompt import Attachment, Prompt
from core.model.slots import Caps
from core.store import conversations, projects, prompts, turns
from core.store.database import Database
from core.store.queue import Work
from core.store.turns import Ending
from tests.support import store as shelf
from tests.support.fake_chat import ANN, ROOM, FakeChat, take
from tests.support.fake_host import FakeHost
from tests.support.store import FakeClock


@dataclass
class KeepingHost(FakeHost):
    """Remembers what was put into a project, by path; while there is a *fault*, it takes nothing."""

    kept: dict[str, bytes] = field(default_factory=dict)
    fault: CoreError | None = None

    async def put(self, root: str, name: str, data: bytes, *, real: str = "") -> str:
        if self.fault:
            raise self.fault
        path = await super().put(root, name, data)
        self.kept[path] = data
        return path


@dataclass
class Office:
    """*took* are the prompts that handlers stored, in order."""

    store: Database
    clock: FakeClock
    chat: FakeChat
    host: KeepingHost
    desk: Desk
    took: list[Prompt]
    incoming: AsyncIterator[Heard]

    async def says(
        self,
        text: str,
        files: Mapping[str, bytes] | None = None,
        *,
        room: RoomAddress = ROOM,
        person: Person = ANN,
    ) -> list[str]:
        """What Ann reads in return for *text*."""
        self.chat.writes(text, files=dict(files or {}), room=room, person=person)
        return await self._handled(room)

    async def presses(self, label: str) -> list[str]:
        self.chat.presses(label)
        return await self._handled(ROOM)

    async def _handled(self, room: RoomAddress) -> list[str]:
        before = len(self.chat.reads(room))
        for reply in await answer(await take(self.incoming), Here(), self.desk):
            await self.chat.send(room, reply)
        return self.chat.reads(room)[before:]

    async def project(self, name: str = "shop", **facts: object) -> Project:
        """A project of that name, shown in the room from now on."""
        made = await self.store.write(shelf.a_project, name)
        made = await self.store.write(projects.change, replace(made, **facts))  # type: ignore[arg-type]
        room = await self.store.write(conversations.room, ROOM.platform, ROOM.account, ROOM.chat)
        await self.store.write(conversations.bind, room.id, made.id)
        return made

    async def starts(self) -> list[Work]:
        """Everything that may start does."""
        return await self.store.write(shelf.claimed, self.desk.caps)

    async def tells(self, work: Work, *events: Event) -> None:
        """The agent of *work* says *events*."""
        offset = (await self.store.read(turns.latest, work.prompt.id)).offset + 1
        step = shelf.step(work, *events, offset=offset)
        await self.store.write(turns.progress, [step], now=self.clock.now())

    async def ends(self, work: Work, ending: Ending = shelf.DONE) -> None:
        await self.store.write(shelf.finish, work, ending)

    async def prompt(self, nth: int = -1) -> Prompt:
        """One of those that were taken, as it is now."""
        return await self.store.read(prompts.get, self.took[nth].id)

    async def conversation(self) -> Conversation:
        """The one that the room shows."""
        room = await self.store.write(conversations.room, ROOM.platform, ROOM.account, ROOM.chat)
        assert room.conversation is not None
        return await self.store.read(conversations.get, room.conversation)

    async def attachments(self) -> tuple[Attachment, ...]:
        return (await self.prompt()).attachments


@asynccontextmanager
async def open_office(
    data_dir: Path,
    *,
    role: Role = Role.OWNER,
    language: str = "en",
    caps: Caps = shelf.MANY,
    clock: FakeClock | None = None,
    patience: float = 10.0,
) -> AsyncIterator[Office]:
    shelf.lay(data_dir)
    store = await Database.open(data_dir, patience=patience)
    clock, chat, host = clock or FakeClock(), FakeChat(), KeepingHost()
    took: list[Prompt] = []

    def take(_: Place, prompt: Prompt) -> None:
        took.append(prompt)

    desk = desk_on(store, chat, host, clock, caps=caps, language=language)
    desk = replace(desk, rights=lambda person: Rights(role), fetch=chat.fetch, took=take)
    try:
        yield Office(store, clock, chat, host, desk, took, chat.incoming())
    finally:
        await store.close()


def asker_on(host: Host, catalogue: Catalogue) -> Asker:
    """Asks the programs of *host*."""
    return Asker(
        catalogue.engine, lambda name: host, lambda engine: {"HOME": "/home/ann"}, str, shelf.new_agent
    )


def desk_on(
    store: Database,
    chat: FakeChat,
    host: Host,
    clock: Clock,
    *,
    caps: Caps = shelf.MANY,
    language: str = "en",
    offers: Offers | None = None,
) -> Desk:
    """What handlers work with, where everybody is an owner."""
    catalogue = Catalogue()
    return Desk(
        store=store,
        data_dir=store.path.parent,
        host=lambda name: host,
        catalogue=catalogue,
        offers=offers or Offers(asker_on(host, catalogue), clock),
        caps=caps,
        clock=clock,
        words=lambda asked: Texts(asked or language, strict=True),
        machine="pi5",
        rights=lambda person: Rights(Role.OWNER),
        watch=lambda prompt: watch(store, prompt, clock=clock, caps=caps, label=catalogue.label),
        about=lambda project, engine: About(
            "pi5", catalogue.label(engine), project.path if project else "", f"{engine} login"
        ),
        engine="codex",
    )
