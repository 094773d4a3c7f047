"""A hardened process can't be looked into, and works on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
WORK = """
import asyncio, os, stat, sys
from pathlib import Path
from core.hosts.harden import harden
from core.hosts.local import LocalHost
from tests.support.agents import hear, new_agent, shell

async def main(place):
    before = os.umask(0o022)
    umask = harden()
    host = LocalHost(place / "data", umask=umask)
    place /= "project"
    place.mkdir()
    (place / "a.png").write_bytes(b"x")
    (place / "link.png").symlink_to("a.png")
    (place / ".env").write_bytes(b"x")
    (place / "b.png").symlink_to(".env")
    agent = new_agent()
    await host.start(agent, shell("umask; sleep 60 & echo $!", place, spoken=True))
    said = (await hear(host, agent)).said.decode().split()
    ended = (await host.clean(agent, keep=False)).ended
    mode = stat.S_IMODE((place / "a.png").stat().st_mode)
    data = (await host.open(str(place), "link.png")).data
    try:
        await host.open(str(place), "b.png")
    except Exception as refusal:
        print(refusal.key)
    owner = os.stat("/proc/self/environ").st_uid
    try:
        await host.diff(str(place))
    except Exception as refusal:
        print(refusal.key)
    print(said[0], ended, oct(mode), data, owner)

asyncio.run(main(Path(sys.argv[1])))
"""


def test_everything_works_on(tmp_path: Path) -> None:
    done = subprocess.run(
        (sys.executable, "-c", WORK, str(tmp_path)), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        "file.secret",
        "changes.no_repository",
        "0022 ('sleep',) 0o600 b'x' 0",
    ], done.stderr
