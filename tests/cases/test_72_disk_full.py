"""Case 72: the disk of the state and the project is full to the last byte, in the middle of a turn.

The test mounts a small disk of its own, in a process that sees it alone: `python -m … DIRECTORY` plays there.
"""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from core.errors import DiskFull
from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import Whole, configured, roost, says, turn, until

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


async def refused(whole: Whole) -> bool:
    """The next prompt, with a photo: nothing of it is kept, and whoever sent it is told."""
    try:
        await whole.app.host.put(str(whole.workspace), "photo.png", PHOTO)
    except DiskFull:
        inbox = whole.workspace / ".roost" / "inbox"
        assert not inbox.exists() or list(inbox.iterdir()) == []
    else:
        return False
    try:
        await whole.submit("one more")
    except DiskFull as error:
        return "disk" in whole.app.texts("en").say(error.key, host="nest").lower()
    return False


async def play_there(disk: Path, play: Play) -> None:
    go = play.directory / "go"
    picture = "![chart](output/chart.png)"
    late = [{"wait_for": str(go)}, says(picture)]
    play.steps(*turn(says("fine")))
    play.steps(*turn(*late), start=2)
    play.steps(*turn({"wait_for": str(go)}, says("m" * 100_000)), start=3)
    async with roost(configured(disk, play.command, first="max_concurrent_agents = 9\n")) as whole:
        (whole.workspace / "output").mkdir()
        (whole.workspace / "output" / "chart.png").write_bytes(PHOTO)
        elsewhere = await whole.begin(await whole.add_project("other"))
        before = await whole.ask()
        drawing = await whole.submit("draw")
        await until(lambda: len(play.starts) == 2)
        talking = await whole.submit("talk", conversation=elsewhere)
        await until(lambda: len(play.starts) == 3)
        await asyncio.sleep(0.6)
        filler = fill(disk)
        assert await refused(whole)
        go.touch()
        await asyncio.sleep(1.0)
        for prompt in (drawing, talking):
            assert (await whole.prompt(prompt)).status is Status.RUNNING
        filler.unlink()
        assert (await whole.ended(drawing)).status is Status.DONE
        (chart,) = (await whole.answer(drawing)).placed
        assert whole.app.means.media.path(chart.media).read_bytes() == PHOTO
        cut = await whole.ended(talking)
        assert (cut.status, cut.reason) == (Status.FAILED, "prompt.no_answer")
        assert "No space left on device" in await whole.shown(talking)
        assert "mmm" not in await whole.shown(talking)
        assert (await whole.ask()).status is Status.DONE
        assert (await whole.answer(before.id)).text == "fine"
        damage = await whole.app.store.read(lambda db: db.execute("PRAGMA integrity_check").fetchone()[0])
        assert damage == "ok"


if __name__ == "__main__":
    asyncio.run(play_there(Path(sys.argv[1]), Play(Path(sys.argv[2]))))
