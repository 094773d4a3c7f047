"""Topics are conversations, with the real service: opened, named, renamed, closed, deleted, switched off."""

from __future__ import annotations

import pytest

from tests.e2e.test_telegram import began, over
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.telegram.client import picture
from tests.telegram.server import Chat, Rule

ASTRAY = "From a topic or thread that is gone or closed:"


def a_forum(held: Phone) -> Chat:
    """Of Ann and Bob, with a bot that may all."""
    forum = held.api.group("Shop", held.ann, held.api.person("Bob", 2002), forum=True)
    forum.bot, held.chat.bot = "administrator", "member"
    return forum


def said_in(forum: Chat, thread: int) -> list[str]:
    """What is read of the bot in this topic; 0 is General."""
    return [message.words for message in forum.screen() if message.sender.is_bot and message.thread == thread]


def topic_called(forum: Chat, name: str) -> int:
    (found,) = [thread for thread, topic in forum.topics.items() if topic.name == name]
    return found


async def answered_in_a_topic(held: Phone) -> tuple[Chat, int]:
    """A forum in which Ann has opened a topic, and has had one answer there."""
    forum = a_forum(held)
    await held.start()
    await held.works_in_shop(forum)
    topic = held.ann.opens_topic(forum, "Checkout")
    held.ann.writes("@demo_agent_bot why?", forum, thread=topic)
    await held.api.until(lambda: said_in(forum, topic) == ["Hi."])
    return forum, topic


async def test_a_new_conversation_is_a_topic_and_is_renamed_with_its_title(shop: Roost) -> None:
    shop.says("<!-- roost-title: Checkout is slow -->\nHi.")
    async with phone(shop) as held:
        forum, ann = a_forum(held), held.ann
        await held.start()
        await held.works_in_shop(forum)
        ann.writes("/new", forum)
        await held.until("New conversation has a topic of its own.", forum)
        own = topic_called(forum, "New conversation")
        await held.api.until(lambda: len(said_in(forum, own)) == 2)
        ann.writes("why is checkout slow?", forum, thread=own)
        await held.api.until(lambda: "Hi." in said_in(forum, own))
        await held.api.until(lambda: forum.topics[own].name == "Checkout is slow")
        ann.writes("/title The basket", forum, thread=own)
        await held.api.until(lambda: forum.topics[own].name == "The basket")
        assert {call.status for call in held.api.called()} == {200}
        assert held.api.violations == []


async def test_a_topic_that_a_person_makes_is_a_conversation_without_asking(shop: Roost) -> None:
    async with phone(shop) as held:
        forum, ann = a_forum(held), held.ann
        await held.start()
        await held.works_in_shop(forum)
        topic = ann.opens_topic(forum, "The basket")
        ann.writes("nice weather", forum, thread=topic)
        ann.writes("@demo_agent_bot why?", forum, thread=topic)
        await held.api.until(lambda: said_in(forum, topic) == ["Hi."])
        ann.writes("and how?", forum, thread=topic)
        await held.api.until(lambda: said_in(forum, topic) == ["Hi.", "Hi."])
        ann.writes("/conversations", forum)
        await held.until("The basket", forum)
        ann.renames_topic(forum, topic, "The cart")
        ann.writes("/status", forum, thread=topic)
        await held.until("The cart", forum)
        assert forum.topics[topic].name == "The cart"
    assert "resume" in shop.play.starts[1].argv


async def test_case_27_general_and_a_topic_are_two_conversations(shop: Roost) -> None:
    (shop.shop / "plot.png").write_bytes(picture())
    shop.says("Look: ![plot](plot.png)", began("pytest", "i1"), {"sleep": 2.5}, over("pytest", "i1"))
    async with phone(shop) as held:
        forum, ann = a_forum(held), held.ann
        await held.start()
        await held.works_in_shop(forum)
        topic = ann.opens_topic(forum, "Checkout")
        ann.writes("@demo_agent_bot in general", forum)
        await held.until("plot.jpg", forum)
        ann.writes("@demo_agent_bot in the topic", forum, thread=topic)
        await held.api.until(lambda: sum("plot.jpg" in said for said in forum.reads()) == 2)
        await held.api.until(lambda: len(said_in(forum, topic)) == len(said_in(forum, 0)) - 1)
        ways = {(call.method, call.params.get("message_thread_id")) for call in held.api.called()}
        for method in ("sendMessage", "sendPhoto"):
            assert {way for way in ways if way[0] == method} == {(method, None), (method, topic)}
        assert {way for way in ways if way[0] == "sendChatAction"} <= {
            ("sendChatAction", None),
            ("sendChatAction", topic),
        }
        assert {call.status for call in held.api.called()} == {200}
    assert ["resume" in start.argv for start in shop.play.starts] == [False, False]


@pytest.mark.parametrize("how", ["deleted", "closed", "off"])
async def test_case_28_an_answer_to_a_dead_topic_arrives_once(shop: Roost, how: str) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        forum, ann = a_forum(held), held.ann
        await held.start()
        await held.works_in_shop(forum)
        topic = ann.opens_topic(forum, "Checkout")
        ann.writes("@demo_agent_bot why?", forum, thread=topic)
        await held.until("⏳", forum)
        kill = {
            "deleted": lambda: ann.deletes_topic(forum, topic),
            "closed": lambda: ann.closes_topic(forum, topic),
            "off": lambda: ann.switches_topics_off(forum),
        }
        kill[how]()
        go.touch()
        await held.until("Hi.", forum)
        await held.api.until(lambda: not held.says("⏳", forum))
        (answer,) = [message for message in forum.screen() if message.text.endswith("Hi.")]
        assert answer.text in (f"{ASTRAY}\n\nHi.", "Hi.")
        assert (answer.text == "Hi.") is bool(answer.thread)
        assert len(forum.rung) == 1
    assert len(shop.play.starts) == 1


async def test_a_topic_that_is_opened_again_goes_on(shop: Roost) -> None:
    async with phone(shop) as held:
        forum, topic = await answered_in_a_topic(held)
        ann = held.ann
        ann.closes_topic(forum, topic)
        ann.reopens_topic(forum, topic)
        ann.writes("and how?", forum, thread=topic)
        await held.api.until(lambda: said_in(forum, topic) == ["Hi.", "Hi."])
    assert "resume" in shop.play.starts[1].argv


async def test_a_button_of_a_message_that_is_shown_no_more_acts_in_its_topic(shop: Roost) -> None:
    async with phone(shop) as held:
        forum, topic = await answered_in_a_topic(held)
        ann = held.ann
        answer = held.one("Hi.", forum)
        del forum.messages[answer.id]
        general = said_in(forum, 0)
        ann.presses("Ask again", answer)
        await held.api.until(lambda: said_in(forum, topic) == ["Hi.", "Hi."])
        assert said_in(forum, 0) == general


async def test_without_the_right_to_topics_it_goes_on_in_general(shop: Roost) -> None:
    async with phone(shop) as held:
        forum, ann = a_forum(held), held.ann
        forum.manages_topics = False
        await held.start()
        await held.works_in_shop(forum)
        ann.writes("/new Checkout", forum)
        await held.until("I may not open topics here, so it goes on in this one.", forum)
        ann.writes("@demo_agent_bot why?", forum)
        await held.until("Hi.", forum)
        assert said_in(forum, 0)[-1] == "Hi."


# -- private chats with topics -----------------------------------------------------------------------------


async def test_topics_in_a_private_chat_are_conversations_of_its_project(shop: Roost) -> None:
    async with phone(shop) as held:
        held.api.bot.private_topics = True
        ann, chat = held.ann, held.chat
        await held.start()
        await held.works_in_shop()
        topic = ann.opens_topic(chat, "why is ch", implicit=True)
        ann.writes("why is checkout slow?", thread=topic)
        await held.api.until(lambda: said_in(chat, topic) == ["Hi."])
        ann.writes("/title Checkout", thread=topic)
        await held.api.until(lambda: chat.topics[topic].name == "Checkout")
        ann.writes("/new Basket")
        await held.until("Basket has a topic of its own.")
        own = topic_called(chat, "Basket")
        ann.writes("why?", thread=own)
        await held.api.until(lambda: "Hi." in said_in(chat, own))
        assert {call.status for call in held.api.called()} == {200}
    assert all("resume" not in start.argv for start in shop.play.starts)


async def test_private_topics_that_are_switched_on_later_are_conversations_too(shop: Roost) -> None:
    async with phone(shop) as held:
        ann, chat = held.ann, held.chat
        await held.start()
        await held.works_in_shop()
        held.api.bot.private_topics = True
        topic = ann.opens_topic(chat, "Checkout")
        ann.writes("why?", thread=topic)
        await held.api.until(lambda: said_in(chat, topic) == ["Hi."])
        ann.writes("/new Basket")
        await held.until("Basket has a topic of its own.")
        assert topic_called(chat, "Basket")


async def test_private_topics_that_are_switched_off_are_missed_once(shop: Roost) -> None:
    async with phone(shop) as held:
        held.api.bot.private_topics = True
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/new Basket")
        await held.until("Basket has a topic of its own.")
        held.api.bot.private_topics = False
        held.ann.writes("/new Checkout")
        await held.until("so it goes on in this chat.")
        held.ann.writes("/new Cart")
        await held.until("Cart\nA new conversation in shop")
        assert sum("so it goes on in this chat." in read for read in held.chat.reads()) == 1


async def test_case_28_a_private_answer_whose_topic_is_gone_comes_without_it(shop: Roost) -> None:
    async with phone(shop) as held:
        held.api.bot.private_topics = True
        ann, chat = held.ann, held.chat
        await held.start()
        await held.works_in_shop()
        topic = ann.opens_topic(chat, "Checkout")
        gone = {"ok": False, "error_code": 400, "description": "Bad Request: message thread not found"}
        held.api.faults.add(
            Rule("sendMessage", when_param={"message_thread_id": topic}, status=400, body=gone)
        )
        ann.writes("why?", thread=topic)
        await held.until("Hi.")
        (answer,) = [message for message in chat.screen() if message.text.endswith("Hi.")]
        assert (answer.text, answer.thread) == (f"{ASTRAY}\n\nHi.", 0)


async def test_pitfall_plus_5_a_busy_topic_holds_up_no_other_and_no_other_chat(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        forum, ann = a_forum(held), held.ann
        await held.start()
        await held.works_in_shop(forum)
        busy, idle = (ann.opens_topic(forum, name) for name in ("Busy", "Idle"))
        ann.writes("@demo_agent_bot go", forum, thread=busy)
        await held.until("⏳", forum)
        ann.writes("/status", forum, thread=idle)
        await held.until("of 3 agents", forum, seconds=3)
        ann.writes("/project")
        await held.until("Which project?", seconds=3)
        go.touch()
        await held.until("Hi.", forum)
        assert len(said_in(forum, idle)) == 1


async def test_case_21_a_topic_keeps_its_order_and_waits_for_no_other(shop: Roost) -> None:
    async with phone(shop) as held:
        forum, ann = a_forum(held), held.ann
        await held.start()
        await held.works_in_shop(forum)
        ann.writes("/settings listen all", forum)
        await held.until("Everything that is said here", forum)
        held.api.faults.add(Rule("file", delay=3.0))
        five, six = (ann.opens_topic(forum, name) for name in ("Five", "Six"))
        asked = [ann.writes("p1", forum, thread=five, photo=picture())]
        asked += [ann.writes(text, forum, thread=five) for text in ("p2", "p3", "p4", "p5")]
        ann.writes("q1", forum, thread=six)
        await held.api.until(lambda: said_in(forum, six) == ["Hi."])
        assert "Hi." not in said_in(forum, five)
        await held.api.until(lambda: said_in(forum, five).count("Hi.") == 5)
        assert held.api.violations == []
    answers = [message for message in forum.screen() if message.text == "Hi." and message.thread == five]
    assert [m.reply_to.id for m in answers if m.reply_to] == [message.id for message in asked]


@pytest.mark.slow
@pytest.mark.timeout(150)
async def test_three_busy_topics_stay_within_what_a_group_takes(shop: Roost) -> None:
    steps = [(began(f"step {n}", f"i{n}"), {"sleep": 1.0}, over(f"step {n}", f"i{n}")) for n in range(5)]
    shop.says("Hi.", *(step for each in steps for step in each))
    async with phone(shop) as held:
        held.api.bot.flood.enforced = True
        forum, ann = a_forum(held), held.ann
        await held.start()
        await held.works_in_shop(forum)
        topics = [ann.opens_topic(forum, f"Topic {number}") for number in range(3)]
        for topic in (*topics, *topics):
            ann.writes("@demo_agent_bot go", forum, thread=topic)
        await held.api.until(lambda: forum.reads().count("Hi.") == 6, seconds=100)
        calls = held.api.called("sendMessage", "editMessageText")
        assert {call.status for call in calls} == {200}
        assert held.api.violations == []
    sent = [call.at for call in calls if call.params["chat_id"] == forum.id]
    assert max(sum(0 <= later - first < 60 for later in sent) for first in sent) <= 20
