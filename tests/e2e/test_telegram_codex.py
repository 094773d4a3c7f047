"""The whole way from a phone to the real Codex, and back."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.test_telegram import clock
from tests.support.codex import KEY_NAME, ScriptedCodex, script, scripted_codex
from tests.support.codex_app import escalated
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.telegram.client import picture

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]


@pytest.fixture
async def held(scripted_codex: ScriptedCodex, tmp_path: Path) -> AsyncIterator[Phone]:
    """Ann, in a private chat that works in `shop` with Codex."""
    roost = Roost(tmp_path / "home").with_shop()
    more = f'pass_env = ["{KEY_NAME}"]\n'
    async with phone(roost, command=[str(scripted_codex.program)], more=more) as held:
        await held.start(**scripted_codex.env)
        await held.works_in_shop()
        yield held


async def test_steps_a_picture_and_the_next_prompt(held: Phone, scripted_codex: ScriptedCodex) -> None:
    drawn = base64.b64encode(picture(kind="WEBP")).decode()
    made = f"mkdir -p output && echo {drawn} | base64 -d >output/chart.webp"
    answer = "<!-- roost-title: The chart -->\nHere it is:\n\n![chart](output/chart.webp)\n\nDone."
    text = script(
        [{"plan": [["draw", "in_progress"]]}],
        [{"shell": "sleep 2.5"}],
        [{"shell": made}],
        [{"text": answer}],
    )
    asked = held.ann.writes(text)
    await held.until("▸")
    shown = held.one("⏳ Codex · shop")
    assert shown.buttons == [["Stop"]]
    assert "Plan 1/1: draw" in shown.words
    await held.until("Done.")
    await held.until("✓ 0:0")
    answer_id = held.one("Here it is:")
    assert answer_id.reply_to
    assert answer_id.reply_to.id == asked.id
    assert held.chat.reads()[2:] == ["Here it is:", "[chart.jpg] chart", "Done."]
    assert held.rung == ["Here it is:"]
    held.ann.writes("What is it?", photo=picture())
    await held.until("ECHO images=1 users=2: What is it?")
    assert held.api.violations == []


async def test_killed_in_mid_turn_it_answers_once(held: Phone, scripted_codex: ScriptedCodex) -> None:
    held.ann.writes(script([{"shell": "sleep 3; echo once >>ran.txt"}], [{"text": "FINAL"}]))
    await held.api.until(lambda: clock(held) >= 2)
    await held.end()
    await held.start(**scripted_codex.env)
    await held.until("FINAL")
    await held.until("✓ 0:0")
    assert held.rung == ["FINAL"]
    assert len(held.chat.reads()) == 3
    assert (held.roost.shop / "ran.txt").read_text() == "once\n"


async def test_stopped_while_a_command_runs(held: Phone, scripted_codex: ScriptedCodex) -> None:
    held.ann.writes(script([{"shell": "sleep 300"}], [{"text": "Done."}]))
    await held.until("▸")
    held.ann.presses("Stop")
    await held.until("Nothing is left running")
    await held.until("■ 0:0")
    held.ann.writes("Go on")
    await held.until("ECHO images=0 users=2: Go on")


@pytest.mark.parametrize(
    ("pressed", "said", "made"), [("Once", "Allowed by Ann", True), ("No", "Refused by Ann", False)]
)
async def test_a_question_is_put_and_answered_by_a_button(
    held: Phone, scripted_codex: ScriptedCodex, pressed: str, said: str, made: bool
) -> None:
    held.ann.writes("/approvals ask")
    await held.until("before steps that its access does not cover: ask")
    asked = held.ann.writes(script([escalated("touch made")], [{"text": "Done."}]))
    await held.until("touch made")
    question = held.one("Codex wants to run")
    assert question.buttons == [["Once", "Always here", "No"]]
    assert question.reply_to
    assert question.reply_to.id == asked.id
    assert "in shop" in question.words
    held.ann.presses(pressed)
    await held.until(said)
    await held.until("Done.")
    assert held.one(said).id == question.id
    assert held.one(said).buttons == []
    assert [words.split("\n")[0] for words in held.rung] == ["✋ Codex wants to run", "Done."]
    assert (held.roost.shop / "made").exists() is made
    assert held.api.violations == []


async def test_a_question_is_answered_after_a_restart(held: Phone, scripted_codex: ScriptedCodex) -> None:
    held.ann.writes("/approvals ask")
    await held.until("does not cover: ask")
    held.ann.writes(script([escalated("echo once >>made")], [{"text": "Done."}]))
    await held.until("Codex wants to run")
    await held.end()
    held.ann.presses("Once")
    await held.start(**scripted_codex.env)
    await held.until("Done.")
    await held.until("Allowed by Ann")
    assert (held.roost.shop / "made").read_text() == "once\n"


async def test_a_turn_stopped_while_it_asks_leaves_no_live_question(
    held: Phone, scripted_codex: ScriptedCodex
) -> None:
    held.ann.writes("/approvals ask")
    await held.until("does not cover: ask")
    held.ann.writes(script([escalated("touch made")], [{"text": "Done."}]))
    await held.until("Codex wants to run")
    held.ann.writes("/cancel")
    await held.until("Nobody needs to answer this any more.")
    await held.until("Nothing is left running")
    assert not (held.roost.shop / "made").exists()


async def test_what_waits_is_told_to_the_running_turn(held: Phone, scripted_codex: ScriptedCodex) -> None:
    held.ann.writes(script([{"shell": "sleep 2"}], [{"text": "."}]))
    await held.until("▸")
    held.ann.writes("use the other file")
    await held.until("Second in line")
    assert held.one("Second in line").buttons == [["Tell it now", "Remove"]]
    held.ann.presses("Tell it now")
    await held.until("Told to the turn that is at work.")
    await held.until("ECHO images=0 users=2: use the other file")
    assert len(held.rung) == 1


async def test_the_context_is_compacted_from_the_chat(held: Phone, scripted_codex: ScriptedCodex) -> None:
    held.ann.writes("/compact")
    await held.until("Nothing has been said in this conversation yet.")
    held.ann.writes("Hello")
    await held.until("ECHO images=0 users=1: Hello")
    held.ann.writes("/compact")
    await held.until("Compacted: ")
    held.ann.writes("And on")
    await held.until("And on")
    assert held.api.violations == []
