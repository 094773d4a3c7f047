"""What happens in a group is followed, and told to those whom it concerns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat import Happened, Joined, Missed, Named, Person, RoomAddress, Standing, Stranded, Toward
from core.model.prompt import Source
from core.store import conversations, mirrors
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB

GROUP = RoomAddress("fake", "roost", "-5")
TOPIC = replace(GROUP, thread="7")
SOURCE = Source("fake", "roost", "")
LINK = "https://chat.example/add"
TAKEN_IN = Standing(SOURCE, GROUP, ANN, "Shop talk", inside=True, new=True)
DEAF = (
    "I only get commands, replies and mentions here. To hear everything: make me an admin, or switch off"
    " privacy mode at @BotFather and add me again."
)
WELCOME = "Roost runs on pi5. What is this group about?"


async def happens(work: AtWork, happened: Happened) -> None:
    work.chat.happens(happened)
    await work.passes()


# --- taken in, taken out ----------------------------------------------------------------------------------


async def test_whoever_takes_it_in_chooses_what_the_group_is_about(work: AtWork) -> None:
    await work.project(room=None)
    await happens(work, replace(TAKEN_IN, hears=False, remedy=LINK))
    assert work.chat.reads(GROUP) == [WELCOME, DEAF]
    (offered,) = [shown.what.buttons for shown in work.chat.shown.values() if shown.words == WELCOME]
    assert [one.label for one in offered] == ["shop", "New: Shop-talk", "New project"]
    assert [(one.label, one.url) for one in work.chat.carried(GROUP)] == [("Make me an admin", LINK)]
    work.chat.presses("shop", room=GROUP)
    await work.passes()
    assert work.chat.reads(GROUP) == ["This room works in shop from now on.", DEAF]
    assert work.chat.reads() == []


async def test_a_new_project_is_one_press_and_one_line_away(work: AtWork) -> None:
    await happens(work, TAKEN_IN)
    work.chat.presses("New project", room=GROUP)
    await work.passes()
    assert work.chat.reads(GROUP)[-1].startswith("/project add NAME makes a new one in ")


async def test_a_member_picks_and_adds_nothing(work: AtWork) -> None:
    work.chat.writes(f"/allow {BOB.id}")
    await work.project(room=None)
    await work.passes()
    await happens(work, replace(TAKEN_IN, person=BOB))
    assert work.chat.buttons(GROUP) == ["shop"]


@pytest.mark.parametrize("role", ["stranger", "viewer"])
async def test_somebody_without_the_right_gets_nothing_and_the_owner_one_line(
    work: AtWork, role: str
) -> None:
    if role == "viewer":
        work.chat.writes(f"/allow {BOB.id} viewer")
        await work.passes()
    before = len(work.chat.reads())
    for chat in ("-5", "-6"):
        await happens(work, replace(TAKEN_IN, room=replace(GROUP, chat=chat), person=BOB))
        if role == "viewer":
            break
    assert work.chat.reads(GROUP) == []
    assert work.chat.reads()[before:] == [
        "Someone who may not work with me took me into Shop talk (id 1002, called Bob). I say nothing there."
    ]


async def test_a_stranger_who_takes_it_back_into_a_group_gets_nothing(
    work: AtWork,
) -> None:
    await work.project(room=GROUP)
    await happens(work, replace(TAKEN_IN, person=BOB))
    assert work.chat.reads(GROUP) == []
    assert len(work.chat.reads()) == 1
    await happens(work, TAKEN_IN)
    assert work.chat.reads(GROUP) == ["This room works in shop from now on."]


async def test_what_runs_in_a_group_goes_on_without_us_and_its_answer_comes_when_we_are_back(
    work: AtWork,
) -> None:
    await work.project(room=GROUP)
    work.chat.writes("Go", room=GROUP, alone=False, toward=Toward.US)
    await work.passes()
    (started,) = await work.starts()
    await happens(work, replace(TAKEN_IN, inside=False, new=False, hears=False))
    assert work.chat.reads()[-1].startswith("I was taken out of Shop talk, which works in shop (by id 1001")
    work.chat.closes(GROUP)
    await work.ends(started)
    assert "Done." not in work.chat.reads(GROUP)
    work.chat.opens(GROUP)
    await happens(work, TAKEN_IN)
    assert work.chat.reads(GROUP)[-2:] == ["Done.", "This room works in shop from now on."]


async def test_what_waits_for_topics_comes_too_and_not_for_a_stranger(work: AtWork) -> None:
    """Nobody may ever write in them again, as where one is deleted meanwhile."""
    await work.project(room=GROUP)
    work.chat.writes("Go", room=TOPIC, alone=False, toward=Toward.US)
    await work.passes()
    (started,) = await work.starts()
    for room in (GROUP, TOPIC):
        work.chat.closes(room)
    await work.ends(started)
    for room in (GROUP, TOPIC):
        work.chat.opens(room)
    await happens(work, replace(TAKEN_IN, person=BOB))
    work.chat.writes("Go on", room=GROUP, person=BOB)
    await work.passes()
    assert work.chat.reads(TOPIC) == work.chat.reads(GROUP) == []
    await happens(work, TAKEN_IN)
    assert work.chat.reads(TOPIC) == ["Done."]


async def test_more_and_fewer_rights_are_said_in_one_line_each(work: AtWork) -> None:
    raised = replace(TAKEN_IN, new=False)
    lowered = replace(raised, hears=False, remedy=LINK)
    await happens(work, raised)
    assert work.chat.reads(GROUP) == []
    await work.project(room=GROUP)
    await happens(work, lowered)
    await happens(work, raised)
    assert work.chat.reads(GROUP) == [DEAF, "I get everything that is said here now."]


# --- who reads --------------------------------------------------------------------------------------------


async def test_owners_hear_who_reads_along_and_the_room_hears_its_rules_once(work: AtWork) -> None:
    await work.project(room=GROUP)
    eve = Person("1003", "*Eve*")
    await happens(work, Joined(SOURCE, GROUP, "Shop talk", (BOB, ANN)))
    await happens(work, Joined(SOURCE, GROUP, "Shop talk", (eve,)))
    assert work.chat.reads(GROUP) == [
        "With several people here, I act on what mentions me or replies to me. /settings listen changes that."
    ]
    told = (
        "Someone I don’t know reads along in Shop talk, which works in shop, from now on (id {}, called {})."
    )
    assert work.chat.reads() == [told.format("1002", "Bob"), told.format("1003", "*Eve*")]


async def test_a_group_that_is_called_as_its_project_is_named_once(work: AtWork) -> None:
    await work.project(room=GROUP)
    await happens(work, Joined(SOURCE, GROUP, "Shop", (BOB,)))
    assert work.chat.reads() == [
        "Someone I don’t know reads along in shop from now on (id 1002, called Bob)."
    ]


async def test_where_nothing_is_worked_on_nobody_is_told_who_joins(work: AtWork) -> None:
    await happens(work, Joined(SOURCE, GROUP, "Shop talk", (BOB,)))
    assert (work.chat.reads(GROUP), work.chat.reads()) == ([], [])


async def test_a_group_that_is_made_public_is_told_to_owners_once(work: AtWork) -> None:
    await work.project(room=GROUP)
    for room in (TOPIC, GROUP):
        work.chat.writes("hello", room=room, alone=False, public=True)
        await work.passes()
    assert work.chat.reads() == ["A group that works in shop is public: anybody can read along there."]


@pytest.mark.parametrize(
    "happened",
    [
        Joined(SOURCE, GROUP, "Shop talk", (ANN,), public=True),
        replace(TAKEN_IN, new=False, public=True),
    ],
    ids=["somebody joins", "we are made an admin"],
)
async def test_so_is_one_in_which_nobody_has_written_yet(work: AtWork, happened: Standing | Joined) -> None:
    await work.project(room=GROUP)
    for at in range(2):
        await happens(work, replace(happened, source=Source("fake", "roost", str(at))))
    assert work.chat.reads() == ["A group that works in shop is public: anybody can read along there."]


async def test_an_admin_who_hides_is_told_so_once_and_nobody_else_about_it(work: AtWork) -> None:
    await work.project(room=GROUP)
    for text in ("small talk", "/status", "/status"):
        work.chat.writes(text, room=GROUP, person=Person("", ""), alone=False)
        await work.passes()
    (said,) = work.chat.reads(GROUP)
    assert said.startswith("You write as the group, so I can’t see who you are.")
    assert work.chat.reads() == []
    assert await work.words() == []


async def test_owners_hear_of_a_room_that_goes_on_without_us(work: AtWork) -> None:
    """Where it is about something."""
    await happens(work, Stranded(SOURCE, GROUP, "Shop talk"))
    assert work.chat.reads() == []
    await work.project(room=GROUP)
    await happens(work, Stranded(SOURCE, GROUP, "Shop talk"))
    (told,) = work.chat.reads()
    assert told.startswith(
        "Shop talk, which works in shop, goes on as another room, and nobody has let me in"
    )
    assert work.chat.reads(GROUP) == []


# --- topics -----------------------------------------------------------------------------------------------


async def test_a_topic_that_a_person_made_is_a_conversation_of_that_name(work: AtWork) -> None:
    await work.project(room=GROUP)
    await happens(work, Named(SOURCE, TOPIC, ANN, "Checkout is slow"))
    work.chat.writes("small talk", room=TOPIC, alone=False)
    work.chat.writes("why?", room=TOPIC, alone=False, toward=Toward.US)
    await work.passes()
    assert await work.words() == ["why?"]
    assert await title(work) == ("Checkout is slow", "person")
    await happens(work, Named(SOURCE, TOPIC, ANN, "The basket"))
    assert await title(work) == ("The basket", "person")
    assert work.chat.reads(TOPIC) == []


async def test_a_chat_is_called_by_its_newest_name(work: AtWork) -> None:
    """By which rooms that show the same are told apart; no conversation is called by it."""
    await work.project(room=GROUP)
    await happens(work, Standing(SOURCE, GROUP, ANN, "The shop", inside=True, new=True))
    await happens(work, Named(SOURCE, GROUP, ANN, "Our shop"))
    work.chat.writes("why?", room=GROUP, alone=False, toward=Toward.US)
    await work.passes()
    assert await title(work) == ("", "")
    place = await work.store.read(conversations.room, GROUP.platform, GROUP.account, GROUP.chat)
    assert (await work.store.read(mirrors.fellow, place.id)).title == "Our shop"


async def test_a_name_that_an_app_made_up_is_no_title(work: AtWork) -> None:
    await work.project()
    topic = RoomAddress("fake", "roost", ANN.id, "7")
    await happens(work, Named(SOURCE, topic, ANN, "why is check", chosen=False))
    work.chat.writes("why is checkout slow?", room=topic)
    await work.passes()
    assert await title(work) == ("", "")


async def title(work: AtWork) -> tuple[str, str]:
    """What the conversation of the newest prompt is called, and by whom."""
    prompt = (await work.asked())[-1]
    found = await work.store.read(conversations.get, prompt.conversation)
    return found.title, found.title_by


async def test_what_never_reached_us_is_said_where_that_concerns_anybody(work: AtWork) -> None:
    """To whoever works with us there, and to no stranger."""
    await happens(work, Missed(SOURCE, GROUP))
    assert work.chat.reads(GROUP) == []
    await work.project(room=GROUP)
    await happens(work, Missed(SOURCE, GROUP))
    (said,) = work.chat.reads(GROUP)
    assert said.startswith("Some of what was said here while I was away can’t be had")
    stranger = RoomAddress("fake", "roost", "1003")
    await happens(work, Missed(SOURCE, stranger))
    assert work.chat.reads(stranger) == []
