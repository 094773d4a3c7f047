"""Short programs that take too long, say too much, or aren't there."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from core.hosts.commands import Said, ask, in_thread
from tests.support.agents import runs
from tests.support.whole import until


def test_what_it_says_and_how_it_ends(tmp_path: Path) -> None:
    said = ask(
        ["sh", "-c", "pwd; echo $WORD; exit 3"], seconds=5, most=1000, cwd=str(tmp_path), env={"WORD": "x"}
    )
    assert said == Said(f"{tmp_path}\nx\n".encode(), 3)


def test_one_that_is_not_there(tmp_path: Path) -> None:
    assert ask(["no-such-program"], seconds=5, most=1000) is None
    assert ask(["true"], seconds=5, most=1000, cwd=str(tmp_path / "gone")) is None


async def test_one_that_takes_too_long_is_ended_with_its_children() -> None:
    began = time.monotonic()
    said = ask(["sh", "-c", "echo $$; sleep 60 & echo $!; wait"], seconds=0.3, most=1000)
    assert said
    assert said.code is None
    await until(lambda: not any(runs(int(pid)) for pid in said.data.split()))
    assert time.monotonic() - began < 10


async def test_one_for_which_nobody_waits_any_more_is_ended_and_none_follows(tmp_path: Path) -> None:
    def asks() -> None:
        for name in ("first", "second"):
            ask(["sh", "-c", f"echo $$ > {name}; exec sleep 60"], seconds=60, most=1000, cwd=str(tmp_path))
        (tmp_path / "over").touch()

    asking = asyncio.create_task(in_thread(asks))
    await until(lambda: (tmp_path / "first").exists() and bool((tmp_path / "first").read_text()))
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await until(lambda: (tmp_path / "over").exists())
    assert not runs(int((tmp_path / "first").read_text()))
    assert not (tmp_path / "second").exists()
    assert ask(["true"], seconds=5, most=1000) == Said(b"", 0)


def test_one_that_says_too_much_is_cut_short() -> None:
    said = ask(["yes"], seconds=20, most=1000)
    assert said == Said(b"y\n" * 500, None)
