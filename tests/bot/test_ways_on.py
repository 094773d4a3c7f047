"""What can be done about an answer: one row beneath its last part, pressed by who may."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.answer import Placed
from core.model.events import Event, Message, Progress, SessionStarted, ToolCall, ToolKind, TurnStarted
from core.model.ids import ConversationId, ItemId, SessionId
from core.model.prompt import Status
from core.store import conversations, preferences, projects
from core.store.turns import Ending
from tests.support.at_work import AtWork
from tests.support.fake_chat import BOB, ROOM

SESSION = (SessionStarted(SessionId("s1")), TurnStarted())
ROW = ["Diff", "Ask again", "Fork"]


def step(kind: ToolKind, progress: Progress = Progress.COMPLETED, item: str = "1") -> ToolCall:
    return ToolCall(ItemId(item), kind, "app.py", progress)


async def answered(work: AtWork, words: str, *events: Event, ending: Ending | None = None) -> None:
    """A prompt whose turn says *events*, then an answer."""
    work.chat.writes(words)
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, *events)
    await work.ends(started, ending or Ending(Status.DONE, f"{words}: done."))


async def talks(work: AtWork) -> list[ConversationId]:
    return await work.store.read(
        lambda db: [row["id"] for row in db.execute("SELECT id FROM conversations ORDER BY id")]
    )


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    await work.project()
    return work


@pytest.mark.parametrize(
    ("events", "labels"),
    [
        ((), ["Ask again"]),
        (SESSION, ["Ask again", "Fork"]),
        ((*SESSION, step(ToolKind.EDIT)), ROW),
        ((*SESSION, step(ToolKind.DELETE)), ROW),
        ((*SESSION, step(ToolKind.EDIT, Progress.FAILED)), ["Ask again", "Fork"]),
        ((*SESSION, step(ToolKind.EXECUTE), step(ToolKind.READ, item="2")), ["Ask again", "Fork"]),
        (
            (*SESSION, step(ToolKind.EDIT), *(step(ToolKind.READ, item=f"r{at}") for at in range(30))),
            ROW,
        ),
    ],
)
async def test_an_answer_has_what_can_be_done_about_it(
    work: AtWork, events: tuple[Event, ...], labels: list[str]
) -> None:
    await answered(work, "Go", *events)
    assert work.chat.buttons() == labels
    assert [one.apart for one in work.chat.carried()] == [True, *[False] * (len(labels) - 1)]


async def test_files_to_be_had_stand_above_them(work: AtWork) -> None:
    linked = Placed("app.py", "linked", name="app.py")
    await answered(work, "Go", *SESSION, ending=Ending(Status.DONE, "Done.", (linked,)))
    assert work.chat.buttons() == ["app.py", "Ask again", "Fork"]
    assert [one.apart for one in work.chat.carried()] == [False, True, False]


@pytest.mark.parametrize("status", [Status.FAILED, Status.CANCELLED])
async def test_what_did_not_end_well_has_its_own_ways_on(work: AtWork, status: Status) -> None:
    await answered(work, "Go", *SESSION, step(ToolKind.EDIT), ending=Ending(status, reason="engine.failed"))
    assert not set(ROW) & set(work.chat.buttons())


async def test_where_commands_are_typed_nothing_stands_beneath(work: AtWork) -> None:
    work.chat.limits = replace(work.chat.limits, buttons=0)
    await answered(work, "Go", *SESSION, step(ToolKind.EDIT))
    assert (work.chat.reads(), work.chat.buttons()) == (["Go: done."], [])


async def test_asked_again_it_is_a_new_prompt_as_often_as_it_has_ended(work: AtWork) -> None:
    await answered(work, "Go")
    for _ in range(2):
        work.chat.presses("Ask again")
        await work.passes()
        (started,) = await work.starts()
        await work.ends(started)
    assert await work.words() == ["Go", "Go", "Go"]


async def test_pressed_twice_before_it_has_ended_it_is_asked_once(work: AtWork) -> None:
    await answered(work, "Go")
    for _ in range(2):
        work.chat.presses("Ask again")
    await work.passes()
    assert await work.words() == ["Go", "Go"]
    assert any("at work already" in read for read in work.chat.reads())


async def test_a_fork_goes_on_from_its_answer_whatever_was_said_after_it(work: AtWork) -> None:
    await answered(work, "one", *SESSION)
    first = work.chat.carried()
    await answered(work, "two", Message(ItemId("m"), "x"))
    work.chat.presses("Fork")
    await work.passes()
    _, native = await talks(work)
    there = await work.store.read(conversations.get, native)
    assert (there.parent, there.fork_of, there.handed) == (1, "s1", "")
    (fork,) = [one.intent for one in first if one.label == "Fork"]
    work.chat.writes(fork)
    await work.passes()
    *_, newest = await talks(work)
    there = await work.store.read(conversations.get, newest)
    assert (there.parent, there.fork_of) == (1, None)
    assert "one: done." in there.handed
    assert "two" not in there.handed
    room = await work.store.write(conversations.room, ROOM.platform, ROOM.account, ROOM.chat)
    assert room.conversation == newest


async def test_a_fork_of_an_answer_without_a_word_goes_on_from_there_too(work: AtWork) -> None:
    await answered(work, "one", *SESSION, ending=Ending(Status.DONE))
    (fork,) = [one.intent for one in work.chat.carried() if one.label == "Fork"]
    await answered(work, "two")
    work.chat.writes(fork)
    await work.passes()
    *_, newest = await talks(work)
    there = await work.store.read(conversations.get, newest)
    assert (there.parent, there.fork_of, there.handed) == (1, None, "user: one")


@pytest.mark.parametrize("label", ROW)
async def test_of_a_project_that_was_put_away_they_say_so_and_begin_nothing(work: AtWork, label: str) -> None:
    await answered(work, "Go", *SESSION, step(ToolKind.EDIT))
    (shop,) = await work.store.read(projects.every)
    await work.store.write(projects.change, replace(shop, archived=True))
    work.chat.presses(label)
    await work.passes()
    assert work.chat.reads()[-1] == (
        "The project shop is put away. In the terminal, roost project unarchive shop brings it back."
    )
    assert (await work.words(), await talks(work)) == (["Go"], [1])


async def test_a_reply_with_a_command_is_about_what_it_replies_to(work: AtWork) -> None:
    await answered(work, "one", *SESSION)
    (message, _) = next(iter(work.chat.shown.items()))
    await answered(work, "two")
    work.chat.writes("/fork A try", reply_to=message)
    await work.passes()
    *_, newest = await talks(work)
    there = await work.store.read(conversations.get, newest)
    assert there.title == "A try"
    assert "two" not in there.handed
    work.chat.writes("/queue again", reply_to=message)
    await work.passes()
    assert await work.words() == ["one", "two", "one"]


async def test_without_a_reply_what_ended_last_is_asked_again(work: AtWork) -> None:
    work.chat.writes("/queue again")
    await work.passes()
    assert work.chat.reads() == ["Nothing has ended here yet that could be asked again."]
    for words in ("one", "two"):
        await answered(work, words)
    work.chat.writes("/queue again")
    await work.passes()
    assert await work.words() == ["one", "two", "two"]


@pytest.mark.parametrize("label", ROW)
async def test_a_stranger_who_presses_does_nothing(work: AtWork, label: str) -> None:
    await answered(work, "Go", *SESSION, step(ToolKind.EDIT))
    before = work.chat.reads()
    work.chat.presses(label, person=BOB)
    await work.passes(1)
    assert (await work.words(), await talks(work)) == (["Go"], [1])
    told = "Someone I don’t know wrote to me"
    assert [read for read in work.chat.reads() if not read.startswith(told)] == before


async def test_an_answer_in_another_language_has_them_in_it(work: AtWork) -> None:
    room = await work.store.write(conversations.room, ROOM.platform, ROOM.account, ROOM.chat)
    await work.store.write(preferences.set_language, room.id, "fr")
    await answered(work, "Go", *SESSION, step(ToolKind.EDIT))
    assert work.chat.buttons() == ["Diff", "Redemander", "Dériver"]
