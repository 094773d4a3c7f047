"""A Bot API server of our own: it keeps to Telegram's rules, plays its faults, and tells what people see."""

from tests.telegram.server.account import Account, Press
from tests.telegram.server.api import TOKEN, BotApi
from tests.telegram.server.calls import Call
from tests.telegram.server.faults import Rule
from tests.telegram.server.model import Button, Change, Chat, Entity, Message, User
from tests.telegram.server.people import Person

__all__ = [
    "TOKEN",
    "Account",
    "BotApi",
    "Button",
    "Call",
    "Change",
    "Chat",
    "Entity",
    "Message",
    "Person",
    "Press",
    "Rule",
    "User",
]
