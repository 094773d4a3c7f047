"""A ring wakes whoever dispatches, from any process, and never fails."""

from __future__ import annotations

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.dispatch.bell import FILE_NAME, Bell, ring

RING = "import sys; from pathlib import Path; from core.dispatch.bell import ring; ring(Path(sys.argv[1]))"


@pytest.fixture(params=["short", "a-long-way-down" * 10])
def data_dir(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder: Path = tmp_path / request.param
    folder.mkdir()
    return folder


async def test_every_process_that_rings_is_heard(data_dir: Path) -> None:
    heard = asyncio.Event()
    bell = Bell(data_dir, heard.set)
    assert stat.S_IMODE((data_dir / FILE_NAME).stat().st_mode) == 0o600
    ring(data_dir)
    await asyncio.wait_for(heard.wait(), 10)
    heard.clear()
    root = Path(__file__).parents[3]
    await asyncio.to_thread(subprocess.run, (sys.executable, "-c", RING, data_dir), check=True, cwd=root)
    await asyncio.wait_for(heard.wait(), 10)
    bell.close()
    assert not list(data_dir.iterdir())


async def test_nobody_there_or_nobody_listening_is_no_fault(data_dir: Path) -> None:
    ring(data_dir)
    ring(data_dir / "nowhere")
    bell = Bell(data_dir, lambda: None)
    for _ in range(2_000):
        ring(data_dir)
    bell.close()
    ring(data_dir)


async def test_a_bell_that_a_killed_dispatcher_left_is_replaced(data_dir: Path) -> None:
    leave = "import socket, sys; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind('bell')"
    await asyncio.to_thread(subprocess.run, (sys.executable, "-c", leave), check=True, cwd=data_dir)
    assert (data_dir / FILE_NAME).is_socket()
    heard = asyncio.Event()
    bell = Bell(data_dir, heard.set)
    ring(data_dir)
    await asyncio.wait_for(heard.wait(), 10)
    bell.close()
