"""The built-in agent as a process: it speaks line by line and ends when it is told to."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from core.engines.demo import HOME, Demo

Running = subprocess.Popen[bytes]


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Running]:
    """A turn in the midst of its long step."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": HOME}
    with subprocess.Popen(Demo().command, env=env, cwd=tmp_path, stdin=-1, stdout=-1) as running:
        assert running.stdin
        running.stdin.write(b"slow 50\n")
        running.stdin.close()
        yield running
        running.terminate()


def read_until(running: Running, words: str) -> dict[str, object]:
    assert running.stdout
    for line in running.stdout:
        if words in line.decode():
            told: dict[str, object] = json.loads(line)
            return told
    raise AssertionError(f"it ended without {words}")


def test_a_long_step_ticks_while_it_runs(slow: Running) -> None:
    assert read_until(slow, "1 of 50 s")["state"] == "in_progress"


def test_told_to_end_it_ends_at_once_and_leaves_nothing_running(slow: Running) -> None:
    read_until(slow, '"sleep 50"')
    children = psutil.Process(slow.pid).children()
    while not children:
        children = psutil.Process(slow.pid).children()
    slow.send_signal(signal.SIGTERM)
    assert slow.wait(5) == 128 + signal.SIGTERM
    _, alive = psutil.wait_procs(children, timeout=5)
    assert not alive


def test_an_answer_of_its_own_is_free_for_trying_markdown(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": HOME, "DEMO_PACE": "0"}
    ran = subprocess.run(
        Demo().command, env=env, cwd=tmp_path, input=b"\n Echo **hi** \xff\nmore\n", stdout=-1
    )
    message = next(line for line in map(json.loads, ran.stdout.splitlines()) if line["type"] == "message")
    assert message["text"] == "**hi** \ufffd"


def test_help_names_every_word_that_it_understands(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": HOME, "DEMO_PACE": "0"}
    ran = subprocess.run(Demo().command, env=env, cwd=tmp_path, input=b"help", stdout=-1)
    assert all(f"`{word}".encode() in ran.stdout for word in ("help", "slow", "fail", "rate limit", "echo"))


def test_a_fork_knows_what_was_said_and_leaves_the_other_as_it_was(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": HOME, "DEMO_PACE": "0"}

    def told(words: str, *more: str) -> list[dict[str, str]]:
        argv = (*Demo().command, *more)
        ran = subprocess.run(argv, env=env, cwd=tmp_path, input=words.encode(), stdout=-1)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    first = told("echo hi")[0]["id"]
    session, *_, message, _ = told("What is here?", "--fork", first)
    assert session["id"] != first
    assert "This is turn 2 of our conversation; before it you wrote: “echo hi”." in message["text"]
    assert "This is turn 2" in told("And now?", "--session", first)[-2]["text"]
    assert told("hi", "--fork", "gone")[-1] == {"type": "failed", "text": "no session gone is kept here"}
