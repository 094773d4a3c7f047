"""The nouns of a messenger: users, messages as they stand, chats and what was seen in them when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
TYPING_SECONDS = 5.0
GENERAL = 1
"""The thread id of a forum's General topic."""
ChatType = Literal["private", "group", "supergroup"]
Kind = Literal["sent", "edited", "reacted", "deleted", "typing"]


@dataclass(frozen=True, slots=True)
class User:
    id: int
    first_name: str
    username: str = ""
    is_bot: bool = False
    language_code: str = "en"

    def json(self) -> Json:
        told = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        told |= {"username": self.username} if self.username else {}
        return told if self.is_bot else {**told, "language_code": self.language_code}


@dataclass(frozen=True, slots=True)
class Entity:
    """Offset and length in UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None

    @property
    def end(self) -> int:
        return self.offset + self.length

    def json(self) -> Json:
        told: Json = {"type": self.type, "offset": self.offset, "length": self.length}
        more = {"url": self.url, "language": self.language}
        return told | {name: value for name, value in more.items() if value}


@dataclass(frozen=True, slots=True)
class Button:
    text: str
    data: str = ""
    url: str = ""

    def json(self) -> Json:
        return {"text": self.text} | ({"url": self.url} if self.url else {"callback_data": self.data})


Keyboard = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class StoredFile:
    """*path* is what `getFile` tells; width and height are a picture's."""

    id: str
    path: str
    name: str
    mime: str
    data: bytes = field(repr=False)
    width: int = 0
    height: int = 0

    def json(self) -> Json:
        told: Json = {"file_id": self.id, "file_unique_id": f"u{self.id}", "file_size": len(self.data)}
        if self.width:
            return {**told, "width": self.width, "height": self.height}
        return {**told, "file_name": self.name, "mime_type": self.mime}


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it stands. *photo* holds its sizes, smallest first; *text* is the caption of media,
    *rich* the words of a rich message; *edits* and *date* are seconds; *extra* is what raw updates carry
    besides."""

    id: int
    chat: Chat = field(repr=False, compare=False)
    sender: User
    date: float
    text: str = ""
    entities: tuple[Entity, ...] = ()
    photo: tuple[StoredFile, ...] = ()
    document: StoredFile | None = None
    keyboard: Keyboard = ()
    reply_to: Message | None = field(default=None, repr=False)
    quote: str = ""
    thread: int = 0
    in_topic: bool = False
    silent: bool = False
    preview: bool = False
    album: str = ""
    rich: str = ""
    extra: Json = field(default_factory=dict)
    edits: tuple[float, ...] = ()
    reactions: tuple[tuple[int, str], ...] = ()
    voice: StoredFile | None = None

    @property
    def buttons(self) -> list[list[str]]:
        return [[button.text for button in row] for row in self.keyboard]

    @property
    def media(self) -> StoredFile | None:
        return self.photo[-1] if self.photo else self.document or self.voice

    @property
    def words(self) -> str:
        """What is read: the text, `[name]` before it where something is attached."""
        media = self.media
        return " ".join(filter(None, (f"[{media.name}]" if media else "", self.text, self.rich)))

    @property
    def content(self) -> tuple[object, ...]:
        """What an edit must change."""
        return (self.text, self.entities, self.photo, self.document, self.keyboard, self.preview)

    def json(self, *, whole: bool = True) -> Json:
        told: Json = {"message_id": self.id, "date": int(self.date), "chat": self.chat.json()}
        told["from"] = self.sender.json()
        told |= dict(self._text_json())
        told |= dict(self._media_json())
        if self.edits:
            told["edit_date"] = int(self.edits[-1])
        if self.thread:
            told["message_thread_id"] = self.thread
        if self.in_topic:
            told["is_topic_message"] = True
        if whole and self.reply_to:
            told["reply_to_message"] = self.reply_to.json(whole=False)
        if self.quote:
            told["quote"] = {"text": self.quote, "position": 0, "is_manual": True}
        return told | self.extra

    def _text_json(self) -> Iterator[tuple[str, Any]]:
        if self.text:
            yield ("caption" if self.media else "text"), self.text
        if self.rich:
            yield "rich_message", {"blocks": [{"type": "paragraph", "text": self.rich}]}
        if self.entities:
            entities = [entity.json() for entity in self.entities]
            yield ("caption_entities" if self.media else "entities"), entities
        if self.keyboard:
            rows = [[button.json() for button in row] for row in self.keyboard]
            yield "reply_markup", {"inline_keyboard": rows}

    def _media_json(self) -> Iterator[tuple[str, Any]]:
        if self.photo:
            yield "photo", [size.json() for size in self.photo]
        if self.document:
            yield "document", self.document.json()
        if self.voice:
            yield "voice", {**self.voice.json(), "duration": 3}
        if self.album:
            yield "media_group_id", self.album


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a person saw happen; *message* is as it stood afterwards (before, if deleted)."""

    at: float
    kind: Kind
    message: Message | None = None


DRAFT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Draft:
    """What a bot was writing at a time; it is shown for `DRAFT_SECONDS`, or until a message comes."""

    at: float
    id: int
    text: str
    can_stop: bool
    thread: int


@dataclass(slots=True)
class Topic:
    name: str
    closed: bool = False


@dataclass(slots=True, eq=False)
class Chat:
    """*members* maps user ids to their status; *bot* is the bot's own: member, administrator, left, kicked
    (in a private chat: blocked by the person), or empty while nobody has started it; as an administrator it
    *manages_topics* or not."""

    id: int
    type: ChatType
    title: str
    username: str = ""
    is_forum: bool = False
    bot: str = "member"
    members: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    log: list[Change] = field(default_factory=list)
    rung: list[Change] = field(default_factory=list)
    manages_topics: bool = True
    topics: dict[int, Topic] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    pinned: int = 0
    migrated_to: int = 0
    count: int = 0

    @property
    def is_group(self) -> bool:
        return self.type != "private"

    def json(self) -> Json:
        told: Json = {"id": self.id, "type": self.type}
        told["title" if self.is_group else "first_name"] = self.title
        told |= {"username": self.username} if self.username else {}
        return told | ({"is_forum": True} if self.is_forum else {})

    def tell(self, at: float, kind: Kind, message: Message | None = None) -> None:
        """Let it be so, and remember when."""
        if message and kind == "deleted":
            self.messages.pop(message.id, None)
        elif message:
            self.messages[message.id] = message
        change = Change(at, kind, message)
        self.log.append(change)
        if message and kind == "sent" and message.sender.is_bot and not message.silent:
            self.rung.append(change)

    # --- what a person sees --------------------------------------------------------------------------------

    def screen(self, at: float | None = None) -> list[Message]:
        """Every message that is there (that was there at that time), oldest first."""
        shown: dict[int, Message] = {}
        for change in self.log:
            if at is not None and change.at > at:
                break
            if change.message and change.kind == "deleted":
                shown.pop(change.message.id, None)
            elif change.message:
                shown[change.message.id] = change.message
        return list(shown.values())

    def reads(self, at: float | None = None) -> list[str]:
        """The words of every message of the bot that is there, oldest first."""
        return [message.words for message in self.screen(at) if message.sender.is_bot]

    def buttons(self) -> list[str]:
        """The labels under the bot's newest message."""
        ours = [message for message in self.screen() if message.sender.is_bot]
        return [label for message in ours[-1:] for row in message.buttons for label in row]

    def drafted(self, at: float) -> Draft | None:
        """What the bot was shown as writing at that time."""
        newest = next((draft for draft in reversed(self.drafts) if draft.at <= at), None)
        if newest is None or at > newest.at + DRAFT_SECONDS:
            return None
        sent = [one for one in self.log if one.kind == "sent" and newest.at <= one.at <= at]
        return None if any(one.message and one.message.sender.is_bot for one in sent) else newest

    def typing(self, at: float) -> bool:
        """Whether the bot was shown as typing at that time: 5 s, or until a message of it arrived."""
        shown = False
        for change in self.log:
            if at - TYPING_SECONDS < change.at <= at:
                ours = change.message is not None and change.message.sender.is_bot
                shown = change.kind == "typing" or (shown and not (change.kind == "sent" and ours))
        return shown
