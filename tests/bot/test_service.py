"""The whole of it in one process: a chat, the store, the queue, and agent programs that do as told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot.chat import Flood, NotSent, RoomAddress, Unknown
from bot.chatting import desk_of
from bot.intents.parse import TELEGRAM_MARKS
from bot.service import ChatService
from core.store import accounts, conversations, people
from tests.support.fake_chat import ANN, BOB, ROOM, FakeChat, Trouble
from tests.support.play_agent import Play
from tests.support.whole import Whole, configured, roost, says, turn, until

BOBS = RoomAddress("fake", "roost", "1002")
REPEAT = "(may be a repeat)"


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path / "play")


@asynccontextmanager
async def serving(
    folder: Path, play: Play, chat: FakeChat, *, owners: Collection[str] = (ANN.id,)
) -> AsyncIterator[Whole]:
    """Roost with its agents, and this chat before it; at the end the chat is gone at once."""
    async with roost(configured(folder, play.command)) as whole:
        store = whole.app.store
        for chat_id in (ROOM.chat, BOBS.chat):
            place = await store.write(conversations.room, ROOM.platform, ROOM.account, chat_id)
            if place.project is None:
                await store.write(conversations.bind, place.id, whole.project.id)
        service = ChatService(
            chat, desk_of(whole.app, "codex"), marks=TELEGRAM_MARKS, owners=owners, mask=whole.app.means.mask
        )
        running = asyncio.create_task(service.run())
        try:
            yield whole
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            await whole.quiet()


async def test_a_whole_conversation(tmp_path: Path, play: Play) -> None:
    chat, go = FakeChat(), tmp_path / "go"
    play.steps(*turn(says("Because of **14 queries**.")), start=1)
    play.steps(*turn({"wait_for": str(go)}, says("Fixed.")), start=2)
    play.steps(*turn(says("All green.")), start=3)
    async with serving(tmp_path, play, chat):
        first = chat.writes("Why does checkout take 3 s?")
        await until(lambda: chat.reads() == ["Because of 14 queries."])
        second = chat.writes("Fix it")
        await until(lambda: any("⏳" in words for words in chat.reads()))
        third = chat.writes("Run the tests")
        await until(lambda: "Second in line" in chat.reads()[-1])
        go.touch()
        await until(lambda: "All green." in chat.reads())
        chat.writes("/queue")
        await until(lambda: chat.reads()[-1] == "Nothing waits here.")
    answers = [pair for pair in chat.replies() if pair[0] in chat.rung]
    assert answers == [("Because of 14 queries.", first), ("Fixed.", second), ("All green.", third)]
    assert chat.acknowledged == [first, second, third]
    assert len([words for words in chat.reads() if words.startswith("✓ 0:0")]) == 2
    assert not [words for words in chat.reads() if "⏳" in words]


async def test_two_people_in_two_chats_do_not_wait_for_each_other_s_network(
    tmp_path: Path, play: Play
) -> None:
    play.steps(*turn(says("Done.")))
    chat = FakeChat(troubles=[Trouble(Flood(2.0), room=ROOM)])
    async with serving(tmp_path, play, chat, owners=(ANN.id, BOB.id)):
        chat.writes("Go")
        await until(lambda: bool(chat.calls("(acknowledge)")))
        chat.writes("Go", room=BOBS, person=BOB)
        await until(lambda: "Done." in chat.reads(BOBS))
        await until(lambda: chat.reads() == ["Done."])
    assert chat.intruded == []


async def test_killed_again_and_again_each_answer_comes_and_none_twice_without_its_mark(
    tmp_path: Path, play: Play
) -> None:
    play.steps(*turn(says("Done.")))
    chat = FakeChat()
    said = [f"prompt {number}" for number in range(6)]
    troubles = [None, NotSent(), None, Unknown(), None, None]
    for words, error in zip(said, troubles, strict=True):
        chat.troubles = [Trouble(error, call="deliver", arrives=isinstance(error, Unknown))]
        async with serving(tmp_path, play, chat):
            chat.writes(words)
            await until(lambda: not chat.troubles)
    async with serving(tmp_path, play, chat):
        await until(lambda: len({ref for _, ref in chat.replies() if ref}) == len(said))
    for ref in chat.acknowledged:
        answers = [words for words, to in chat.replies() if to == ref]
        assert all(REPEAT in words for words in answers[1:]), answers
    assert len(play.starts) == len(said)


async def test_a_code_from_the_terminal_makes_an_owner_who_can_begin_at_once(
    tmp_path: Path, play: Play
) -> None:
    play.steps(*turn(says("Done.")))
    chat = FakeChat()
    async with serving(tmp_path, play, chat, owners=()) as whole:
        chat.writes("Go")
        await until(lambda: len(chat.reads()) == 1)
        store, soon = whole.app.store, whole.app.means.clock.now() + 600
        await store.write(people.offer, "k7", "owner", salt="x", expires_at=soon)
        chat.writes("/start wrong")
        await until(lambda: len(chat.reads()) == 2)
        chat.writes("/start k7")
        await until(lambda: "You are the owner of Roost" in chat.reads()[-1])
        chat.writes("Go")
        await until(lambda: chat.reads()[-1] == "Done.")
        chat.writes("/start k7", room=BOBS, person=BOB)
        chat.writes("/queue")
        await until(lambda: "Nothing waits here." in chat.reads())
        assert chat.reads(BOBS) == []


async def test_what_we_are_called_is_kept_for_links(tmp_path: Path, play: Play) -> None:
    async with serving(tmp_path, play, FakeChat()) as whole:

        async def known() -> bool:
            return await whole.app.store.read(accounts.name_on, "fake") == "roost_bot"

        await until(known)
