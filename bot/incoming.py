"""What people say in a chat, and press, change and take away there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from bot.address import MessageRef, Person, RoomAddress
from core.model.prompt import Piece, Source


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file that came with a message and is still on the platform. *size* in bytes, 0 where not told."""

    ref: str
    name: str
    size: int = 0
    mime: str = ""
    spoken: bool = False
    """Somebody's voice, or other sound, of which words can be made."""
    pointed: bool = False
    """It is not of the message itself, but of one that this points at."""


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
