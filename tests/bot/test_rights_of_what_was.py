"""A room shows another project than before: what was said in the old one stays with those who are in it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.chat import MessageRef, Named, Person, RoomAddress
from core.model.ids import ProjectId
from core.model.prompt import Status
from core.store import conversations
from core.store.database import Db
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB

ANNS, BOBS = (RoomAddress("fake", "roost", one) for one in ("1001", "1002"))
GROUP = RoomAddress("fake", "roost", "-1")
NOTHING = "Nothing is running here."


async def says(
    work: AtWork, words: str, person: Person = BOB, room: RoomAddress = GROUP, **more: Any
) -> list[str]:
    """What is read there in return."""
    before = len(work.chat.reads(room))
    work.chat.writes(words, room=room, person=person, **more)
    await work.passes(0.5)
    return work.chat.reads(room)[before:]


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    """A group that showed shop and shows blog, where alone Bob is a member."""
    await work.project("shop", room=GROUP)
    await work.project("blog", room=None)
    await says(work, "/allow 1002 member blog", ANN)
    return work


async def told_in_shop(work: AtWork) -> MessageRef:
    """The message of an answer in shop, which the group shows no more."""
    await says(work, "one", ANN)
    assert await work.runs_all() == ["one"]
    (answer,) = [ref for ref, shown in work.chat.shown.items() if shown.words == "Done."]
    await says(work, "/project blog", ANN)
    return answer


async def projects_of_all(work: AtWork) -> list[str]:
    """Each prompt with its project."""
    return await work.store.read(_projects_of_all)


def _projects_of_all(db: Db) -> list[str]:
    found = db.execute(
        "SELECT p.text, j.name FROM prompts p JOIN conversations c ON c.id = p.conversation"
        " JOIN projects j ON j.id = c.project ORDER BY p.id"
    )
    return [f"{row['text']} in {row['name']}" for row in found]


async def test_a_reply_carries_on_only_what_its_sender_may_work_in(work: AtWork) -> None:
    answer = await told_in_shop(work)
    await says(work, "two", BOB, reply_to=answer)
    await says(work, "three", ANN, reply_to=answer)
    assert await projects_of_all(work) == ["one in shop", "two in blog", "three in shop"]


@pytest.mark.parametrize("words", ["/cancel", "/cancel all"])
async def test_a_cancel_is_about_what_its_sender_may_work_in(work: AtWork, words: str) -> None:
    await says(work, "one", ANN)
    await says(work, "/project blog", ANN)
    assert await says(work, words) == [NOTHING]
    (waits,) = await work.asked()
    assert (waits.cancelling, waits.status) == (False, Status.QUEUED)
    assert await says(work, words, ANN) == ["Removed before it began: one."]


async def test_who_is_out_of_a_project_changes_nothing_of_what_an_owner_may_still_run(work: AtWork) -> None:
    await says(work, "/allow 1002 member shop", ANN)
    message = work.chat.writes("one", room=GROUP, person=BOB)
    await work.passes()
    await says(work, "/project blog", ANN)
    await says(work, "/allow 1002 none shop", ANN)
    work.chat.edits(message, "rm -r", room=GROUP, person=BOB)
    await work.passes()
    work.chat.redacts(message, room=GROUP, person=BOB)
    await work.passes()
    assert await projects_of_all(work) == ["one in shop"]
    assert (await work.asked())[0].status is Status.FAILED
    work.chat.presses("Run it", room=GROUP, person=ANN)
    await work.passes()
    assert await work.runs_all() == ["one"]


@pytest.mark.parametrize("words", ["/project SHOP", "/project #1", "/project #77"])
async def test_nobody_learns_what_other_projects_are_called(work: AtWork, words: str) -> None:
    asked = words.partition(" ")[2]
    said = await says(work, words, room=BOBS)
    assert said == [f"There is no project called {asked}. /project lists them."]


async def test_a_board_shows_only_what_who_wants_it_may_work_in(work: AtWork) -> None:
    topic = RoomAddress("fake", "roost", "-1", "7")
    await says(work, "/project blog", ANN, topic)
    await says(work, "secret plans", ANN)
    await says(work, "/settings dashboard on", BOB, topic)
    await work.passes(3)
    assert not any("shop" in read for read in work.chat.reads(GROUP))


@pytest.mark.parametrize("role", ["viewer", "none"])
async def test_who_may_not_work_there_names_no_conversation(work: AtWork, role: str) -> None:
    topic = RoomAddress("fake", "roost", "1002", "7")
    await says(work, "/project blog", BOB, topic)
    await says(work, "one", BOB, topic)
    await says(work, f"/allow 1002 {role} blog", ANN)
    work.chat.happens(Named(work.chat._source(), topic, BOB, "Mine", chosen=True))
    await work.passes()
    (here,) = await work.store.read(conversations.latest, ProjectId(2))
    assert here.title == ""
