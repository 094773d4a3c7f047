"""A whole conversation over a real homeserver, in plain and in encrypted rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.matrix.person import People, people
from tests.matrix.service import served
from tests.matrix.synapse import Synapse
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse


@pytest.fixture
def everybody(homeserver: Synapse, tmp_path: Path) -> Iterator[People]:
    with people(homeserver, tmp_path / "people") as everybody:
        yield everybody


@pytest.mark.parametrize("version", ["11", "12"])
@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_a_prompt_gets_its_answer(
    shop: Roost, everybody: People, *, encrypted: bool, version: str
) -> None:
    shop.says("It is the **queries**.")
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=encrypted, version=version)
        asked = held.ann.says(room, "Why is checkout slow?")
        answer = await held.answers(room, "It is the queries.")
        assert answer.kind == "m.text"
        assert answer.html == "<p>It is the <strong>queries</strong>.</p>"
        assert answer.secret == encrypted
        assert answer.content["m.relates_to"] == {"m.in_reply_to": {"event_id": asked}}
        assert held.ann.timeline(room).reactions == {asked: ["👀"]}
        assert held.ann.timeline(room).unreadable == []


async def test_set_up_by_questions_it_answers(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        shop.configure()
        words = ["matrix", everybody.server.url, held.bot.id, "wrong", "", "", held.bot.password, held.ann.id]
        stdin = "".join(f"{word}\n" for word in words).encode()
        ran = await asyncio.to_thread(lambda: shop("setup", stdin=stdin))
        assert ran.status == 0, ran.err
        assert held.bot.password not in ran.out + ran.err
        assert "The homeserver lets nobody in with that." in ran.err
        held.start()
        await held.room()
