"""Our Bot API server: what people do with topics and in groups that have them, and what a bot hears of it."""

from __future__ import annotations

from typing import Any

from tests.telegram.client import Client
from tests.telegram.server import BotApi, Person
from tests.telegram.test_server_people import news

GONE = "Bad Request: message thread not found"
RIGHTS = "Bad Request: not enough rights to manage topics"


def service(updates: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    """What the service messages among *updates* tell."""
    told = [update["message"] for update in updates if "message" in update]
    return [(kind, one[kind]) for one in told for kind in one if kind.startswith("forum_topic_")]


async def test_people_make_rename_close_and_reopen_topics(api: BotApi, bot: Client, ann: Person) -> None:
    forum = api.group("team", ann, forum=True)
    topic = ann.opens_topic(forum, "Checkout")
    ann.renames_topic(forum, topic, "Basket")
    ann.closes_topic(forum, topic)
    assert await bot.refused("sendMessage", chat_id=forum.id, message_thread_id=topic, text="hi") == (
        "Bad Request: TOPIC_CLOSED"
    )
    ann.reopens_topic(forum, topic)
    assert await bot.ok("sendMessage", chat_id=forum.id, message_thread_id=topic, text="hi")
    assert service(await news(bot)) == [
        ("forum_topic_created", {"name": "Checkout", "icon_color": 7322096}),
        ("forum_topic_edited", {"name": "Basket"}),
        ("forum_topic_closed", {}),
        ("forum_topic_reopened", {}),
    ]


async def test_topics_that_are_switched_off_are_not_found(api: BotApi, bot: Client, ann: Person) -> None:
    forum = api.group("team", ann, forum=True)
    topic = ann.opens_topic(forum, "Checkout")
    ann.switches_topics_off(forum)
    refused = await bot.refused("sendMessage", chat_id=forum.id, message_thread_id=topic + 1, text="hi")
    assert refused == GONE
    assert "is_topic_message" not in ann.writes("hi", forum).json()
    assert await bot.refused("createForumTopic", chat_id=forum.id, name="x") == (
        "Bad Request: the chat is not a forum"
    )


async def test_only_an_admin_with_the_right_opens_topics(api: BotApi, bot: Client, ann: Person) -> None:
    forum = api.group("team", ann, forum=True)
    assert await bot.refused("createForumTopic", chat_id=forum.id, name="x") == RIGHTS
    forum.manages_topics = False
    ann.sets_bot("administrator", forum)
    assert await bot.refused("createForumTopic", chat_id=forum.id, name="x") == RIGHTS
    forum.manages_topics = True
    made = await bot.ok("createForumTopic", chat_id=forum.id, name="x")
    assert await bot.refused("editForumTopic", chat_id=forum.id, **made) == "Bad Request: TOPIC_NOT_MODIFIED"
    assert service(await news(bot)) == [("forum_topic_created", {"name": "x", "icon_color": 7322096})]


async def test_admins_hear_twice_who_joins_if_they_asked(api: BotApi, bot: Client, ann: Person) -> None:
    group, bob = api.group("team", ann), api.person("Bob", 2002)
    await bot.ok("getUpdates", allowed_updates=["message", "chat_member"])
    bob.joins(group)
    assert [*(await news(bot))[0]][1:] == ["message"]
    bob.leaves(group)
    ann.sets_bot("administrator", group)
    bob.joins(group)
    assert [[*update][1] for update in await news(bot)] == ["message", "message", "chat_member"]


async def test_an_admin_hides_and_a_group_becomes_public(api: BotApi, bot: Client, ann: Person) -> None:
    group = api.group("team", ann)
    ann.makes_public(group, "team_talk")
    ann.writes("/status", group, hidden=True)
    *_, update = await news(bot)
    assert update["message"]["from"]["username"] == "GroupAnonymousBot"
    assert update["message"]["sender_chat"]["id"] == group.id
    assert update["message"]["chat"]["username"] == "team_talk"


async def test_an_app_makes_up_names_of_private_topics(api: BotApi, bot: Client, ann: Person) -> None:
    api.bot.private_topics = True
    topic = ann.opens_topic(ann.chat, "why is ch", implicit=True)
    ann.chat.bot = "member"
    ann.writes("why is checkout slow?", thread=topic)
    *_, update = await news(bot)
    assert update["message"]["message_thread_id"] == topic
    assert update["message"]["reply_to_message"]["forum_topic_created"]["is_name_implicit"]
