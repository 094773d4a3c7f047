"""Case 72: the disk of the state and the project is full to the last byte, in the middle of a turn.

The test mounts a small disk of its own, in a process that sees it alone: `python -m … DIRECTORY` plays there.
"""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from core.errors import DiskFull
from core.model.events import TurnStarted
from core.model.ids import PromptId
from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import Room, Whole, configured, roost, says, turn, until

MOUNT = 'mount -t tmpfs -o size=2m,mode=0700 small "$1" && exec "$2" -m "$3" "$1" "$4"'
MODULE = "tests.cases.test_72_disk_full"


def test_nothing_is_lost_and_it_goes_on_when_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    namespace = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    words = [*namespace, "sh", "-c", MOUNT, "sh", str(disk), sys.executable, MODULE, str(tmp_path / "play")]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=50)
    assert ran.returncode == 0, ran.stderr


def fill(disk: Path) -> Path:
    """A file that takes everything that is left."""
    filler = disk / "filler"
    with open(filler, "ab", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            with pytest.raises(OSError, match="No space left"):
                while True:
                    file.write(b"x" * size)
    return filler


def drawn() -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((120, 120), 90).save(buffer, "PNG")
    return buffer.getvalue()


PHOTO = drawn()


async def play_there(disk: Path, play: Play) -> None:
    config = configured(disk, play.command, first="max_concurrent_agents = 9\n")
    play.steps(*turn(says("fine")))
    async with roost(config) as whole:
        (whole.workspace / "output").mkdir()
        (whole.workspace / "output" / "chart.png").write_bytes(PHOTO)
        room = Room(whole)
        await room.says("first")
        (first,) = room.took
        assert (await whole.ended(first)).status is Status.DONE
        await filled_in_two_turns(disk, whole, play)
        await whole.quiet()
        filler = fill(disk)
        (told,) = await room.says("what is this?", {"photo.png": PHOTO})
        assert "disk" in told
        (status,) = await room.says("/status")
        assert whole.project.name in status
        assert room.took == [first]
        inbox = whole.workspace / ".roost" / "inbox"
        assert [file for file in inbox.glob("*") if file.read_bytes() != PHOTO] == []
        filler.unlink()
        await room.says("what is this?", {"photo.png": PHOTO})
        assert (await whole.ended(room.took[-1])).status is Status.DONE
        damage = await whole.app.store.read(lambda db: db.execute("PRAGMA integrity_check").fetchone()[0])
        assert damage == "ok"
    await started_when_full(disk, config, first)


async def filled_in_two_turns(disk: Path, whole: Whole, play: Play) -> None:
    """One agent has a short answer with a picture to give, another a long one, and then there is no room."""
    go = {"wait_for": str(play.directory / "go")}
    play.steps(*turn(go, says("![chart](output/chart.png)")), start=2)
    play.steps(*turn(go, says("m" * 100_000)), start=3)
    short = await whole.submit("draw")
    await until(partial(begun, whole, short))
    long = await whole.submit("talk", conversation=await whole.begin(await whole.add_project("other")))
    await until(partial(begun, whole, long))
    filler = fill(disk)
    (play.directory / "go").touch()
    await asyncio.sleep(1.0)
    for prompt in (short, long):
        assert (await whole.prompt(prompt)).status is Status.RUNNING
    filler.unlink()
    assert (await whole.ended(short)).status is Status.DONE
    (chart,) = (await whole.answer(short)).placed
    assert whole.app.means.media.path(chart.media).read_bytes() == PHOTO
    cut = await whole.ended(long)
    assert (cut.status, cut.reason) == (Status.FAILED, "prompt.no_answer")
    assert "No space left on device" in await whole.shown(long)
    assert "mmm" not in await whole.shown(long)


async def begun(whole: Whole, prompt: PromptId) -> bool:
    return TurnStarted() in await whole.events(prompt)


async def started_when_full(disk: Path, config: Path, answered: PromptId) -> None:
    """It says so instead of starting; later everything is there."""
    filler = fill(disk)
    with pytest.raises(DiskFull):
        async with roost(config):
            raise AssertionError("started on a full disk")
    filler.unlink()
    async with roost(config) as whole:
        assert (await whole.answer(answered)).text == "fine"
        assert (await whole.ask()).status is Status.DONE


if __name__ == "__main__":
    asyncio.run(play_there(Path(sys.argv[1]), Play(Path(sys.argv[2]))))
