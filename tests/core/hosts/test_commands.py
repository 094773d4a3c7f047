"""Short programs that take too long, say too much, or aren't there."""

from __future__ import annotations

import time
from pathlib import Path

from core.hosts.commands import Said, ask
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


def test_one_that_says_too_much_is_cut_short() -> None:
    said = ask(["yes"], seconds=20, most=1000)
    assert said == Said(b"y\n" * 500, None)
