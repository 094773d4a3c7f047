"""Which engines there are, and the plain word about the others."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.engines.catalogue import Catalogue, EngineConfig
from core.engines.port import Engine, first_turn
from core.errors import Refused
from core.model.project import Access
from core.model.request import TurnRequest
from tests.support.tree import ROOT

ENGINES = tuple(Catalogue().engine(name) for name in Catalogue().names)
ALONE = ("codex", "claude", "opencode", "gemini")
EXEC = tuple(Catalogue([EngineConfig(name, transport="exec")]).engine(name) for name in ALONE)


def test_every_kind_is_there_without_settings() -> None:
    catalogue = Catalogue()
    assert catalogue.names == ("codex", "claude", "opencode", "gemini", "cursor", "demo")
    labels = [catalogue.engine(name).label for name in catalogue.names]
    assert labels == ["Codex", "Claude Code", "OpenCode", "Gemini", "Cursor", "Demo"]
    assert all(catalogue.engine(name).command == catalogue.command(name) for name in catalogue.names[:-1])


def test_settings_change_an_engine_and_name_others() -> None:
    catalogue = Catalogue(
        [
            EngineConfig("codex", command=("/agents/codex", "-p", "x"), transport="exec"),
            EngineConfig("trial", kind="demo"),
            EngineConfig("goose", kind="acp", command=("goose", "acp")),
        ]
    )
    assert catalogue.names[-2:] == ("trial", "goose")
    assert catalogue.engine("codex").command == ("/agents/codex", "-p", "x")
    assert (catalogue.engine("trial").name, catalogue.engine("trial").label) == ("trial", "Demo")
    goose = catalogue.engine("goose")
    assert (goose.name, goose.label, goose.command) == ("goose", "goose", ("goose", "acp"))


@pytest.mark.parametrize(
    ("name", "spoken", "falls_back"),
    [("auto", True, True), ("app-server", True, False), ("exec", False, False)],
)
def test_how_codex_is_reached(name: str, spoken: bool, falls_back: bool) -> None:
    codex = Catalogue([EngineConfig("codex", transport=name)]).engine("codex")
    assert (codex.spoken, codex.fallback is not None) == (spoken, falls_back)


@pytest.mark.parametrize("name", ["claude", "opencode", "gemini"])
def test_others_are_spoken_to_unless_one_says_otherwise(name: str) -> None:
    assert Catalogue().engine(name).spoken
    assert not Catalogue([EngineConfig(name, transport="exec")]).engine(name).spoken


@pytest.mark.parametrize("engine", [*ENGINES, *EXEC], ids=lambda engine: type(engine).__name__)
def test_a_new_process_that_has_nobodys_words_yet_is_known(engine: Engine) -> None:
    """Only such a one may start before it is on the disk for good that it was to be started."""
    request = TurnRequest("/srv/project", "Remember the milk", Access.WORKSPACE, {})
    launch, _ = first_turn(engine, engine.command, request, "t1")
    given = b"Remember the milk" in launch.input + " ".join(launch.argv).encode()
    assert given == launch.offers


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("goose", "engine.no_command"),
        ("strange", "engine.unknown"),
        ("hal", "engine.unknown"),
        ("acp", "engine.unknown"),
        ("", "engine.unknown"),
        ("claude", "engine.transport"),
    ],
)
def test_what_is_not_there_is_refused_with_a_reason(name: str, key: str) -> None:
    catalogue = Catalogue(
        [
            EngineConfig("goose", kind="acp"),
            EngineConfig("strange", kind="telepathy"),
            EngineConfig("claude", transport="app-server"),
        ]
    )
    with pytest.raises(Refused) as refused:
        catalogue.engine(name)
    assert refused.value.key == key
    assert refused.value.fields["engine"] == name


def test_an_engine_that_nobody_works_with_is_not_loaded() -> None:
    code = (
        "import sys; from core.engines.catalogue import Catalogue; Catalogue().names;"
        "print([name for name in sys.modules if name.startswith(('core.wire.', 'core.engines.acp'))])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout == "[]\n"


def test_an_engine_gets_its_own_variables_and_what_its_settings_add() -> None:
    own = {"HOME": "/h", "CODEX_HOME": "/c", "TOKEN": "t", "ROOST_TOKEN": "s", "DEMO_PACE": "0"}
    catalogue = Catalogue([EngineConfig("codex", env={"A": "b"}, pass_env=("TOKEN",))])
    assert catalogue.environment("codex", own) == {"HOME": "/h", "CODEX_HOME": "/c", "TOKEN": "t", "A": "b"}
    assert catalogue.environment("demo", own) == {"HOME": "/h", "DEMO_PACE": "0"}


def test_a_secret_of_the_settings_is_not_shown() -> None:
    assert "hidden" not in repr(EngineConfig("codex", env={"KEY": "hidden"}))


@pytest.mark.parametrize("transport", ["auto", "exec"])
@pytest.mark.parametrize("name", ["codex", "claude", "opencode", "gemini", "cursor", "demo"])
def test_which_access_each_engine_enforces(name: str, transport: str) -> None:
    """Tried with the real ones: `tests/e2e/test_access.py`."""
    if name == "demo":
        transport = "auto"
    catalogue = Catalogue([EngineConfig(name, transport=transport)])
    asked = {access for access in Access if catalogue.only_asked(name, access)}
    assert asked == (set() if name in ("codex", "demo") else {Access.READ_ONLY, Access.WORKSPACE})


def test_what_cannot_be_driven_enforces_nothing() -> None:
    assert Catalogue().only_asked("strange", Access.READ_ONLY)
    assert not Catalogue().only_asked("strange", Access.FULL)
