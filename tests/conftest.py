"""What every test session needs: fresh catalogues, and the real agent programs or a plain word about them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from hatch_build import catalogues, compile_catalogue
from tests.matrix.person import People, people
from tests.matrix.synapse import Synapse, synapse
from tests.support.agents import end_agents

ROOT = Path(__file__).parent.parent
PROGRAMS = ("codex", "claude", "opencode", "gemini", "synapse", "matrix_js")
REAL = {name: os.environ.get(f"ROOST_TEST_{name.upper()}", "") for name in PROGRAMS}
"""The real programs, each by the mark of its tests; empty where there is none."""
REQUIRE_REAL = os.environ.get("ROOST_REQUIRE_REAL") == "1"


def stale(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns


def pytest_configure() -> None:
    """The time limit is a whole test's: one example may be slow on a busy machine."""
    settings.register_profile(
        "roost", settings.get_profile(settings.get_current_profile_name()), deadline=None
    )
    settings.load_profile("roost")
    hear_signals()
    for source in catalogues(ROOT):
        if stale(source):
            compile_catalogue(source)


def hear_signals() -> None:
    """Whatever began the tests in the background had them ignore these, and so would all that they start."""
    for number, action in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, action)


def pytest_report_header() -> list[str]:
    return [f"real {name} program: {path or 'none, its tests are left out'}" for name, path in REAL.items()]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a real program its tests are left out and counted as such; where it is required they fail."""
    missing = [] if REQUIRE_REAL else [name for name, path in REAL.items() if not path]
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in missing)]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


def real(name: str) -> Path:
    """The real program of that name, for a test that bears its mark."""
    assert os.access(REAL[name], os.X_OK), f"ROOST_TEST_{name.upper()} must name the real program"
    return Path(REAL[name])


@pytest.fixture(scope="session")
def real_codex() -> Path:
    return real("codex")


@pytest.fixture(scope="session")
def real_claude() -> Path:
    return real("claude")


@pytest.fixture(scope="session")
def real_opencode() -> Path:
    return real("opencode")


@pytest.fixture(scope="session")
def real_gemini() -> Path:
    return real("gemini")


@pytest.fixture(scope="session")
def matrix_js() -> Path:
    return real("matrix_js")


@pytest.fixture(scope="session")
def homeserver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synapse]:
    """One for all tests, which make new people and rooms on it, and leave it as it is."""
    with synapse(real("synapse"), tmp_path_factory.mktemp("synapse")) as server:
        yield server


@pytest.fixture
def everybody(homeserver: Synapse, tmp_path: Path) -> Iterator[People]:
    """New people on it, with clients of their own."""
    with people(homeserver, tmp_path / "people") as everybody:
        yield everybody


@pytest.fixture(autouse=True)
def no_agent_stays(request: pytest.FixtureRequest) -> Iterator[None]:
    """An agent outlives its Roost, and one that is kept warm nobody ends once a test has killed that."""
    home: Path | None = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    if home:
        end_agents(home)
