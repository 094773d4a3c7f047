"""A whole conversation over a real homeserver, in plain and in encrypted rooms."""

from __future__ import annotations

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
