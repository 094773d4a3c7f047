"""The sessions that an ACP agent has of a directory, asked of a process of its own."""

from __future__ import annotations

from datetime import datetime

import msgspec

from core.errors import MalformedLine
from core.model.events import EngineEvent, Malformed
from core.model.ids import SessionId
from core.model.launch import Word
from core.model.sessions import SessionInfo
from core.wire import acp_rpc
from core.wire import acp_shapes as shapes
from core.wire.acp import CLIENT
from core.wire.acp_failures import words
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT
from core.wire.shapes import SessionName


class _Session(shapes.Lax, frozen=True, gc=False, kw_only=True):
    session_id: SessionName
    cwd: str = ""
    title: str | None = None
    updated_at: str | None = None


class _Listed(shapes.Lax, frozen=True, gc=False, kw_only=True):
    sessions: tuple[_Session, ...]


_INITIALIZED = msgspec.json.Decoder(shapes.Initialized)
_LISTED = msgspec.json.Decoder(_Listed)


class AcpSessions(LineDecoder):
    """Asks a new process for its sessions in *cwd*; the first page is enough. *sessions* is None until it has
    answered, and empty where it offers no list; *failed* is why there is none."""

    def __init__(self, cwd: str, limit: int = LINE_LIMIT) -> None:
        super().__init__(self._hear, limit)
        self._cwd = cwd
        self._due = [acp_rpc.request("sessions:initialize", "initialize", CLIENT)]
        self.sessions: tuple[SessionInfo, ...] | None = None
        self.failed = ""

    def due(self) -> list[Word]:
        due, self._due = self._due, []
        return due

    @property
    def over(self) -> bool:
        return self.sessions is not None or bool(self.failed)

    def _hear(self, line: bytes) -> list[EngineEvent]:
        heard = acp_rpc.hear(line)
        if not isinstance(heard, acp_rpc.Answer) or self.over:
            return []
        if isinstance(heard.outcome, acp_rpc.Trouble):
            self.failed = words(heard.outcome, "session/list")
            return []
        try:
            self._answered(heard.id, heard.outcome)
        except MalformedLine as error:
            self.failed = error.fields["why"]
            return [Malformed(error.fields["head"], error.fields["why"])]
        return []

    def _answered(self, to: acp_rpc.Id, outcome: msgspec.Raw) -> None:
        if to == "sessions:list":
            listed = acp_rpc.read(_LISTED, outcome, "session/list").sessions
            self.sessions = tuple(_info(session) for session in listed)
        elif to == "sessions:initialize":
            able = acp_rpc.read(_INITIALIZED, outcome, "initialize").agent_capabilities.session_capabilities
            if able.list == acp_rpc.NOTHING:
                self.sessions = ()
            else:
                self._due.append(acp_rpc.request("sessions:list", "session/list", {"cwd": self._cwd}))


def _info(session: _Session) -> SessionInfo:
    return SessionInfo(
        SessionId(session.session_id), session.title or "", _time(session.updated_at), session.cwd
    )


def _time(told: str | None) -> float:
    try:
        return datetime.fromisoformat(told or "").timestamp()
    except ValueError:
        return 0.0
