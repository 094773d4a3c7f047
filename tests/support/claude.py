"""The real Claude Code on a scripted model: no account, no traffic beyond this machine."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self, TypeVar

import pytest

from core.engines.claude import ClaudeSpoken
from core.model.events import EngineEvent, Message, Resolved, TurnCompleted, TurnFailed
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.claude_dialogue import ClaudeDialogue
from tests.support.messages_server import MessagesServer

NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there: what is not for this machine goes no further."""
E = TypeVar("E")
PATIENCE = 12.0
"""Seconds until the next line has to be there."""


def script(*rounds: list[dict[str, object]]) -> str:
    """A prompt that tells the model what to say in each round (`tests.support.messages_server`)."""
    return f"<<SCRIPT {json.dumps(rounds)} SCRIPT>>"


@dataclass(frozen=True)
class ScriptedClaude:
    """*program* is the real one; *env* is what it needs to talk to *model* and to nobody else."""

    program: Path
    model: MessagesServer
    env: Mapping[str, str]
    project: Path

    def request(self, text: str, access: Access = Access.WORKSPACE) -> TurnRequest:
        return TurnRequest(str(self.project), text, access, self.env)


@pytest.fixture
def scripted_claude(real_claude: Path, tmp_path: Path) -> Iterator[ScriptedClaude]:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    with MessagesServer() as model:
        env = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": model.base,
            "ANTHROPIC_API_KEY": "scripted",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "IS_SANDBOX": "1",
            "HTTPS_PROXY": NOWHERE,
            "HTTP_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1",
        }
        yield ScriptedClaude(real_claude, model, env, project)


@dataclass
class Talk:
    """One process, spoken to for as many turns as there are. *spool* is all that it said, *inp* all that it
    was told."""

    claude: ScriptedClaude
    request: TurnRequest
    turn: str = field(default_factory=lambda: f"t{uuid.uuid4()}")
    spool: bytes = b""
    inp: bytes = b""
    offset: int = 0
    events: list[EngineEvent] = field(default_factory=list)

    def __enter__(self) -> Self:
        self.launch = ClaudeSpoken().launch((str(self.claude.program),), self.request)
        self.process = subprocess.Popen(
            self.launch.argv,
            cwd=self.launch.cwd,
            env=dict(self.launch.env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.dialogue = ClaudeSpoken().dialogue(self.request, self.turn, warm=False)
        self.tell()
        return self

    def __exit__(self, *_: object) -> None:
        """The end of its input: killed outright, it loses what it has not written into its session yet."""
        pipes = [self.process.stdin, self.process.stdout, self.process.stderr]
        if pipes[0]:
            pipes[0].close()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self._reader.join()
            for pipe in pipes[1:]:
                assert pipe
                pipe.close()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def tell(self) -> None:
        assert self.process.stdin
        for word in self.dialogue.due():
            self.inp += word.line
            self.process.stdin.write(word.line)
            self.process.stdin.flush()

    def again(self, request: TurnRequest, turn: str) -> None:
        """The next turn of the same process."""
        self.offset, self.events = len(self.spool), []
        self.request, self.turn = replace(request, session=request.session), turn
        self.dialogue = ClaudeSpoken().dialogue(request, turn, warm=True)
        self.tell()

    def until(self, enough: Callable[[EngineEvent], bool]) -> EngineEvent | None:
        """Reads on to an event; None where the program ended first."""
        while line := self._lines.get(timeout=PATIENCE):
            self.spool += line
            new = self.dialogue.feed(line)
            self.events += new
            self.tell()
            if found := next((event for event in new if enough(event)), None):
                return found
        self.events += self.dialogue.finish()
        return None

    def end(self) -> list[EngineEvent]:
        self.until(lambda event: isinstance(event, TurnCompleted | TurnFailed))
        return self.events

    def replayed(self) -> tuple[list[EngineEvent], ClaudeDialogue]:
        """What a dialogue makes of it that is built after a restart."""
        dialogue = ClaudeSpoken().dialogue(self.request, self.turn, warm=self.offset > 0)
        return dialogue.feed(self.spool[self.offset :]), dialogue

    @property
    def stderr(self) -> str:
        assert self.process.stderr
        return self.process.stderr.read().decode()


def of(kind: type[E], events: list[EngineEvent]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def said(events: list[EngineEvent]) -> list[str]:
    return [event.text for event in of(Message, events)]


def speak(claude: ScriptedClaude, text: str, access: Access = Access.FULL, **more: object) -> Talk:
    return Talk(claude, replace(claude.request(text, access), **more))  # type: ignore[arg-type]


def check_replay(talk: Talk) -> None:
    """What is built after a restart says the same, and nothing that is not told already. That a question is
    settled it learns where the agent goes on: who answered is heard by the one that was told."""
    events, dialogue = talk.replayed()
    settled = set(of(Resolved, talk.events))
    assert settled == set(of(Resolved, events))
    assert [one for one in events if one not in settled] == [one for one in talk.events if one not in settled]
    assert {word.key for word in dialogue.due()} <= ClaudeSpoken().keys(talk.inp)
