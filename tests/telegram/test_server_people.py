"""Our Bot API server: who may write to whom, groups and their privacy, migration, topics."""

from __future__ import annotations

from typing import Any

import pytest

from tests.telegram.client import Client, picture
from tests.telegram.server import BotApi, Chat, Person


async def news(bot: Client) -> list[dict[str, Any]]:
    """What came since this was asked last."""
    updates: list[dict[str, Any]] = await bot.ok("getUpdates")
    if updates:
        await bot.ok("getUpdates", offset=updates[-1]["update_id"] + 1)
    return updates


async def heard(bot: Client) -> list[str]:
    return [update["message"].get("text", "?") for update in await news(bot) if "message" in update]


async def refusal(bot: Client, chat: int) -> str:
    return await bot.refused("sendMessage", chat_id=chat, text="hi")


async def test_a_bot_writes_first_to_nobody(api: BotApi, bot: Client) -> None:
    eve = api.person("Eve", 2002)
    assert await refusal(bot, 2002) == "Forbidden: bot can't initiate conversation with a user"
    assert await refusal(bot, 4711) == "Bad Request: chat not found"
    eve.writes("/start")
    assert await bot.ok("sendMessage", chat_id=2002, text="hi")


async def test_a_person_blocks_the_bot(bot: Client, ann: Person) -> None:
    ann.blocks()
    assert await refusal(bot, 1001) == "Forbidden: bot was blocked by the user"
    ann.unblocks()
    assert await bot.ok("sendMessage", chat_id=1001, text="hi")
    states = [one["my_chat_member"]["new_chat_member"]["status"] for one in (await news(bot))[1:]]
    assert states == ["kicked", "member"]


async def test_a_bot_that_is_thrown_out_or_leaves(api: BotApi, bot: Client, ann: Person) -> None:
    group = api.group("team", ann)
    ann.sets_bot("kicked", group)
    assert await refusal(bot, group.id) == "Forbidden: bot was kicked from the group chat"
    ann.sets_bot("member", group)
    await bot.ok("leaveChat", chat_id=group.id)
    assert await refusal(bot, group.id) == "Forbidden: bot is not a member of the group chat"


async def test_privacy_mode(api: BotApi, bot: Client, ann: Person) -> None:
    group = api.group("team", ann)
    told = await bot.ok("sendMessage", chat_id=group.id, text="hello")
    ours = group.messages[told["message_id"]]
    theirs = ann.writes("plain", group)
    ann.writes("@demo_agent_bot look", group)
    ann.writes("/status", group)
    ann.writes("/status@Demo_Agent_Bot", group)
    ann.writes("/status@other_bot", group)
    ann.writes("to you", group, reply_to=ours)
    ann.writes("to myself", group, reply_to=theirs)
    assert await heard(bot) == ["/start", "/status", "/status@Demo_Agent_Bot", "to you"]
    ann.sets_bot("administrator", group)
    ann.writes("plain", group)
    assert await heard(bot) == ["plain"]


async def test_members(api: BotApi, bot: Client, ann: Person) -> None:
    group = api.group("team", ann)
    bob = api.person("Bob", 1002)
    bob.joins(group)
    assert (await bot.ok("getChatMember", chat_id=group.id, user_id=1002))["status"] == "member"
    assert await bot.ok("getChatMemberCount", chat_id=group.id) == 3
    bob.leaves(group)
    assert (await bot.ok("getChatMember", chat_id=group.id, user_id=1002))["status"] == "left"
    assert await bot.ok("getChatAdministrators", chat_id=group.id) == []
    ann.sets_bot("administrator", group)
    [admin] = await bot.ok("getChatAdministrators", chat_id=group.id)
    assert (admin["user"]["id"], admin["can_manage_topics"]) == (7000001, True)
    assert [
        set(one["message"]) & {"new_chat_members", "left_chat_member"} for one in (await news(bot))[1:3]
    ] == [
        {"new_chat_members"},
        {"left_chat_member"},
    ]


async def test_ids_are_shared_but_in_supergroups(api: BotApi, bot: Client, ann: Person) -> None:
    places = [1001, api.group("a", ann).id, api.group("b", ann, chat_id=-1001700000001, kind="supergroup").id]
    ids = [(await bot.ok("sendMessage", chat_id=chat, text="a"))["message_id"] for chat in places * 2]
    assert ids == [2, 3, 1, 4, 5, 2]


async def test_a_group_becomes_a_supergroup(api: BotApi, bot: Client, ann: Person) -> None:
    old = api.group("team", ann)
    new = ann.migrates(old)
    told = await bot.call("sendMessage", chat_id=old.id, text="a")
    assert told["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert told["parameters"] == {"migrate_to_chat_id": new.id}
    assert await bot.ok("sendMessage", chat_id=new.id, text="a")
    service = [update["message"] for update in (await news(bot))[1:]]
    assert [one.get("migrate_to_chat_id") or one.get("migrate_from_chat_id") for one in service] == [
        new.id,
        old.id,
    ]


# --- what people send --------------------------------------------------------------------------------------


async def test_messages_of_every_kind(bot: Client, ann: Person) -> None:
    ann.writes("look", photo=picture())
    ann.writes(document=("a.txt", b"words"))
    ann.writes("theirs", forward_origin={"type": "hidden_user", "sender_user_name": "x", "date": 1})
    ann.edits(ann.writes("tpyo"), "typo")
    told = [update.get("message") or update["edited_message"] for update in (await news(bot))[1:]]
    assert (told[0]["caption"], len(told[0]["photo"])) == ("look", 2)
    assert told[1]["document"]["file_name"] == "a.txt"
    assert told[2]["forward_origin"]["sender_user_name"] == "x"
    assert (told[3]["text"], told[4]["text"], "edit_date" in told[4]) == ("tpyo", "typo", True)


async def test_long_pastes_and_albums_come_in_pieces(bot: Client, ann: Person) -> None:
    ann.pastes("a" * 5000)
    ann.sends_album([picture(), picture()], "both")
    told = [update["message"] for update in (await news(bot))[1:]]
    assert [len(one["text"]) for one in told[:2]] == [4096, 904]
    assert [one.get("caption") for one in told[2:]] == ["both", None]
    assert len({one["media_group_id"] for one in told[2:]}) == 1


def test_nobody_sends_nothing(ann: Person) -> None:
    with pytest.raises(AssertionError, match="empty"):
        ann.writes(" \n")
    with pytest.raises(AssertionError, match="pastes"):
        ann.writes("a" * 4097)


# --- topics ------------------------------------------------------------------------------------------------


@pytest.fixture
def forum(api: BotApi, ann: Person) -> Chat:
    forum = api.group("shop", ann, chat_id=-1001700000001, forum=True)
    ann.sets_bot("administrator", forum)
    return forum


async def test_a_thread_that_is_there_and_those_that_are_not(bot: Client, ann: Person, forum: Chat) -> None:
    thread = ann.opens_topic(forum, "checkout")
    sent = await bot.ok("sendMessage", chat_id=forum.id, text="a", message_thread_id=thread)
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (thread, True)
    for chat, wrong in ((forum.id, 1), (forum.id, 99), (1001, thread)):
        why = await bot.refused("sendMessage", chat_id=chat, text="a", message_thread_id=wrong)
        assert why == "Bad Request: message thread not found"
    await bot.ok("sendChatAction", chat_id=forum.id, action="typing", message_thread_id=1)
    ann.deletes_topic(forum, thread)
    why = await bot.refused("sendMessage", chat_id=forum.id, text="a", message_thread_id=thread)
    assert why == "Bad Request: message thread not found"
    assert forum.reads() == []


async def test_in_a_topic_every_message_replies_to_its_beginning(
    bot: Client, ann: Person, forum: Chat
) -> None:
    thread = ann.opens_topic(forum, "checkout")
    ann.writes("a", forum, thread=thread)
    told = (await news(bot))[-1]["message"]
    assert (told["message_thread_id"], told["is_topic_message"]) == (thread, True)
    assert told["reply_to_message"]["forum_topic_created"]["name"] == "checkout"


async def test_replies_in_a_supergroup_carry_a_thread_outside_of_topics(
    api: BotApi, bot: Client, ann: Person
) -> None:
    group = api.group("b", ann, chat_id=-1001700000001, kind="supergroup")
    told = await bot.ok("sendMessage", chat_id=group.id, text="a")
    ann.writes("b", group, reply_to=group.messages[told["message_id"]])
    reply = (await news(bot))[-1]["message"]
    assert reply["message_thread_id"] == told["message_id"]
    assert "is_topic_message" not in reply


async def test_a_bot_keeps_topics_and_hears_of_its_own_doing(bot: Client, forum: Chat) -> None:
    thread = (await bot.ok("createForumTopic", chat_id=forum.id, name="checkout"))["message_thread_id"]
    place = {"chat_id": forum.id, "message_thread_id": thread}
    assert await bot.refused("editForumTopic", name="checkout", **place) == "Bad Request: TOPIC_NOT_MODIFIED"
    await bot.ok("editForumTopic", name="basket", **place)
    await bot.ok("closeForumTopic", **place)
    assert await bot.refused("sendMessage", text="a", **place) == "Bad Request: TOPIC_CLOSED"
    await bot.ok("reopenForumTopic", **place)
    own = [update["message"] for update in await news(bot) if "message" in update]
    assert {one["from"]["id"] for one in own[1:]} == {7000001}
    await bot.ok("deleteForumTopic", **place)
    assert await bot.refused("closeForumTopic", **place) == "Bad Request: TOPIC_ID_INVALID"


async def test_pinned(api: BotApi, bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendMessage", chat_id=1001, text="a")
    await bot.ok("pinChatMessage", chat_id=1001, message_id=sent["message_id"])
    assert (await bot.ok("getChat", chat_id=1001))["pinned_message"]["text"] == "a"
    group = api.group("team", ann)
    sent = await bot.ok("sendMessage", chat_id=group.id, text="a")
    why = await bot.refused("pinChatMessage", chat_id=group.id, message_id=sent["message_id"])
    assert "not enough rights" in why
