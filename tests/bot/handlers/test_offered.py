"""What the engine itself offers is what can be chosen; where it can't be asked, anything is taken."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.answering import AnsweringHost, model, offers_of
from tests.support.office import Office, open_office

MODELS = {"data": [model("m1", "low", "high", default=True), model("m2", "high", "max"), model("m3")]}


@pytest.fixture
def host() -> AnsweringHost:
    return AnsweringHost(answers={"model/list": MODELS})


@pytest.fixture
async def asked(tmp_path: Path, host: AnsweringHost) -> AsyncIterator[Office]:
    """Where engines answer."""
    async with open_office(tmp_path) as opened:
        opened.desk = replace(opened.desk, offers=offers_of(host, opened.clock))
        await opened.project()
        yield opened


async def test_models_are_buttons(asked: Office) -> None:
    assert await asked.says("/model") == ["Model: as Codex is set up."]
    assert asked.chat.buttons() == ["M1", "M2", "M3"]
    assert await asked.presses("M2") == ["Model: m2."]
    await asked.says("/model")
    assert asked.chat.buttons() == ["M1", "M3", "As usual"]


async def test_an_unknown_model_is_refused_with_those_that_are_known(asked: Office) -> None:
    assert await asked.says("/model m9") == ["Codex doesn’t know that model. It knows: m1, m2, m3."]
    await asked.says("Go")
    assert (await asked.conversation()).model == ""


async def test_efforts_are_those_of_the_model(asked: Office) -> None:
    await asked.says("/effort")
    assert asked.chat.buttons() == ["low", "high"]
    await asked.says("/model m2")
    await asked.says("/effort")
    assert asked.chat.buttons() == ["high", "max"]
    assert await asked.says("/effort low") == ["Codex doesn’t know that effort. It knows: high, max."]
    await asked.says("/model m3")
    assert await asked.says("/effort low") == ["Codex has no effort to choose."]


async def test_an_effort_that_the_new_model_has_not_is_cleared(asked: Office) -> None:
    await asked.says("/effort high")
    await asked.says("/model m2")
    assert (await asked.conversation()).effort == "high"
    await asked.says("/model m3")
    assert (await asked.conversation()).effort == ""


async def test_more_than_a_phone_shows_are_counted(asked: Office, host: AnsweringHost) -> None:
    host.answers["model/list"] = {"data": [model(f"m{n}") for n in range(23)] + [model("m" * 60)]}
    assert await asked.says("/model") == ["Model: as Codex is set up.\nAnd 4 more: /model NAME takes any."]
    assert len(asked.chat.buttons()) == 20
    (said,) = await asked.says("/model other")
    assert said.endswith("m19.\nAnd 4 more: /model NAME takes any.")
    assert await asked.says("/model m22") == ["Model: m22."]


async def test_names_from_outside_are_plain_words(asked: Office, host: AnsweringHost) -> None:
    host.answers["model/list"] = {"data": [{"model": "m1", "displayName": "A\n**model**\u202e " + "x" * 60}]}
    await asked.says("/model")
    (label,) = asked.chat.buttons()
    assert label == "A **model** xxxxxxxxxxxxxxx…"


async def test_nobody_waits_for_a_slow_program(asked: Office, host: AnsweringHost) -> None:
    host.awake.clear()
    asked.desk = replace(asked.desk, offers=offers_of(host, asked.clock, patience=0.0))
    asking = "Codex is being asked what it offers. Say it again in a moment."
    assert await asked.says("/model") == [f"Model: as Codex is set up.\n{asking}"]
    assert await asked.says("/effort") == [f"Effort: as Codex is set up.\n{asking}"]
    assert await asked.says("/model m9") == ["Model: m9."]
    await asked.desk.offers.close()


async def test_who_can_not_be_asked_takes_anything(asked: Office, host: AnsweringHost) -> None:
    host.missing = True
    assert await asked.says("/model m9") == ["Model: m9."]
    assert await asked.says("/effort xhigh") == ["Effort: xhigh."]
