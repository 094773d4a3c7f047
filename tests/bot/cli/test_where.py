"""Which project a terminal talks about: the one that was named, the one that it stands in, or one to try."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import App, opened
from bot.cli.engine import engine_here, usual_engine, wants_login
from bot.cli.where import project_for
from core.errors import Refused, UnknownProject
from core.model.ids import ProjectId
from core.model.project import Project
from core.settings import load
from core.store import projects


@pytest.fixture
async def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    """A machine without agent programs, somewhere outside of every project."""
    environ = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    async with opened(load(environ), environ) as made:
        yield made


async def add(app: App, folder: Path, name: str) -> Project:
    folder.mkdir(parents=True)
    made = Project(ProjectId(0), name, str(folder), "codex")
    return await app.store.write(projects.add, made, now=0)


async def test_by_its_name_in_any_case_or_by_its_folder(app: App, tmp_path: Path) -> None:
    shop = await add(app, tmp_path / "code" / "shop", "shop")
    for named in ("shop", "SHOP", str(tmp_path / "code" / "shop"), "code/shop", "~/code/shop/"):
        assert await project_for(app, named, {}) == shop


async def test_what_is_none_is_refused(app: App, tmp_path: Path) -> None:
    with pytest.raises(UnknownProject):
        await project_for(app, "nix", {})
    for name, called in (("till", "till"), ("a b", "NAME")):
        folder = tmp_path / name
        folder.mkdir()
        with pytest.raises(Refused) as refused:
            await project_for(app, str(folder), {})
        assert refused.value.key == "chat.no_project"
        assert refused.value.fields == {"path": str(folder), "project": called}


async def test_names_are_told_apart_as_the_store_does(app: App, tmp_path: Path) -> None:
    await add(app, tmp_path / "code" / "SS", "SS")
    with pytest.raises(UnknownProject):
        await project_for(app, "ß", {})
    with pytest.raises(UnknownProject):
        await project_for(app, "~nobody-here", {})


async def test_the_innermost_one_that_we_stand_in(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add(app, tmp_path / "code" / "shop", "shop")
    till = await add(app, tmp_path / "code" / "shop" / "till", "till")
    (tmp_path / "code/shop/till/tests").mkdir()
    monkeypatch.chdir(tmp_path / "code/shop/till/tests")
    assert await project_for(app, None, {}) == till


async def test_else_the_only_one_and_of_several_none(app: App, tmp_path: Path) -> None:
    await project_for(app, None, {})
    shop = await add(app, tmp_path / "shop", "shop")
    assert await project_for(app, None, {}) == shop
    await add(app, tmp_path / "blog", "blog")
    assert await project_for(app, None, {}) is None


async def test_else_one_to_try_things_in(app: App, tmp_path: Path) -> None:
    sample = await project_for(app, None, {})
    assert sample is not None
    assert (sample.name, sample.path, sample.engine) == ("roost-demo", str(tmp_path / "roost-demo"), "demo")
    names = sorted(file.name for file in (tmp_path / "roost-demo").iterdir())
    assert names == ["README.md", "index.html", "shop.css", "shop.js", "teas.json"]
    assert await project_for(app, None, {}) == sample


async def test_the_sample_gets_the_agent_that_came_meanwhile(app: App, tmp_path: Path) -> None:
    await project_for(app, None, {})
    codex = tmp_path / "bin" / "codex"
    codex.parent.mkdir()
    codex.write_text("#!/bin/sh\necho codex-cli 1.0\n")
    codex.chmod(0o755)
    environ = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "nowhere")}
    assert (await engine_here(app, environ), await usual_engine(app, environ)) == ("codex", "demo")
    assert await wants_login(app, environ) == "codex"
    logged_in = {**environ, "OPENAI_API_KEY": "sk-test"}
    sample = await project_for(app, None, logged_in)
    assert sample is not None
    assert sample.engine == "codex"


async def test_who_has_claude_alone_talks_to_claude(app: App, tmp_path: Path) -> None:
    claude = tmp_path / "bin" / "claude"
    claude.parent.mkdir()
    claude.write_text("#!/bin/sh\necho 2.1.332 \\(Claude Code\\)\n")
    claude.chmod(0o755)
    environ = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "nowhere")}
    assert (await engine_here(app, environ), await usual_engine(app, environ)) == ("claude", "demo")
    assert await wants_login(app, environ) == "claude"
    logged_in = {**environ, "ANTHROPIC_API_KEY": "sk-test"}
    assert await usual_engine(app, logged_in) == "claude"
    sample = await project_for(app, None, logged_in)
    assert sample is not None
    assert sample.engine == "claude"


async def test_one_that_may_work_comes_before_one_that_lacks_its_login(app: App, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("codex", "claude"):
        program = tmp_path / "bin" / name
        program.write_text("#!/bin/sh\necho 1.0\n")
        program.chmod(0o755)
    environ = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "no"), "ANTHROPIC_API_KEY": "sk-test"}
    assert (await engine_here(app, environ), await usual_engine(app, environ)) == ("claude", "claude")
    assert await wants_login(app, environ) is None


async def test_whoever_names_codexs_program_is_believed(tmp_path: Path) -> None:
    config, environ = tmp_path / "roost.toml", {"HOME": str(tmp_path), "PATH": os.defpath}
    config.write_text('[engines.codex]\ncommand = ["sh", "codex"]\n')
    async with opened(load(environ, config), environ) as app:
        assert await usual_engine(app, environ) == "codex"
        assert not await wants_login(app, environ)


async def test_what_somebody_else_has_in_the_samples_place_is_no_sample(app: App, tmp_path: Path) -> None:
    (tmp_path / "roost-demo").write_text("mine")
    (tmp_path / "roost-demo-2").mkdir()
    (tmp_path / "roost-demo-2" / "README.md").write_text("mine")
    for _ in range(2):
        sample = await project_for(app, None, {})
        assert sample is not None
        assert (sample.name, sample.path) == ("roost-demo", str(tmp_path / "roost-demo-3"))
    assert (tmp_path / "roost-demo").read_text() == "mine"
    assert [file.name for file in (tmp_path / "roost-demo-2").iterdir()] == ["README.md"]


async def test_an_empty_folder_becomes_the_sample_and_stays_it_without_its_files(
    app: App, tmp_path: Path
) -> None:
    folder = tmp_path / "roost-demo"
    folder.mkdir()
    first = await project_for(app, None, {})
    (folder / "teas.json").unlink()
    assert first == await project_for(app, None, {})
    assert not (folder / "teas.json").exists()
    assert not (tmp_path / "roost-demo-2").exists()
