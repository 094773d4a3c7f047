"""The real Codex app server in one project: its processes, its turns, and what happened in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import psutil

from core.engines.codex_app import CodexApp
from core.engines.port import Dialogue, first_turn
from core.model.events import (
    Asked,
    EngineEvent,
    Message,
    SessionStarted,
    ToolCall,
)
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.codex_app import CodexAppDialogue
from tests.support.codex import MODEL, ScriptedCodex
from tests.support.spoken import Process

ENGINE = CodexApp()


class Stage:
    """One project in which processes are started and turns held."""

    def __init__(self, codex: ScriptedCodex, project: Path) -> None:
        self.codex, self.project = codex, project
        self._turns = 0

    def request(
        self,
        text: str,
        session: SessionId | None = None,
        *,
        access: Access = Access.WORKSPACE,
        approvals: bool = False,
        images: tuple[str, ...] = (),
        effort: str = "",
    ) -> TurnRequest:
        return TurnRequest(
            str(self.project),
            text,
            access,
            self.codex.env,
            session,
            MODEL,
            effort,
            images,
            approvals=approvals,
        )

    def turn(self) -> str:
        self._turns += 1
        return f"t{self._turns}"

    def start(self, request: TurnRequest) -> tuple[Process, CodexAppDialogue]:
        launch, dialogue = first_turn(ENGINE, self.program, request, self.turn())
        assert isinstance(dialogue, CodexAppDialogue)
        return Process(launch), dialogue

    def warm(self, request: TurnRequest) -> CodexAppDialogue:
        dialogue = ENGINE.dialogue(request, self.turn(), warm=True)
        assert isinstance(dialogue, CodexAppDialogue)
        return dialogue

    def compaction(self, session: SessionId, *, warm: bool = False) -> Dialogue:
        request = replace(self.request("", session), compact=True)
        return ENGINE.dialogue(request, self.turn(), warm=warm)

    def bare(self) -> Process:
        return Process(ENGINE.launch(self.program, self.request("")))

    @property
    def program(self) -> tuple[str, ...]:
        return (str(self.codex.program),)

    def once(self, request: TurnRequest) -> list[EngineEvent]:
        """A process for one turn."""
        process, dialogue = self.start(request)
        with process:
            return process.run(dialogue)


def session_of(events: list[EngineEvent]) -> SessionId:
    return next(event.session for event in events if isinstance(event, SessionStarted))


def said(events: list[EngineEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Message)]


def asked(events: list[EngineEvent]) -> list[Asked]:
    return [event for event in events if isinstance(event, Asked)]


def running(events: list[EngineEvent]) -> bool:
    return any(isinstance(event, ToolCall) for event in events)


def sleepers(seconds: str) -> list[psutil.Process]:
    """Also where a sandbox's own words stand before the command."""
    there = psutil.process_iter(["cmdline"])
    return [process for process in there if (process.info["cmdline"] or [])[-2:] == ["sleep", seconds]]


def escalated(command: str) -> dict[str, object]:
    arguments = {"cmd": command, "sandbox_permissions": "require_escalated", "justification": "it must be"}
    return {"tool": {"name": "exec_command", "args": arguments}}
