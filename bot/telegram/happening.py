"""What people do to a room without a word, as Telegram tells it."""

from __future__ import annotations

from collections.abc import Iterable

from telegram import Chat, ChatMember, ChatMemberRestricted, ChatMemberUpdated, Message, User

from bot.chat import Happened, Joined, Moved, Named, Person, RoomAddress, Standing
from bot.telegram.naming import PLATFORM, ROOMS, Me, number, person, room_of
from core.answers.markdown import clean
from core.model.prompt import Source

INSIDE = ("creator", "administrator", "member", "restricted")
ADMINS = ("creator", "administrator")
RIGHTS = "manage_topics+pin_messages"
"""What we do there beyond talking (Telegram, deep links: `admin`)."""


def moved(message: Message) -> Moved | None:
    """A group that became a supergroup tells it twice: its last message says where to, the first one there
    says where from."""
    if to := message.migrate_to_chat_id:
        return Moved(number(message.chat.id), number(to))
    if before := message.migrate_from_chat_id:
        return Moved(number(before), number(message.chat.id))
    return None


def serviced(message: Message, source: Source, me: Me) -> Happened | None:
    """What a service message tells; our own doings, which come back to us, are no news."""
    sender = message.from_user
    if sender is None or sender.id == me.id or message.chat.type not in ROOMS:
        return None
    if message.new_chat_members:
        return joined(message.chat, message.new_chat_members, message.date.timestamp(), me)
    if title := message.new_chat_title:
        return Named(source, _main(message.chat, me), person(sender), clean(title))
    return _topic(message, source, person(sender), me)


def _topic(message: Message, source: Source, sender: Person, me: Me) -> Named | None:
    """What it is called from now on."""
    created, edited = message.forum_topic_created, message.forum_topic_edited
    name = created.name if created else edited.name if edited else None
    if not name or not message.is_topic_message:
        return None
    chosen = not (created and created.is_name_implicit)
    return Named(source, room_of(message, me), sender, clean(name), chosen)


def joined(chat: Chat, users: Iterable[User], at: float, me: Me) -> Joined | None:
    """Admins are told it twice, so its name is of what happened, and not of the update."""
    people = tuple(person(user) for user in users if not user.is_bot)
    if not people or chat.type not in ROOMS:
        return None
    what = " ".join(["joined", number(chat.id), *(one.id for one in people), f"{at:.0f}"])
    source = Source(PLATFORM, me.account, what)
    return Joined(source, _main(chat, me), _title(chat), people, public=bool(chat.username))


def member(change: ChatMemberUpdated, me: Me) -> Joined | None:
    """Somebody else came in."""
    if is_inside(change.old_chat_member) or not is_inside(change.new_chat_member):
        return None
    return joined(change.chat, [change.new_chat_member.user], change.date.timestamp(), me)


def standing(change: ChatMemberUpdated, source: Source, me: Me) -> Standing | None:
    """None where nothing of it is another than before."""
    if change.chat.type not in ROOMS:
        return None
    (was, heard), (inside, hears) = (
        (is_inside(one), _hears(one, change.chat, me))
        for one in (change.old_chat_member, change.new_chat_member)
    )
    if (was, heard) == (inside, hears):
        return None
    remedy = "" if hears or not inside else f"https://t.me/{me.username}?startgroup&admin={RIGHTS}"
    who, new = person(change.from_user), inside and not was
    return Standing(
        source,
        _main(change.chat, me),
        who,
        _title(change.chat),
        inside,
        new,
        hears,
        remedy,
        public=bool(change.chat.username),
    )


def is_inside(member: ChatMember) -> bool:
    """One who is restricted may be gone all the same."""
    gone = isinstance(member, ChatMemberRestricted) and not member.is_member
    return member.status in INSIDE and not gone


def _hears(member: ChatMember, chat: Chat, me: Me) -> bool:
    return is_inside(member) and (me.hears_all or chat.type == "private" or member.status in ADMINS)


def _main(chat: Chat, me: Me) -> RoomAddress:
    return RoomAddress(PLATFORM, me.account, number(chat.id))


def _title(chat: Chat) -> str:
    return clean(chat.title or "")
