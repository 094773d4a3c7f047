"""A form of an agent, filled in on a phone."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.e2e.test_acp import COMMAND, THREE_LINES
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.support.tree import ROOT

GOOSE = THREE_LINES.format(command=json.dumps(COMMAND))
ODD = ["", "</code><b>x", "\u202egnp.exe", "`*_[a](b)`", "x" * 1_000, "decline"]


@pytest.fixture
def nest(tmp_path: Path) -> Roost:
    """A Roost whose project has an agent that puts forms; it finds the tests' package by the folder."""
    roost = Roost(tmp_path / "home").with_shop(engine="goose")
    (roost.shop / "tests").symlink_to(ROOT / "tests")
    return roost


def form(message: str = "Which?", **fields: object) -> str:
    return json.dumps([{"form": {"message": message, "properties": fields}}])


async def asked(held: Phone, words: str) -> None:
    await held.works_in_shop()
    held.ann.writes(words)


async def test_a_form_of_odd_signs_can_be_seen_and_filled_in_across_a_kill(nest: Roost) -> None:
    odd = {"type": "string", "title": "<b>\u202e&`*_```\n# x", "enum": ODD}
    async with phone(nest, more=GOOSE) as held:
        await held.start()
        await asked(held, form("``` <pre>\u2066", odd=odd, n={"type": "integer"}))
        await held.until("<U+202E>")
        await held.api.until(lambda: sum("<U+2066>" in read for read in held.chat.reads()) == 2)
        question = held.one("<U+202E>")
        labels = [label for row in question.buttons for label in row]
        assert labels[0] == "—"
        await held.restart(signal.SIGKILL)
        for _ in range(2):
            held.ann.presses("decline", question)
        await held.until(": decline")
        *_, number = [m for m in held.chat.screen() if "<U+2066>\nn" in m.words]  # it may have come twice
        held.ann.writes("3", reply_to=number)
        await held.until('accept {"n": 3, "odd": "decline"}')


async def test_what_nobody_would_fill_in_is_one_question_with_one_way_out(nest: Roost) -> None:
    async with phone(nest, more=GOOSE) as held:
        await held.start()
        await asked(held, form("All of it?", **{f"f{at}": {"type": "string"} for at in range(100)}))
        await held.until("All of it?")
        question = held.one("All of it?")
        assert question.buttons == [["No"]]
        held.ann.presses("No", question)
        await held.until("decline null")
        assert len(held.rung) < 5
