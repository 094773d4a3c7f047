"""The command line's own time, and what a service costs that has nothing to do."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.process import cpu_seconds, environ, memory
from tests.bench.table import Row, middle

RUNS = 15
IDLE_SECONDS = 20.0
AGENT = """
import json, sys
sys.stdin.read()
for line in (
    dict(type="thread.started", thread_id="t"), dict(type="turn.started"),
    dict(type="item.completed", item=dict(id="a", type="agent_message", text="Done.")),
    dict(type="turn.completed", usage=dict(input_tokens=1, cached_input_tokens=0, output_tokens=1)),
):
    print(json.dumps(line), flush=True)
"""


class Place:
    """A home with a configuration whose Codex is a script that answers at once."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.agent = home / "agent.py"
        self.agent.write_text(AGENT)
        command = [sys.executable, "-S", "-E", str(self.agent)]
        (home / "roost.toml").write_text(
            f'data_dir = "{home / "data"}"\n[engines.codex]\ntransport = "exec"\ncommand = {command}\n'
        )
        (home / "project").mkdir()
        self.run("project", "add", "bench", str(home / "project"), "--engine", "codex")

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "bot.cli", "--config", str(self.home / "roost.toml"), *words]

    def run(self, *words: str) -> float:
        """Seconds of wall time."""
        return self._timed(self.words(*words))

    def bare(self) -> float:
        return self._timed([sys.executable, "-S", "-E", str(self.agent)])

    def _timed(self, command: list[str]) -> float:
        begun = time.perf_counter()
        subprocess.run(command, env=environ(self.home), input=b"", capture_output=True, check=True)
        return time.perf_counter() - begun


def help_time(place: Place) -> Row:
    place.run("--help")
    figures = [place.run("--help") for _ in range(RUNS)]
    return Row("roost --help", middle(figures), 0.2, "s", f"{RUNS} runs, wall time of the whole process")


def ask_time(place: Place) -> Row:
    place.run("ask", "bench", "hello")
    pairs = [place.run("ask", "bench", "hello") - place.bare() for _ in range(RUNS)]
    conditions = f"{RUNS} pairs in turns, no service, a scripted agent that answers at once"
    return Row("roost ask, over the bare agent", middle(pairs), 0.35, "s", conditions)


def idle(place: Place) -> list[Row]:
    service = subprocess.Popen(place.words("run"), env=environ(place.home), stderr=subprocess.DEVNULL)
    try:
        time.sleep(3)
        before = cpu_seconds(service.pid)
        time.sleep(IDLE_SECONDS)
        share = 100 * (cpu_seconds(service.pid) - before) / IDLE_SECONDS
        held = memory(service.pid)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait()
    conditions = f"the service without a chat, {IDLE_SECONDS:.0f} s after 3 s"
    return [
        Row("idle service, memory", held / 1e6, 40, "MB (PSS)", conditions),
        Row("idle service, processor", share, 0.1, "% of a core", conditions),
    ]


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="roost-bench-") as home:
        place = Place(Path(home))
        return [help_time(place), ask_time(place), *idle(place)]
