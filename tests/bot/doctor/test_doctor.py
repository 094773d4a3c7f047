"""What the doctor says of real folders, files and programs, in the words that a person reads."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.doctor.case import Agent, Case
from bot.doctor.examine import examine
from bot.doctor.finding import Finding, Line, State, exit_code, fault, ok, unusable, warning, worded
from bot.doctor.machine import check_disk, existing
from bot.texts import Texts
from core.engines.claude import Claude
from core.engines.codex import Codex
from core.errors import ConfigError, ConfigFault, EngineMissing
from core.hosts.port import Program
from core.model.ids import ProjectId
from core.model.project import Access, Project

KEY = {"OPENAI_API_KEY": "sk"}
BUILT = 1_790_000_000.0
SEPARATION = (
    "As long as agents run as the same OS user as Roost, an agent with full access (and a sandboxed one, "
    "for reading) can read what that user can, Roost's configuration included."
)


async def no_programs(words: Sequence[str]) -> Program | None:
    return None


async def codex_is_here(words: Sequence[str]) -> Program | None:
    return Program(("/bin/codex",), "codex-cli 1.2.3") if words[0] == "codex" else None


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A machine on which all is well, and nothing is set up."""
    data_dir = tmp_path / "data"
    data_dir.mkdir(mode=0o700)
    return Case(data_dir=data_dir, programs=no_programs, now=BUILT + 60, built=BUILT)


async def said(case: Case, name: str, *, language: str = "en") -> list[Line]:
    texts = Texts(language, strict=True)
    return [worded(found, texts) for found in await examine(case) if found.name == name]


async def line(case: Case, name: str) -> Line:
    (only,) = await said(case, name)
    return only


def project(path: Path, *, name: str = "shop", access: Access = Access.WORKSPACE) -> Project:
    return Project(id=ProjectId(1), name=name, path=str(path), engine="codex", access=access)


async def test_a_project_whose_agent_is_not_here_needs_a_look(case: Case, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    told = await line(replace(case, projects=[project(folder)], missing=["codex"]), "project shop")
    assert (told.state, told.message) == (
        "warning",
        "**shop** works with codex, which has no program on this machine.",
    )
    assert told.remedy == "Install it, or take another: `roost project set shop --engine demo`."


async def test_a_machine_that_is_well_has_no_faults(case: Case) -> None:
    found = await examine(case)
    names = [finding.name for finding in found]
    assert exit_code(found) == 0
    assert names == [
        *("agents", "configuration", "data_dir", "database", "projects", "chats", "encryption"),
        *("service", "disk", "memory", "clock", "separation"),
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_everything_has_its_words_in_both_languages(case: Case, language: str) -> None:
    texts = Texts(language, strict=True)
    lines = [worded(finding, texts) for finding in await examine(case)]
    assert all(told.message and "{" not in told.message for told in lines)
    assert all(told.remedy for told in lines if told.state != "ok")


async def test_the_words_about_who_can_read_what_are_these(case: Case) -> None:
    told = await line(case, "separation")
    assert (told.state, told.message) == ("warning", SEPARATION)


async def test_without_a_file_the_configuration_is_its_default(case: Case) -> None:
    assert (await line(case, "configuration")).message == "There is no file; everything is at its default."


@pytest.mark.parametrize(
    ("mode", "secret", "state"),
    [(0o600, True, "ok"), (0o640, True, "warning"), (0o604, True, "warning"), (0o644, False, "ok")],
)
async def test_a_configuration_with_secrets_is_for_one_pair_of_eyes(
    case: Case, tmp_path: Path, mode: int, secret: bool, state: str
) -> None:
    file = tmp_path / "roost.toml"
    file.touch(mode)
    file.chmod(mode)
    told = await line(replace(case, config=file, secret=secret), "configuration")
    assert told.state == state
    assert (told.remedy == f"`chmod 600 {file}`") is (state == "warning")


def test_a_configuration_that_cannot_be_used_is_told_fault_by_fault() -> None:
    faults = [
        ConfigFault("config.bad.one_or_more", setting="max_concurrent_agents", value="0"),
        ConfigFault("config.unknown_key_near", setting="tokn", value="…", near="telegram.token"),
    ]
    found = unusable(ConfigError(faults))
    told = [worded(finding, Texts("en", strict=True)) for finding in found]
    assert [one.name for one in told] == ["configuration", "configuration"]
    assert "max_concurrent_agents" in told[0].message
    assert "telegram.token" in told[1].message
    assert exit_code(found) == 1


@pytest.mark.parametrize("mode", [0o755, 0o710, 0o701])
async def test_a_data_directory_open_to_others_is_a_fault(case: Case, mode: int) -> None:
    case.data_dir.chmod(mode)
    told = await line(case, "data_dir")
    assert (told.state, told.remedy) == ("fault", f"`chmod 700 {case.data_dir}`")


async def test_a_data_directory_that_is_not_there_is_yet_to_be_made(case: Case) -> None:
    missing = replace(case, data_dir=case.data_dir / "a/b")
    assert (await line(missing, "data_dir")).message.endswith("is made at the first start.")
    assert not missing.data_dir.exists()


async def test_a_data_directory_that_cannot_be_made_is_a_fault(case: Case) -> None:
    (case.data_dir / "file").touch()
    told = await line(replace(case, data_dir=case.data_dir / "file/a"), "data_dir")
    assert (told.state, "can’t be made in" in told.message) == ("fault", True)
    assert "set another `data_dir`" in told.remedy


@pytest.mark.parametrize("dangling", [True, False])
async def test_a_data_directory_that_is_none_is_a_fault(case: Case, *, dangling: bool) -> None:
    place = case.data_dir / "place"
    if dangling:
        place.symlink_to(case.data_dir / "nowhere")
    else:
        place.touch()
    assert (await line(replace(case, data_dir=place), "data_dir")).message.endswith("is no folder.")


async def test_a_data_directory_of_somebody_else_is_a_fault(case: Case) -> None:
    somebody = 12_345 if os.geteuid() == 0 else None
    theirs = case.data_dir if somebody else Path("/")
    if somebody:
        os.chown(theirs, somebody, somebody)
    told = await line(replace(case, data_dir=theirs), "data_dir")
    assert told.state == "fault"
    assert "does not belong to the user that runs Roost" in told.message


async def test_no_database_is_yet_to_be_made(case: Case) -> None:
    told = await line(case, "database")
    assert (told.state, told.message.endswith("is made at the first start.")) == ("ok", True)


async def test_a_database_of_a_newer_roost_is_a_fault(case: Case) -> None:
    with closing(sqlite3.connect(case.data_dir / "roost.db")) as db:
        db.execute("PRAGMA user_version = 9999")
    told = await line(case, "database")
    assert told.state == "fault"
    assert "made by a newer Roost" in told.message
    assert told.remedy.startswith("Install that Roost again")


@pytest.mark.parametrize(("language", "warned"), [("en", 0), ("fr_CA", 0), ("pt-BR", 1)])
async def test_a_language_that_has_no_words_needs_a_look(case: Case, language: str, warned: int) -> None:
    told = await said(replace(case, language=language), "language")
    assert [one.state for one in told] == ["warning"] * warned


async def test_a_damaged_database_is_a_fault(case: Case) -> None:
    (case.data_dir / "roost.db").write_text("scribble" * 1_000)
    told = await line(case, "database")
    assert told.state == "fault"
    assert "roost restore" in told.remedy


async def test_projects_that_are_well_are_one_line(case: Case, tmp_path: Path) -> None:
    for name in ("shop", "blog"):
        (tmp_path / name).mkdir()
    both = [project(tmp_path / name, name=name) for name in ("shop", "blog")]
    assert (await line(replace(case, projects=both), "projects")).message == "Fine: blog, shop."


async def test_a_project_whose_folder_is_gone_is_a_fault(case: Case, tmp_path: Path) -> None:
    told = await line(replace(case, projects=[project(tmp_path / "gone")]), "project shop")
    assert told.state == "fault"
    assert str(tmp_path / "gone") in told.message
    assert "roost project archive shop" in told.remedy


async def test_a_project_around_the_data_is_a_fault(case: Case, tmp_path: Path) -> None:
    told = await line(replace(case, projects=[project(tmp_path)]), "project shop")
    assert "contains Roost’s own data" in told.message


async def test_full_access_is_told(case: Case, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    told = await line(
        replace(case, projects=[project(tmp_path / "shop", access=Access.FULL)]), "project shop"
    )
    assert told.state == "warning"
    assert "full access" in told.message


@pytest.mark.parametrize("access", list(Access))
async def test_an_access_that_is_only_asked_is_told(case: Case, tmp_path: Path, access: Access) -> None:
    (tmp_path / "shop").mkdir()
    shop = replace(project(tmp_path / "shop", access=access), engine="claude")
    told = await line(replace(case, projects=[shop], agents=[Agent(Claude(), {})]), "project shop")
    assert told.state == "warning"
    assert ("Claude Code is asked to keep to" in told.message) is (access is not Access.FULL)


async def test_an_access_that_is_enforced_is_in_order(case: Case, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    sound = replace(case, projects=[project(tmp_path / "shop")], agents=[Agent(Codex(), {})])
    assert (await line(sound, "projects")).state == "ok"


async def test_projects_elsewhere_and_put_away_are_not_looked_at(case: Case, tmp_path: Path) -> None:
    gone = project(tmp_path / "gone")
    away = replace(case, projects=[replace(gone, host="desk"), replace(gone, archived=True)])
    assert (await line(away, "projects")).state == "ok"


async def test_a_chat_that_is_configured_speaks_for_itself(case: Case) -> None:
    names = {finding.name for finding in await examine(replace(case, chats=["matrix"]))}
    assert not names & {"chats", "encryption"}


@pytest.mark.parametrize(
    ("runs", "words"), [(True, "The service runs."), (False, "The service isn’t running")]
)
async def test_whether_the_service_runs_is_told(case: Case, *, runs: bool, words: str) -> None:
    assert (await line(replace(case, service=runs), "service")).message.startswith(words)


@pytest.mark.parametrize(("after", "state"), [(0, "ok"), (-1, "fault")])
async def test_a_clock_before_the_installation_is_a_fault(case: Case, after: int, state: str) -> None:
    told = await line(replace(case, now=BUILT + after), "clock")
    assert told.state == state
    assert "2026-09-21" in told.message


def test_the_disk_is_the_one_that_the_data_will_be_on(case: Case) -> None:
    (found,) = check_disk(replace(case, data_dir=case.data_dir / "a/b/c"))
    assert isinstance(found.fields["free"], int)
    assert existing(case.data_dir / "a/b/c") == case.data_dir


async def test_a_check_that_hangs_is_told_and_holds_nobody_up(case: Case) -> None:
    async def hang(words: Sequence[str]) -> Program | None:
        await asyncio.Event().wait()
        return None

    stuck = replace(case, programs=hang, agents=[Agent(Codex(), {})])
    started = time.monotonic()
    found = await examine(stuck, seconds=0.5)
    assert time.monotonic() - started < 10
    assert found[0] == warning("agents", "check.too_long", check="agents")


async def test_a_check_that_fails_is_a_fault_and_the_others_go_on(case: Case) -> None:
    async def fail(words: Sequence[str]) -> Program | None:
        raise EngineMissing("engine.missing", engine="Codex", host="pi5")

    found = await examine(replace(case, programs=fail, agents=[Agent(Codex(), {})]))
    assert (found[0].name, found[0].state, found[0].message) == ("agents", State.FAULT, "engine.missing")
    assert len(found) > 5


async def test_a_configuration_that_vanished_is_told(case: Case) -> None:
    told = await line(replace(case, config=case.data_dir / "gone.toml", secret=True), "configuration")
    assert (told.state, "could not be made" in told.message) == ("fault", True)


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ([], 0),
        ([ok("disk", "check.disk.ok", free=1)], 0),
        ([warning("disk", "check.disk.low")], 0),
        ([warning("disk", "check.disk.low"), fault("clock", "check.clock.behind")], 1),
    ],
)
def test_only_a_fault_fails(findings: list[Finding], code: int) -> None:
    assert exit_code(findings) == code


def test_figures_are_written_as_the_language_has_them() -> None:
    found = ok("disk", "check.disk.ok", free=1_234_000_000)
    assert worded(found, Texts("en", strict=True)) == Line("disk", "ok", "1.2 GB free.", "")
    assert worded(found, Texts("fr", strict=True)).message.startswith("1,2 G")
