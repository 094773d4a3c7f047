"""Updates as what people said and pressed; whatever else Telegram tells is nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import msgspec
from telegram import Bot, CallbackQuery, Chat, MessageEntity, Update
from telegram import Message as TelegramMessage

from bot.chat import Edited, Heard, Message, MessageRef, Person, Press, RoomAddress, Toward
from bot.intents.commands import encode
from bot.intents.values import CancelPrompt
from bot.markup.telegram import LONGEST_MESSAGE
from bot.telegram.api import STOPPED
from bot.telegram.attached import files_of
from bot.telegram.happening import member, moved, serviced, standing
from bot.telegram.naming import PLATFORM, ROOMS, Me, number, person, room_of
from bot.telegram.pointing import pointed
from core.answers.markdown import clean
from core.model.ids import PromptId
from core.model.prompt import Source

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
MENTIONS = ("mention", "text_mention")
MISSHAPEN = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    OSError,
    AssertionError,
    RecursionError,
)
"""What reading an update ends with whose shape is not that of the documents: the library takes JSON as it
comes, and goes by what it expects in it."""
SHORTEST_CUT = 3_900
"""UTF-16 units. A shorter text is whole: apps look for a good place to cut near the end of a message."""
KINDS = ("message", "edited_message", "callback_query", "my_chat_member", "chat_member", "message_reaction")

logger = logging.getLogger(__name__)

T = TypeVar("T")
Json = dict[str, object]


Told = Heard | None


def translate(update: Update, me: Me) -> Told:
    """Never raises: of what can't be read the log has number and kind; where it can still be told who wrote,
    and where, it is a message that says nothing we can read."""
    source = Source(PLATFORM, me.account, str(update.update_id))
    try:
        return _sound(_translated(update, source, me))
    except MISSHAPEN as error:
        kind = next((kind for kind in KINDS if getattr(update, kind)), "")
        misshapen(update.update_id, kind, error)
    try:
        return _sound(_unread(update.message, source, me)) if update.message else None
    except MISSHAPEN:
        return None


def read(raw: Json, bot: Bot) -> Update | None:
    """An update as it came; None where nobody can read it, which the log has."""
    try:
        return Update.de_json(raw, bot)
    except MISSHAPEN as error:
        misshapen(key_of(raw), next((kind for kind in KINDS if kind in raw), ""), error)
        return None


def key_of(raw: Json) -> int:
    key = raw["update_id"]
    assert isinstance(key, int)
    return key


def misshapen(update: int, kind: str, error: Exception) -> None:
    """Told in the log, without anything that somebody wrote."""
    logger.error("update %d (%s) can't be read: %s", update, kind or "unknown", type(error).__name__)


def _sound(said: T) -> T:
    """Every part of it is of the kind that its type says, so that it is read again as it was stored."""
    return msgspec.convert(msgspec.to_builtins(said), type(said))


def _translated(update: Update, source: Source, me: Me) -> Told:
    if update.message:
        told = moved(update.message) or serviced(update.message, source, me)
        return told or _message(update.message, source, me)
    if update.edited_message:
        return _edited(update.edited_message, source, me)
    if update.callback_query:
        return _press(update.callback_query, source, me)
    if stopped := update.api_kwargs.get(STOPPED):
        return _stopped(stopped, source, me)
    if update.my_chat_member:
        return standing(update.my_chat_member, source, me)
    if update.chat_member:
        return member(update.chat_member, me)
    return None


def _stopped(told: Mapping[str, object], source: Source, me: Me) -> Press:
    """A draft is shown to one person, whose chat is called by their id; it is called by its prompt."""
    stopped = msgspec.convert(told, _Stopped)
    thread = str(stopped.message_thread_id or "")
    room = RoomAddress(PLATFORM, me.account, str(stopped.chat.id), thread)
    person = Person(str(stopped.chat.id), clean(stopped.chat.first_name))
    return Press(source, room, person, MessageRef(""), encode(CancelPrompt(PromptId(stopped.draft_id))))


class _Somebody(msgspec.Struct):
    id: int
    first_name: str = ""


class _Stopped(msgspec.Struct):
    chat: _Somebody
    draft_id: int
    message_thread_id: int = 0


def _unread(message: TelegramMessage, source: Source, me: Me) -> Message | None:
    """That somebody wrote something."""
    sender = _speaker(message)
    if sender is None:
        return None
    room, alone = room_of(message, me), message.chat.type == "private"
    return Message(source, room, sender, _named_by(message), alone=alone, unreadable=True)


def _message(message: TelegramMessage, source: Source, me: Me) -> Message | None:
    """None where nobody speaks, or nothing is said: what a service tells."""
    sender, text = _speaker(message), message.text or message.caption or ""
    files = files_of(message, message.message_id)
    unreadable = _unreadable(message)
    if sender is None or not (text or files or unreadable):
        return None
    answered = _answered(message)
    said = Message(
        source,
        room_of(message, me),
        sender,
        _named_by(message),
        text,
        files,
        _toward(message, answered, me),
        alone=message.chat.type == "private",
        reply_to=_named_by(answered) if answered else None,
        at=message.date.timestamp(),
        foreign=_foreign(message),
        unreadable=unreadable,
        threads=_threads(message.chat, me),
        public=bool(message.chat.username) and message.chat.type != "private",
        points_at=tuple(pointed(message, answered, me.id)),
        album=message.media_group_id or "",
        mentions_us=any(_mentions(message, me)),
    )
    return _in_part(said)


def _in_part(said: Message) -> Message:
    """Words alone may be but the beginning of what the person sends now."""
    if said.files or said.foreign or not said.text:
        return said
    return replace(said, joint=_joint(said.text), heads=not said.points_at)


def _edited(message: TelegramMessage, source: Source, me: Me) -> Edited | None:
    sender = _speaker(message)
    if sender is None:
        return None
    text = message.text or message.caption or ""
    media = message.effective_attachment is not None
    named = any(_mentions(message, me))
    return Edited(source, room_of(message, me), sender, _named_by(message), text, media, mentions_us=named)


def _joint(text: str) -> str | None:
    """Apps cut what is longer than a message may be: within a line at the very end of one, else where a line
    ends, which Telegram takes away with every blank there."""
    size = len(text.encode("utf-16-le", "surrogatepass")) // 2
    if size < SHORTEST_CUT:
        return None
    return "" if size >= LONGEST_MESSAGE else "\n"


def _threads(chat: Chat, me: Me) -> bool:
    return me.topics if chat.type == "private" else bool(chat.is_forum)


def _speaker(message: TelegramMessage) -> Person | None:
    """None where it is no person: bots and channels. Of admins that hide behind their group nobody is told
    who they are."""
    if message.chat.type not in ROOMS:
        return None
    if message.sender_chat:
        return Person("", "") if message.sender_chat.id == message.chat.id else None
    sender = message.from_user
    return None if sender is None or sender.is_bot else person(sender)


def _press(query: CallbackQuery, source: Source, me: Me) -> Press | None:
    """The message may be one that Telegram no longer shows us: its chat and name are told all the same."""
    message = query.message
    if message is None or not query.data or query.from_user.is_bot or message.chat.type not in ROOMS:
        return None
    room = RoomAddress(PLATFORM, me.account, number(message.chat.id))
    if isinstance(message, TelegramMessage):
        room = room_of(message, me)
    pressed = MessageRef(number(message.message_id))
    threads = _threads(message.chat, me)
    return Press(source, room, person(query.from_user), pressed, query.data, threads=threads)


def _named_by(message: TelegramMessage) -> MessageRef:
    return MessageRef(number(message.message_id))


def _foreign(message: TelegramMessage) -> bool:
    """Words that the sender passed on, and didn't write."""
    return bool(message.forward_origin or message.via_bot)


def _answered(message: TelegramMessage) -> TelegramMessage | None:
    """What a person replied to: in a topic, messages that are no reply name its beginning."""
    answered = message.reply_to_message
    return None if answered and answered.forum_topic_created else answered


def _toward(message: TelegramMessage, answered: TelegramMessage | None, me: Me) -> Toward:
    mentioned = list(_mentions(message, me))
    spoken_to = [answered.from_user.id == me.id] if answered and answered.from_user else []
    if any(mentioned) or any(spoken_to):
        return Toward.US
    return Toward.OTHERS if mentioned or spoken_to else Toward.NOBODY


def _mentions(message: TelegramMessage, me: Me) -> Iterator[bool]:
    """Of each, whether it is of us."""
    text = message.text or message.caption or ""
    for one in message.entities if message.text else message.caption_entities:
        if one.type in MENTIONS:
            named = _covered(text, one).casefold() == f"@{me.username}".casefold()
            yield one.user.id == me.id if one.user else named


def _covered(text: str, entity: MessageEntity) -> str:
    """What the library gives no word of where an edge is inside a pair of surrogates, or a half stands
    alone."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[entity.offset * 2 : (entity.offset + entity.length) * 2].decode("utf-16-le", "replace")


def _unreadable(message: TelegramMessage) -> bool:
    return any(getattr(message, kind) for kind in UNREADABLE)
