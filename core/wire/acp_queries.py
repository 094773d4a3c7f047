"""Questions to an ACP agent that need no turn, each asked of a process of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import datetime
from typing import Generic, TypeVar

import msgspec

from core.errors import MalformedLine
from core.model.events import EngineEvent, Malformed
from core.model.ids import SessionId
from core.model.launch import Word
from core.model.offers import Model
from core.model.sessions import Said, SessionInfo
from core.wire import acp_rpc
from core.wire import acp_shapes as shapes
from core.wire.acp import CLIENT
from core.wire.acp_failures import words
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT
from core.wire.shapes import SessionName

T = TypeVar("T")


class _Session(shapes.Lax, frozen=True, gc=False, kw_only=True):
    session_id: SessionName
    cwd: str = ""
    title: str | None = None
    updated_at: str | None = None


class _Listed(shapes.Lax, frozen=True, gc=False, kw_only=True):
    sessions: tuple[_Session, ...]


_INITIALIZED = msgspec.json.Decoder(shapes.Initialized)
_LISTED = msgspec.json.Decoder(_Listed)
_OPENED = msgspec.json.Decoder(shapes.Opened)
_UPDATED = msgspec.json.Decoder(shapes.Updated)
_UPDATE = msgspec.json.Decoder(shapes.Update)
_CHUNK = msgspec.json.Decoder(shapes.Chunk)


class AcpQuery(LineDecoder, ABC, Generic[T]):
    """Asks a new process one thing. Once it is *over*, *found* is the answer, and *failed* why there is none:
    the agent's words. An agent that doesn't offer to be asked that is asked nothing and has found nothing."""

    def __init__(self, method: str, params: acp_rpc.Object, limit: int = LINE_LIMIT) -> None:
        super().__init__(self._hear, limit)
        self._method, self._params = method, params
        self._due = [acp_rpc.request("query:initialize", "initialize", CLIENT)]
        self.found: tuple[T, ...] = ()
        self.failed = ""
        self.over = False

    def due(self) -> list[Word]:
        due, self._due = self._due, []
        return due

    def _offered(self, able: shapes.Abilities) -> bool:
        """Whether the agent can be asked that."""
        return True

    @abstractmethod
    def _answer(self, outcome: msgspec.Raw) -> Iterable[T]:
        """What the answer says. Errors: `MalformedLine`."""

    def _noted(self, note: acp_rpc.Note) -> None:
        """Hear what the agent says meanwhile. Errors: `MalformedLine`."""

    def _hear(self, line: bytes) -> list[EngineEvent]:
        heard = acp_rpc.hear(line)
        if self.over:
            return []
        try:
            self._sorted(heard)
        except MalformedLine as error:
            self.failed, self.over = error.fields["why"], True
            return [Malformed(error.fields["head"], error.fields["why"])]
        return []

    def _sorted(self, heard: acp_rpc.Answer | acp_rpc.Call | acp_rpc.Note) -> None:
        match heard:
            case acp_rpc.Answer(_, acp_rpc.Trouble() as trouble):
                self.failed, self.over = words(trouble, self._method), True
            case acp_rpc.Answer("query:initialize", msgspec.Raw() as outcome):
                able = acp_rpc.read(_INITIALIZED, outcome, "initialize").agent_capabilities
                self.over = not self._offered(able)
                if not self.over:
                    self._due.append(acp_rpc.request("query:asked", self._method, self._params))
            case acp_rpc.Answer("query:asked", msgspec.Raw() as outcome):
                self.found = tuple(self._answer(outcome))
                self.over = True
            case acp_rpc.Note():
                self._noted(heard)


class AcpSessions(AcpQuery[SessionInfo]):
    """Its sessions in *cwd*; the first page is enough."""

    def __init__(self, cwd: str) -> None:
        super().__init__("session/list", {"cwd": cwd})

    def _offered(self, able: shapes.Abilities) -> bool:
        return able.session_capabilities.list != acp_rpc.NOTHING

    def _answer(self, outcome: msgspec.Raw) -> Iterable[SessionInfo]:
        return map(_info, acp_rpc.read(_LISTED, outcome, self._method).sessions)


class AcpModels(AcpQuery[Model]):
    """The models that a new session in *cwd* offers. The efforts are those of the model that it has: others
    may have others."""

    def __init__(self, cwd: str) -> None:
        super().__init__("session/new", {"cwd": cwd, "mcpServers": []})

    def _answer(self, outcome: msgspec.Raw) -> Iterable[Model]:
        return _models(acp_rpc.read(_OPENED, outcome, self._method))


class AcpHistory(AcpQuery[Said]):
    """What was said in *session*, oldest first, as far as the agent tells it again when it loads it."""

    def __init__(self, session: SessionId, cwd: str) -> None:
        super().__init__("session/load", {"sessionId": session, "cwd": cwd, "mcpServers": []})
        self._said: list[Said] = []

    def _offered(self, able: shapes.Abilities) -> bool:
        return able.load_session

    def _answer(self, outcome: msgspec.Raw) -> Iterable[Said]:
        return self._said

    def _noted(self, note: acp_rpc.Note) -> None:
        if note.method != "session/update":
            return
        update = acp_rpc.read(_UPDATED, note.params, note.method).update
        match acp_rpc.read(_UPDATE, update, note.method).session_update:
            case "user_message_chunk":
                self._add(("user", _words(update)))
            case "agent_message_chunk":
                self._add(("assistant", _words(update)))

    def _add(self, said: Said) -> None:
        """Pieces of one side that follow each other are one message."""
        who, text = said
        if self._said and self._said[-1][0] == who:
            text = self._said.pop()[1] + text
        if text:
            self._said.append((who, text))


def _models(opened: shapes.Opened) -> list[Model]:
    options = {option.category or option.id: option for option in opened.config_options or ()}
    thinking, choice = options.get("thought_level"), options.get("model")
    efforts = tuple(thinking.values) if thinking else None
    if choice:
        return [_model(value, "", str(choice.current_value), efforts) for value in choice.values]
    models = opened.models or shapes.Models()
    return [
        _model(one.model_id, one.name, models.current_model_id, efforts) for one in models.available_models
    ]


def _model(name: str, label: str, here: str, efforts: tuple[str, ...] | None) -> Model:
    chosen = name == here
    return Model(name, label or name, efforts if chosen else None, default=chosen)


def _words(update: msgspec.Raw) -> str:
    return acp_rpc.read(_CHUNK, update, "session/update").content.words or ""


def _info(session: _Session) -> SessionInfo:
    return SessionInfo(
        SessionId(session.session_id), session.title or "", _time(session.updated_at), session.cwd
    )


def _time(told: str | None) -> float:
    try:
        return datetime.fromisoformat(told or "").timestamp()
    except ValueError:
        return 0.0
