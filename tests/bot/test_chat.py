"""The fake chat keeps to what every chat keeps to, and fails on demand."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bot.chat import Button, File, Flood, NotSent, Picture, Refused, RoomAddress, Text, Toward, Unknown
from core.model.answer import Placed
from tests.bot.chat_conformance import DeliveringConformance
from tests.support.fake_chat import BOB, ROOM, FakeChat, take


@dataclass
class FakeRig:
    room: RoomAddress = ROOM
    adapter: FakeChat = field(default_factory=FakeChat)

    async def writes(self, text: str) -> None:
        self.adapter.writes(text)

    async def attaches(self, name: str, data: bytes) -> None:
        self.adapter.writes("", files={name: data})

    async def presses(self, label: str) -> None:
        self.adapter.presses(label)

    def reads(self) -> list[str]:
        return self.adapter.reads()

    def rings(self) -> int:
        return len(self.adapter.rung)


class TestFakeChat(DeliveringConformance):
    @pytest.fixture
    def rig(self) -> FakeRig:
        return FakeRig()


async def test_a_call_that_fails_leaves_nothing_behind() -> None:
    chat = FakeChat()
    for fault in (NotSent("no connection"), Flood(5), Unknown("timed out")):
        chat.faults.append(fault)
        with pytest.raises(type(fault)):
            await chat.send(ROOM, Text("Done."))
    assert chat.reads() == []
    await chat.send(ROOM, Text("Done."))
    assert chat.reads() == ["Done."]


async def test_a_flood_says_how_long_it_lasts() -> None:
    assert Flood(5).seconds == 5
    assert isinstance(Flood(5), NotSent)


@pytest.mark.parametrize(
    "what", [Text(""), Text("x" * 4097), Text("x", tuple(Button(str(n), "/queue") for n in range(25)))]
)
async def test_what_no_platform_takes_is_refused(what: Text) -> None:
    with pytest.raises(Refused):
        await FakeChat().send(ROOM, what)


async def test_pictures_and_files_are_seen_by_their_names() -> None:
    chat = FakeChat()
    await chat.send(ROOM, Picture("ab12.webp", "chart.webp", "Sales in **May**"))
    await chat.send(ROOM, File("cd34.pdf", "report.pdf"))
    placed = (Placed("out/c.png", "photo", "ef56.png", "c.png"),)
    await chat.send(ROOM, Text("Before.\n\n![c](out/c.png)\n\nAfter.", placed=placed))
    assert chat.reads() == [
        "[chart.webp] Sales in May",
        "[report.pdf]",
        "Before.\n[out/c.png]\nAfter.",
    ]


async def test_a_room_holds_its_own_messages_only() -> None:
    chat, other = FakeChat(), RoomAddress("fake", "roost", "-500001")
    await chat.send(other, Text("There.", (Button("Stop", "/cancel"),)))
    await chat.send(ROOM, Text("Here."))
    assert (chat.reads(), chat.reads(other)) == (["Here."], ["There."])
    assert (chat.buttons(), chat.buttons(other)) == ([], ["Stop"])


async def test_an_edit_without_buttons_takes_them_away() -> None:
    chat = FakeChat()
    message = await chat.send(ROOM, Text("0:12", (Button("Stop", "/cancel"),)))
    assert chat.buttons() == ["Stop"]
    await chat.edit(ROOM, message, Text("Done."))
    assert chat.buttons() == []


async def test_people_of_a_shared_room_are_told_apart() -> None:
    chat = FakeChat()
    chat.writes("hello", person=BOB, alone=False, toward=Toward.US)
    message = await take(chat.incoming())
    assert (message.person, chat.acknowledged) == (BOB, [])
