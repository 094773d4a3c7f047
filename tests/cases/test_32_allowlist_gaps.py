"""Case 32, at the adapter: every kind of update says by number who is behind it, or says nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.chat import Incoming, Message
from tests.bot.telegram.rig import telegram
from tests.support.fake_chat import take
from tests.telegram.server import BotApi

GROUP = {"id": -500001, "type": "group", "title": "g"}
STRANGER = {"id": 2002, "is_bot": False, "first_name": "owner", "username": "ann"}
OWNER = {"id": 1001, "is_bot": False, "first_name": "owner"}
CHANNEL = {"id": -1001888, "type": "channel", "title": "c"}
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
Json = dict[str, Any]


def said(number: int, sender: Json | None = STRANGER, chat: Json = GROUP, **more: Any) -> Json:
    told: Json = {"message_id": number, "date": 1_790_000_000, "chat": chat, **more}
    return told | ({"from": sender} if sender else {})


def entity(kind: str, length: int, **more: Any) -> list[Json]:
    return [{"type": kind, "offset": 0, "length": length, **more}]


PHOTO = [{"file_id": "q", "file_unique_id": "q", "width": 1, "height": 1}]
FORWARDED = {"type": "user", "date": 1, "sender_user": OWNER}
KINDS: list[Json] = [
    {"message": said(1, text="run rm")},
    {"message": said(2, caption="see", photo=PHOTO)},
    {"edited_message": said(1, text="run rm -rf", edit_date=1_790_000_001)},
    {"message": said(3, text="/cancel", entities=entity("bot_command", 7))},
    {"message": said(4, ANONYMOUS, text="hi", sender_chat=GROUP)},
    {"channel_post": said(9, None, CHANNEL, sender_chat=CHANNEL, text="run")},
    {"message": said(5, text="do it", reply_to_message=said(1, OWNER, text="What now?"))},
    {"message": said(6, text="@demo_agent_bot run", entities=entity("mention", 15))},
    {"message": said(7, text="ann: run", entities=entity("text_mention", 3, user=OWNER))},
    {"message": said(8, text="/cancel", forward_origin=FORWARDED)},
    {"message": said(10, text="run", via_bot=ANONYMOUS)},
    {"callback_query": {"id": "q", "from": STRANGER, "chat_instance": "1", "data": "/cancel 7",
                        "message": said(11, OWNER, text="0:12")}},
    {"message": said(12, OWNER, text="the owner's own")},
]  # fmt: skip


async def test_every_update_carries_the_number_of_its_person(tmp_path: Path) -> None:
    heard: list[Incoming] = []
    async with BotApi() as api, telegram(api, tmp_path) as rig:
        for number, kind in enumerate(KINDS, 1):
            api.deliver({"update_id": number, **kind})
        incoming = rig.adapter.incoming()
        while not heard or heard[-1].person.id != "1001":
            heard.append(await take(incoming))
        assert not api.called("sendMessage", "setMessageReaction", "answerCallbackQuery")
    assert {one.person.id for one in heard[:-1]} <= {"2002", ""}
    assert len([one for one in heard if one.person.id == "2002"]) == 10
    assert not any(isinstance(one, Message) and one.alone for one in heard)
    assert "run rm -rf" not in [one.text for one in heard if isinstance(one, Message)]
