"""What every chat keeps to: the fake, the terminal, and each platform pass these tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

from bot.chat import Button, ChatAdapter, Incoming, Message, Press, RoomAddress, Text


class Rig(Protocol):
    """A chat of one room, and the one person who is in it."""

    room: RoomAddress
    adapter: ChatAdapter

    async def writes(self, text: str) -> None:
        """The person sends *text*."""

    async def attaches(self, name: str, data: bytes) -> None:
        """The person sends a file."""

    async def presses(self, label: str) -> None:
        """The person does what this button says: presses it, or types what stands for it."""

    def reads(self) -> list[str]:
        """Our messages as the person sees them now, without marks of Markdown."""

    def rings(self) -> int:
        """How often the person was called since the beginning."""


async def take(incoming: AsyncIterator[Incoming]) -> Incoming:
    return await asyncio.wait_for(anext(incoming), timeout=10)


class ChatConformance:
    """Subclass it with a fixture `rig`."""

    async def test_words_arrive_as_they_were_sent(self, rig: Rig) -> None:
        await rig.writes("Why does `checkout` take 3 s? *é* /etc/hosts")
        message = await take(rig.adapter.incoming())
        assert isinstance(message, Message)
        assert message.text == "Why does `checkout` take 3 s? *é* /etc/hosts"
        assert message.room == rig.room
        assert message.alone
        assert (message.source.platform, message.source.account) == (
            rig.adapter.platform,
            rig.adapter.account,
        )

    async def test_each_message_comes_once_in_order_with_a_source_of_its_own(self, rig: Rig) -> None:
        incoming = rig.adapter.incoming()
        await rig.writes("one")
        await rig.writes("two")
        first, second = await take(incoming), await take(incoming)
        assert isinstance(first, Message)
        assert isinstance(second, Message)
        assert [first.text, second.text] == ["one", "two"]
        assert first.source != second.source

    async def test_what_nobody_confirmed_comes_again(self, rig: Rig) -> None:
        await rig.writes("one")
        await rig.writes("two")
        incoming = rig.adapter.incoming()
        await take(incoming)
        unconfirmed = await take(incoming)
        assert await take(rig.adapter.incoming()) == unconfirmed

    async def test_a_message_is_read_without_its_marks(self, rig: Rig) -> None:
        await rig.adapter.send(rig.room, Text("**shop** · `pytest -k` and a \\*star\\*"))
        assert rig.reads()[-1:] == ["shop · pytest -k and a *star*"]

    async def test_an_edit_takes_the_place_of_what_was_said(self, rig: Rig) -> None:
        message = await rig.adapter.send(rig.room, Text("0:12", silent=True))
        await rig.adapter.edit(rig.room, message, Text("0:13", silent=True))
        assert rig.reads()[-1:] == ["0:13"]
        assert "0:12" not in rig.reads()

    async def test_a_deleted_message_is_gone_and_may_be_deleted_again(self, rig: Rig) -> None:
        message = await rig.adapter.send(rig.room, Text("0:12", silent=True))
        await rig.adapter.delete(rig.room, message)
        await rig.adapter.delete(rig.room, message)
        assert "0:12" not in rig.reads()

    async def test_only_what_is_not_silent_rings(self, rig: Rig) -> None:
        before = rig.rings()
        quiet = await rig.adapter.send(rig.room, Text("Second in line.", silent=True))
        await rig.adapter.edit(rig.room, quiet, Text("0:01"))
        assert rig.rings() == before
        await rig.adapter.send(rig.room, Text("Done."))
        assert rig.rings() == before + 1

    async def test_a_button_comes_back_as_the_command_that_it_carries(self, rig: Rig) -> None:
        await rig.adapter.send(rig.room, Text("0:12", (Button("Stop", "/cancel 7"),), silent=True))
        await rig.presses("Stop")
        pressed = await take(rig.adapter.incoming())
        assert isinstance(pressed, Message | Press)
        assert pressed.text == "/cancel 7"

    async def test_messages_are_told_apart(self, rig: Rig) -> None:
        names = [await rig.adapter.send(rig.room, Text(word)) for word in ("one", "two")]
        assert len(set(names)) == 2
        assert rig.reads()[-2:] == ["one", "two"]

    async def test_a_file_can_be_fetched_whole(self, rig: Rig) -> None:
        await rig.attaches("chart.png", b"\x89PNG\x00\xff")
        message = await take(rig.adapter.incoming())
        assert isinstance(message, Message)
        assert [file.name for file in message.files] == ["chart.png"]
        assert await rig.adapter.fetch(message.files[0]) == b"\x89PNG\x00\xff"

    async def test_acknowledging_says_nothing_new(self, rig: Rig) -> None:
        await rig.writes("one")
        message = await take(rig.adapter.incoming())
        assert isinstance(message, Message)
        before = rig.reads()
        await rig.adapter.acknowledge(rig.room, message.id)
        assert rig.reads() == before

    def test_its_limits_can_be_kept(self, rig: Rig) -> None:
        limits = rig.adapter.limits
        assert limits.text >= 1_000
        assert limits.buttons >= 0
        assert 0 <= limits.edit_interval <= 10
