"""What is heard of a room, and what is not: nothing twice, no gap, and nothing that was said to others."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest

from bot.chat import (
    Edited,
    How,
    Joined,
    Message,
    Missed,
    Moved,
    Named,
    Redacted,
    RoomAddress,
    Seal,
    Text,
    Toward,
)
from bot.matrix.hearing import TRIES
from bot.matrix.syncing import SEEN_AT_ONCE
from bot.matrix.trouble import Trouble
from tests.bot.matrix.rig import matrix, texts
from tests.matrix.gateway import gateway
from tests.matrix.person import People

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])


def messages(heard: Iterable[object]) -> list[Message]:
    return [one for one in heard if isinstance(one, Message)]


@ENCRYPTED
async def test_what_is_said_to_an_invited_bot_that_is_down_is_heard(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    async with matrix(everybody, tmp_path) as rig:
        await rig.closes()
        room = rig.ann.room(encrypted=encrypted)
        rig.ann.says(room, "said before the invite")
        rig.ann.invites(room, rig.member.id)
        rig.ann.says(room, "said to the invited")
        await rig.opens()
        rig.room = RoomAddress("matrix", rig.member.id, room)
        assert texts(await rig.hears("said to the invited")) == ["said to the invited"]


@ENCRYPTED
async def test_a_long_outage_leaves_no_gap(everybody: People, tmp_path: Path, *, encrypted: bool) -> None:
    """More than one sync tells of a room, and more than one page."""
    said = [f"number {number}" for number in range(130)]
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        await rig.closes()
        for text in said:
            rig.ann.says(rig.chat, text)
        await rig.opens()
        assert texts(await rig.hears(said[-1])) == said


async def test_what_breaks_off_is_heard_once_it_is_whole(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        before.cut = "/sync"
        rig.ann.says(rig.chat, "one")
        asked = len(before.calls)
        async with rig.listening() as heard:
            await rig.ann.until(lambda: rig.told == [Trouble.UNREACHABLE])
        assert heard == []
        assert asked + 3 <= len(before.calls)
        before.cut = None
        assert texts(await rig.hears("one")) == ["one"]
        assert rig.told == [Trouble.UNREACHABLE, Trouble.BACK]


async def test_what_was_stored_is_not_heard_again_after_a_restart(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.says(rig.chat, "one")
        await rig.hears("one")
        await rig.closes()
        rig.ann.says(rig.chat, "two")
        await rig.opens()
        assert rig.adapter.private_to(rig.room) == rig.ann.id
        assert texts(await rig.hears("two")) == ["two"]
        await rig.closes()
        await rig.opens()
        assert rig.adapter.private_to(rig.room) == rig.ann.id


async def test_a_store_that_is_new_hears_nothing_that_was_said_before(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.says(rig.chat, "long ago")
        await rig.closes()
        shutil.rmtree(tmp_path / "matrix")
        await rig.opens(since="")
        rig.ann.says(rig.chat, "now")
        assert texts(await rig.hears("now")) == ["now"]


async def test_a_room_of_several_is_one_after_a_restart_too(everybody: People, tmp_path: Path) -> None:
    """Also of people who never said a word."""
    async with matrix(everybody, tmp_path) as rig:
        bob = everybody.person("bob")
        rig.ann.invites(rig.chat, bob.id)
        bob.joins(rig.chat)
        rig.ann.says(rig.chat, "one")
        (before,) = await rig.hears("one")
        await rig.closes()
        await rig.opens()
        rig.ann.says(rig.chat, "two")
        (after,) = await rig.hears("two")
        assert (before.alone, after.alone) == (False, False)
        assert rig.adapter.private_to(rig.room) == ""


async def test_strangers_invite_nobody(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        bob = everybody.person("bob")
        room = bob.room(rig.member.id)
        async with rig.listening():
            await bob.until(lambda: bob.members(room)[rig.member.id] == "leave")


async def test_a_room_that_lets_nobody_in_holds_up_no_other(everybody: People, tmp_path: Path) -> None:
    """As one does that lies on a server which is gone."""
    async with matrix(everybody, tmp_path) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        before.failing = "/join/"
        shut = rig.ann.room(rig.member.id)
        rig.ann.says(rig.chat, "one")
        knocks = partial(before.calls.count, f"/_matrix/client/v3/join/{shut}")
        async with rig.listening() as said:
            await rig.ann.until(lambda: texts(messages(said)) == ["one"] and knocks() >= TRIES)
        assert knocks() == TRIES
        before.failing = None
        rig.ann.removes(shut, rig.member.id)
        rig.ann.invites(shut, rig.member.id)
        async with rig.listening():
            await rig.ann.until(lambda: rig.ann.members(shut)[rig.member.id] == "join")


async def test_a_room_that_nobody_who_may_is_in_is_left(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        bob = everybody.person("bob")
        rig.ann.invites(rig.chat, bob.id)
        bob.joins(rig.chat)
        rig.ann.leaves(rig.chat)
        async with rig.listening():
            await bob.until(lambda: bob.members(rig.chat)[rig.member.id] == "leave")


async def test_edits_notices_and_our_own_words_are_no_messages(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        said = rig.ann.says(rig.chat, "one")
        rig.ann.edits(rig.chat, said, "uno")
        rig.ann.says(rig.chat, "a bot's", msgtype="m.notice")
        rig.ann.says(
            rig.chat, "> <@bob:x> /cancel\n\nwhy?", **{"m.relates_to": {"m.in_reply_to": {"event_id": said}}}
        )
        rig.ann.in_thread(rig.chat, said, "in a thread")
        rig.ann.says(rig.chat, "to Bob", **{"m.mentions": {"user_ids": ["@bob:x"]}})
        one, why, thread, bob = await rig.hears("to Bob")
        assert texts([one, why, thread]) == ["one", "why?", "in a thread"]
        assert (one.id, one.alone, one.toward) == (said, True, Toward.NOBODY)
        assert (why.reply_to, thread.reply_to, thread.room.thread) == (said, None, said)
        assert bob.toward is Toward.OTHERS


@ENCRYPTED
async def test_a_reply_has_what_it_points_at(everybody: People, tmp_path: Path, *, encrypted: bool) -> None:
    """Also where that was said before we were started; a reply to us is to us, in a room of many too."""
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        rig.ann.says(rig.chat, "The queries are slow.")
        (said,) = await rig.hears("The queries are slow.")
        ours = await rig.adapter.send(rig.room, Text("**Which** ones?"))
        await rig.closes()
        await rig.opens()
        rig.ann.replies(rig.chat, said.id, "Why is that?")
        rig.ann.replies(rig.chat, ours, "All of them.")
        why, answer = await rig.hears("All of them.")
        (pointed,) = why.points_at
        assert (pointed.how, pointed.text, pointed.ours) == (How.REPLY, "The queries are slow.", False)
        assert why.toward is Toward.NOBODY
        (pointed,) = answer.points_at
        assert (pointed.text, pointed.ours, answer.toward) == ("Which ones?", True, Toward.US)


@ENCRYPTED
async def test_a_reply_has_the_picture_that_it_points_at(
    everybody: People, tmp_path: Path, *, encrypted: bool
) -> None:
    """As it was sent, also before we were started; what was taken back is there no more."""
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        shown = rig.ann.attaches(rig.chat, "look.png", b"a picture", mime="image/png", caption="Look")
        gone = rig.ann.attaches(rig.chat, "gone.png", b"a secret", mime="image/png", caption="Gone")
        await rig.hears("Gone")
        await rig.closes()
        await rig.opens()
        for picture, text in ((shown, "What is this?"), (gone, "And that?")):
            rig.ann.replies(rig.chat, picture, text)
        this, that = await rig.hears("What is this?", "And that?")
        for message, name, data in ((this, "look.png", b"a picture"), (that, "gone.png", b"a secret")):
            (pointed,) = message.points_at
            assert message.files == ()
            assert [(file.name, file.mime) for file in pointed.files] == [(name, "image/png")]
            assert await rig.adapter.fetch(pointed.files[0]) == data
        rig.ann.redacts(rig.chat, gone)
        rig.ann.replies(rig.chat, gone, "Still?")
        (still,) = await rig.hears("Still?")
        assert still.points_at == ()


async def test_what_is_changed_or_taken_back_is_heard_where_it_stood(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        root = rig.ann.says(rig.chat, "one")
        inner = rig.ann.in_thread(rig.chat, root, "two")
        async with rig.listening() as heard:
            await rig.ann.until(lambda: len(heard) == 2)
            rig.ann.edits(rig.chat, inner, "twice")
            await rig.ann.until(lambda: len(heard) == 3)
            rig.ann.redacts(rig.chat, inner)
            await rig.ann.until(lambda: len(heard) == 4)
        edited, redacted = heard[2:]
        assert isinstance(edited, Edited)
        assert isinstance(redacted, Redacted)
        assert (edited.message, edited.text, edited.room.thread) == (inner, "twice", root)
        assert (redacted.message, redacted.room.thread) == (inner, root)


async def test_plain_words_in_an_encrypted_room_count_as_said_by_nobody(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        rig.ann.says_openly(rig.chat, "/cancel all")
        (heard,) = await rig.hears("")
        assert (heard.text, heard.unreadable, heard.seal) == ("", True, Seal.OPEN)


async def test_what_a_device_says_that_its_owner_did_not_sign_counts_as_said_by_nobody(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        second = everybody.person(member=rig.ann.member)
        second.says(rig.chat, "before she has an identity")
        (before,) = await rig.hears("before she has an identity")
        rig.ann.signs_herself()
        second.says(rig.chat, "from anywhere")
        rig.ann.says(rig.chat, "from her own")
        astray, own = await rig.hears("from her own")
        assert (before.seal, own.seal) == (Seal.SOUND, Seal.SOUND)
        assert (astray.seal, astray.text) == (Seal.UNSIGNED, "")


async def test_a_room_whose_past_can_t_be_had_holds_up_no_other(everybody: People, tmp_path: Path) -> None:
    """Of what was said there the last is heard, that there was more, once, and who came meanwhile."""
    async with matrix(everybody, tmp_path) as rig, gateway(everybody.server.url) as before:
        gap, long = rig.chat, [f"number {number}" for number in range(60)]
        await rig.joins(encrypted=False)
        await rig.closes()
        bob = everybody.person("bob")
        rig.ann.invites(gap, bob.id)
        bob.joins(gap)
        for text in long:
            rig.ann.says(gap, text)
        rig.ann.says(rig.chat, "one")
        before.failing = f"{gap}/messages"
        await rig.opens(url=before.url)
        async with rig.listening(Missed, Joined) as said:
            await rig.ann.until(lambda: {"one", long[-1]} <= {*texts(messages(said))})
        assert texts(one for one in messages(said) if one.room.chat == gap) == long[-SEEN_AT_ONCE:]
        assert [one.room.chat for one in said if isinstance(one, Missed)] == [gap]
        came = [person.id for one in said if isinstance(one, Joined) for person in one.people]
        assert bob.id in came
        assert rig.told == []
        rig.ann.says(rig.chat, "two")
        assert texts(await rig.hears("two"))[-1] == "two"


async def test_keys_that_can_t_be_asked_for_hold_up_nobody(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        before.failing = "/keys/"
        bob = everybody.person("bob")
        rig.ann.encrypts(rig.ann.room(rig.member.id, bob.id))
        rig.ann.says(rig.chat, "one")
        assert texts(await rig.hears("one")) == ["one"]


def deep(depth: int) -> list[object]:
    found: list[object] = []
    for _ in range(depth):
        found = [found]
    return found


async def test_what_strangers_nest_without_end_makes_nobody_deaf(everybody: People, tmp_path: Path) -> None:
    """Straight to our devices, for which they need no room, and within what is encrypted."""
    async with matrix(everybody, tmp_path) as rig:
        eve, home = everybody.person("eve"), rig.room
        for kind in ("m.room.encrypted", "m.room_key", "org.example.other"):
            content = {rig.member.id: {"*": {"algorithm": "m.olm.v1.curve25519-aes-sha2", "a": deep(700)}}}
            path = f"/_matrix/client/v3/sendToDevice/{kind}/1"
            everybody.server.call("PUT", path, {"messages": content}, token=eve.token)
        rig.ann.says(rig.chat, "one")
        assert texts(await rig.hears("one")) == ["one"]
        rig.allowed.add(eve.id)
        room = eve.room(rig.member.id, encrypted=True)
        async with rig.listening():
            await rig.ann.until(lambda: eve.members(room).get(rig.member.id) == "join")
        for depth in (450, 900):
            eve.nests(room, depth)
        rig.room = home
        rig.ann.says(rig.chat, "two")
        assert "two" in texts(await rig.hears("two"))


async def test_a_room_that_is_opened_to_all_is_told_of_at_once(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.opens_to_all(rig.chat)
        rig.ann.says(rig.chat, "one")
        async with rig.listening(Joined) as said:
            await rig.ann.until(lambda: texts(messages(said)))
        assert [(one.people, one.public) for one in said if isinstance(one, Joined)] == [((), True)]
        assert [one.public for one in messages(said)] == [True]


async def test_what_a_room_is_called_is_told_also_where_it_was_named_meanwhile(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.names(rig.chat, "The shop")
        async with rig.listening(Named) as said:
            await rig.ann.until(lambda: said)
        await rig.closes()
        rig.ann.names(rig.chat, "Our shop")
        await rig.opens()
        async with rig.listening(Named) as later:
            await rig.ann.until(lambda: later)
        names = [one for one in (*said, *later) if isinstance(one, Named)]
        assert [(one.room, one.name) for one in names] == [(rig.room, "The shop"), (rig.room, "Our shop")]


async def test_who_is_in_an_upgraded_room_before_us_is_told_of(everybody: People, tmp_path: Path) -> None:
    """They were not in the one before; whoever was is told of no more."""
    async with matrix(everybody, tmp_path) as rig:
        bob, eve = everybody.person("bob"), everybody.person("eve")
        rig.ann.invites(rig.chat, bob.id)
        bob.joins(rig.chat)
        rig.ann.says(rig.chat, "one")
        await rig.hears("one")
        new = rig.ann.upgrades(rig.chat, "11")
        for one in (bob, eve):
            rig.ann.invites(new, one.id)
            one.joins(new)
        rig.ann.invites(new, rig.member.id)
        async with rig.listening(Moved, Joined) as said:
            await rig.ann.until(lambda: len(said) >= 2)
        moved, joined = said[:2]
        assert isinstance(moved, Moved)
        assert isinstance(joined, Joined)
        assert (moved.to, joined.room.chat) == (new, new)
        assert [person.id for person in joined.people] == [eve.id]
