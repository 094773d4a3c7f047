"""Model, effort and access belong to the conversation; access never rises above the project's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.project import Access
from core.store import projects
from tests.support.office import Office


async def test_what_nobody_set_is_as_usual(office: Office) -> None:
    await office.project()
    assert await office.says("/model") == ["Model: as Codex is set up."]
    assert await office.says("/effort") == ["Effort: as Codex is set up."]
    assert office.chat.buttons() == ["minimal", "low", "medium", "high", "xhigh"]
    assert await office.says("/access") == ["Access: workspace."]
    assert office.chat.buttons() == ["read-only", "As usual"]


async def test_set_it_stays_and_goes_back(office: Office) -> None:
    await office.project()
    assert await office.says("/model gpt-5.5") == ["Model: gpt-5.5."]
    await office.says("/effort")
    assert await office.presses("high") == ["Effort: high."]
    here = await office.conversation()
    assert (here.model, here.effort) == ("gpt-5.5", "high")
    assert await office.says("/model default") == ["Model: as Codex is set up."]
    assert (await office.conversation()).model == ""


@pytest.mark.parametrize(
    ("engine", "words", "said"),
    [
        (
            "codex",
            "/effort huge",
            "Codex doesn’t know that effort. It knows: minimal, low, medium, high, xhigh.",
        ),
        ("demo", "/effort high", "Demo has no effort to choose."),
        ("demo", "/model gpt-5.5", "Demo has no model to choose."),
    ],
)
async def test_what_an_engine_cannot_is_said(office: Office, engine: str, words: str, said: str) -> None:
    await office.project(engine=engine)
    assert await office.says(words) == [said]


async def test_access_is_lowered_and_given_back(office: Office) -> None:
    await office.project()
    assert await office.says("/access read-only") == ["Access: read-only."]
    assert (await office.conversation()).access is Access.READ_ONLY
    assert await office.says("/access default") == ["Access: workspace."]
    assert (await office.conversation()).access is None


async def test_access_never_rises_above_the_projects(office: Office) -> None:
    await office.project()
    assert await office.says("/access full") == [
        "This project allows workspace at most. In the terminal: roost project set shop --access full."
    ]
    await office.project("tv", access=Access.FULL)
    assert await office.says("/access full") == ["Access: full."]


async def test_a_ceiling_that_came_down_later_holds(office: Office) -> None:
    project = await office.project(access=Access.FULL)
    await office.says("/access full")
    await office.store.write(projects.change, replace(project, access=Access.READ_ONLY))
    assert await office.says("/access") == ["Access: read-only."]


async def test_in_french(bureau: Office) -> None:
    await bureau.project(engine="demo")
    assert await bureau.says("/effort") == ["Effort : celui réglé dans Demo."]


@pytest.mark.parametrize("engine", ["claude", "opencode", "gemini", "cursor"])
async def test_an_access_that_nothing_enforces_says_so(office: Office, engine: str) -> None:
    project = await office.project(engine=engine)
    label = office.desk.catalogue.label(engine)
    honest = f"\n{label} is asked to keep to it; nothing here enforces it."
    assert await office.says("/access") == ["Access: workspace." + honest]
    assert await office.says("/access read-only") == ["Access: read-only." + honest]
    assert "read-only (asked, not enforced)" in (await office.says("/status"))[0]
    await office.store.write(projects.change, replace(project, access=Access.FULL))
    assert await office.says("/access full") == ["Access: full."]
    assert "enforced" not in (await office.says("/status"))[0]


@pytest.mark.parametrize("engine", ["codex", "demo"])
async def test_an_access_that_the_agent_enforces_needs_no_word(office: Office, engine: str) -> None:
    await office.project(engine=engine)
    assert await office.says("/access") == ["Access: workspace."]
    assert "enforced" not in (await office.says("/status"))[0]


async def test_an_engine_that_is_not_here_says_so_with_the_way_back(office: Office) -> None:
    await office.project(engine="demo")
    office.host.missing = True
    assert await office.says("/engine codex") == [
        "Engine: codex.\nCodex isn’t installed here.\nThe way back: /engine demo."
    ]
    office.host.missing = False
    assert await office.presses("Demo") == ["Engine: demo."]


async def test_from_a_conversation_that_was_begun_the_way_back_is_that_one(office: Office) -> None:
    await office.project(engine="demo")
    await office.says("Go")
    before = await office.conversation()
    office.host.missing = True
    (said,) = await office.says("/engine codex")
    assert said.endswith(f"Codex isn’t installed here.\nThe way back: /conversations {before.id}.")
    await office.presses("Demo")
    assert await office.conversation() == before


async def test_engines_that_are_not_here_are_marked_among_the_choices(office: Office) -> None:
    await office.project(engine="demo")
    office.host.missing = True
    await office.says("/engine")
    assert "codex (not here)" in office.chat.buttons()
    office.host.missing = False
    await office.says("/engine")
    assert "codex" in office.chat.buttons()
