"""Case 83: edits change what waits, replies are what they say, and a thread is a conversation of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_each_relation_means_what_it_says(
    tmp_path: Path, everybody: People, *, encrypted: bool
) -> None:
    roost, go = Roost(tmp_path / "home"), tmp_path / "go"
    roost.says("Hi.", {"read_stdin": "eof"}, {"wait_for": str(go)})
    shop = roost.with_shop()
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=encrypted)
        root = held.ann.says(room, "Go")
        await held.answers(room, "⏳")
        waits = held.ann.says(room, "Fix the bug")
        held.ann.edits(room, waits, "Fix the bug in a.py")
        await held.answers(room, "Changed: Fix the bug in a.py.")
        held.ann.replies(room, waits, f"> <{held.ann.id}> /cancel\n\nWhy did you write this?")
        held.ann.in_thread(room, root, "In the thread")
        taken_back = held.ann.in_thread(room, root, "Not this")
        held.ann.redacts(room, taken_back)
        await held.settles(1.0)
        go.touch()
        answers = await held.until(
            lambda: [one for one in held.ann.seen(room) if one.body == "Hi."][3:] and held.ann.seen(room)
        )
    threads = sorted(one.thread for one in answers if one.body == "Hi.")
    assert threads == ["", "", "", root]
    asked = [start.stdin.decode() for start in shop.play.starts]
    words = ("Go", "Fix the bug in a.py", "Why did you write this?", "In the thread")
    assert sorted(one.partition("\n")[0] for one in asked) == sorted(words)
    (why,) = [one for one in asked if one.startswith("Why")]
    assert why.count("Fix the bug") == 1
