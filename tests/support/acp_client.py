"""Turns of the scripted ACP agent, driven as Roost does: what is due is written, what is said is fed."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO

from acp import schema

from core.model.events import EngineEvent, TurnCompleted, TurnFailed
from core.model.launch import Launch
from core.wire.acp import AcpDialogue, keys
from tests.support.tree import ROOT

AGENT = (sys.executable, "-m", "tests.support.acp_agent")
LONGEST = 50.0
"""Seconds of one turn."""
ENDS = (TurnCompleted, TurnFailed)
When = Callable[[AcpDialogue, EngineEvent], None]


def nothing(_: AcpDialogue, __: EngineEvent) -> None:
    """Nobody interferes."""


def strictly(line: bytes) -> None:
    """The protocol's own package takes *line* for what it is meant to be. `session/set_model`, which Gemini
    knows, was taken out of the protocol."""
    if b'"method"' not in line or b'"error"' in line:
        schema.ClientResponse.model_validate_json(line)
    elif b'"id"' in line:
        request = schema.ClientRequest.model_validate_json(line)
        assert not isinstance(request.params, dict) or request.method == "session/set_model", line
    else:
        note = schema.ClientNotification.model_validate_json(line)
        assert isinstance(note.params, schema.CancelNotification), line


@dataclass
class Agent:
    """A running agent: all that it was told, and all that it said."""

    process: subprocess.Popen[bytes]
    inp: bytes = b""
    out: bytes = b""
    told: list[str] = field(default_factory=list)

    def turn(self, dialogue: AcpDialogue, when: When = nothing) -> list[EngineEvent]:
        """The events of one turn; *when* sees each and may interfere."""
        events: list[EngineEvent] = []
        until = time.monotonic() + LONGEST
        while not (events and isinstance(events[-1], ENDS)) and time.monotonic() < until:
            self._tell(dialogue)
            data = self._said()
            for event in dialogue.feed(data):
                events.append(event)
                when(dialogue, event)
        self._tell(dialogue)
        return events

    def _tell(self, dialogue: AcpDialogue) -> None:
        already = keys(self.inp)
        for word in dialogue.due():
            strictly(word.line)
            if word.key not in already:
                self.write(word.line)
                self.told.append(word.key)

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        self.inp += data
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _said(self) -> bytes:
        out: IO[bytes] | None = self.process.stdout
        assert out
        if not select.select([out], [], [], 0.02)[0]:
            return b""
        data = os.read(out.fileno(), 65_536)
        assert data, "the agent ended in the middle of a turn"
        self.out += data
        return data


@contextmanager
def running(argv: tuple[str, ...], cwd: str, env: Mapping[str, str]) -> Iterator[Agent]:
    process = subprocess.Popen(
        argv, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        yield Agent(process)
    finally:
        assert process.stdin
        assert process.stdout
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@contextmanager
def scripted(*offers: str) -> Iterator[Agent]:
    """The agent of `tests.support.acp_agent`."""
    with running(
        (*AGENT, *offers), str(ROOT), {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    ) as agent:
        yield agent


@contextmanager
def launched(launch: Launch) -> Iterator[Agent]:
    """A real one, told already what a launch says."""
    with running(launch.argv, launch.cwd, launch.env) as agent:
        agent.write(launch.input)
        yield agent
