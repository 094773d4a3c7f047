"""What we say as people's clients show it, and to whom nothing is shown."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image

from bot.chat import (
    File,
    Flood,
    Message,
    MessageRef,
    NotSent,
    Picture,
    Refused,
    RoomAddress,
    Text,
    TooLarge,
    Unknown,
    Why,
)
from bot.matrix.api import Api
from bot.matrix.client import client_for
from bot.matrix.cut import Part, encode
from bot.matrix.sending import LARGEST_FILE
from core.model.answer import Placed
from tests.bot.matrix.rig import matrix
from tests.matrix.gateway import gateway
from tests.matrix.person import People, people
from tests.matrix.synapse import Synapse, synapse

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])


def picture(width: int, height: int) -> bytes:
    held = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(held, "PNG")
    return held.getvalue()


def opus(*, channels: int, seconds: int) -> bytes:
    """The first and the last page of such a recording."""
    skipped = 312
    head = b"OpusHead\x01" + bytes([channels]) + skipped.to_bytes(2, "little") + bytes(7)
    page = b"OggS\x00\x02" + bytes(20) + b"\x01" + bytes([len(head)]) + head
    end = (48_000 * seconds + skipped).to_bytes(8, "little")
    return page + b"OggS\x00\x04" + end + bytes(12) + b"\x01\x04" + bytes(300)


@ENCRYPTED
async def test_an_answer_whose_fate_is_unknown_is_there_once(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    """The homeserver has it, and the line is cut before it says so."""
    async with (
        matrix(everybody, tmp_path, encrypted=encrypted) as rig,
        gateway(everybody.server.url) as before,
    ):
        await rig.closes()
        await rig.opens(url=before.url)
        (body,) = rig.adapter.cut(Text("Done."))
        before.cut = "/send/m.room"
        with pytest.raises(Unknown):
            await rig.adapter.deliver(rig.room, body, once="1")
        before.cut = None
        name = await rig.adapter.deliver(rig.room, body, once="1")
        assert [(seen.id, seen.body) for seen in rig.ann.seen(rig.chat)] == [(name, "Done.")]
        await rig.adapter.deliver(rig.room, body, once="2")
        assert rig.reads() == ["Done.", "Done."]


async def test_each_way_to_fail_says_what_is_known_of_the_message(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        before.failing = "/send/"
        with pytest.raises(Unknown):
            await rig.adapter.send(rig.room, Text("Done."))
        before.failing = None
        rig.ann.removes(rig.chat, rig.member.id)
        with pytest.raises(Refused) as refused:
            await rig.adapter.send(rig.room, Text("Done."))
        assert refused.value.why is Why.FORBIDDEN
        await before.stop()
        with pytest.raises(NotSent):
            await rig.adapter.send(rig.room, Text("Done."))


@ENCRYPTED
async def test_what_no_event_holds_comes_as_a_file(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        long = "word " * 20_000
        await rig.adapter.deliver(rig.room, encode(Part(long, f"<p>{long}</p>")))
        (seen,) = rig.ann.seen(rig.chat)
        assert (seen.kind, seen.body) == ("m.file", "message.txt")
        assert rig.ann.opens(seen).decode() == long


async def test_what_is_made_when_it_is_sent_is_a_file(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        await rig.adapter.deliver(rig.room, encode(Part(content="a,b\n", name="table.csv")))
        (seen,) = rig.ann.seen(rig.chat)
        assert (seen.kind, seen.body, rig.ann.opens(seen)) == ("m.file", "table.csv", b"a,b\n")


@ENCRYPTED
async def test_a_picture_stands_where_the_answer_names_it(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    data = picture(1_200, 900)
    (tmp_path / "kept.png").write_bytes(data)
    placed = (Placed("out/chart.png", "photo", "kept.png", name="chart.png"),)
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        for body in rig.adapter.cut(Text("Before.\n\n![The chart](out/chart.png)\n\nAfter.", placed=placed)):
            await rig.adapter.deliver(rig.room, body)
        before, shown, after = rig.ann.seen(rig.chat)
        assert (before.body, shown.body, after.body) == ("Before.", "The chart", "After.")
        assert (shown.kind, shown.content["filename"]) == ("m.image", "chart.png")
        info = shown.content["info"]
        assert (info["w"], info["h"], info["size"], info["mimetype"]) == (1_200, 900, len(data), "image/png")
        assert (info["thumbnail_info"]["w"], info["thumbnail_info"]["h"]) == (800, 600)
        assert len(info["xyz.amorgan.blurhash"]) == 28
        assert rig.ann.opens(shown) == data
        assert ("file" in shown.content, "url" in shown.content) == (encrypted, not encrypted)
        if encrypted:
            assert rig.ann.fetches(shown.content["file"]["url"]) != data


async def test_a_file_keeps_its_name_and_its_caption(everybody: People, tmp_path: Path) -> None:
    (tmp_path / "kept.pdf").write_bytes(b"%PDF")
    (tmp_path / "kept.png").write_bytes(b"no picture at all")
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        await rig.adapter.send(rig.room, File("kept.pdf", "report.pdf", "The **report**"))
        await rig.adapter.send(rig.room, Picture("kept.png", "chart.png"))
        report, chart = rig.ann.seen(rig.chat)
        assert (report.kind, report.body, report.content["filename"]) == (
            "m.file",
            "The report",
            "report.pdf",
        )
        assert (chart.kind, chart.body) == ("m.file", "chart.png")
        assert rig.ann.opens(report) == b"%PDF"


@ENCRYPTED
async def test_sound_can_be_heard_where_it_stands(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    """What is recorded as clients record it is a voice message; any other is a file that plays."""
    voice = opus(channels=1, seconds=3)
    (tmp_path / "kept.bin").write_bytes(voice)
    (tmp_path / "other.bin").write_bytes(opus(channels=2, seconds=1))
    (tmp_path / "song.bin").write_bytes(b"ID3")
    placed = (Placed("output/said.ogg", "made", "kept.bin", name="said.ogg"),)
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        for body in rig.adapter.cut(Text("[Listen](output/said.ogg)", placed=placed)):
            await rig.adapter.deliver(rig.room, body)
        await rig.adapter.send(rig.room, File("other.bin", "other.ogg"))
        await rig.adapter.send(rig.room, File("song.bin", "song.mp3"))
        _, said, other, song = rig.ann.seen(rig.chat)
        assert [seen.kind for seen in (said, other, song)] == ["m.audio"] * 3
        assert said.content["info"] == {"size": len(voice), "mimetype": "audio/ogg", "duration": 3_000}
        assert said.content["org.matrix.msc3245.voice"] == {}
        assert said.content["org.matrix.msc1767.audio"] == {"duration": 3_000}
        assert rig.ann.opens(said) == voice
        assert other.content["info"]["duration"] == 1_000
        assert song.content["info"] == {"size": 3, "mimetype": "audio/mpeg"}
        assert not any("org.matrix.msc3245.voice" in seen.content for seen in (other, song))


async def test_who_asked_is_mentioned_among_others_alone(everybody: People, tmp_path: Path) -> None:
    """Beside the words, and not by what rings nobody; in a private room everything is for who is there."""
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        (tmp_path / "kept.pdf").write_bytes(b"%PDF")
        to_ann: object = {"user_ids": [rig.ann.id]}
        none: object = {}
        pdf = (Placed("a.pdf", "file", "kept.pdf", name="a.pdf"),)

        async def says(text: Text) -> list[object]:
            before = len(rig.ann.seen(rig.chat))
            for body in rig.adapter.cut(text):
                await rig.adapter.deliver(rig.room, body)
            return [seen.content["m.mentions"] for seen in rig.ann.seen(rig.chat)[before:]]

        assert await says(Text("Done.", to=rig.ann.id)) == [none]
        bob = everybody.person("bob")
        rig.ann.invites(rig.chat, bob.id)
        bob.joins(rig.chat)
        async with rig.listening():
            await rig.ann.until(lambda: not rig.adapter.private_to(rig.room))
        assert await says(Text("Done.\n\n![a](a.pdf)", to=rig.ann.id, placed=pdf)) == [to_ann, none]
        assert await says(Text("![a](a.pdf)", to=rig.ann.id, placed=pdf)) == [to_ann]
        assert await says(Text("At work.", to=rig.ann.id, silent=True)) == [none]
        assert await says(Text("Done.", to="1001")) == [none]
        assert rig.ann.seen(rig.chat)[1].body == "Done."


@ENCRYPTED
async def test_a_picture_of_theirs_is_fetched_as_it_was(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    data = picture(30, 20)
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        rig.ann.attaches(rig.chat, "look.png", data, mime="image/png", caption="Like this")
        (message,) = await rig.hears("Like this")
        (file,) = message.files
        assert (file.name, file.mime, file.size) == ("look.png", "image/png", len(data))
        assert await rig.adapter.fetch(file) == data


async def test_a_file_that_is_not_what_was_sent_or_too_large_is_refused(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        rig.ann.attaches(rig.chat, "one.bin", b"one", wrong=True)
        rig.ann.attaches(rig.chat, "two.bin", b"two", size=LARGEST_FILE + 1)
        rig.ann.says(rig.chat, "done")
        one, two = [message.files[0] for message in await rig.hears("done") if message.files]
        with pytest.raises(Refused) as refused:
            await rig.adapter.fetch(one)
        assert refused.value.why is Why.MEDIA
        asked = len(before.calls)
        with pytest.raises(TooLarge):
            await rig.adapter.fetch(two)
        assert len(before.calls) == asked


async def test_keys_go_to_signed_devices_of_people_who_may(everybody: People, tmp_path: Path) -> None:
    """Ann's unsigned second device, and Bob, whom nobody let in, read nothing."""
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        rig.ann.signs_herself()
        second, bob = everybody.person(member=rig.ann.member), everybody.person("bob")
        rig.ann.invites(rig.chat, bob.id)
        bob.joins(rig.chat)
        async with rig.listening():
            await rig.ann.until(lambda: not rig.adapter.private_to(rig.room))
        await rig.adapter.send(rig.room, Text("A secret."))
        assert rig.reads() == ["A secret."]
        assert (second.reads(rig.chat), bob.reads(rig.chat)) == ([], [])
        rig.allowed.add(bob.id)
        await rig.adapter.send(rig.room, Text("For Bob too."))
        assert bob.reads(rig.chat) == ["For Bob too."]
        assert second.reads(rig.chat) == []


async def test_many_at_once_ask_for_no_key_twice(everybody: People, tmp_path: Path) -> None:
    """Right after a start; more than one key is used for."""
    words = [f"number {number}" for number in range(110)]
    async with matrix(everybody, tmp_path, encrypted=True) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        asked = len(before.calls)
        await asyncio.gather(*(rig.adapter.send(rig.room, Text(word)) for word in words))
        beside = [path for path in before.calls[asked:] if "/send/" not in path]
        assert len(beside) <= 6, beside
        assert sorted(rig.reads()) == sorted(words)
        assert rig.ann.timeline(rig.chat).unreadable == []


async def test_what_a_device_did_not_get_the_key_of_is_not_said(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        (body,) = rig.adapter.cut(Text("Done."))
        before.failing = "/sendToDevice/"
        with pytest.raises(Unknown):
            await rig.adapter.deliver(rig.room, body, once="1")
        before.failing = None
        await rig.adapter.deliver(rig.room, body, once="1")
        assert rig.reads() == ["Done."]
        assert rig.ann.timeline(rig.chat).unreadable == []


async def test_keys_that_do_not_come_hold_up_their_own_room_alone(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        await rig.adapter.send(rig.room, Text("one"))
        quick, bob = rig.room, everybody.person("bob")
        rig.allowed.add(bob.id)
        await rig.joins(encrypted=True)
        rig.ann.invites(rig.chat, bob.id)
        bob.joins(rig.chat)
        before.hanging = "/keys/claim"
        async with rig.listening():
            await rig.ann.until(lambda: not rig.adapter.private_to(rig.room))
        asked = len(before.calls)
        slow = asyncio.create_task(rig.adapter.send(rig.room, Text("two")))
        await rig.ann.until(lambda: any("/keys/claim" in call for call in before.calls[asked:]))
        async with asyncio.timeout(10):
            await rig.adapter.send(quick, Text("three"))
        assert not slow.done()
        before.hanging = None
        await slow
        assert rig.ann.reads(quick.chat) == ["one", "three"]
        assert rig.reads() == ["two"]


async def test_a_homeserver_that_hangs_holds_nobody_for_ever(everybody: People, tmp_path: Path) -> None:
    async with gateway(everybody.server.url) as before:
        before.hanging = "/"
        client = client_for(before.url, "@bot:x", "", "", keys=None, pickle="")
        try:
            with pytest.raises(Unknown):
                await Api(client).call("GET", "/_matrix/client/versions", dict, seconds=0.1)
        finally:
            await client.close()


async def test_an_owner_is_told_in_a_room_of_their_own(everybody: People, tmp_path: Path) -> None:
    """In the one that there is, and else in a new one."""
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        owner = RoomAddress("matrix", rig.member.id, rig.ann.id)
        await rig.adapter.send(owner, Text("Somebody wrote to me."))
        assert rig.reads() == ["Somebody wrote to me."]
        bob = everybody.person("bob")
        rig.allowed.add(bob.id)
        there = RoomAddress("matrix", rig.member.id, bob.id)
        assert rig.adapter.private_to(there) == bob.id
        with pytest.raises(NotSent):
            await rig.adapter.send(there, Text("Hello."))
        async with rig.listening():
            await rig.ann.until(
                lambda: rig.adapter.private_to(RoomAddress("matrix", rig.member.id, bob.invited_to()[0]))
            )
        await rig.adapter.send(there, Text("Hello."))
        (room,) = bob.invited_to()
        bob.joins(room)
        assert bob.reads(room) == ["Hello."]
        assert bob.state(room, "org.matrix.room.preview_urls") == {"disable": True}


async def test_a_homeserver_that_counts_is_lived_with(homeserver: Synapse, tmp_path: Path) -> None:
    with (
        synapse(homeserver.python, tmp_path / "synapse", limits=True) as server,
        people(server, tmp_path / "people") as everybody,
    ):
        async with matrix(everybody, tmp_path) as rig:
            assert rig.adapter.pace(rig.room, 0.0) == 2.0
            with pytest.raises(Flood) as flood:
                for number in range(20):
                    await rig.adapter.send(rig.room, Text(str(number)))
            assert 0.0 < flood.value.seconds <= 5.0
            assert rig.adapter.pace(rig.room, 0.0) == 5.0
            server.lift_limits(rig.member)
            assert await rig.adapter.send(rig.room, Text("Done."))


async def test_a_thread_is_answered_in_it(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        root = rig.ann.says(rig.chat, "one")
        rig.ann.in_thread(rig.chat, root, "two")
        messages = await rig.hears("two")
        thread = messages[-1].room
        said = await rig.adapter.send(thread, Text("Three."))
        reply = await rig.adapter.send(thread, Text("Four.", reply_to=MessageRef(root)))
        three, four = (rig.ann.timeline(rig.chat).messages[name] for name in (said, reply))
        assert (three.thread, four.thread) == (root, root)
        assert three.content["m.relates_to"]["is_falling_back"] is True
        assert four.content["m.relates_to"]["is_falling_back"] is False
        assert isinstance(messages[0], Message)
