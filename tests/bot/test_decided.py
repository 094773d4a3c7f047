"""A message that offered a choice says what was decided, and nothing is left under it to be pressed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import ChatError, MessageRef, Press, Refused, RoomAddress, Unknown, Why
from bot.handlers.desk import shown
from bot.tokens import Tokens
from core.store import conversations
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, BOB, ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock

GROUP = RoomAddress("fake", "roost", "-5")
IN_SHOP = "This room works in shop from now on."
PICKER = "Which project?"


async def says(work: AtWork, words: str, room: RoomAddress = ROOM) -> None:
    work.chat.writes(words, room=room)
    await work.passes(0.3)


async def presses(work: AtWork, label: str, room: RoomAddress = ROOM) -> None:
    work.chat.presses(label, room=room)
    await work.passes(0.3)


async def is_offered(work: AtWork, room: RoomAddress = ROOM) -> MessageRef:
    """Two projects to choose from; the message that does it."""
    for name in ("shop", "blog"):
        await work.project(name, room=None)
    await says(work, "/project", room)
    return list(work.chat.shown)[-1]


async def test_what_was_pressed_says_what_was_decided(work: AtWork) -> None:
    offered = await is_offered(work)
    await presses(work, "shop")
    told = work.chat.shown[offered]
    assert (told.words, told.what.buttons, told.edits) == (IN_SHOP, (), 1)
    assert (work.chat.reads(), work.chat.rung) == ([IN_SHOP], [])


@pytest.mark.parametrize(
    ("command", "label", "decided"),
    [
        ("/effort", "high", "Effort: high."),
        ("/access", "read-only", "Access: read-only."),
        ("/settings theme", "dark", "Theme: dark, for"),
        ("/settings language", "Français", "Langue : Français."),
        ("/settings notifications", "22:00–07:00", "Notifications: quiet 22:00–07:00 by the clock of"),
        ("/settings listen", "Only when called", "Only what mentions me"),
        ("/conversations", "First", "Carrying on: First."),
        ("/project", "blog", "This room works in blog from now on."),
    ],
)
async def test_so_it_is_with_every_choice(work: AtWork, command: str, label: str, decided: str) -> None:
    await work.project("blog", room=None)
    await work.project()
    await says(work, "/new First")
    await says(work, "Go")
    await work.runs_all()
    await says(work, "/new Second")
    await says(work, command)
    before = work.chat.reads()
    await presses(work, label)
    assert len(work.chat.reads()) == len(before)
    assert work.chat.reads()[-1].startswith(decided)
    assert work.chat.buttons() == []


async def test_typed_it_is_answered_beneath(work: AtWork) -> None:
    await is_offered(work)
    await says(work, "/project shop")
    assert work.chat.reads() == [PICKER, IN_SHOP]


async def test_what_is_to_be_decided_further_is_asked_beneath(work: AtWork) -> None:
    """The project was chosen otherwise meanwhile."""
    await is_offered(work)
    await says(work, "/project shop")
    await presses(work, "blog")
    first, _, further = work.chat.shown.values()
    assert (first.words, first.edits) == (PICKER, 0)
    assert (further.words[:24], [one.label for one in further.what.buttons]) == (
        "That was offered before:",
        ["blog"],
    )


async def test_a_group_that_has_a_project_is_told_of_no_other(work: AtWork) -> None:
    await is_offered(work, GROUP)
    assert work.chat.buttons(GROUP) == ["blog", "shop", "New project"]
    await presses(work, "shop", GROUP)
    await says(work, "/project", GROUP)
    assert work.chat.reads(GROUP) == [IN_SHOP, "This room works in shop: /srv/shop."]
    assert work.chat.buttons(GROUP) == []
    await says(work, "/project blog", GROUP)
    assert work.chat.reads(GROUP)[-1] == "This room works in blog from now on."


async def test_a_refusal_decides_nothing(work: AtWork) -> None:
    await is_offered(work)
    await work.store.write(lambda db: db.execute("DELETE FROM projects WHERE name = 'shop'"))
    await presses(work, "shop")
    assert work.chat.reads() == [PICKER, "There is no project called shop. /project lists them."]
    await presses(work, "blog")
    assert work.chat.reads()[0] == "This room works in blog from now on."


# --- where it can't say so --------------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", [Refused("too old", Why.GONE), Refused("who knows", Why.OTHER)])
async def test_what_can_t_be_edited_is_said_anew(work: AtWork, refusal: ChatError) -> None:
    await is_offered(work)
    work.chat.troubles.append(Trouble(refusal, "edit"))
    await presses(work, "shop")
    assert work.chat.reads() == [PICKER, IN_SHOP]


async def test_what_is_gone_is_said_anew(work: AtWork) -> None:
    offered = await is_offered(work)
    work.chat.presses("shop")
    del work.chat.shown[offered]
    await work.passes(0.3)
    assert work.chat.reads() == [IN_SHOP]


async def test_where_the_room_has_moved_meanwhile_it_is_said_anew(work: AtWork) -> None:
    await is_offered(work, GROUP)
    moved = replace(GROUP, chat="-6")
    work.chat.troubles.append(Trouble(Unknown(), "edit"))
    await presses(work, "shop", GROUP)
    work.chat.moves(GROUP.chat, moved.chat)
    await work.passes(30)
    assert work.chat.reads(moved) == ["(may be a repeat)\n\n" + IN_SHOP]


async def test_where_nothing_may_be_said_it_waits(work: AtWork) -> None:
    await is_offered(work, GROUP)
    work.chat.closes(GROUP)
    await presses(work, "shop", GROUP)
    assert work.chat.reads(GROUP) == [PICKER]
    work.chat.opens(GROUP)
    await says(work, "/queue", GROUP)
    assert sorted(work.chat.reads(GROUP)) == ["Nothing waits here.", IN_SHOP, PICKER]


# --- through kills ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("arrives", [False, True])
async def test_killed_over_it_it_says_so_after_the_restart(
    tmp_path: Path, chat: FakeChat, clock: HandClock, arrives: bool
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        offered = await is_offered(work)
        chat.troubles.append(Trouble(None, "edit", arrives=arrives))
        await presses(work, "shop")
        assert chat.reads() == [IN_SHOP if arrives else PICKER]
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(0.3)
        assert chat.reads() == [IN_SHOP]
        assert chat.shown[offered].what.buttons == ()
        await says(work, "/queue")
        assert chat.reads() == [IN_SHOP, "Nothing waits here."]


async def test_an_edit_of_which_nobody_knows_is_made_again(work: AtWork) -> None:
    offered = await is_offered(work)
    work.chat.troubles.append(Trouble(Unknown(), "edit", arrives=True))
    await presses(work, "shop")
    await work.passes(5)
    assert (work.chat.reads(), work.chat.shown[offered].edits) == ([IN_SHOP], 2)


# --- the first counts -------------------------------------------------------------------------------------


async def test_whoever_comes_second_is_told_who_chose_and_changes_nothing(work: AtWork) -> None:
    """Before they see what was decided, by any of the buttons."""
    await says(work, f"/allow {BOB.id} member")
    offered = await is_offered(work, GROUP)
    carried = work.chat.shown[offered].what.buttons
    tokens = Tokens(work.store, "fake", work.clock.now)
    kept = {one.label: one for one in await tokens.under(GROUP.chat, offered, carried)}
    intents = {one.label: one.intent for one in carried}

    def taps(label: str, person: str, name: str) -> None:
        who = replace(ANN, id=person, name=name)
        press = Press(work.chat._source(), GROUP, who, offered, intents[label], token=kept[label].intent)
        work.chat._arrive(press)

    work.chat.troubles.append(Trouble(None, "edit"))
    taps("blog", ANN.id, "Ann")
    taps("shop", BOB.id, "Bob")
    taps("blog", ANN.id, "Ann")
    await work.passes(0.3)
    told = {alert.partition(",")[0] for alert in work.chat.alerts}
    assert (len(work.chat.alerts), told) == (2, {"Ann pressed here already"})
    assert work.chat.reads(GROUP) == [PICKER]
    room = await work.store.read(conversations.known_room, "fake", "roost", GROUP.chat)
    assert room
    project, _ = await work.store.read(shown, room)
    assert project
    assert project.name == "blog"
