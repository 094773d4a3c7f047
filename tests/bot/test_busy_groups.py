"""A group takes so much in a minute, all of its topics together: answers first, and no other chat waits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import Refused, Why
from tests.support.fake_chat import ROOM, FakeChat, Line, Trouble
from tests.support.hand_clock import HandClock
from tests.support.post import ASTRAY, OTHER, TOPIC, Post, posting

MOST = 20
TOPICS = [replace(ROOM, thread=str(number)) for number in range(6)]
COUNTED = ("send", "deliver", "edit", "delete")


@pytest.fixture
async def post(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[Post]:
    chat.most = MOST
    async with posting(tmp_path, chat, clock) as post:
        yield post


def busiest_minute(lines: Sequence[Line]) -> int:
    """Most calls that left within any 60 seconds."""
    times = [line.at for line in lines if line.call in COUNTED]
    return max(sum(0 <= later - first < 60 for later in times) for first in times)


async def test_a_group_under_load_gets_its_answers_at_once_and_no_more_than_it_takes(post: Post) -> None:
    turns = {topic: await post.prompt(topic) for topic in TOPICS}
    for second in range(240):
        for number, topic in enumerate(TOPICS):
            if (second + 10 * number) % 60 == 59:
                ended, turns[topic] = turns[topic], await post.prompt(topic)
                await post.ends(ended, f"answer {ended} at {post.clock.monotonic():.0f}")
            post.shows(turns[topic], f"⏳ 0:{second}", topic)
        await post.passes(1, step=0.25)
    await post.passes(10)
    answers = [line for line in post.chat.lines if "answer" in line.words]
    assert len(answers) == 24
    late = [line.at - float(line.words.split(" at ")[1].split()[0]) for line in answers]
    assert max(late) <= 5
    assert busiest_minute(post.chat.lines) <= MOST
    assert len(post.chat.calls("edit")) >= 24


async def test_what_else_was_said_in_a_minute_leaves_room_for_the_answers_to_come(post: Post) -> None:
    """Progress gives way to all of it, not to answers alone."""
    turns = [await post.prompt(topic) for topic in TOPICS[:3]]
    for second in range(45):
        for turn, topic in zip(turns, TOPICS, strict=False):
            post.shows(turn, f"⏳ 0:{second}", topic)
        if second % 12 == 4:
            await post.says(f"reply {second}", room=TOPICS[0])
        await post.passes(1, step=0.25)
    for turn in turns:
        await post.ends(turn, f"answer {turn}")
        await post.passes(1, step=0.25)
    await post.passes(4)
    assert [sum("answer" in said for said in post.chat.reads(topic)) for topic in TOPICS[:3]] == [1, 1, 1]
    assert busiest_minute(post.chat.lines) <= MOST


async def test_a_group_that_has_had_enough_delays_nobody_else(post: Post) -> None:
    for topic in TOPICS:
        await post.says(*(f"{topic.thread}.{number}" for number in range(4)), room=topic)
    await post.passes(0.5)
    assert len(post.chat.lines) == MOST
    await post.says("elsewhere", room=OTHER)
    await post.passes(0.5)
    assert post.chat.reads(OTHER) == ["elsewhere"]
    await post.passes(120)
    for topic in TOPICS:
        assert [said.split("\n")[-1] for said in post.chat.reads(topic)] == [
            f"{topic.thread}.{number}" for number in range(4)
        ]
    assert busiest_minute([line for line in post.chat.lines if line.words != "elsewhere ♪"]) <= MOST


async def test_signs_of_typing_are_no_messages(post: Post) -> None:
    room = await post.room()
    for _ in range(2 * MOST):
        await post.outbox.sign(room, ROOM, post.chat.typing)
    await post.says("answer")
    await post.passes(0.5)
    assert post.chat.reads() == ["answer"]
    assert len(post.chat.calls("typing")) == 2 * MOST


async def test_after_a_few_at_once_a_chat_gets_one_a_second_finals_first(post: Post) -> None:
    """More than that is answered by a flood (`telegram.md` §1.10), whose penalties grow."""
    post.chat.most, post.chat.limits = 0, replace(post.chat.limits, burst=3)
    running = await post.prompt()
    post.shows(running, "⏳ 0:02")
    await post.passes(0.1)
    for number in range(4):
        await post.says(f"reply {number}")
    post.shows(running, "⏳ 0:03")
    await post.passes(0.5)
    assert post.chat.reads() == ["⏳ 0:02", "reply 0", "reply 1"]
    await post.passes(1)
    assert post.chat.reads()[3:] == ["reply 2"]
    await post.passes(3)
    assert post.chat.reads() == ["⏳ 0:03", *(f"reply {number}" for number in range(4))]
    times = [line.at for line in post.chat.lines if line.call in COUNTED]
    assert all(at - times[0] >= number - 2 for number, at in enumerate(times))


async def test_what_is_for_a_topic_that_is_gone_holds_up_nothing_in_a_chat_that_has_had_enough(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    chat.limits = replace(chat.limits, burst=2)
    async with posting(tmp_path, chat, clock) as post:
        await post.room(TOPIC)
        gone = Trouble(Refused(why=Why.THREAD), call="deliver", room=TOPIC)
        chat.troubles = [gone] * 20
        await post.says("one", "two", "three")
        await post.passes(0.5)
        await post.says("a word", room=TOPIC)
        await post.passes(10)
        assert {*chat.reads()} == {"one", "two", "three", f"{ASTRAY}\n\na word"}
        assert len(chat.troubles) == 19
