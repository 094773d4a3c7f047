"""A terminal is a chat as every other, on paper that can't be unwritten."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import Button, FileRef, Heard, Message, MessageRef, Refused, RoomAddress, Text
from bot.terminal.adapter import TerminalChat
from tests.bot.chat_conformance import ChatConformance
from tests.support.fake_chat import take
from tests.support.screens import MemoryScreen

ROOM = RoomAddress("terminal", "ann", "1")


def quiet(words: str) -> Text:
    return Text(words, silent=True)


class Rig:
    """A person at the terminal: whoever would press a button types what stands for it."""

    def __init__(self, folder: Path) -> None:
        self.room = ROOM
        self.screen = MemoryScreen()
        self.adapter = TerminalChat("ann", ROOM, self.screen)
        self.heard: AsyncIterator[Heard] | None = None
        self._folder = folder

    async def writes(self, text: str) -> None:
        self.adapter.typed(text)

    async def attaches(self, name: str, data: bytes) -> None:
        path = self._folder / name
        await asyncio.to_thread(path.write_bytes, data)
        self.adapter.typed("", [path])

    async def presses(self, label: str) -> None:
        words = re.search(rf"{label}: (/.*?)(?: · |$)", self.reads()[-1])
        assert words is not None
        self.adapter.typed(words[1])

    def reads(self) -> list[str]:
        return self.screen.seen

    def rings(self) -> int:
        return self.screen.rung


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


async def said(rig: Rig, words: str) -> str:
    """What is heard when somebody types that."""
    await rig.writes(words)
    rig.heard = rig.heard or rig.adapter.incoming()
    heard = await take(rig.heard)
    assert isinstance(heard, Message)
    return heard.text


class TestTerminal(ChatConformance):
    pass


async def test_what_is_held_goes_on_changing_beneath_what_is_said(rig: Rig) -> None:
    clock = await rig.adapter.send(ROOM, quiet("0:12"))
    rig.adapter.hold(clock)
    await rig.adapter.send(ROOM, quiet("Nothing waits here."))
    await rig.adapter.settle()
    await rig.adapter.edit(ROOM, clock, quiet("0:13"))
    assert (rig.screen.kept, rig.screen.changing) == (["Nothing waits here."], ["0:13"])
    rig.adapter.release(clock)
    await rig.adapter.send(ROOM, Text("Done."))
    assert (rig.screen.kept, rig.screen.changing) == (["Nothing waits here.", "0:13", "Done."], [])


async def test_what_stays_is_written_once_more_when_it_is_edited(rig: Rig) -> None:
    said = await rig.adapter.send(ROOM, quiet("one"))
    await rig.adapter.send(ROOM, quiet("two"))
    await rig.adapter.edit(ROOM, said, quiet("one, corrected"))
    assert rig.screen.kept == ["one", "one, corrected"]


async def test_what_was_typed_before_the_end_is_still_taken(rig: Rig) -> None:
    rig.adapter.typed("one")
    rig.adapter.typed("two")
    rig.adapter.close()
    assert [getattr(one, "text", "") async for one in rig.adapter.incoming()] == ["one", "two"]


PICK = Text("Which project?", (Button("blog", "/project blog"), Button("Shop 2", "/project #7")), silent=True)


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("2", "/project #7"),
        (" shop  2 ", "/project #7"),
        ("blog", "/project blog"),
        ("the blog", "the blog"),
    ],
)
async def test_a_choice_is_taken_by_its_number_or_its_name(rig: Rig, typed: str, means: str) -> None:
    await rig.adapter.send(ROOM, PICK)
    assert await said(rig, typed) == means
    assert await said(rig, "2") == "2"


@pytest.mark.parametrize(
    ("typed", "means"), [("shop", "/project #2"), ("SHOP", "/project #1"), ("Shop", "/project #1")]
)
async def test_of_two_that_differ_in_capitals_the_very_name_is_taken(
    rig: Rig, typed: str, means: str
) -> None:
    alike = (Button("SHOP", "/project #1"), Button("shop", "/project #2"))
    await rig.adapter.send(ROOM, Text("Which project?", alike, silent=True))
    assert await said(rig, typed) == means


async def test_what_is_offered_last_is_chosen_from_until_something_else_is_said(rig: Rig) -> None:
    await rig.adapter.send(ROOM, PICK)
    await rig.adapter.send(ROOM, Text("Access", (Button("full", "/access full"),), silent=True))
    await rig.adapter.send(ROOM, Text("0:12", (Button("Stop", "/cancel 7"),), silent=True))
    assert [await said(rig, typed) for typed in ("/status", "", "1")] == ["/status", "", "/access full"]
    await rig.adapter.send(ROOM, PICK)
    assert [await said(rig, typed) for typed in ("fix it", "1")] == ["fix it", "1"]


async def test_a_number_that_was_not_offered_takes_nothing_and_leaves_the_offer(rig: Rig) -> None:
    assert not rig.adapter.misses("3")
    await rig.adapter.send(ROOM, PICK)
    assert [rig.adapter.misses(word) for word in ("3", " 0 ", "2", "3 of them", "")] == [
        True,
        True,
        *[False] * 3,
    ]
    assert [await said(rig, typed) for typed in ("3", "2")] == ["3", "/project #7"]


async def test_what_was_withdrawn_is_chosen_no_more(rig: Rig) -> None:
    await rig.adapter.send(ROOM, PICK)
    rig.adapter.withdraw()
    assert await said(rig, "2") == "2"


async def test_a_question_is_answered_by_the_word_for_it(rig: Rig) -> None:
    asked = Text("Did you mean /cancel?", (Button("/cancel", "/cancel 7", typed=("yes", "y")),), silent=True)
    await rig.adapter.send(ROOM, asked)
    assert rig.reads()[-1].splitlines()[-1] == "yes: /cancel"
    assert await said(rig, "Yes") == "/cancel 7"
    await rig.adapter.send(ROOM, asked)
    assert rig.adapter.misses("2")
    assert rig.adapter.meaning("yes") == "/cancel 7"
    assert await said(rig, "1") == "/cancel 7"


async def test_of_several_words_no_number_is_one(rig: Rig) -> None:
    words = {"yes": "/approvals 5 0", "no": "/approvals 5 1"}
    asked = (Button(word, intent, typed=(word,)) for word, intent in words.items())
    await rig.adapter.send(ROOM, Text("May it?", tuple(asked)))
    assert rig.adapter.misses("1")
    assert [await said(rig, typed) for typed in ("1", "no")] == ["1", "/approvals 5 1"]


async def test_a_choice_is_taken_by_its_name_behind_the_command(rig: Rig) -> None:
    listed = (Button("project folder", "/access workspace"), Button("As usual", "/access default"))
    await rig.adapter.send(ROOM, Text("Access", listed, silent=True))
    for typed in ("/access project folder", "project folder"):
        assert await said(rig, typed) == "/access workspace"
    assert await said(rig, "/access as usual") == "/access default"
    assert await said(rig, "/access whatever") == "/access whatever"


async def test_a_choice_is_taken_by_its_name_without_the_remark(rig: Rig) -> None:
    await rig.adapter.send(ROOM, Text("Engine", (Button("codex (not here)", "/engine codex"),), silent=True))
    assert await said(rig, "Codex") == "/engine codex"


async def test_no_two_lines_have_the_same_name_in_any_process(rig: Rig) -> None:
    other = Rig(Path())
    for chat in (rig.adapter, other.adapter):
        chat.typed("one")
    names = {(await take(chat.incoming())).source.update for chat in (rig.adapter, other.adapter)}
    assert len(names) == 2
    assert all(len(name) == 36 for name in names)


async def test_a_file_that_is_gone_is_refused(rig: Rig) -> None:
    with pytest.raises(Refused):
        await rig.adapter.fetch(FileRef("/nowhere/chart.png", "chart.png"))


async def test_taking_away_what_nobody_sees_is_no_error(rig: Rig) -> None:
    await rig.adapter.delete(ROOM, MessageRef("never"))
    assert rig.screen.seen == []


async def test_what_is_no_text_is_replaced_before_it_is_stored(rig: Rig) -> None:
    await rig.writes("caf\udce9 \x00 \x1b[2J")
    message = await take(rig.adapter.incoming())
    assert isinstance(message, Message)
    assert message.text == "caf\ufffd\ufffd\ufffd \x00 \x1b[2J"
