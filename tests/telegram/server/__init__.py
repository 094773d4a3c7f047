"""A Bot API server of our own: it keeps to Telegram's rules, plays its faults, and tells what people see.

async with BotApi() as api:                       # real sockets, any time with BotApi(clock)
    ann = api.person()                            # id 1001; what she writes first starts the bot
    ann.writes("Why is checkout slow?")
    api.faults.add(Rule("sendMessage", nth=2, drop_connection=True, store_anyway=True))
    ...                                           # a bot at api.base_url, with TOKEN
    await api.until(lambda: ann.chat.buttons() == ["Stop"])
    ann.presses("Stop")
    await api.until(lambda: "Stopped" in ann.chat.reads()[-1])
    assert len(ann.chat.rung) == 1
    assert api.violations == []
"""

from tests.telegram.server.account import Account, Press
from tests.telegram.server.api import TOKEN, BotApi, own_token
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
    "own_token",
]
