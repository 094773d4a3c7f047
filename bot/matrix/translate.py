"""Events of a room as what people said there; whatever else happens is nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from bot.chat import (
    Edited,
    FileRef,
    Incoming,
    Message,
    MessageRef,
    Person,
    Press,
    Redacted,
    RoomAddress,
    Seal,
    Toward,
)
from bot.matrix.wire import Content, RoomEvent, SealedFile
from core.answers.markdown import clean
from core.model.prompt import Source

PLATFORM = "matrix"
SPOKEN = ("m.text", "m.emote")
REACTION = "m.reaction"
FILES = ("m.image", "m.file", "m.audio", "m.video")
UNREADABLE = ("m.sticker", "m.poll.start", "org.matrix.msc3381.poll.start")
"""Kinds of event that people send, and that are neither words nor a file."""
QUOTE = re.compile(r"(?:> .*\n|>\n)+\n?")
"""What a reply begins with in older clients, for those that don't know replies."""


@dataclass(frozen=True, slots=True)
class Here:
    """Where something was said, and what its sender is called there. *people*: how many are there besides
    us. *threads*: each request has one of its own."""

    account: str
    room: str
    people: int
    encrypted: bool
    name: str = ""
    threads: bool = False
    public: bool = False


def address(here: Here, thread: str = "") -> RoomAddress:
    return RoomAddress(PLATFORM, here.account, here.room, thread)


@dataclass(frozen=True, slots=True)
class Words:
    """What a message says and holds, in which thread."""

    text: str
    thread: str
    files: tuple[FileRef, ...] = ()


def translate(event: RoomEvent, here: Here) -> Incoming | None:
    """Never raises: what has not the shape of a message is one that says nothing we can read. Notices, which
    bots give, are none; in an encrypted room only what came encrypted counts, but that anybody may take back
    what they said."""
    if event.sender == here.account or event.state_key is not None:
        return None
    if event.type == REACTION:
        return _reaction(event, here)
    if event.type in UNREADABLE:
        return unreadable(event, here)
    if event.type == "m.room.redaction":
        return _redacted(event, here)
    if event.type != "m.room.message":
        return None
    content = _content(event)
    if content is None:
        return unreadable(event, here)
    if content.relation and content.relation.rel_type == "m.replace":
        return _edited(event, content, here)
    return _message(event, content, here)


def words(event: RoomEvent) -> Words | None:
    """None for what is no message, or changes one."""
    content = _content(event) if event.type == "m.room.message" else None
    if content is None or (content.relation and content.relation.rel_type == "m.replace"):
        return None
    text = _text(content, quotes=bool(_answered(content)))
    return Words(text, _thread(content), tuple(_files(content)))


def _content(event: RoomEvent) -> Content | None:
    try:
        return msgspec.json.decode(event.content, type=Content)
    except msgspec.MsgspecError:
        return None


def _redacted(event: RoomEvent, here: Here) -> Redacted | None:
    """Newer rooms name what is taken back within the content."""
    content = _content(event)
    target = event.redacts or (content.redacts if content else "")
    if not target:
        return None
    return Redacted(_source(event, here), address(here), _person(event, here), MessageRef(target))


def _edited(event: RoomEvent, content: Content, here: Here) -> Edited | None:
    assert content.relation
    if content.new is None or (here.encrypted and not event.sealed_by):
        return None
    target = MessageRef(content.relation.event_id)
    text, named = _text(content.new, quotes=False), _toward(content.new, here) is Toward.US
    who = _person(event, here)
    return Edited(_source(event, here), address(here), who, target, text, mentions_us=named)


def unreadable(event: RoomEvent, here: Here, seal: Seal = Seal.SOUND) -> Message:
    """That somebody sent something."""
    return Message(
        _source(event, here),
        address(here),
        _person(event, here),
        MessageRef(event.event_id),
        alone=here.people <= 1,
        at=event.origin_server_ts / 1000,
        unreadable=True,
        seal=seal,
    )


def _message(event: RoomEvent, content: Content, here: Here) -> Message | None:
    if _says_nothing(content):
        return None
    if here.encrypted and not event.sealed_by:
        return unreadable(event, here, Seal.OPEN)
    if content.msgtype not in (*SPOKEN, *FILES):
        return unreadable(event, here)
    answered, toward = _answered(content), _toward(content, here)
    return Message(
        _source(event, here),
        address(here, _thread(content)),
        _person(event, here),
        MessageRef(event.event_id),
        _text(content, quotes=bool(answered)),
        tuple(_files(content)),
        toward,
        alone=here.people <= 1,
        reply_to=MessageRef(answered) if answered else None,
        at=event.origin_server_ts / 1000,
        threads=here.threads,
        public=here.public,
        begins=here.threads and not _thread(content),
        mentions_us=toward is Toward.US,
    )


def _reaction(event: RoomEvent, here: Here) -> Press | None:
    """As a press of what has that sign; it never comes encrypted."""
    content = _content(event)
    relation = content.relation if content else None
    if relation is None or relation.rel_type != "m.annotation" or not relation.key:
        return None
    message = MessageRef(relation.event_id)
    return Press(
        _source(event, here),
        address(here),
        _person(event, here),
        message,
        relation.key,
        forgeable=here.encrypted,
    )


def _says_nothing(content: Content) -> bool:
    """A notice, or what was taken back."""
    return content.msgtype == "m.notice" or not (content.msgtype or content.body)


def _thread(content: Content) -> str:
    """What began the thread that it stands in."""
    relation = content.relation
    return relation.event_id if relation and relation.rel_type == "m.thread" else ""


def _answered(content: Content) -> str:
    """What it replies to; in a thread, messages that are no reply name one for older clients."""
    relation = content.relation
    if relation is None or relation.reply is None or (_thread(content) and relation.is_falling_back):
        return ""
    return relation.reply.event_id


def _source(event: RoomEvent, here: Here) -> Source:
    return Source(PLATFORM, here.account, event.event_id)


def _person(event: RoomEvent, here: Here) -> Person:
    return Person(event.sender, clean(here.name or event.sender))


def _text(content: Content, *, quotes: bool) -> str:
    """Of a file its caption, which is there where the file has a name besides."""
    if content.msgtype in FILES:
        return content.body if content.filename and content.filename != content.body else ""
    found = QUOTE.match(content.body) if quotes else None
    return content.body[found.end() :] if found else content.body


def _files(content: Content) -> list[FileRef]:
    url = content.file.url if content.file else content.url
    if content.msgtype not in FILES or not url:
        return []
    kind = content.msgtype.removeprefix("m.")
    info = content.info
    name = content.filename or content.body or kind
    size = int(info.size) if info and 0 < info.size < 1e15 else 0
    mime, spoken = info.mimetype if info else "", content.msgtype == "m.audio"
    return [FileRef(file_ref(url, content.file), name, size, mime, spoken=spoken)]


def _toward(content: Content, here: Here) -> Toward:
    """Mentions are told apart from the words by newer clients; older ones link to who is meant."""
    if content.mentions is UNSET:
        said = f"{content.body} {content.formatted_body or ''}"
        return Toward.US if here.account in said else Toward.NOBODY
    named = content.mentions.user_ids
    if here.account in named:
        return Toward.US
    return Toward.OTHERS if named else Toward.NOBODY


# -- files -----------------------------------------------------------------------------------------------


def file_ref(url: str, sealed: SealedFile | None) -> str:
    """Where a file lies and what opens it, as it is kept until the file is fetched."""
    return msgspec.json.encode(sealed).decode() if sealed else url


def file_of(ref: str) -> tuple[str, SealedFile | None]:
    """What `file_ref` made it of."""
    if not ref.startswith("{"):
        return ref, None
    sealed = msgspec.json.decode(ref, type=SealedFile)
    return sealed.url, sealed
