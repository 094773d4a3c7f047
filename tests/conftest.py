"""What every test session needs: fresh catalogues, and the real agent programs or a plain word about them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).parent.parent / "locales"
REAL_CODEX = os.environ.get("ROOST_TEST_CODEX", "")
REQUIRE_REAL = os.environ.get("ROOST_REQUIRE_REAL") == "1"


def compile_catalogue(source: Path) -> None:
    """`roost.mo` beside *source*, replaced in one step: several test processes may do it at once."""
    fresh = source.with_name(f".{source.stem}.{os.getpid()}.mo")
    with source.open("rb") as words, fresh.open("wb") as compiled:
        write_mo(compiled, read_po(words, locale=source.parts[-3]))
    fresh.replace(source.with_suffix(".mo"))


def stale(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns


def pytest_configure() -> None:
    for source in LOCALES.glob("*/LC_MESSAGES/*.po"):
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
