"""What the kernel tells of a spool, and what it is not asked for."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.hosts.watch import Watch


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    (tmp_path / "out").touch()
    (tmp_path / "err").touch()
    return tmp_path / "out"


async def told(watch: Watch, what: Callable[[], object]) -> bool:
    """Whether it calls when *what* is done, or in the moment after."""
    called = asyncio.Event()
    watch.once(called.set)
    what()
    for _ in range(5):
        await asyncio.sleep(0)
    watch.rest()
    watch.heard()
    return called.is_set()


async def test_it_tells_of_words_and_of_files_that_are_finished(spool: Path) -> None:
    watch = Watch()
    numbers = watch.add(spool.parent, spool)
    with open(spool, "ab", buffering=0) as out, open(spool.parent / "err", "ab", buffering=0) as err:
        assert await told(watch, lambda: out.write(b"word"))
        assert not await told(watch, lambda: err.write(b"any number of times"))
        assert not await told(watch, lambda: None)
    assert await told(watch, lambda: (spool.parent / "exit").write_text("0"))
    watch.remove(numbers)


async def test_it_tells_what_was_written_before_anybody_asked(spool: Path) -> None:
    watch = Watch()
    numbers = watch.add(spool.parent, spool)
    spool.write_bytes(b"early")
    assert await told(watch, lambda: None)
    watch.remove(numbers)


async def test_what_two_watch_is_watched_until_both_have_gone(spool: Path) -> None:
    watch = Watch()
    one, other = watch.add(spool.parent, spool), watch.add(spool.parent, spool)
    watch.remove(one)
    assert await told(watch, lambda: spool.write_bytes(b"word"))
    watch.remove(other)
    watch.heard()
    assert not await told(watch, lambda: spool.write_bytes(b"word"))


def test_what_is_not_there_is_not_watched(tmp_path: Path) -> None:
    assert Watch().add(tmp_path, tmp_path / "out") == ()


def test_it_lets_go_of_the_kernel_when_nobody_has_it_any_more(spool: Path) -> None:
    before, watch = len(os.listdir("/proc/self/fd")), Watch()
    watch.remove(watch.add(spool.parent, spool))
    del watch
    assert len(os.listdir("/proc/self/fd")) == before
