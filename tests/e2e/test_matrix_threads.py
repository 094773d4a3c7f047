"""Among several people, each request is a thread of its own."""

from __future__ import annotations

import pytest

from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])


@ENCRYPTED
async def test_a_request_begins_a_thread_which_is_its_conversation(
    shop: Roost, everybody: People, *, encrypted: bool
) -> None:
    """What is said in it needs no mention; what is said beside it, to nobody, is no request."""
    async with served(shop, everybody) as held:
        held.start()
        room, bob = await held.room(encrypted=encrypted), everybody.person("bob")
        held.ann.invites(room, bob.id)
        bob.joins(room)
        held.ann.says(room, "What do you think, Bob?")
        ours = {"m.mentions": {"user_ids": [held.bot.id]}}
        one = held.ann.says(room, "Why is it slow?", **ours)
        await held.until(lambda: [seen for seen in held.ann.seen(room) if seen.thread == one])
        held.ann.in_thread(room, one, "And why now?")
        two = held.ann.says(room, "Fix the tests", **ours)
        answers = await held.until(
            lambda: (
                [seen for seen in held.ann.seen(room) if seen.body == "Hi."]
                if sum(seen.body == "Hi." for seen in held.ann.seen(room)) == 3
                else []
            )
        )
        assert {tuple(seen.content["m.mentions"]["user_ids"]) for seen in answers} == {(held.ann.id,)}
        assert [seen.thread for seen in answers].count(one) == 2
        assert [seen.thread for seen in answers].count(two) == 1
        held.ann.says(room, "!status", **ours)
        shown = await held.answers(room, "shop")
        assert shown.thread == ""
    assert len(shop.play.starts) == 3


async def test_what_begins_a_thread_can_be_changed_and_taken_back_while_it_waits(
    shop: Roost, everybody: People
) -> None:
    go = shop.holds()
    async with served(shop, everybody) as held:
        held.configure(more='threads = "on"\n')
        held.start()
        room = await held.room()
        held.ann.says(room, "Go")
        await held.answers(room, "⏳")
        waits = held.ann.says(room, "Fix the tests")
        held.ann.edits(room, waits, "Fix the docs")
        changed = await held.answers(room, "Changed: Fix the docs.")
        held.ann.redacts(room, waits)
        await held.settles(1.0)
        go.touch()
        answer = await held.answers(room, "Hi.")
        assert (changed.thread, answer.thread != waits) == (waits, True)
        await held.settles(1.0)
    assert len(shop.play.starts) == 1
