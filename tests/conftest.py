"""What every test session needs: fresh catalogues, and the real agent programs or a plain word about them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from hatch_build import catalogues, compile_catalogue

ROOT = Path(__file__).parent.parent
REAL_CODEX = os.environ.get("ROOST_TEST_CODEX", "")
REAL_CLAUDE = os.environ.get("ROOST_TEST_CLAUDE", "")
REAL = {"codex": REAL_CODEX, "claude": REAL_CLAUDE}
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
    for source in catalogues(ROOT):
        if stale(source):
            compile_catalogue(source)


def pytest_report_header() -> list[str]:
    return [f"real {name} program: {path or 'none, its tests are left out'}" for name, path in REAL.items()]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a real program its tests are left out and counted as such; where it is required they fail."""
    missing = [] if REQUIRE_REAL else [name for name, path in REAL.items() if not path]
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in missing)]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def real_codex() -> Path:
    """The real Codex program (`@pytest.mark.codex`)."""
    assert os.access(REAL_CODEX, os.X_OK), "ROOST_TEST_CODEX must name the real Codex program"
    return Path(REAL_CODEX)


@pytest.fixture(scope="session")
def real_claude() -> Path:
    """The real Claude Code (`@pytest.mark.claude`)."""
    assert os.access(REAL_CLAUDE, os.X_OK), "ROOST_TEST_CLAUDE must name the real Claude Code"
    return Path(REAL_CLAUDE)
