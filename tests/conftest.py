"""What every test session needs: fresh catalogues, and the real agent programs or a plain word about them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from hatch_build import catalogues, compile_catalogue

ROOT = Path(__file__).parent.parent
REAL_CODEX = os.environ.get("ROOST_TEST_CODEX", "")
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


def pytest_report_header() -> str:
    return f"real Codex program: {REAL_CODEX or 'none (ROOST_TEST_CODEX names one), its tests are left out'}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a real Codex its tests are left out and counted as such; where they are required they fail."""
    if REAL_CODEX or REQUIRE_REAL:
        return
    left_out = [item for item in items if item.get_closest_marker("codex")]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def real_codex() -> Path:
    """The real Codex program (`@pytest.mark.codex`)."""
    assert os.access(REAL_CODEX, os.X_OK), "ROOST_TEST_CODEX must name the real Codex program"
    return Path(REAL_CODEX)
