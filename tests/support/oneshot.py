"""A real agent program on a scripted model, one process for each turn: no account, no traffic elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile

from core.engines.port import Engine
from core.model.events import EngineEvent, Message, SessionStarted
from core.model.ids import SessionId
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest
from tests.support.chat_model import ChatModel
from tests.support.codex import NOWHERE, script
from tests.support.engines import decoder_of

TURN_SECONDS = 50


def tries(inside: Path, outside: Path, command: Path) -> str:
    """A turn that writes to the first two with a tool of the program's own, and to the last by a command."""
    return script(
        [{"write": {"path": str(inside), "content": "x"}}],
        [{"write": {"path": str(outside), "content": "x"}}],
        [{"shell": f"touch {command}"}],
        [{"text": "fin"}],
    )


@dataclass
class OneShot:
    """*env* is what the program at *program* needs to talk to *model* and to nobody else."""

    engine: Engine
    program: str
    project: Path
    model: ChatModel
    env: Mapping[str, str]
    stderr: str = ""
    code: int = 0
    extra: dict[str, str] = field(default_factory=dict)

    def request(
        self,
        text: str,
        *,
        session: SessionId | None = None,
        access: Access = Access.WORKSPACE,
        model: str = "",
        images: tuple[str, ...] = (),
        fork: SessionId | None = None,
    ) -> TurnRequest:
        env = {**self.env, **self.extra}
        return TurnRequest(str(self.project), text, access, env, session, model, "", images, fork=fork)

    def run(self, request: TurnRequest) -> list[EngineEvent]:
        return self.played(self.engine.launch((self.program,), request))

    def played(self, launch: Launch) -> list[EngineEvent]:
        """Into a file, as Roost has it: a program that leaves before a pipe is empty takes the rest along."""
        with TemporaryFile() as said:
            ran = subprocess.run(
                launch.argv,
                input=launch.input,
                env=launch.env,
                cwd=launch.cwd,
                stdout=said,
                stderr=subprocess.PIPE,
                timeout=TURN_SECONDS,
            )
            said.seek(0)
            self.stderr, self.code = ran.stderr.decode(), ran.returncode
            decoder = decoder_of(self.engine)
            return decoder.feed(said.read()) + decoder.finish()


def environment(home: Path) -> dict[str, str]:
    home.mkdir(exist_ok=True)
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "HTTPS_PROXY": NOWHERE,
        "HTTP_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1",
    }


def opencode_config(url: str, *, key: str = "scripted") -> str:
    models = {
        "test-model": {
            "name": "Test",
            "attachment": True,
            "tool_call": True,
            "limit": {"context": 200_000, "output": 8_192},
            "modalities": {"input": ["text", "image"], "output": ["text"]},
        }
    }
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": {"baseURL": f"{url}/v1", "apiKey": key},
        "models": models,
    }
    names = {"model": "scripted/test-model", "small_model": "scripted/test-model"}
    return json.dumps({"share": "disabled", **names, "provider": {"scripted": provider}})


def session_of(events: list[EngineEvent]) -> SessionId:
    first = events[0]
    assert isinstance(first, SessionStarted)
    return first.session


def said(events: list[EngineEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Message)]
