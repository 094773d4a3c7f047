"""The real `roost`, as a process with a home, a configuration and a data directory of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.handlers.projects import new_project
from core.store import projects
from core.store.database import FILE_NAME
from core.store.folder import made_private
from tests.support.forked import Forked, Service
from tests.support.play_agent import Play, Step
from tests.support.store import connected
from tests.support.tree import ROOT
from tests.support.whole import BEGUN, COMPLETED, STARTED, says

SECONDS = 30.0


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out, self.err
        return json.loads(self.out)


class Roost:
    """*play* is the agent behind the engine `codex`; a project `shop` is there once it was asked for.

    *forks*: what `runs` is there at once; else it loads itself, as it does wherever it is no test.
    """

    forks = True

    def __init__(self, home: Path, *, config: str = "") -> None:
        self.home = home
        self.data_dir = home / "data"
        self.shop = home / "shop"
        self.shop.mkdir(parents=True)
        self.play = Play(home / "play")
        self.config = home / "roost.toml"
        self.configure(config)

    def configure(self, more: str = "", *, command: list[str] | None = None) -> None:
        way = "" if command else 'transport = "exec"\n'
        engine = f"[engines.codex]\n{way}command = {json.dumps(command or self.play.command)}\n"
        self.config.write_text(f"data_dir = {json.dumps(str(self.data_dir))}\n{engine}{more}")

    def says(self, text: str, *before: Step) -> None:
        """What the scripted agent answers from now on, after the steps *before*."""
        self.play.steps(STARTED, BEGUN, *before, says(text), COMPLETED)

    def holds(self) -> Path:
        """From now on the agent waits in mid-turn, until the file that is returned is there."""
        go = self.home / "go"
        self.says("Hi.", {"wait_for": str(go)})
        return go

    @property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "DEMO_PACE": "0",
            "PYTHONPATH": str(ROOT),
            "ROOST_CONFIG": str(self.config),
        }

    def __call__(self, *words: str, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Ran:
        ran = subprocess.run(
            [*COMMAND, *words],
            input=stdin,
            capture_output=True,
            timeout=SECONDS,
            cwd=cwd or self.home,
            env=self.environ | env,
        )
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    @contextmanager
    def started(self, *words: str, **env: str) -> Iterator[subprocess.Popen[str]]:
        """A command that goes on meanwhile; killed at the end if it still runs."""
        process = subprocess.Popen(
            [*COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.home,
            env=self.environ | env,
        )
        with process:
            try:
                yield process
            finally:
                process.kill()

    @contextmanager
    def service(self) -> Iterator[subprocess.Popen[str]]:
        """`roost run`, from the moment that it has its lock until it is told to stop."""
        with self.started("run") as process:
            assert process.stderr
            assert "Roost runs on" in process.stderr.readline()
            yield process
            stop(process)

    def runs(self, log: Path, env: Mapping[str, str]) -> Service:
        """`roost run`, which writes to *log*."""
        environ = {**self.environ, **env}
        if self.forks:
            return Forked(["run"], environ, log, self.home)
        with log.open("ab") as file:
            return subprocess.Popen([*COMMAND, "run"], env=environ, stderr=file, cwd=self.home)

    def with_shop(self, *, engine: str = "codex") -> Roost:
        """As `roost project add` leaves it, for a thirtieth of what the start of a program costs."""
        made_private(self.data_dir)
        path = self.data_dir / FILE_NAME
        path.touch(mode=0o600)
        wanted = new_project("shop", str(self.shop), engine=engine, data_dir=self.data_dir)
        with closing(connected(path)) as db:
            projects.add(db, wanted, now=time.time())
        return self

    @property
    def agents(self) -> list[int]:
        """The processes of every start of the scripted agent, those that ended too."""
        return [start.pid for start in self.play.starts]


def stop(process: subprocess.Popen[str], sign: signal.Signals = signal.SIGTERM) -> float:
    """Send *sign*, and the seconds until it has ended."""
    begun = time.monotonic()
    process.send_signal(sign)
    process.wait(SECONDS)
    return time.monotonic() - begun


def until(true: Callable[[], object], seconds: float = SECONDS) -> None:
    """Other processes need real time: wait for what they do."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)


def _command() -> list[str]:
    """The console script beside this Python, else the module behind it."""
    script = Path(sys.executable).with_name("roost")
    return [str(script)] if os.access(script, os.X_OK) else [sys.executable, "-m", "bot.cli"]


COMMAND = _command()
