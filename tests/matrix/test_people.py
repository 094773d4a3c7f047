"""The test's own people talk to one another over the real homeserver, in the open and encrypted."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tests.matrix.person import People, people
from tests.matrix.synapse import Refusal, Synapse

pytestmark = pytest.mark.synapse


@pytest.mark.parametrize("version", ["11", "12"])
@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
def test_two_people_talk(everybody: People, *, encrypted: bool, version: str) -> None:
    ann, bob = everybody.person("ann"), everybody.person("bob")
    room = ann.room(bob.id, encrypted=encrypted, version=version)
    assert bob.invited_to() == [room]
    bob.joins(room)
    first = ann.says(room, "one")
    ann.says(room, "two")
    assert bob.reads(room) == ["one", "two"]
    assert [seen.secret for seen in bob.seen(room)] == [encrypted, encrypted]
    ann.edits(room, first, "uno")
    bob.reacts(room, first, "👀")
    ann.attaches(room, "a.png", b"\x89PNG", mime="image/png")
    assert bob.reads(room) == ["uno", "two", "a.png"]
    assert bob.opens(bob.seen(room)[-1]) == b"\x89PNG"
    assert bob.rings(room) == 3
    assert ann.timeline(room).reactions == {first: ["👀"]}
    ann.redacts(room, first)
    assert bob.reads(room) == ["two", "a.png"]


def test_a_long_absence_misses_nothing(everybody: People) -> None:
    ann, bob = everybody.person("ann"), everybody.person("bob")
    room = ann.room(bob.id)
    bob.joins(room)
    said = [f"number {number}" for number in range(40)]
    for text in said:
        ann.says(room, text)
    assert bob.reads(room) == said


def test_a_server_that_was_stopped_keeps_everything(tmp_path: Path, homeserver: Synapse) -> None:
    server = Synapse(homeserver.python, tmp_path / "synapse", limits=True)
    server.start()
    try:
        with people(server, tmp_path / "people") as everybody:
            ann = everybody.person()
            room, numbers = ann.room(), count()
            path = f"/_matrix/client/v3/rooms/{room}/send/m.room.message"
            words = {"msgtype": "m.text", "body": "one"}
            ann.sends(room, words)
            server.stop()
            server.start()
            assert [seen.body for seen in ann.timeline(room).messages.values()] == ["one"]
            with pytest.raises(Refusal, match="M_LIMIT_EXCEEDED"):
                for _ in range(20):
                    server.call("PUT", f"{path}/{next(numbers)}", words, token=ann.token)
            server.lift_limits(ann.member)
            ann.says(room, "again")
    finally:
        server.stop()
