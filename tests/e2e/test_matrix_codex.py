"""The whole way from a Matrix room to the real Codex, and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.matrix.person import People
from tests.matrix.service import Served, served
from tests.support.codex import KEY_NAME, ScriptedCodex, script, scripted_codex
from tests.support.codex_app import escalated
from tests.support.roost import Roost

pytestmark = [pytest.mark.synapse, pytest.mark.codex]
__all__ = ["scripted_codex"]


@pytest.fixture
async def held(everybody: People, scripted_codex: ScriptedCodex, tmp_path: Path) -> AsyncIterator[Served]:
    roost = Roost(tmp_path / "home").with_shop()
    command, engine = [str(scripted_codex.program)], f'pass_env = ["{KEY_NAME}"]\n'
    async with served(roost, everybody, command=command, engine=engine) as held:
        held.start(**scripted_codex.env)
        yield held


async def asked(held: Served, *, encrypted: bool) -> tuple[str, str]:
    """A room in which Codex wants to run something, and the message that asks whether it may."""
    room = await held.room(encrypted=encrypted)
    held.ann.says(room, "!approvals ask")
    await held.answers(room, "before steps that its access does not cover: ask")
    held.ann.says(room, script([escalated("touch made")], [{"text": "Done."}]))
    question = await held.answers(room, "Codex wants to run")
    assert "touch made" in question.body
    return room, question.id


@pytest.mark.parametrize(
    ("sign", "said", "made"),
    [("✅", "Allowed by", True), ("❌", "Refused by", False)],
    ids=["yes", "no"],
)
async def test_in_the_open_a_sign_answers_what_it_asks(
    held: Served, *, sign: str, said: str, made: bool
) -> None:
    room, question = await asked(held, encrypted=False)
    held.ann.reacts(room, question, sign)
    assert (await held.answers(room, said)).id == question
    await held.answers(room, "Done.")
    assert (held.roost.shop / "made").exists() is made


async def test_where_all_is_encrypted_a_word_does_and_no_sign(held: Served) -> None:
    room, question = await asked(held, encrypted=True)
    held.ann.reacts(room, question, "✅")
    await held.answers(room, "In an encrypted room a reaction can't allow anything")
    assert not (held.roost.shop / "made").exists()
    held.ann.replies(room, question, "yes")
    assert (await held.answers(room, "Allowed by")).id == question
    await held.answers(room, "Done.")
    assert (held.roost.shop / "made").exists()
    assert held.ann.timeline(room).unreadable == []
