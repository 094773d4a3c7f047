"""In company it acts on what is meant for it, and on what a room or a topic says is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat import RoomAddress, Toward
from tests.support.at_work import AtWork

GROUP = RoomAddress("fake", "roost", "-5")
TOPIC, OTHER = replace(GROUP, thread="7"), replace(GROUP, thread="9")


async def said(work: AtWork, text: str, room: RoomAddress, toward: Toward = Toward.NOBODY) -> None:
    work.chat.writes(text, room=room, alone=False, toward=toward)
    await work.passes()


async def test_a_topic_is_in_the_project_of_its_group_and_a_conversation_of_its_own(work: AtWork) -> None:
    await work.project(room=GROUP)
    await said(work, "main", GROUP, Toward.US)
    await said(work, "of the topic", TOPIC, Toward.US)
    assert await work.runs_all() == ["main", "of the topic"]
    main, topic = await work.asked()
    assert main.conversation != topic.conversation
    assert (work.chat.reads(GROUP)[-1], work.chat.reads(TOPIC)[-1]) == ("Done.", "Done.")


async def test_a_topic_that_began_with_a_word_to_us_is_heard_from_then_on(work: AtWork) -> None:
    await work.project(room=GROUP)
    await said(work, "small talk", TOPIC)
    await said(work, "why?", TOPIC, Toward.US)
    await said(work, "and how?", TOPIC)
    await said(work, "what do you think, Bob?", TOPIC, Toward.OTHERS)
    await said(work, "elsewhere", OTHER)
    await said(work, "in the main part", GROUP)
    assert await work.words() == ["why?", "and how?"]


@pytest.mark.parametrize(("listen", "heard"), [("all", ["Go", "to us"]), ("mention", ["to us"])])
async def test_a_room_is_told_what_to_hear_and_its_topics_with_it(
    work: AtWork, listen: str, heard: list[str]
) -> None:
    await work.project(room=GROUP)
    await said(work, f"/settings listen {listen}", GROUP)
    await said(work, "Go", TOPIC)
    await said(work, "to us", TOPIC, Toward.US)
    assert await work.words() == heard
    await said(work, "/settings listen auto", TOPIC)
    assert work.chat.buttons(TOPIC) == []
    await said(work, "/settings listen", TOPIC)
    assert work.chat.buttons(TOPIC) == ["Hear everything", "Only when called"]
    await said(work, "more", OTHER)
    assert ("more" in await work.words()) is (listen == "all")


async def test_what_waits_in_topics_runs_once_their_group_has_a_project(work: AtWork) -> None:
    await work.project(room=None)
    for room in (GROUP, TOPIC, OTHER):
        await said(work, f"in {room.thread}", room, Toward.US)
    assert await work.words() == []
    work.chat.presses("shop", room=TOPIC)
    await work.passes()
    assert sorted(await work.words()) == ["in ", "in 7", "in 9"]


async def test_a_topic_keeps_the_project_in_which_it_began(work: AtWork) -> None:
    await work.project(room=GROUP)
    await said(work, "why?", TOPIC, Toward.US)
    await work.project("blog", room=None)
    await said(work, "/project blog", GROUP)
    for topic, project in ((TOPIC, "shop"), (OTHER, "blog")):
        await said(work, "/project", topic)
        assert work.chat.reads(topic)[-1].startswith(f"This room works in {project}:")
