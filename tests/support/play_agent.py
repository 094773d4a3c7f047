"""An agent that does what a test wrote down: `[engines.codex] command = [python, play_agent.py, DIR]`.

Its n-th start plays `DIR/agent.n.json` if there is one, else `DIR/agent.json`: a list of steps.

    {"out": "text"}  {"json": {…}}          a line on stdout
    {"raw": "base64"}  {"raw_err": "base64"}   bytes on stdout, on stderr
    {"fill": {"pre": "…", "char": "x", "n": 200000, "post": "…"}}   one long line on stdout
    {"err": "text"}  {"fill_err": 5000000}  a line, or that many bytes, on stderr
    {"sleep": 1.5}  {"wait_for": "path"}    for seconds, or until a file is there
    {"ignore": ["TERM", "INT"]}             these signals from now on
    {"spawn": {"secs": 600, "keep_pipes": true, "setsid": false}}   a child; its pid is recorded
    {"read_stdin": "eof" | "line"}          recorded
    {"write_file": {"path": "rel", "text": "…"}}    in the working directory
    {"exit": 3}  {"kill_self": "KILL"}

Each start is recorded in `DIR/start-n/`: argv.json, env.json, pid, stdin, children. Tests write and read all
that through `Play`.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Step = dict[str, Any]


@dataclass(frozen=True)
class Start:
    """What one start of the agent was given."""

    argv: list[str]
    env: dict[str, str]
    stdin: bytes
    pid: int
    children: list[int]


class Play:
    """The test's side: what the agent shall do, and what it was given."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    @property
    def command(self) -> list[str]:
        return [sys.executable, __file__, str(self.directory)]

    def steps(self, *steps: Step, start: int | None = None) -> None:
        """What every start does, or only start number *start* (from 1)."""
        name = f"agent.{start}.json" if start else "agent.json"
        (self.directory / name).write_text(json.dumps(steps))

    @property
    def starts(self) -> list[Start]:
        folders = sorted(self.directory.glob("start-*"), key=lambda folder: int(folder.name[6:]))
        return [read_start(folder) for folder in folders if (folder / "pid").exists()]


def read_start(folder: Path) -> Start:
    def told(name: str) -> bytes:
        path = folder / name
        return path.read_bytes() if path.exists() else b""

    return Start(
        argv=json.loads(told("argv.json")),
        env=json.loads(told("env.json")),
        stdin=told("stdin"),
        pid=int(told("pid")),
        children=[int(pid) for pid in told("children").split()],
    )


# --- the agent's side -------------------------------------------------------------------------------------


def new_folder(directory: Path) -> Path:
    """The folder of this start; starts at the same moment get one each."""
    number = 1
    while True:
        folder = directory / f"start-{number}"
        try:
            folder.mkdir()
            return folder
        except FileExistsError:
            number += 1


def write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


class Agent:
    def __init__(self, directory: Path) -> None:
        self.folder = new_folder(directory)
        own = directory / f"agent.{self.folder.name[6:]}.json"
        self.steps: list[Step] = json.loads((own if own.exists() else directory / "agent.json").read_text())
        (self.folder / "argv.json").write_text(json.dumps(sys.argv[2:]))
        (self.folder / "env.json").write_text(json.dumps(dict(os.environ)))
        (self.folder / "pid.new").write_text(str(os.getpid()))
        (self.folder / "pid.new").rename(self.folder / "pid")

    def play(self) -> None:
        for step in self.steps:
            ((kind, value),) = step.items()
            DO[kind](self, value)

    def json(self, value: object) -> None:
        self.out(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    def out(self, text: str) -> None:
        write(1, text.encode() + b"\n")

    def fill(self, value: dict[str, Any]) -> None:
        self.out(value["pre"] + value["char"] * value["n"] + value["post"])

    def wait_for(self, path: str) -> None:
        while not Path(path).exists():
            time.sleep(0.01)

    def ignore(self, names: list[str]) -> None:
        for name in names:
            signal.signal(signal.Signals[f"SIG{name}"], signal.SIG_IGN)

    def spawn(self, value: dict[str, Any]) -> None:
        closed = None if value.get("keep_pipes", True) else subprocess.DEVNULL
        words = ["sleep", str(value["secs"])]
        child = subprocess.Popen(
            words, start_new_session=value.get("setsid", False), stdin=closed, stdout=closed, stderr=closed
        )
        with (self.folder / "children").open("a") as file:
            file.write(f"{child.pid}\n")

    def read_stdin(self, until: str) -> None:
        source = sys.stdin.buffer
        with (self.folder / "stdin").open("ab") as file:
            file.write(source.read() if until == "eof" else source.readline())

    def write_file(self, value: dict[str, str]) -> None:
        path = Path(value["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value["text"])


DO: dict[str, Callable[[Agent, Any], None]] = {
    "out": Agent.out,
    "json": Agent.json,
    "raw": lambda _, value: write(1, base64.b64decode(value)),
    "raw_err": lambda _, value: write(2, base64.b64decode(value)),
    "fill": Agent.fill,
    "err": lambda _, value: write(2, value.encode() + b"\n"),
    "fill_err": lambda _, value: write(2, (b"w" * 99 + b"\n") * (value // 100)),
    "sleep": lambda _, value: time.sleep(value),
    "wait_for": Agent.wait_for,
    "ignore": Agent.ignore,
    "spawn": Agent.spawn,
    "read_stdin": Agent.read_stdin,
    "write_file": Agent.write_file,
    "exit": lambda _, value: sys.exit(value),
    "kill_self": lambda _, value: os.kill(os.getpid(), signal.Signals[f"SIG{value}"]),
}


if __name__ == "__main__":
    Agent(Path(sys.argv[1])).play()
