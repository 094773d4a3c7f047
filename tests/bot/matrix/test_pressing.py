"""A reaction, or a word, presses what stands under our message: once, by whoever it is, where it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import Button, Heard, Message, MessageRef, Press, RoomAddress, Sign, Text
from core.store import conversations, preferences
from tests.bot.matrix.rig import Rig, matrix
from tests.matrix.person import People

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
STOP = Text("0:12", (Button("Stop", "/cancel 7"),), silent=True)
QUESTION = Text(
    "May it?",
    (
        Button("Once", "/approvals 5 0", sign=Sign.YES, typed=("yes",)),
        Button("No", "/approvals 5 1", sign=Sign.NO, typed=("no",)),
    ),
)
CHOICE = Text("Which project?", (Button("shop", "/project #1"), Button("blog", "/project #2")))


async def heard(rig: Rig, number: int = 1) -> list[Heard]:
    """The next that come, once they are stored."""
    async with rig.listening() as came:
        await arrive(rig, came, number)
    return came


async def arrive(rig: Rig, came: list[Heard], number: int) -> Heard:
    """The last of so many, once it is there."""
    await rig.ann.until(lambda: len(came) >= number)
    return came[-1]


@ENCRYPTED
async def test_a_reaction_is_a_press(everybody: People, tmp_path: Path, *, encrypted: bool) -> None:
    """Ours are none; what an app leaves out of a sign, or presses nothing, doesn't matter."""
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        shown = await rig.adapter.send(rig.room, STOP)
        assert rig.ann.timeline(rig.chat).reactions == {shown: ["🛑"]}
        rig.ann.reacts(rig.chat, shown, "🎉")
        rig.ann.reacts(rig.chat, shown, "🛑")
        (press,) = await heard(rig)
        assert isinstance(press, Press)
        assert (press.text, press.message, press.person.id) == ("/cancel 7", shown, rig.ann.id)
        assert (press.forgeable, bool(press.token)) == (encrypted, True)


async def test_the_line_is_as_the_language_of_the_room_has_it(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        here = await rig.store.write(conversations.room, rig.room.platform, rig.room.account, rig.chat, "")
        await rig.store.write(preferences.set_language, here.id, "fr")
        await rig.adapter.send(rig.room, STOP)
        assert rig.reads() == ["0:12\n\n🛑 Stop\N{NO-BREAK SPACE}: !cancel 7"]


async def test_choices_are_numbers_to_react_with_or_to_type(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        shown = await rig.adapter.send(rig.room, CHOICE)
        assert rig.reads() == ["Which project?\n\n1️⃣ shop · 2️⃣ blog"]
        assert rig.ann.timeline(rig.chat).reactions == {shown: ["1️⃣", "2️⃣"]}
        rig.ann.reacts(rig.chat, shown, "2\u20e3")
        rig.ann.replies(rig.chat, shown, "1")
        pressed = await heard(rig, 2)
        assert [press.text for press in pressed if isinstance(press, Press)] == ["/project #2", "/project #1"]


@ENCRYPTED
async def test_the_next_word_answers_a_question_and_others_stay_words(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig, rig.listening() as came:
        rig.ann.says(rig.chat, "yes")
        assert isinstance(await arrive(rig, came, 1), Message)
        shown = await rig.adapter.send(rig.room, QUESTION)
        assert rig.ann.timeline(rig.chat).reactions == {shown: ["❌"] if encrypted else ["✅", "❌"]}
        rig.ann.says(rig.chat, "Yes")
        press = await arrive(rig, came, 2)
        assert isinstance(press, Press)
        assert (press.text, press.message, press.forgeable) == ("/approvals 5 0", shown, False)
        rig.ann.says(rig.chat, "yes, and run the tests")
        assert isinstance(await arrive(rig, came, 3), Message)


async def test_once_it_says_what_was_decided_nothing_presses_it(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        shown = await rig.adapter.send(rig.room, QUESTION)
        await rig.adapter.edit(rig.room, shown, Text("Allowed by Ann."))
        assert rig.reads() == ["Allowed by Ann."]
        rig.ann.reacts(rig.chat, shown, "✅")
        rig.ann.says(rig.chat, "yes")
        (said,) = await heard(rig)
        assert isinstance(said, Message)


async def test_a_message_that_is_edited_can_be_pressed_as_before_also_after_a_restart(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path) as rig:
        shown = await rig.adapter.send(rig.room, STOP)
        for second in range(3):
            await rig.adapter.edit(rig.room, shown, Text(f"0:{second + 13}", STOP.buttons, silent=True))
        assert rig.reads() == ["0:15\n\n🛑 Stop: !cancel 7"]
        await rig.closes()
        rig.ann.reacts(rig.chat, shown, "🛑")
        await rig.opens()
        (press,) = await heard(rig)
        assert isinstance(press, Press)
        assert (press.text, press.message) == ("/cancel 7", shown)
        assert rig.ann.timeline(rig.chat).reactions == {shown: ["🛑", "🛑"]}


async def test_what_is_pressed_in_a_thread_is_pressed_there(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        root = rig.ann.says(rig.chat, "one")
        thread = RoomAddress("matrix", rig.member.id, rig.chat, root)
        shown = await rig.adapter.send(thread, CHOICE)
        rig.ann.says(rig.chat, "1")
        rig.ann.in_thread(rig.chat, root, "2")
        rig.ann.reacts(rig.chat, shown, "1️⃣")
        one, main, typed, reacted = await heard(rig, 4)
        assert isinstance(one, Message)
        assert isinstance(main, Message)
        assert isinstance(typed, Press)
        assert isinstance(reacted, Press)
        assert (main.text, typed.text, reacted.text) == ("1", "/project #2", "/project #1")
        assert typed.room == reacted.room == thread


async def test_among_several_people_a_bare_word_is_theirs(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        bob = everybody.person("bob")
        rig.ann.invites(rig.chat, bob.id)
        bob.joins(rig.chat)
        async with rig.listening():
            await rig.ann.until(lambda: not rig.adapter.private_to(rig.room))
        shown = await rig.adapter.send(rig.room, QUESTION)
        bob.says(rig.chat, "no")
        bob.replies(rig.chat, shown, "no")
        bare, press = await heard(rig, 2)
        assert isinstance(bare, Message)
        assert isinstance(press, Press)
        assert (press.text, press.person.id) == ("/approvals 5 1", bob.id)
        assert press.message == MessageRef(shown)
