"""A project in two rooms that show the same: what is asked in one and what comes of it is seen in both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import Joined, NotSent, Person, RoomAddress
from core.model.answer import Placed
from core.model.events import Asked, AskKind, Choice, Compacted, Grant, SessionStarted, TurnStarted
from core.model.ids import SessionId
from core.model.prompt import Source, Status
from core.store import buttons
from core.store.buttons import Fresh
from core.store.turns import Ending
from tests.support.fake_chat import ANN, BOB, Trouble
from tests.support.hand_clock import HandClock
from tests.support.worlds import HERE, THERE, ZOE, Worlds, about_shop, chats, two_worlds

ASKED_HERE, ASKED_THERE = "Ann, from Telegram:\n\nGo", "Zoe, from Matrix:\n\nGo"
CHOICES = (Choice("yes", Grant.ONCE), Choice("no", Grant.DENY))
QUESTION = Asked("q", AskKind.COMMAND, "git push", CHOICES)


@pytest.fixture
async def worlds(tmp_path: Path, clock: HandClock) -> AsyncIterator[Worlds]:
    here, there = chats(clock)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        yield worlds


@pytest.fixture
async def shared(worlds: Worlds) -> Worlds:
    await worlds.shares()
    return worlds


async def test_it_is_off_until_an_owner_wants_it(worlds: Worlds) -> None:
    await worlds.answered("Go")
    assert (worlds.reads(), worlds.reads(there=True)) == (["Done."], [])


async def test_a_prompt_and_its_answer_are_seen_in_both(shared: Worlds) -> None:
    before = len(shared.reads(there=True))
    await shared.answered("Go")
    assert shared.reads()[-1] == "Done."
    assert shared.reads(there=True)[before:] == [ASKED_HERE, "Done."]
    (_, told), (_, reply_to) = shared.there.replies(THERE)[before:]
    assert told is None
    assert shared.there.shown[reply_to].words == ASKED_HERE if reply_to else False
    await shared.answered("Go", there=True)
    assert shared.reads()[-2:] == [ASKED_THERE, "Done."]
    assert shared.here.rung[-1] == shared.there.rung[-1] == "Done."
    assert ASKED_HERE not in shared.there.rung
    one, two = await shared.work.asked()
    assert one.conversation == two.conversation


async def test_rooms_of_one_platform_are_called_by_their_names(worlds: Worlds) -> None:
    cellar, update = replace(THERE, chat="-300"), Source(THERE.platform, THERE.account, "")
    for room, title in ((THERE, "Till"), (cellar, "Cellar")):
        worlds.there.happens(Joined(replace(update, update=title), room, title, (ZOE,)))
        await worlds.work.passes(0.3)
    for words in ("/project shop", "!settings mirror on"):
        worlds.there.writes(words, room=cellar, person=ZOE)
        await worlds.work.passes(0.3)
    await worlds.shares()
    assert "This room and Telegram and Cellar on Matrix" in worlds.reads(there=True)[-1].replace(",", " and")
    joined = "Zoe lets this room and Till on Matrix show the same of shop"
    assert worlds.there.reads(cellar)[-1].startswith(joined)
    await worlds.answered("Go", there=True)
    assert worlds.reads()[-2] == "Zoe, from Till on Matrix:\n\nGo"
    await worlds.answered("Go")
    assert worlds.there.reads(cellar)[-2] == ASKED_HERE
    await worlds.says("!settings mirror off", there=True)
    assert "no longer shown in Till on Matrix" in worlds.reads()[-1]


async def test_words_of_people_are_no_markup_of_ours(shared: Worlds) -> None:
    await shared.answered("**Bob**, [from](https://x.example)\n# Matrix", there=True)
    assert shared.reads()[-2].splitlines()[2:] == ["**Bob**, [from](https://x.example)", "# Matrix"]


async def test_pictures_of_an_answer_are_in_both(shared: Worlds) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    placed = (Placed("a.png", "photo", "a.png", name="a.png"),)
    await shared.work.ends(work, Ending(Status.DONE, "See ![it](a.png)", placed=placed))
    assert "[a.png]" in shared.reads()[-1]
    assert "[a.png]" in shared.reads(there=True)[-1]


async def test_a_turn_is_shown_in_both_and_stopped_from_the_other(shared: Worlds) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.tells(work, TurnStarted())
    await shared.work.passes(3)
    assert "⏳" in shared.reads()[-1]
    assert "⏳" in shared.reads(there=True)[-1]
    await shared.presses("Stop", there=True)
    assert (await shared.work.asked())[0].cancelling
    await shared.work.ends(work, Ending(Status.CANCELLED, ""))
    await shared.work.passes(1)
    for there in (False, True):
        assert "Stopped after" in shared.reads(there=there)[-1]
        assert not [words for words in shared.reads(there=there) if "⏳" in words]


async def test_a_word_in_the_other_stops_it_too(shared: Worlds) -> None:
    await shared.says("Go", there=True)
    await shared.work.starts()
    await shared.says("/cancel")
    assert (await shared.work.asked())[0].cancelling


async def test_somebody_without_the_right_stops_nothing(shared: Worlds) -> None:
    await shared.says("Go", there=True)
    await shared.work.starts()
    await shared.says("/cancel", person=BOB)
    await shared.says("!cancel", there=True, person=Person("@bob:here", "Bob"))
    assert not (await shared.work.asked())[0].cancelling


async def test_what_waits_is_shown_in_both_and_dropped_for_both(shared: Worlds) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.says("two", there=True)
    await shared.work.passes(3)
    assert any("Second in line, after Go" in words for words in shared.reads())
    assert any("Second in line, after Go" in words for words in shared.reads(there=True))
    await shared.says("/cancel 2")
    await shared.work.passes(2)
    removed = "Removed before it began: two."
    assert [shared.reads(there=there).count(removed) for there in (False, True)] == [2, 1]
    for there in (False, True):
        assert not [words for words in shared.reads(there=there) if "Second in line" in words]
    await shared.work.ends(work)


async def test_what_is_changed_or_taken_back_while_it_waits_is_so_in_both(shared: Worlds) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    asked = shared.there.writes("teh cart", room=THERE, person=ZOE)
    await shared.work.passes(0.5)
    shared.there.edits(asked, "the cart", room=THERE, person=ZOE)
    await shared.work.passes(0.5)
    assert "Zoe, from Matrix:\n\nthe cart" in shared.reads()
    shared.there.redacts(asked, room=THERE, person=ZOE)
    await shared.work.passes(0.5)
    assert not [words for words in shared.reads() if "cart" in words]
    await shared.work.ends(work)


@pytest.mark.parametrize("there", [False, True])
async def test_a_question_is_answered_in_either_and_settled_in_both(shared: Worlds, *, there: bool) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.tells(work, TurnStarted(), QUESTION)
    await shared.work.passes(1)
    assert shared.here.buttons(HERE)[:2] == shared.there.buttons(THERE)[:2] == ["Once", "No"]
    assert not [words for words in shared.there.rung if "git push" in words]
    await shared.presses("Once", there=there)
    await shared.work.ends(work)
    for room in (False, True):
        assert any("Allowed" in words for words in shared.reads(there=room))
        assert "No" not in (shared.there if room else shared.here).buttons(THERE if room else HERE)


async def test_only_the_first_answer_to_a_question_counts(shared: Worlds) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.tells(work, TurnStarted(), QUESTION)
    await shared.work.passes(1)
    shared.there.presses("Once", room=THERE, person=ZOE)
    shared.here.presses("No", room=HERE)
    await shared.work.passes(1)
    replies = await shared.work.store.read(lambda db: [*db.execute("SELECT choice, person FROM replies")])
    assert [tuple(one) for one in replies] in ([("yes", "Zoe")], [("no", "Ann")])


async def test_somebody_else_in_the_other_room_answers_no_question(shared: Worlds) -> None:
    member = Person("@max:here", "Max")
    await shared.says(f"!allow {member.id} member", there=True)
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.tells(work, TurnStarted(), QUESTION)
    await shared.work.passes(1)
    await shared.presses("Once", there=True, person=member)
    assert await shared.work.store.read(lambda db: db.execute("SELECT * FROM replies").fetchall()) == []


async def test_one_that_is_away_delays_nothing_and_misses_nothing(shared: Worlds) -> None:
    before = len(shared.reads(there=True))
    shared.there.troubles = [Trouble(NotSent(), call="deliver") for _ in range(4)]
    await shared.answered("Go")
    assert shared.reads()[-1] == "Done."
    assert shared.reads(there=True)[before:] == []
    await shared.work.passes(30, step=1.0)
    assert shared.reads(there=True)[before:] == [ASKED_HERE, "Done."]
    assert shared.reads().count("Done.") == 1


async def test_killed_in_the_middle_both_get_it_once(tmp_path: Path, clock: HandClock) -> None:
    here, there = chats(clock)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        await worlds.shares()
        there.troubles = [Trouble(None, call="deliver")]
        await worlds.says("Go")
        (work,) = await worlds.work.starts()
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await worlds.work.ends(work)
        await worlds.work.passes(2)
        assert worlds.reads().count("Done.") == 1
        assert worlds.reads(there=True).count("Done.") == 1
        assert len([words for words in worlds.reads(there=True) if ASKED_HERE in words]) == 1


async def test_a_new_conversation_is_one_for_both_and_told_in_both(shared: Worlds) -> None:
    await shared.answered("Go")
    await shared.says("/new Later", there=True)
    assert "A new conversation in shop." in shared.reads(there=True)[-1]
    assert shared.reads()[-1] == "Zoe, from Matrix, went on to another conversation: Later."
    await shared.answered("Go")
    one, two = await shared.work.asked()
    assert one.conversation != two.conversation


async def test_a_compaction_is_seen_in_both(shared: Worlds) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.tells(work, SessionStarted(SessionId("s1")))
    await shared.work.ends(work)
    await shared.says("!compact", there=True)
    (compacting,) = await shared.work.starts()
    await shared.work.passes(2)
    assert "Compacting …" in shared.reads()[-1]
    await shared.work.tells(compacting, Compacted(182_000, 31_000))
    await shared.work.ends(compacting, Ending(Status.DONE))
    await shared.work.passes(2)
    told = "Compacted: 182k → 31k tokens, 1 turn."
    assert [shared.reads(there=there)[-1] for there in (False, True)] == [told, told]


async def test_a_compaction_by_itself_is_too(shared: Worlds) -> None:
    await shared.says("/settings auto-compact on")
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.tells(work, SessionStarted(SessionId("s1")))
    await shared.work.ends(work, Ending(Status.DONE, "Done.", full=True))
    (compacting,) = await shared.work.starts()
    await shared.work.ends(compacting, Ending(Status.DONE))
    await shared.work.passes(2)
    for there in (False, True):
        assert shared.reads(there=there)[-2:] == ["Done.", "Compacted: 1 turn."]


async def test_in_a_group_of_several_a_request_begins_no_thread_of_its_own(shared: Worlds) -> None:
    shared.there.writes("Go", room=THERE, person=ZOE, begins=True)
    await shared.work.passes(0.3)
    assert await shared.work.runs_all() == ["Go"]
    assert shared.reads(there=True)[-1] == "Done."
    assert shared.reads()[-2:] == [ASKED_THERE, "Done."]


async def test_a_reply_to_what_came_from_the_other_goes_on_there(shared: Worlds) -> None:
    await shared.answered("Go", there=True)
    told = next(ref for ref, shown in shared.here.shown.items() if shown.words == ASKED_THERE)
    await shared.says("/new")
    shared.here.writes("And then?", room=HERE, reply_to=told)
    await shared.work.passes(0.3)
    one, two = await shared.work.asked()
    assert one.conversation == two.conversation


async def test_three_rooms_of_two_chats(shared: Worlds) -> None:
    third = RoomAddress(HERE.platform, HERE.account, "-300")
    for words in ("/project shop", "/settings mirror on"):
        shared.here.writes(words, room=third)
        await shared.work.passes(0.3)
    await shared.says("Go", there=True)
    (work,) = await shared.work.starts()
    await shared.work.tells(work, TurnStarted())
    await shared.work.passes(3)
    for read in (shared.reads(), shared.here.reads(third), shared.reads(there=True)):
        assert "⏳" in read[-1]
    await shared.work.ends(work)
    for read in (shared.reads(), shared.here.reads(third), shared.reads(there=True)):
        assert read[-1] == "Done."
        assert not [words for words in read if "⏳" in words]


async def test_ended_it_ends_at_once(shared: Worlds) -> None:
    """Also what was on its way; each goes on by itself, and neither knows of the other."""
    shared.there.troubles = [Trouble(NotSent(), call="deliver") for _ in range(3)]
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.passes(3)
    before = shared.reads(there=True)
    await shared.says("/settings mirror off", person=ANN)
    await shared.work.ends(work)
    await shared.work.passes(60, step=1.0)
    assert shared.reads()[-1] == "Done."
    said = shared.reads(there=True)
    assert "Done." not in said
    assert not [words for words in said[len(before) :] if "Go" in words]
    assert any(words.startswith("What is said here is no longer shown in Telegram") for words in said)
    await shared.answered("here")
    await shared.answered("there", there=True)
    assert not [words for words in shared.reads() if words.startswith("Zoe, from")]
    one, two, three = await shared.work.asked()
    assert one.conversation == three.conversation != two.conversation


async def test_of_what_goes_on_without_it_a_room_asks_nothing_again_and_forks_nothing(shared: Worlds) -> None:
    await shared.answered("Go")
    await shared.says("/settings mirror off")
    for pressed in ("/queue again 1", "/fork #1"):
        await shared.says(pressed)
        assert shared.reads()[-1].startswith("There is no such message here.")
    (asked,) = await shared.work.asked()
    assert asked.text == "Go"


async def test_a_fork_pressed_in_each_room_is_one_and_the_other_is_told(shared: Worlds) -> None:
    await shared.says("Go")
    (work,) = await shared.work.starts()
    await shared.work.tells(work, SessionStarted(SessionId("s1")))
    await shared.work.ends(work)
    rooms = ((shared.here, HERE, ANN), (shared.there, THERE, ZOE))
    for chat, room, _ in rooms:
        (fork,) = [Fresh(room.chat, one.intent) for one in chat.carried(room) if one.label == "Fork"]
        await shared.work.store.write(buttons.keep, room.platform, room.chat, [fork], now=0.0)
    for chat, room, who in rooms:
        chat.presses("Fork", room=room, person=who, token=room.chat)
        await shared.work.passes(0.3)
    parents = "SELECT parent FROM conversations ORDER BY id"
    made = await shared.work.store.read(lambda db: [row["parent"] for row in db.execute(parents)])
    assert made == [None, work.conversation.id]
    (told,) = shared.there.alerts
    assert told.startswith("Ann forked this answer already, ")
