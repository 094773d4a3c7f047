"""Help and misuse: in the reader's language, and paid for by nobody else."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest

from bot.cli.call import call_of
from bot.cli.commands import MODULES, main, roost
from tests.support.tree import ROOT

HEAVY = ("asyncio", "pydantic", "msgspec", "sqlite3", "rich", "prompt_toolkit", "PIL", "markdown_it", "core")


def commands() -> list[tuple[str, ...]]:
    """Every command, those below another too."""
    ctx = click.Context(roost, obj=call_of({}))
    found: list[tuple[str, ...]] = [()]
    for name in MODULES:
        command = roost.get_command(ctx, name)
        found.append((name,))
        found += [(name, below) for below in getattr(command, "commands", {})]
    return found


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_command_and_option_is_explained(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOST_LANGUAGE", language)
    for words in commands():
        assert main([*words, "--help"]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith({"en": "Usage: roost", "fr": "Usage : roost"}[language])
        assert not re.search(r"\bcli\.|\[OPTIONS\]|…\s*$", shown), shown
        assert "--config FILE" in shown


def test_help_lists_every_command_that_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--help"]):
        assert main(words) == 0
        shown = capsys.readouterr().out
        listed = [name for name in MODULES if re.search(rf"^  {name} ", shown, re.MULTILINE)]
        assert listed == [name for name, module in MODULES.items() if not module.endswith(".later")]


def test_the_version_is_that_of_this_roost(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"roost \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_help_loads_nothing_that_it_does_not_need() -> None:
    script = "import sys; from bot.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = {name.partition(".")[0] for name in ran.stderr.split()}
    assert [name for name in HEAVY if name in loaded] == []


@pytest.mark.parametrize("name", ["worker", "host-agent"])
def test_what_is_not_there_yet_says_so_in_a_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--role", "owner", "3"]) == 2
    said = capsys.readouterr().err
    assert said == f"roost {name} is not in this version yet. roost --help shows what there is.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["aks"], "There is no command aks. roost --help shows how it is written."),
        (["stauts"], "There is no command stauts. Did you mean roost status?"),
        (["project", "lst"], "There is no command lst. Did you mean roost project list?"),
        (
            ["chat", "--project"],
            "The option --project is not used like that. roost chat --help shows how it is",
        ),
        (["project", "set", "shop", "--access"], "roost project set --help shows how it is written."),
        (["ask", "shop", "Go", "--image"], "roost ask --help shows how it is written."),
        (["--colour"], "There is no option --colour. roost --help shows how it is written."),
        (["ask", "p"], "TEXT is missing. roost ask --help shows how it is written."),
        (["ask", "p", "t", "--image"], "The option --image is not used like that."),
        (["events"], "CONVERSATION is missing. roost status --json and roost ask --json have its number."),
        (["status", "now"], "That is more, or less, than this command takes."),
        (["cancel", "first"], "PROMPT can’t be that. Expected: a number."),
        (["events", "1", "--from", "-1"], "--from can’t be that. Expected: a number."),
        (["project", "set", "p", "--access", "root"], "Expected: read-only, workspace, full."),
        (["project", "rename"], "There is no command rename. roost project --help"),
    ],
)
def test_misuse_is_one_sentence_and_where_to_look(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "ROOST_LANGUAGE": "en"}, "en"),
        ({"LANG": "xx"}, "en"),
    ],
)
def test_until_the_configuration_is_read_the_terminals_language_counts(
    environ: dict[str, str], language: str
) -> None:
    assert call_of(environ).texts.language == language
