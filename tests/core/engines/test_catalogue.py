"""Which engines there are, and the plain word about the others."""

from __future__ import annotations

import pytest

from core.engines.catalogue import Catalogue, EngineConfig
from core.errors import Refused


def test_codex_and_demo_are_there_without_settings() -> None:
    catalogue = Catalogue()
    assert catalogue.names == ("codex", "demo")
    assert [catalogue.engine(name).label for name in catalogue.names] == ["Codex", "Demo"]


def test_settings_change_an_engine_and_name_others() -> None:
    catalogue = Catalogue(
        [
            EngineConfig("codex", command=("/agents/codex", "-p", "x"), transport="exec"),
            EngineConfig("trial", kind="demo"),
            EngineConfig("goose", kind="acp", command=("goose", "acp")),
        ]
    )
    assert catalogue.names == ("codex", "demo", "trial")
    assert catalogue.engine("codex").command == ("/agents/codex", "-p", "x")
    assert (catalogue.engine("trial").name, catalogue.engine("trial").label) == ("trial", "Demo")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("claude", "engine.not_yet"),
        ("opencode", "engine.not_yet"),
        ("gemini", "engine.not_yet"),
        ("cursor", "engine.not_yet"),
        ("goose", "engine.not_yet"),
        ("strange", "engine.unknown"),
        ("hal", "engine.unknown"),
        ("", "engine.unknown"),
    ],
)
def test_what_is_not_there_is_refused_with_a_reason(name: str, key: str) -> None:
    catalogue = Catalogue([EngineConfig("goose", kind="acp"), EngineConfig("strange", kind="telepathy")])
    with pytest.raises(Refused) as refused:
        catalogue.engine(name)
    assert refused.value.key == key
    known = {"engines": "codex, demo"} if key == "engine.unknown" else {}
    assert refused.value.fields == {"engine": name, **known}


def test_codex_over_the_app_server_is_not_there_yet() -> None:
    catalogue = Catalogue([EngineConfig("codex", transport="app-server")])
    assert catalogue.names == ("demo",)
    with pytest.raises(Refused) as refused:
        catalogue.engine("codex")
    assert refused.value.key == "engine.not_yet"


def test_an_engine_gets_its_own_variables_and_what_its_settings_add() -> None:
    own = {"HOME": "/h", "CODEX_HOME": "/c", "TOKEN": "t", "ROOST_TOKEN": "s", "DEMO_PACE": "0"}
    catalogue = Catalogue([EngineConfig("codex", env={"A": "b"}, pass_env=("TOKEN",))])
    assert catalogue.environment("codex", own) == {"HOME": "/h", "CODEX_HOME": "/c", "TOKEN": "t", "A": "b"}
    assert catalogue.environment("demo", own) == {"HOME": "/h", "DEMO_PACE": "0"}


def test_a_secret_of_the_settings_is_not_shown() -> None:
    assert "hidden" not in repr(EngineConfig("codex", env={"KEY": "hidden"}))
