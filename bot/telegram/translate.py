"""Updates as what people said and pressed; whatever else Telegram tells is nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from telegram import CallbackQuery, ChatMemberUpdated, Update, User
from telegram import Message as TelegramMessage

from bot.chat import FileRef, Message, MessageRef, Moved, Person, Press, RoomAddress, Toward
from core.model.prompt import Source

PLATFORM = "telegram"
ROOMS = ("private", "group", "supergroup")
INSIDE = ("creator", "administrator", "member", "restricted")
UNREADABLE = (
    "sticker",
    "location",
    "venue",
    "contact",
    "poll",
    "dice",
    "game",
    "story",
    "checklist",
    "invoice",
    "giveaway",
    "paid_media",
)
"""What people send that is neither words nor a file; everything else without them is a service message."""
MENTIONS: list[str | None] = ["mention", "text_mention"]


@dataclass(frozen=True, slots=True)
class Me:
    """Our own bot. *hears_all*: groups show it every message, not only what is meant for it."""

    id: int
    username: str
    hears_all: bool = False

    @property
    def account(self) -> str:
        return str(self.id)


@dataclass(frozen=True, slots=True)
class Membership:
    """*person* took us into a room (a private one: began or unblocked), or out of it."""

    room: RoomAddress
    person: Person
    inside: bool


def translate(update: Update, me: Me) -> Message | Press | Membership | Moved | None:
    """Edits of messages are none: what was sent is what was asked."""
    source = Source(PLATFORM, me.account, str(update.update_id))
    if update.message:
        return _moved(update.message) or _message(update.message, source, me)
    if update.callback_query:
        return _press(update.callback_query, source, me)
    if update.my_chat_member:
        return _membership(update.my_chat_member, me)
    return None


def _moved(message: TelegramMessage) -> Moved | None:
    """A group that became a supergroup tells it twice: its last message says where to, the first one there
    says where from."""
    if to := message.migrate_to_chat_id:
        return Moved(str(message.chat.id), str(to))
    if before := message.migrate_from_chat_id:
        return Moved(str(before), str(message.chat.id))
    return None


def _message(message: TelegramMessage, source: Source, me: Me) -> Message | None:
    """None where nobody speaks, or nothing is said: what a service tells."""
    sender, text = _speaker(message), message.text or message.caption or ""
    files = (*_nameless(message), *_named(message))
    if sender is None or not (text or files or _unreadable(message)):
        return None
    answered = _answered(message)
    return Message(
        source,
        _room(message, me),
        _person(sender),
        MessageRef(str(message.message_id)),
        text,
        files,
        _toward(message, answered, me),
        alone=message.chat.type == "private",
        reply_to=MessageRef(str(answered.message_id)) if answered else None,
        at=message.date.timestamp(),
        foreign=_foreign(message),
        unreadable=_unreadable(message),
    )


def _speaker(message: TelegramMessage) -> User | None:
    """None where it is no person: bots, channels, and admins that hide behind their group."""
    sender = message.from_user
    if sender is None or sender.is_bot or message.sender_chat or message.chat.type not in ROOMS:
        return None
    return sender


def _press(query: CallbackQuery, source: Source, me: Me) -> Press | None:
    """The message may be one that Telegram no longer shows us: its chat and name are told all the same."""
    message = query.message
    if message is None or not query.data or query.from_user.is_bot or message.chat.type not in ROOMS:
        return None
    room = RoomAddress(PLATFORM, me.account, str(message.chat.id))
    if isinstance(message, TelegramMessage):
        room = _room(message, me)
    return Press(source, room, _person(query.from_user), MessageRef(str(message.message_id)), query.data)


def _membership(change: ChatMemberUpdated, me: Me) -> Membership | None:
    if change.chat.type not in ROOMS:
        return None
    room = RoomAddress(PLATFORM, me.account, str(change.chat.id))
    before, after = change.old_chat_member.status in INSIDE, change.new_chat_member.status in INSIDE
    return Membership(room, _person(change.from_user), after) if before != after else None


def _room(message: TelegramMessage, me: Me) -> RoomAddress:
    """A reply carries a thread id too, outside topics; in the General topic nothing does."""
    thread = message.message_thread_id if message.is_topic_message else None
    return RoomAddress(PLATFORM, me.account, str(message.chat.id), str(thread or ""))


def _person(user: User) -> Person:
    return Person(str(user.id), user.full_name)


def _foreign(message: TelegramMessage) -> bool:
    """Words that the sender passed on, and didn't write."""
    return bool(message.forward_origin or message.via_bot)


def _answered(message: TelegramMessage) -> TelegramMessage | None:
    """What a person replied to: in a topic, messages that are no reply name its beginning."""
    answered = message.reply_to_message
    return None if answered and answered.forum_topic_created else answered


def _toward(message: TelegramMessage, answered: TelegramMessage | None, me: Me) -> Toward:
    parse = message.parse_entities if message.text else message.parse_caption_entities
    mentioned = [
        entity.user.id == me.id if entity.user else name.casefold() == f"@{me.username}".casefold()
        for entity, name in parse(MENTIONS).items()
    ]
    spoken_to = [answered.from_user.id == me.id] if answered and answered.from_user else []
    if any(mentioned) or any(spoken_to):
        return Toward.US
    return Toward.OTHERS if mentioned or spoken_to else Toward.NOBODY


def _unreadable(message: TelegramMessage) -> bool:
    return any(getattr(message, kind) for kind in UNREADABLE)


def _nameless(message: TelegramMessage) -> Iterator[FileRef]:
    """What is taken or spoken on the spot; Telegram gives it no name."""
    number = message.message_id
    if message.photo:
        largest = max(message.photo, key=lambda size: size.width * size.height)
        yield FileRef(largest.file_id, f"photo-{number}.jpg", largest.file_size or 0, "image/jpeg")
    if voice := message.voice:
        yield FileRef(voice.file_id, f"voice-{number}.ogg", voice.file_size or 0, voice.mime_type or "")
    if note := message.video_note:
        yield FileRef(note.file_id, f"video-{number}.mp4", note.file_size or 0, "video/mp4")


def _named(message: TelegramMessage) -> Iterator[FileRef]:
    for named, kind in ((message.document, "file"), (message.audio, "audio"), (message.video, "video")):
        if named:
            name = named.file_name or f"{kind}-{message.message_id}"
            yield FileRef(named.file_id, name, named.file_size or 0, named.mime_type or "")
