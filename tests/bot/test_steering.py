"""Words for the turn that is at work: by command, by a reply to what shows it, by a button."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import MessageRef
from core.model.events import TurnStarted
from core.model.prompt import Status
from core.store import projects
from tests.support.at_work import AtWork

DEAF = "Gemini can’t be told anything while it works. Your message waits for its turn."


async def shown(work: AtWork, engine: str) -> MessageRef:
    """What shows a turn of *engine* that works."""
    project = await work.project()
    await work.store.write(projects.change, replace(project, engine=engine))
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, TurnStarted())
    await work.passes(2)
    return next(ref for ref, one in work.chat.shown.items() if one.words.startswith("⏳"))


@pytest.mark.parametrize("way", ["reply", "command", "both"])
@pytest.mark.parametrize(("engine", "can"), [("codex", True), ("claude", True), ("gemini", False)])
async def test_where_the_engine_can_they_are_told_and_else_it_is_said_once(
    work: AtWork, tmp_path: Path, engine: str, can: bool, way: str
) -> None:
    progress = await shown(work, engine)
    words = "the other file" if way == "reply" else "/steer the other file"
    if way == "command":
        work.chat.writes(words)
    else:
        work.chat.writes(words, reply_to=progress)
    await work.passes(1)
    _, second = await work.asked()
    assert (second.text, second.status, second.steers) == ("the other file", Status.QUEUED, can)
    assert work.chat.reads().count(DEAF) == (not can)


@pytest.mark.parametrize(("engine", "buttons"), [("codex", ["Tell it now"]), ("gemini", [])])
async def test_no_button_is_dead(work: AtWork, engine: str, buttons: list[str]) -> None:
    await shown(work, engine)
    work.chat.writes("the other file")
    await work.passes(3)
    assert [label for label in work.chat.buttons() if label == "Tell it now"] == buttons
    if buttons:
        work.chat.presses("Tell it now")
        await work.passes(1)
        assert (await work.asked())[-1].steers


@pytest.mark.parametrize("way", ["reply", "command", "button"])
async def test_a_turn_that_goes_the_other_way_of_its_engine_is_told_nothing(work: AtWork, way: str) -> None:
    """`codex exec` in place of the app server: a process for each prompt, which nobody can speak to."""
    progress = await shown(work, "codex")
    await work.store.write(lambda db: db.execute("UPDATE turns SET fallback = 1"))
    if way == "reply":
        work.chat.writes("the other file", reply_to=progress)
    else:
        work.chat.writes("/steer the other file" if way == "command" else "the other file")
    await work.passes(3)
    assert "Tell it now" not in work.chat.buttons()
    _, second = await work.asked()
    assert (second.status, second.steers) == (Status.QUEUED, False)
    if way == "button":  # of a message from before
        work.chat.writes(f"/queue now {second.id}")
        await work.passes(1)
        assert not (await work.asked())[-1].steers
    assert work.chat.reads().count(DEAF.replace("Gemini", "Codex")) == 1
