"""The few services that a handler may use, and where an intent came from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from bot.access import Role
from bot.chat import FileRef, Incoming, Person, RoomAddress
from bot.live import View, watch
from bot.replies.errors import About
from bot.texts import Texts
from core.dispatch.bell import ring
from core.dispatch.clock import Clock
from core.engines.catalogue import Catalogue
from core.errors import Refused
from core.hosts.port import Host
from core.model.conversation import Conversation
from core.model.ids import PromptId
from core.model.project import Project
from core.model.prompt import Prompt, Source
from core.model.slots import Caps
from core.store import conversations, projects
from core.store.conversations import Room
from core.store.database import Database, Db


@dataclass(frozen=True, slots=True)
class Place:
    """Who said it where. Without a *project* none is chosen in this room; without a *conversation* the
    next prompt begins one."""

    source: Source
    person: Person
    role: Role
    room: Room
    project: Project | None
    conversation: Conversation | None


@dataclass(frozen=True, slots=True)
class Desk:
    """*host* gives the host of a name, *fetch* a file that came with a message, *role* what somebody is here.

    *machine* is what this machine is called. *engine* is the one of projects that are added here; with
    *always* also that of every conversation begun here. *took* is told of each prompt that was stored.
    """

    store: Database
    data_dir: Path
    host: Callable[[str], Host]
    catalogue: Catalogue
    caps: Caps
    clock: Clock
    words: Callable[[str], Texts]
    machine: str
    role: Callable[[RoomAddress, Person], Role]
    fetch: Callable[[FileRef], Awaitable[bytes]]
    took: Callable[[Place, Prompt], None]
    engine: str
    always: bool = False
    mark: str = "/"

    def texts(self, place: Place) -> Texts:
        return self.words(place.room.language)

    def label(self, engine: str) -> str:
        """An engine's name as people know it."""
        try:
            return self.catalogue.engine(engine).label
        except Refused:
            return engine

    def engine_for(self, project: Project) -> str:
        """The engine of a conversation that begins in *project*."""
        return self.engine if self.always else project.engine

    def about(self, project: Project | None, engine: str = "") -> About:
        """What the sentences of trouble name."""
        engine = engine or (self.engine_for(project) if project else self.engine)
        command = self.catalogue.engine(engine).command if engine in self.catalogue.names else (engine,)
        path = project.path if project else ""
        return About(self.machine, self.label(engine), path, " ".join((*command, "login")))

    def ring(self) -> None:
        """Whoever dispatches is to look at the store."""
        ring(self.data_dir)

    def watch(self, prompt: PromptId) -> AsyncIterator[View]:
        return watch(self.store, prompt, clock=self.clock, caps=self.caps, label=self.label)


async def place_of(incoming: Incoming, desk: Desk) -> Place:
    """Where *incoming* was said, as the store has it now."""
    address = incoming.room
    found = await desk.store.write(
        conversations.room, address.platform, address.account, address.chat, address.thread
    )
    project, conversation = await desk.store.read(_shown, found)
    role = desk.role(address, incoming.person)
    return Place(incoming.source, incoming.person, role, found, project, conversation)


def _shown(db: Db, room: Room) -> tuple[Project | None, Conversation | None]:
    """A project that was put away counts as none."""
    project = projects.get(db, room.project) if room.project else None
    conversation = conversations.get(db, room.conversation) if room.conversation else None
    return (None, None) if project is None or project.archived else (project, conversation)
