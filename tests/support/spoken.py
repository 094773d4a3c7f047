"""A real agent program that is spoken to: what it says is kept, what it is told is written down."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from core.model.events import EngineEvent, TurnCompleted, TurnFailed
from core.model.launch import Launch, Word

Met = Callable[[list[EngineEvent]], bool]
LONGEST = 20.0
"""Seconds that anything may take."""


def ended(events: list[EngineEvent]) -> bool:
    return bool(events) and isinstance(events[-1], TurnCompleted | TurnFailed)


class Spoken(Protocol):
    """What a process is held a talk with: a dialogue, or a question that needs no turn."""

    def feed(self, data: bytes) -> list[EngineEvent]: ...

    def due(self) -> list[Word]: ...


class Process:
    """*out* is all that the program said so far, *inp* all that it was told: the two files of an agent."""

    def __init__(self, launch: Launch) -> None:
        self.out, self.inp = b"", launch.input
        self._process = subprocess.Popen(
            launch.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=launch.env,
            cwd=launch.cwd,
        )
        self._write(launch.input)

    def tell(self, words: list[Word], known: set[str] | None = None) -> list[str]:
        """Write *words*, but for those whose key is *known*; the keys of what was written."""
        told = [word for word in words if word.key not in (known or set())]
        data = b"".join(word.line for word in told)
        self.inp += data
        self._write(data)
        return [word.key for word in told]

    def run(self, dialogue: Spoken, until: Met = ended) -> list[EngineEvent]:
        """Hold *dialogue* from here until its events are as *until* wants them."""
        events: list[EngineEvent] = []
        deadline = time.monotonic() + LONGEST
        while not until(events):
            self.tell(dialogue.due())
            assert time.monotonic() < deadline, events
            events += dialogue.feed(self.read())
        self.tell(dialogue.due())
        return events

    def read(self) -> bytes:
        """What it says next, nothing after a while."""
        assert self._process.stdout
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            if not waiting.select(0.2):
                return b""
        data = os.read(self._process.stdout.fileno(), 65_536)
        assert data, "it has ended"
        self.out += data
        return data

    def _write(self, data: bytes) -> None:
        assert self._process.stdin
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The end of its input is its end."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
