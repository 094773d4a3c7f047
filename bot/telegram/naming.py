"""Rooms and people, by the names that Telegram has for them."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import Message as TelegramMessage
from telegram import User

from bot.chat import Person, RoomAddress
from core.answers.markdown import clean

PLATFORM = "telegram"
ROOMS = ("private", "group", "supergroup")


@dataclass(frozen=True, slots=True)
class Me:
    """Our own bot. *hears_all*: groups show it every message, not only what is meant for it. *topics*: its
    private chats have them."""

    id: int
    username: str
    hears_all: bool = False
    topics: bool = False

    @property
    def account(self) -> str:
        return str(self.id)


def room_of(message: TelegramMessage, me: Me) -> RoomAddress:
    """A reply carries a thread id too, outside topics; in the General topic nothing does."""
    thread = message.message_thread_id if message.is_topic_message else None
    return RoomAddress(PLATFORM, me.account, number(message.chat.id), number(thread) if thread else "")


def person(user: User) -> Person:
    return Person(number(user.id), clean(user.full_name))


def number(told: object) -> str:
    """What Telegram calls something by. Errors: `TypeError` where it is no number, by which nothing could
    ever be sent."""
    if type(told) is not int:
        raise TypeError(type(told).__name__)
    return str(told)
