"""Rooms that we make: there once, encrypted, without previews, in their space, and nobody's private chat."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from bot.chat import NotSent, Refused, RoomAddress, Text, Unknown, Why
from core.store import own_rooms
from tests.bot.matrix.rig import Rig, matrix
from tests.matrix.gateway import gateway
from tests.matrix.person import People
from tests.support.store import a_project

pytestmark = pytest.mark.synapse


@pytest.fixture
def name() -> str:
    """Nobody else's: one homeserver is there for all tests."""
    return secrets.token_hex(4)


async def known(rig: Rig, room: str) -> None:
    """Until we have heard of it ourselves."""
    async with rig.listening():
        await rig.ann.until(lambda: rig.adapter.private_to(RoomAddress("matrix", rig.member.id, room)))


async def test_it_is_as_its_people_want_it(everybody: People, tmp_path: Path, name: str) -> None:
    async with matrix(everybody, tmp_path) as rig:
        made = await rig.adapter.make_room(name, "shop", [rig.ann.id])
        assert rig.ann.invited_to() == [made.chat]
        rig.ann.joins(made.chat)
        assert rig.ann.state(made.chat, "m.room.name") == {"name": "shop"}
        assert rig.ann.state(made.chat, "org.matrix.room.preview_urls") == {"disable": True}
        assert rig.ann.state(made.chat, "m.room.encryption") == {"algorithm": "m.megolm.v1.aes-sha2"}
        assert rig.ann.state(made.chat, "m.room.join_rules")["join_rule"] == "invite"
        await known(rig, made.chat)
        await rig.adapter.send(made, Text("Hello."))
        (seen,) = rig.ann.seen(made.chat)
        assert (seen.body, seen.secret) == ("Hello.", True)
        rig.ann.invites(made.chat, everybody.person("bob").id)  # an owner may do what we may


async def test_under_one_name_there_is_one(everybody: People, tmp_path: Path, name: str) -> None:
    """Also where the answer to the first call was lost; whoever could not be asked in then is asked now."""
    async with matrix(everybody, tmp_path) as rig, gateway(everybody.server.url) as before:
        bob = everybody.person("bob")
        await rig.closes()
        await rig.opens(url=before.url)
        before.cut = "/createRoom"
        with pytest.raises(Unknown):
            await rig.adapter.make_room(name, "shop", [rig.ann.id])
        before.cut = None
        made = await rig.adapter.make_room(name, "shop", [rig.ann.id, bob.id, "@nobody:else.where"])
        assert (rig.ann.invited_to(), bob.invited_to()) == ([made.chat], [made.chat])
        rig.ann.joins(made.chat)
        rig.ann.leaves(made.chat)
        assert await rig.adapter.make_room(name, "shop", [rig.ann.id]) == made
        assert rig.ann.invited_to() == []
        other = await rig.adapter.make_room(f"{name}-2", "blog", [rig.ann.id])
        assert other != made


async def test_who_can_t_be_asked_in_holds_up_nobody(everybody: People, tmp_path: Path, name: str) -> None:
    async with matrix(everybody, tmp_path) as rig:
        made = await rig.adapter.make_room(name, "shop", ["@nobody:else.where", rig.ann.id])
        assert rig.ann.invited_to() == [made.chat]


async def test_what_has_the_name_and_is_not_ours_is_left_alone(
    everybody: People, tmp_path: Path, name: str
) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.calls(rig.ann.room(), f"roost-{name}")
        with pytest.raises(Refused) as refused:
            await rig.adapter.make_room(name, "shop", [rig.ann.id])
        assert refused.value.why is Why.GONE


async def test_all_are_in_one_space(everybody: People, tmp_path: Path, name: str) -> None:
    async with matrix(everybody, tmp_path) as rig:
        await rig.closes()
        rig.space = "Our projects"
        await rig.opens()
        shop, blog = [
            await rig.adapter.make_room(name + title, title, [rig.ann.id]) for title in ("shop", "blog")
        ]
        spaces = {*rig.ann.invited_to()} - {shop.chat, blog.chat}
        (space,) = spaces
        rig.ann.joins(space)
        assert rig.ann.state(space, "m.room.create")["type"] == "m.space"
        assert rig.ann.state(space, "m.room.name") == {"name": "Our projects"}
        for room in (shop.chat, blog.chat):
            rig.ann.joins(room)
            assert rig.ann.state(space, "m.space.child", room) == {"via": ["localhost"]}
            assert rig.ann.state(room, "m.space.parent", space)["canonical"] is True


@pytest.mark.parametrize("with_us", [False, True], ids=["alone", "with us"])
async def test_a_space_whose_name_somebody_else_has_is_one_all_the_same(
    everybody: People, tmp_path: Path, name: str, *, with_us: bool
) -> None:
    """Also where anybody can look into theirs, or we are in it; there is one, whatever its alias is, for as
    long as we are in it."""
    async with matrix(everybody, tmp_path) as rig:
        await rig.closes()
        rig.space = "Our projects"
        await rig.opens()
        eve = everybody.person("eve")
        squatted = eve.writes_to(rig.ann.id)
        eve.shows_to_all(squatted)
        eve.calls(squatted, f"roost-space-{rig.member.id[1:].partition(':')[0]}")
        token = rig.adapter.device.session.token
        if with_us:
            eve.invites(squatted, rig.member.id)
            everybody.server.call("POST", f"/_matrix/client/v3/join/{squatted}", {}, token=token)
        rooms = [await rig.adapter.make_room(name + title, title, [rig.ann.id]) for title in ("shop", "blog")]
        (space,) = {*rig.ann.invited_to()} - {room.chat for room in rooms} - {squatted}
        rig.ann.joins(space)
        for room in rooms:
            assert rig.ann.state(space, "m.space.child", room.chat) == {"via": ["localhost"]}
        everybody.server.call("POST", f"/_matrix/client/v3/rooms/{space}/leave", {}, token=token)
        other = await rig.adapter.make_room(f"{name}-3", "wiki", [rig.ann.id])
        (anew,) = {*rig.ann.invited_to()} - {room.chat for room in (*rooms, other)} - {squatted}
        rig.ann.joins(anew)
        assert rig.ann.state(anew, "m.space.child", other.chat) == {"via": ["localhost"]}


async def test_a_project_s_room_is_nobody_s_private_chat(
    everybody: People, tmp_path: Path, name: str
) -> None:
    """Though only the owner and we are in it; nor is a space."""
    async with matrix(everybody, tmp_path) as rig:
        await rig.closes()
        rig.space = "Our projects"
        await rig.opens()
        bob = everybody.person("bob")
        rig.allowed.add(bob.id)
        made = await rig.adapter.make_room(name, "shop", [bob.id])
        bob.joins(made.chat)
        await known(rig, made.chat)
        await rig.store.write(lambda db: own_rooms.want(db, a_project(db), "matrix"))
        (wanted,) = await rig.store.read(own_rooms.wanted, "matrix")
        await rig.store.write(own_rooms.made, wanted.id, "matrix", rig.member.id, made.chat)
        await rig.closes()
        await rig.opens()
        others = {*bob.invited_to()}
        with pytest.raises(NotSent):
            await rig.adapter.send(RoomAddress("matrix", rig.member.id, bob.id), Text("For you alone."))
        (private,) = {*bob.invited_to()} - others
        await known(rig, private)
        await rig.adapter.send(RoomAddress("matrix", rig.member.id, bob.id), Text("For you alone."))
        bob.joins(private)
        assert (bob.reads(private), bob.reads(made.chat)) == (["For you alone."], [])
