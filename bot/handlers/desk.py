"""The few services that a handler may use, and where an intent came from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from bot.access import Rights, Role
from bot.chat import (
    Edited,
    FileRef,
    Incoming,
    Message,
    MessageRef,
    OurDevice,
    Outgoing,
    Person,
    Press,
    Redacted,
    RoomAddress,
    Text,
)
from bot.intents.spelling import spelling
from bot.live import View
from bot.onlookers import Onlookers
from bot.replies.errors import About
from bot.texts import Texts
from core.dispatch.bell import ring
from core.dispatch.clock import Clock
from core.dispatch.news import News
from core.dispatch.offers import Offers
from core.engines.catalogue import Catalogue
from core.engines.port import Engine
from core.hosts.port import Host
from core.model.conversation import Conversation
from core.model.ids import ConversationId, ProjectId, PromptId, RoomId
from core.model.people import Admission, Known
from core.model.project import Project
from core.model.prompt import ChatPlace, Piece, Prompt, Source
from core.model.slots import Caps
from core.store import conversations, inbox, projects
from core.store.conversations import Room
from core.store.database import Database, Db

T = TypeVar("T")
Say: TypeAlias = Callable[[Db, Room, Texts], Outgoing]
"""What is said in a room, in its words, and done along with that."""
Look: TypeAlias = Callable[[], Awaitable[list[Outgoing]]]
"""What takes a while and changes nothing, and what is said then."""
Transcribe = Callable[[str, bytes], Awaitable[str]]
"""The name and the bytes of a recording → what is said in it. Errors: `NotTranscribed`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Who said it where. Without a *project* none is chosen in this room, or, where it is their *own* alone,
    one that is closed to them; without a *conversation* the next prompt begins one."""

    source: Source
    person: Person
    rights: Rights
    room: Room
    address: RoomAddress
    """What the room was called when this was said: if it is called otherwise by now, *reply_to* was left
    behind."""
    project: Project | None
    conversation: Conversation | None
    message: MessageRef | None = None
    """What was said, or what the pressed button stood under."""
    reply_to: MessageRef | None = None
    """What was said; None for a press."""
    answers: MessageRef | None = None
    """The message that it was said in reply to."""
    threads: bool = False
    """A new conversation can have a thread of its own here."""
    own: bool = True
    token: str = ""
    """What the button carried that was pressed."""
    forgeable: bool = False
    """Who pressed it may be made up."""
    chooses: bool = False
    """What was pressed is one of several that its message offered, for one to be taken."""

    @property
    def role(self) -> Role:
        """What they are here."""
        return self.rights.within(self.project.id if self.project else None)

    pieces: tuple[Piece, ...] = ()
    """The messages that it was said in."""


class People(Protocol):
    """Who was let in here; `let_in` and `redeem` are verbs of the store, and `refresh` follows them."""

    @property
    def everybody(self) -> Sequence[Known]: ...

    def let_in(
        self, db: Db, person: str, role: Role, *, project: ProjectId | None = None, now: float
    ) -> None:
        """Errors: `Refused` where somebody can't be made that."""

    def loses(self, db: Db, person: str, safe: Collection[RoomId]) -> list[RoomId]:
        """Groups of a project that somebody sees no more, not `refresh`ed yet; without those in which they
        surely are not."""

    def redeem(self, db: Db, code: str, person: Person, *, now: float) -> Admission | None:
        """What a code makes of somebody, None for a wrong one."""

    async def refresh(self) -> None:
        """See what the store says now."""


async def _nothing(file: FileRef) -> bytes:
    """Where no files come."""
    return b""


def _tell_nobody(db: Db, person: str, say: Say) -> None:
    """Where one alone is."""


def _no_variables(engine: Engine) -> Mapping[str, str]:
    """Where no agent runs."""
    return {}


async def _no_chats() -> Mapping[str, Sequence[Known]]:
    """Where nobody asks for those of others."""
    return {}


async def _no_device() -> OurDevice | None:
    """Where nothing is encrypted."""
    return None


def _delivered(db: Db, place: Place, prompt: Prompt) -> None:
    """Where deliveries tell what comes of it."""


def _park(db: Db, place: Place) -> None:
    """Where what is said is kept before it is acted on."""
    inbox.park(db, place.source)


async def _look_at_once(place: Place, name: str, look: Look) -> list[Outgoing]:
    """Where nobody is held up by it."""
    return await look()


def _read_at_once(db: Db, place: Place, said: list[Outgoing]) -> list[Outgoing]:
    """Where somebody reads what a handler returns."""
    return said


@dataclass(frozen=True, slots=True)
class Opening:
    """A thread for *conversation*, called *name*, in which *said* is read first, and where it was asked for
    *told*. Where none can be opened after all, that room shows the conversation, and reads *instead*."""

    conversation: ConversationId
    name: str
    said: Text
    told: Text
    instead: Text


def _no_threads(db: Db, place: Place, opening: Opening) -> None:
    """Where nobody says that there are any."""


@dataclass(frozen=True, slots=True)
class Desk:
    """*host* gives the host of a name, *fetch* a file that came with a message, *rights* what
    somebody is; *own* whether a room is theirs alone.

    *watch* is how a prompt is followed, *about* what the sentences of trouble name. *machine* is what this
    machine is called. *engine* is the one of projects that are added here; with
    *always* also that of every conversation begun here. *begins* is told of what may be
    done, before it is; *took* of each prompt that was stored, *awaits* along with that.
    Where the chat *delivers*, prompts are answered by deliveries, and their files may come later; *settle*
    then makes what is said a part of what was done, and gives back what is left to say, and *opens* sees to
    it that a thread is opened; what a look of some name comes to is said *later* there, and nothing waits for
    it. Without *replies* nobody can point at what was said: words are for a question that waits for them.
    *park* lets what was said wait for its room's project.
    *people* are those of this chat, None where there is one alone; *chats* names who was let in in each one
    that is configured; *tell* says
    something to one of them in private, in their words, once that is stored; *link* opens a chat with our
    account of that name and says a code. *transcribe* makes words of what is spoken, None where nothing does.
    *environ* is what an agent of an engine gets; *news* tells of each prompt that ended in this process.
    *onlookers* tells who reads along in rooms of any chat. *rooms_on* are the platforms on which a project
    that is added gets a room of its own; *our_device* is what this chat encrypts with; the settings that it
    *lacks* can't be told there. *mask* takes known secrets out of what is drawn or kept as a file.
    """

    store: Database
    data_dir: Path
    host: Callable[[str], Host]
    catalogue: Catalogue
    offers: Offers
    caps: Caps
    clock: Clock
    words: Callable[[str], Texts]
    machine: str
    rights: Callable[[Person], Rights]
    watch: Callable[[PromptId], AsyncIterator[View]]
    about: Callable[[Project | None, str], About]
    engine: str
    always: bool = False
    own: Callable[[RoomAddress, Person], bool] = lambda room, person: True
    fetch: Callable[[FileRef], Awaitable[bytes]] = _nothing
    begins: Callable[[Incoming], None] = lambda incoming: None
    took: Callable[[Place, Prompt], None] = lambda place, prompt: None
    awaits: Callable[[Db, Place, Prompt], None] = _delivered
    delivers: bool = False
    replies: bool = True
    settle: Callable[[Db, Place, list[Outgoing]], list[Outgoing]] = _read_at_once
    opens: Callable[[Db, Place, Opening], None] = _no_threads
    park: Callable[[Db, Place], None] = _park
    later: Callable[[Place, str, Look], Awaitable[list[Outgoing]]] = _look_at_once
    people: People | None = None
    chats: Callable[[], Awaitable[Mapping[str, Sequence[Known]]]] = _no_chats
    tell: Callable[[Db, str, Say], None] = _tell_nobody
    link: Callable[[str, str], str] = lambda name, code: ""
    transcribe: Transcribe | None = None
    environ: Callable[[Engine], Mapping[str, str]] = _no_variables
    news: News = field(default_factory=News)
    onlookers: Onlookers = field(default_factory=Onlookers)
    rooms_on: tuple[str, ...] = ()
    lacks: frozenset[str] = frozenset()
    our_device: Callable[[], Awaitable[OurDevice | None]] = _no_device
    mask: Callable[[str], str] = lambda text: text

    def words_on(self, platform: str, language: str) -> Texts:
        """The words for a room that may be of another platform."""
        return self.words(language).spelled(spelling(platform))

    def texts(self, place: Place) -> Texts:
        return self.words(place.room.language)

    def chat_place(self, place: Place, later: Iterable[str] = ()) -> ChatPlace | None:
        """Where a prompt that is written there is answered; *later*: its files, in the platform's words."""
        if not self.delivers:
            return None
        return ChatPlace(place.room.id, place.message or "", tuple(later), place.pieces)

    def engine_for(self, project: Project | None, conversation: Conversation | None = None) -> str:
        """The engine of *conversation*, or of one that would begin in *project*."""
        if conversation:
            return conversation.engine
        return self.engine if self.always or project is None else project.engine

    async def once(
        self, place: Place, verb: Callable[[Db], T], say: Callable[[T], list[Outgoing]]
    ) -> list[Outgoing]:
        """Do *verb* and say what comes of it, in one transaction: it is done and answered once or not at all,
        wherever Roost is killed; other chats see what it means for theirs. What is left to say. *say* touches
        nothing."""
        left = await self.store.write(lambda db: self.settle(db, place, say(verb(db))))
        self.news.tell()
        return left

    def ring(self) -> None:
        """Whoever dispatches is to look at the store."""
        ring(self.data_dir)


async def _room_at(address: RoomAddress, store: Database) -> Room:
    """Remembered from now on, and only read where it is already."""
    named = (address.platform, address.account, address.chat, address.thread)
    if known := await store.glance(conversations.known_room, *named):
        return known
    return await store.write(conversations.room, *named)


async def place_of(incoming: Incoming, desk: Desk) -> Place:
    """Where *incoming* was said, as the store has it now."""
    address = incoming.room
    found = await _room_at(address, desk.store)
    project, conversation = await desk.store.glance(shown, found)
    rights, own = desk.rights(incoming.person), desk.own(address, incoming.person)
    if own and project and rights.within(project.id) is Role.STRANGER:
        project, conversation = None, None
    message = incoming.id if isinstance(incoming, Message) else incoming.message
    return Place(
        incoming.source,
        incoming.person,
        rights,
        found,
        address,
        project,
        conversation,
        message,
        answerable(incoming),
        incoming.reply_to if isinstance(incoming, Message) else None,
        threads=isinstance(incoming, Message | Press) and incoming.threads,
        own=own,
        token=incoming.token if isinstance(incoming, Press) else "",
        pieces=_pieces(incoming) if isinstance(incoming, Message) else (),
        forgeable=isinstance(incoming, Press) and incoming.forgeable,
    )


def answerable(incoming: Incoming) -> MessageRef | None:
    """What can be replied to: nothing for a press, for what is gone, or for what was left behind where a room
    has moved."""
    match incoming:
        case Message(id=said) | Edited(message=said):
            return said or None
        case Press() | Redacted():
            return None


def _pieces(message: Message) -> tuple[Piece, ...]:
    return message.pieces or ((Piece(message.id),) if message.id else ())


def shown(db: Db, room: Room) -> tuple[Project | None, Conversation | None]:
    """What *room* shows; a project that was put away counts as none."""
    project = projects.get(db, room.project) if room.project else None
    conversation = conversations.get(db, room.conversation) if room.conversation else None
    return (None, None) if project is None or project.archived else (project, conversation)
