"""What the doctor says of agent programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.doctor.case import Agent, Case
from bot.doctor.examine import examine
from bot.doctor.finding import exit_code
from core.engines.codex import Codex
from core.engines.demo import Demo
from core.engines.logins import LOGINS
from core.engines.opencode_run import OpenCodeRun
from core.hosts.logins import door
from core.hosts.port import Program
from core.model.login import Door
from core.model.prompt import Status
from core.store.record import Record
from tests.bot.doctor.test_doctor import KEY, case, codex_is_here, line, no_programs, said

__all__ = ["case"]


def with_codex(case: Case, env: dict[str, str], *, configured: bool = False) -> Case:
    return replace(case, programs=codex_is_here, agents=[Agent(Codex(), env, configured=configured)])


async def test_without_any_agent_program_only_the_demo_answers(case: Case) -> None:
    absent = replace(case, agents=[Agent(Codex(), {}), Agent(Demo(), {})])
    told = await line(absent, "agents")
    assert told.state == "warning"
    assert "`demo`" in told.message


async def test_an_agent_that_is_configured_has_to_be_here(case: Case) -> None:
    missing = replace(case, agents=[Agent(Codex(command=("my-codex", "-x")), {}, configured=True)])
    told = await line(missing, "codex")
    assert told.state == "fault"
    assert "my-codex -x" in told.message
    assert "engines.codex.command" in told.remedy
    assert exit_code(await examine(missing)) == 1


async def test_an_agent_with_a_login_is_well(case: Case, tmp_path: Path) -> None:
    (tmp_path / "auth.json").write_text("{}")
    told = await line(with_codex(case, {"CODEX_HOME": str(tmp_path)}), "codex")
    assert told.state == "ok"
    assert "codex-cli 1.2.3" in told.message


async def test_an_agent_without_a_login_says_how_to_get_one(case: Case, tmp_path: Path) -> None:
    told = await line(with_codex(case, {"HOME": str(tmp_path)}, configured=True), "codex")
    assert (told.state, told.remedy) == ("warning", "`codex login`")
    assert "isn’t logged in" in told.message


@pytest.mark.parametrize(
    ("files", "env", "can"),
    [
        ({}, {}, False),
        ({".codex/auth.json": "{}"}, {}, True),
        ({".codex/auth.json": "{}"}, {"CODEX_HOME": "HOME/elsewhere"}, False),
        ({"elsewhere/auth.json": "{}"}, {"CODEX_HOME": "HOME/elsewhere"}, True),
        ({}, {"OPENAI_API_KEY": "sk"}, True),
        ({}, {"CODEX_API_KEY": "sk"}, True),
        ({}, {"OPENAI_API_KEY": ""}, False),
        ({".codex/config.toml": 'model_provider = "gateway"'}, {}, True),
        ({".codex/config.toml": 'model = "gpt"'}, {}, False),
        ({".codex/config.toml": "model_provider = "}, {}, False),
    ],
)
def test_codex_can_log_in_by_file_by_key_or_by_a_gateway(
    tmp_path: Path, files: dict[str, str], env: dict[str, str], can: bool
) -> None:
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    env = {"HOME": "HOME", **env}
    found = door(LOGINS["codex"], {k: v.replace("HOME", str(tmp_path)) for k, v in env.items()})
    assert (found is Door.OPEN) is can


async def test_how_an_agent_fared_is_told(case: Case) -> None:
    failed = Record(Status.FAILED, "engine.login", case.now - 7_200, {"item/sung": 2})
    here = replace(with_codex(case, KEY), records={"codex": failed})
    told = await line(here, "codex turns")
    assert (told.state, told.message) == ("warning", "Codex: its last turn failed 2 h ago (engine.login).")
    told = await line(here, "codex protocol")
    assert told.state == "ok"
    assert told.message == (
        "Codex has said 2 things since yesterday that this version of Roost does not know: item/sung. "
        "They were passed over."
    )
    well = replace(here, records={"codex": Record(Status.DONE, "", case.now - 90, {})})
    assert (await line(well, "codex turns")).message == "Codex: its last turn went well, 1 min ago."
    assert await said(well, "codex protocol") == []


@pytest.mark.parametrize(
    ("version", "old"),
    [
        ("codex-cli 0.171.0", False),
        ("codex-cli 0.99.9", True),
        ("codex-cli 1.0.0-alpha.3", False),
        ("usage: codex [options]", True),
    ],
)
async def test_a_version_older_than_any_that_was_tried_is_a_warning(
    case: Case, version: str, *, old: bool
) -> None:
    async def here(words: Sequence[str]) -> Program | None:
        return Program(("/bin/codex",), version)

    (told,) = await said(replace(with_codex(case, KEY), programs=here), "codex")
    assert (told.state, told.remedy) == (("warning", "Update it.") if old else ("ok", ""))


async def test_a_program_that_gives_no_version_is_here_all_the_same(case: Case) -> None:
    silent = replace(with_codex(case, KEY), programs=no_programs, found=["codex"])
    (told,) = await said(silent, "codex")
    assert (told.state, told.message) == (
        "warning",
        "Codex is here, and `codex --version` gives no answer.",
    )


async def test_a_login_that_may_be_elsewhere_is_no_fault(case: Case) -> None:
    async def here(words: Sequence[str]) -> Program | None:
        return Program(("/bin/opencode",), "1.18.33")

    agent = Agent(OpenCodeRun(), {"HOME": str(case.data_dir)})
    (told,) = await said(replace(case, programs=here, agents=[agent]), "opencode")
    assert (told.state, told.remedy) == ("warning", "`opencode auth login`")
    assert "may have other ways in" in told.message


async def test_a_key_of_an_agent_never_shows(case: Case) -> None:
    keyed = with_codex(case, {"OPENAI_API_KEY": "sk-never-shown"})
    told = [str(finding) for finding in await examine(keyed)]
    assert "sk-never-shown" not in repr(keyed) + "".join(told)
