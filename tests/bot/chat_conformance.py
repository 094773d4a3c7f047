"""What every chat keeps to: the fake, the terminal, and each platform pass these tests."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from bot.chat import (
    Button,
    ChatAdapter,
    DeliveringChat,
    Message,
    Press,
    Readers,
    Refused,
    RoomAddress,
    Text,
)
from tests.support.fake_chat import take

MARKS = "/!"
"""What stands before a command, pressed or typed."""


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
        assert pressed.text.lstrip(MARKS) == "cancel 7"

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


class DeliveringRig(Rig, Protocol):
    """A rig whose chat gets what is said as deliveries."""

    adapter: DeliveringChat


class DeliveringConformance(ChatConformance):
    """What a chat behind a network keeps to besides. Subclass it with a fixture `rig`."""

    async def test_what_was_cut_arrives_whole_in_order(self, rig: DeliveringRig) -> None:
        paragraphs = [f"{number} " + "word " * 300 for number in range(9)]
        bodies = rig.adapter.cut(Text("\n\n".join(paragraphs)))
        assert len(bodies) > 1
        for body in bodies:
            await rig.adapter.deliver(rig.room, body)
        said = "\n".join(rig.reads()).split()
        assert said == " ".join(paragraphs).split()

    async def test_of_a_long_answer_the_first_message_rings_and_the_last_has_the_buttons(
        self, rig: DeliveringRig
    ) -> None:
        before = rig.rings()
        words = "\n\n".join("word " * 300 for _ in range(9))
        for body in rig.adapter.cut(Text(words, (Button("Again", "/queue again 7"),))):
            await rig.adapter.deliver(rig.room, body)
        assert rig.rings() == before + 1
        await rig.presses("Again")
        pressed = await take(rig.adapter.incoming())
        assert isinstance(pressed, Message | Press)
        assert pressed.text.lstrip(MARKS) == "queue again 7"

    async def test_a_mark_stands_above_on_a_line_of_its_own(self, rig: DeliveringRig) -> None:
        (body,) = rig.adapter.cut(Text("**Done.**"))
        await rig.adapter.deliver(rig.room, body, mark="(may be a repeat)")
        assert [line for line in rig.reads()[-1].splitlines() if line] == ["(may be a repeat)", "Done."]

    async def test_the_same_body_can_be_delivered_again(self, rig: DeliveringRig) -> None:
        (body,) = rig.adapter.cut(Text("Done."))
        names = [await rig.adapter.deliver(rig.room, body) for _ in range(2)]
        assert len(set(names)) == 2
        assert rig.reads()[-2:] == ["Done.", "Done."]

    async def test_what_is_pinned_or_may_not_be_calls_nobody(self, rig: DeliveringRig) -> None:
        message = await rig.adapter.send(rig.room, Text("shop", silent=True))
        rings = rig.rings()
        with suppress(Refused):
            await rig.adapter.pin(rig.room, message)
        await rig.adapter.unpin(rig.room, message)
        await rig.adapter.unpin(rig.room, message)
        assert (rig.rings(), "shop" in rig.reads()) == (rings, True)

    async def test_what_one_message_does_not_hold_is_said_shorter(self, rig: DeliveringRig) -> None:
        long = "漢字 " * rig.adapter.limits.text
        message = await rig.adapter.send(rig.room, Text(long, silent=True, shorter=(long[9:], "It grows")))
        assert rig.reads()[-1] == "It grows"
        await rig.adapter.edit(rig.room, message, Text(long, shorter=(long[9:], "It has **grown**", "It")))
        assert rig.reads()[-1] == "It has grown"

    async def test_it_tells_who_reads_along(self, rig: DeliveringRig) -> None:
        await rig.writes("one")
        person = (await take(rig.adapter.incoming())).person.id
        assert await rig.adapter.readers(rig.room, {person}) == Readers(1, frozenset({person}))

    async def test_typing_says_nothing(self, rig: DeliveringRig) -> None:
        before = rig.reads()
        await rig.adapter.typing(rig.room)
        assert rig.reads() == before

    def test_its_pace_never_gets_quicker_as_a_turn_goes_on(self, rig: DeliveringRig) -> None:
        paces = [rig.adapter.pace(rig.room, elapsed) for elapsed in (0.0, 59.0, 61.0, 3_600.0)]
        assert paces == sorted(paces)
        assert paces[0] >= rig.adapter.limits.edit_interval
