"""What every chat is to Roost: messages in, messages out, and how sending fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import NewType, Protocol

from bot.button import Button as Button
from bot.button import Sign as Sign
from bot.failing import ChatError as ChatError
from bot.failing import Divided as Divided
from bot.failing import Flood as Flood
from bot.failing import NotSent as NotSent
from bot.failing import Refused as Refused
from bot.failing import TooLarge as TooLarge
from bot.failing import Unknown as Unknown
from bot.failing import Why as Why
from bot.limits import Limits as Limits
from bot.ourselves import OurDevice as OurDevice
from core.model.answer import Placed
from core.model.preferences import Theme
from core.model.prompt import Piece, Source

MessageRef = NewType("MessageRef", str)
"""The platform's own name for one message; unique within its room."""


@dataclass(frozen=True, slots=True)
class RoomAddress:
    """Where people write. *account* is our own there; *thread* is empty outside topics and threads."""

    platform: str
    account: str
    chat: str
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """*id* never changes, empty where the platform hides it; *name* is as they like: never trusted."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file that came with a message and is still on the platform. *size* in bytes, 0 where not told."""

    ref: str
    name: str
    size: int = 0
    mime: str = ""
    spoken: bool = False
    """Somebody's voice, or other sound, of which words can be made."""


class Toward(Enum):
    """Whom a message speaks to by a mention or by what it replies to; a mention of us wins."""

    US = auto()
    NOBODY = auto()
    OTHERS = auto()


class Seal(StrEnum):
    """How it stands with the encryption of a message, where its room has one."""

    SOUND = ""
    LOCKED = "locked"
    """The key that opens it never came."""
    OPEN = "open"
    """It came in the open, where only what is encrypted counts (behaviour §14.7)."""
    UNSIGNED = "unsigned"
    """It came from a device that its owner does not vouch for."""


class How(StrEnum):
    """In which way a message points at another one."""

    REPLY = "reply"
    QUOTE = "quote"
    """At some words of it, which the sender chose."""
    FORWARD = "forward"
    """It was passed on along with the message."""
    ITSELF = "itself"
    """The message itself is one that the sender only passed on."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a message points at: *text* is no word of the sender's to us, and never a command. *author* is
    what whoever wrote it likes to be called, empty where nobody tells; *ours*: we said it."""

    how: How
    text: str = ""
    author: str = ""
    ours: bool = False
    files: tuple[FileRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """*text* is exactly what the person sent, mentions included. *alone*: they are the only human here. *at*:
    when they sent it, seconds since the epoch, 0 where the platform doesn't tell."""

    source: Source
    room: RoomAddress
    person: Person
    id: MessageRef
    text: str = ""
    files: tuple[FileRef, ...] = ()
    toward: Toward = Toward.NOBODY
    alone: bool = True
    reply_to: MessageRef | None = None
    at: float = 0.0
    foreign: bool = False
    """Somebody else's words, forwarded or made by another bot: a prompt perhaps, a command never."""
    unreadable: bool = False
    """What can't be made words or a file of: a sticker, a place, a poll."""
    seal: Seal = Seal.SOUND
    """Anything else makes it unreadable."""
    threads: bool = False
    """A new conversation can have a thread of its own here (`open_thread`)."""
    begins: bool = False
    """If it is a prompt, it begins a thread, which is its conversation."""
    public: bool = False
    """Anybody at all can read along here."""
    points_at: tuple[Pointed, ...] = ()
    """What it replies to, quotes, or is itself, where it is passed on."""
    album: str = ""
    """What the platform calls the album that this is a part of."""
    joint: str | None = None
    """What stands behind its words where the app may have cut a longer text here; None: they are whole."""
    heads: bool = False
    """It may be the comment on what the sender forwards along with it."""
    pieces: tuple[Piece, ...] = ()
    """The messages that this was made of, where there are several (`bot.gathering`)."""
    mentions_us: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """A button of our own *message* was pressed, or its reaction given; *text* is what it carries."""

    source: Source
    room: RoomAddress
    person: Person
    message: MessageRef
    text: str
    threads: bool = False
    token: str = ""
    """What the button carried in place of *text*; empty where nobody knows any more what that stood for."""
    forgeable: bool = False
    """It came in the open where everything else is encrypted, so that its sender may be made up: it may stop
    something, and allow nothing (behaviour §14.7)."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The sender changed *message*: it says *text* by now. *media*: it has a file, perhaps another one."""

    source: Source
    room: RoomAddress
    person: Person
    message: MessageRef
    text: str
    media: bool = False
    mentions_us: bool = False


@dataclass(frozen=True, slots=True)
class Redacted:
    """The sender took *message* away."""

    source: Source
    room: RoomAddress
    person: Person
    message: MessageRef


Incoming = Message | Press | Edited | Redacted


@dataclass(frozen=True, slots=True)
class Standing:
    """What we are in *room*, called *title*, from now on, as *person* made it. *inside*: we are there at all,
    *new*: we weren't before. *hears*: every message, not only what is meant for us; where not, *remedy* is a
    link that changes it."""

    source: Source
    room: RoomAddress
    person: Person
    title: str
    inside: bool
    new: bool = False
    hears: bool = True
    remedy: str = ""
    public: bool = False
    """Anybody at all can read along there; so it is with who `Joined`."""


@dataclass(frozen=True, slots=True)
class Named:
    """*person* opened the thread *room*, or gave it another name. *chosen*: by them, and not by their app."""

    source: Source
    room: RoomAddress
    person: Person
    name: str
    chosen: bool = True


@dataclass(frozen=True, slots=True)
class Joined:
    """*people* read what is said in *room*, called *title*, from now on."""

    source: Source
    room: RoomAddress
    title: str
    people: tuple[Person, ...]
    public: bool = False


@dataclass(frozen=True, slots=True)
class Missed:
    """Of what was said in *room* something can't be had any more."""

    source: Source
    room: RoomAddress


Happened = Standing | Named | Joined | Missed  # to a room, without a word


LONGEST_INTENT = 64
"""Bytes that a button carries on every platform (Bot API: callback_data)."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The platform calls *chat* by another name from now on, *to*, and counts the messages in it anew."""

    chat: str
    to: str


Heard = Incoming | Happened | Moved


@dataclass(frozen=True, slots=True)
class Text:
    """One message of Markdown; *placed* says what stands where its images are named. *rich*: all of its
    mark-up is to be shown, where the platform has a form for that, even if not every app knows it.
    Only what is not *silent* rings."""

    markdown: str
    buttons: tuple[Button, ...] = ()
    silent: bool = False
    reply_to: MessageRef | None = None
    placed: tuple[Placed, ...] = ()
    aside: bool = False
    """For whoever pressed a button alone, where a chat can show them something."""
    rich: bool = False
    theme: Theme = Theme.SYSTEM
    """The colours of what is drawn of it."""
    to: str = ""
    """The id of the one whom it is for, to be called by it where others read along."""


@dataclass(frozen=True, slots=True)
class Picture:
    """*media* is a file name in `data_dir/media`; *caption* is Markdown."""

    media: str
    name: str
    caption: str = ""
    buttons: tuple[Button, ...] = ()
    silent: bool = False
    reply_to: MessageRef | None = None


@dataclass(frozen=True, slots=True)
class File:
    """*media* is a file name in `data_dir/media`; people see it as *name*."""

    media: str
    name: str
    caption: str = ""
    buttons: tuple[Button, ...] = ()
    silent: bool = False
    reply_to: MessageRef | None = None


Outgoing = Text | Picture | File


class ChatAdapter(Protocol):
    """One account on one platform. Every call may raise a `ChatError`, and nothing else."""

    @property
    def platform(self) -> str: ...

    @property
    def account(self) -> str: ...

    @property
    def limits(self) -> Limits: ...

    def incoming(self) -> AsyncIterator[Heard]:
        """What people send, each room's in order, and which chats moved. Asking for the next one says that
        the one before is stored; without that it comes again, with the same source."""

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef: ...

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        """Put *text*, with its buttons or none, in the place of what *message* said; never rings."""

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        """Take our own *message* away; one that is gone already is no error."""

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        """Show on a person's *message* that it was stored."""

    async def fetch(self, file: FileRef) -> bytes: ...


class DeliveringChat(ChatAdapter, Protocol):
    """A chat behind a network, which gets what is said as deliveries: stored, then sent until it has them."""

    def cut(self, what: Outgoing) -> list[str]:
        """The messages that *what* comes to here, each in a form that is stored and sent as it is."""

    async def deliver(
        self,
        room: RoomAddress,
        body: str,
        *,
        mark: str = "",
        replies: bool = True,
        once: str = "",
        hush: bool = False,
    ) -> MessageRef:
        """Send one of `cut`'s messages; *mark* stands above it on a line of its own. It *replies* to what it
        was made to reply to, unless the room has moved since. *once* names this delivery, the same at every
        try, for a chat that can keep it to one. *hush*: nobody is called for it."""

    def private_to(self, room: RoomAddress) -> str:
        """The id of the one person who can be there besides us, empty where others can be too."""

    def sealed(self, room: RoomAddress) -> bool:
        """Whether what is said there is encrypted from one device to the other."""

    def drafts(self, room: RoomAddress) -> bool:
        """Whether what is being written can be shown there as that, beside all messages."""

    async def draft(self, room: RoomAddress, number: int, markdown: str) -> None:
        """Show for half a minute what is being written under *number*, which is a prompt's; empty: nothing
        yet, or no more. A person may stop that prompt there."""

    async def typing(self, room: RoomAddress) -> None:
        """Show for a few seconds that something is being written."""

    def most_a_minute(self, room: RoomAddress) -> int:
        """Messages and edits that the chat of *room* takes in a minute, of all its rooms; 0: no limit."""

    async def pin(self, room: RoomAddress, message: MessageRef) -> None:
        """Let *message* of ours stand out in its room; nobody is called for it. Errors: `Why.FORBIDDEN`."""

    async def unpin(self, room: RoomAddress, message: MessageRef) -> None:
        """Let it be a message like any other; one that is no more than that, or gone, is no error."""

    def pace(self, room: RoomAddress, elapsed: float) -> float:
        """Seconds between two edits of the progress of a turn that has taken *elapsed* seconds."""

    async def open_thread(self, room: RoomAddress, title: str) -> RoomAddress:
        """A new thread in the chat of *room* that people see as *title*, cut to what is allowed; called where
        a message said that there are `threads`. Errors: `Why.THREAD` where none can be opened after all."""

    async def rename_thread(self, room: RoomAddress, title: str) -> None:
        """Let people see the thread *room* as *title*, where threads have names; that they do is no error."""

    async def make_room(self, name: str, title: str, people: Collection[str]) -> RoomAddress:
        """A room of ours called *title*, into which *people* are asked: under the same *name* it is the same
        one. Errors: `Why.UNKNOWN` where we make none, `Why.GONE` where what has the name is none of ours."""

    async def ask_in(self, room: RoomAddress, people: Collection[str]) -> None:
        """Into a room of ours; who was asked before is not asked again."""

    async def our_device(self) -> OurDevice | None:
        """What we encrypt with, as far as is known; None where we don't. Errors: none."""

    async def called(self) -> tuple[str, ...]:
        """What we are called there, without `@`; waits until the platform has said so."""

    async def pressed(self, press: Press, words: str = "") -> bool:
        """Let the button rest: its press is stored. One that is too old is no error. Whether the person, and
        nobody else, was shown *words* (Markdown)."""
