"""Status tells what runs and waits here, and how the machine is; help tells who one is talking to."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.access import Role
from bot.chat import OurDevice
from core.model.events import Retrying, TurnStarted, Usage
from core.model.prompt import Status
from core.store.turns import Ending
from tests.support.office import Office, open_office

IDLE = "Nothing runs here."


async def test_before_anything_was_asked(office: Office) -> None:
    assert await office.says("/status") == [
        "There is no project yet. An owner adds one: /project add NAME PATH."
    ]
    await office.project()
    lines = (await office.says("/status"))[0].splitlines()
    assert lines[:3] == ["shop", "Codex · workspace", "Nothing runs here."]
    assert re.fullmatch(r"pi5: 0 of 100 agents, [\d.]+ [MG]B free(, \d+ °C)?", lines[3])


@pytest.mark.parametrize("signed", [True, False])
async def test_an_owner_sees_what_the_chat_encrypts_with(tmp_path: Path, *, signed: bool) -> None:
    async with open_office(tmp_path) as office:
        office.chat.sealed_by = OurDevice("ABCDEF", "abcd efgh", signed)
        office.desk = replace(office.desk, our_device=office.chat.our_device)
        await office.project()
        last = (await office.says("/status"))[0].splitlines()[-1]
        assert last.startswith(f"Device ABCDEF is {'' if signed else 'not '}signed by its account")
        assert last.endswith("Fingerprint: abcd efgh")


async def test_others_do_not(tmp_path: Path) -> None:
    async with open_office(tmp_path, role=Role.MEMBER) as office:
        office.chat.sealed_by = OurDevice("ABCDEF", "abcd efgh", signed=True)
        office.desk = replace(office.desk, our_device=office.chat.our_device)
        await office.project()
        assert "ABCDEF" not in (await office.says("/status"))[0]


async def test_while_it_works(office: Office) -> None:
    await office.project()
    await office.says("/title checkout is slow")
    await office.says("/model gpt-5.5")
    await office.says("/effort high")
    for words in ("one", "two", "three"):
        await office.says(words)
    (work,) = await office.starts()
    await office.tells(work, TurnStarted(), Usage(input=150_000, cached=0, output=6_000, window=256_000))
    office.clock.wall += 65
    lines = (await office.says("/status"))[0].splitlines()
    assert lines[:3] == [
        "shop · checkout is slow",
        "Codex gpt-5.5 high · workspace · context 61 %",
        "▸ at work 1:05 · 2 wait",
    ]
    assert lines[3].startswith("pi5: 1 of 100 agents, ")


async def test_after_it_the_context_is_still_known(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    await office.tells(work, Usage(input=128_000, cached=0, output=0, window=256_000))
    await office.ends(work)
    assert "context 50 %" in (await office.says("/status"))[0]


async def test_what_failed_last_is_told_until_something_goes_well(office: Office) -> None:
    await office.project()
    for status, told in ((Status.FAILED, "Nothing runs here; what ran last failed."), (Status.DONE, IDLE)):
        await office.says("one")
        (work,) = await office.starts()
        await office.ends(work, Ending(status, "" if status is Status.FAILED else "Done."))
        assert told in (await office.says("/status"))[0].splitlines()


async def test_what_it_waits_for_before_the_next_try(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    await office.tells(work, TurnStarted(), Retrying("rate_limit", 45.0, 2, 3))
    office.clock.wall += 15
    told = (await office.says("/status"))[0].splitlines()
    assert told[3] == "Rate limit. Next try in 30 s (2 of 3)."
    await office.tells(work, TurnStarted())
    assert "Rate limit" not in (await office.says("/status"))[0]


async def test_the_limit_that_it_waits_for(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    until = office.clock.wall + 3_600
    await office.tells(work, Retrying("usage_limit", 3_600.0, 1, 3, until))
    told = (await office.says("/status"))[0].splitlines()
    at = time.strftime("%H:%M", time.localtime(until))
    assert told[3] == f"Your Codex limit is used up until {at}. It will run then."


async def test_an_engine_that_cannot_work_here(office: Office) -> None:
    await office.project()
    office.host.locked = True
    told = (await office.says("/status"))[0].splitlines()
    assert told[3] == "Codex isn’t logged in here. There: codex login."
    office.host.missing = True
    told = (await office.says("/status"))[0].splitlines()
    assert told[3] == "Codex isn’t installed here."


async def test_on_another_host_only_its_agents_are_known(office: Office) -> None:
    await office.project(host="desk")
    assert (await office.says("/status"))[0].splitlines()[-1] == "desk: 0 of 100 agents"


async def test_help_says_who_and_what(office: Office) -> None:
    assert (await office.says("/help"))[0].splitlines()[0] == (
        "I am Roost on pi5. Pick a project, then write what is to be done there."
    )
    await office.project(engine="demo")
    help_text = (await office.says("/start"))[0].splitlines()
    assert help_text[0] == "I am Roost on pi5. What you write goes to Demo, which works in shop."
    assert "/cancel stop what runs, or drop what waits" in help_text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("/start ABCD", "You are an owner of Roost on pi5 already: you need no code."),
        ("/goal", "/goal is not in this version yet."),
        ("/queue up", "It is written like this: /queue up NUMBER"),
        (
            "/queue jump",
            (
                "It is written like this: /queue · /queue now NUMBER · /queue up NUMBER · "
                "/queue drop NUMBER · /queue again [NUMBER] · /queue clear · /queue run NUMBER"
            ),
        ),
        ("/cancle", "Perhaps you meant /cancel. Nothing runs or waits here."),
    ],
)
async def test_words_about_commands(office: Office, words: str, said: str) -> None:
    assert await office.says(words) == [said]


async def test_what_was_meant_is_done_by_its_button(office: Office) -> None:
    await office.project()
    await office.says("one")
    await office.says("/cancle all")
    assert await office.presses("/cancel") == ["Removed before it began: one."]


async def test_a_store_that_is_busy_is_a_sentence(tmp_path: Path) -> None:
    async with open_office(tmp_path, patience=0.02) as office:
        await office.project()
        with closing(sqlite3.connect(tmp_path / "roost.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert await office.says("/title Ours") == [
                "Another program holds Roost’s database. Nothing was changed; try again in a moment."
            ]
            assert (await office.says("/status"))[0].startswith("shop")


async def test_in_french(bureau: Office) -> None:
    await bureau.project(engine="demo")
    lines = (await bureau.says("/status"))[0].splitlines()
    assert lines[:3] == ["shop", "Demo · dossier du projet", "Rien ne tourne ici."]
    assert await bureau.says("/goal") == ["/goal n’existe pas encore dans cette version."]
