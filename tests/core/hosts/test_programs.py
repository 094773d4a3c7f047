"""Agent programs: found, followed to the real one, asked for their version."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.hosts.port import Program
from core.hosts.programs import Programs, find, native


def program(path: Path, words: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o700)
    return path


@pytest.fixture
def bin_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return tmp_path / "bin"


def test_its_first_line_is_its_version(bin_dir: Path) -> None:
    path = program(bin_dir / "agent", 'echo "agent 1.2"; echo more')
    assert Programs().ask(["agent", "--fast"]) == Program((str(path), "--fast"), "agent 1.2")


def test_it_is_asked_again_only_when_it_has_changed(bin_dir: Path) -> None:
    path = program(bin_dir / "agent", 'echo x >>"$0.asked"; echo 1')
    programs = Programs()
    for _ in range(3):
        programs.ask(["agent"])
    assert Path(f"{path}.asked").read_text() == "x\n"
    os.utime(path, (1, 1))
    programs.ask(["agent"])
    assert Path(f"{path}.asked").read_text() == "x\nx\n"


@pytest.mark.parametrize("words", ["exit 1", "kill -9 $$"])
def test_one_that_cannot_say_its_version_is_none(bin_dir: Path, words: str) -> None:
    program(bin_dir / "agent", words)
    assert Programs().ask(["agent"]) is None


def test_no_words_are_no_program() -> None:
    assert Programs().ask([]) is None
    assert find([]) is None


def test_finding_runs_nothing(bin_dir: Path) -> None:
    path = program(bin_dir / "agent", 'touch "$0.ran"')
    assert find(["agent", "-x"]) == (str(path), "-x")
    path.chmod(0o600)
    assert find(["agent"]) is None
    assert not Path(f"{path}.ran").exists()


def test_it_sees_no_secret_of_ours(bin_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOST_TELEGRAM_TOKEN", "123:abc")
    program(bin_dir / "agent", 'echo "<$ROOST_TELEGRAM_TOKEN>"')
    assert Programs().ask(["agent"]) == Program((str(bin_dir / "agent"),), "<>")


def test_what_it_leaves_running_keeps_nobody_waiting(bin_dir: Path) -> None:
    program(bin_dir / "agent", "sleep 60 & echo 3")
    found = Programs().ask(["agent"])
    assert found
    assert found.version == "3"


@pytest.mark.parametrize("nested", [False, True])
def test_a_node_script_gives_way_to_the_program_that_it_runs(tmp_path: Path, nested: bool) -> None:
    modules = tmp_path / "lib/node_modules"
    script = program(modules / "@maker/agent/bin/agent.js", "")
    link = tmp_path / "bin/agent"
    link.parent.mkdir()
    link.symlink_to(script)
    assert native(str(link)) == str(link)
    parent = modules / "@maker/agent/node_modules" if nested else modules
    real = program(parent / "@maker/agent-linux-x64/vendor/x86_64-linux/bin/agent", "")
    assert native(str(link)) == str(real)
    real.chmod(0o600)
    assert native(str(link)) == str(link)
