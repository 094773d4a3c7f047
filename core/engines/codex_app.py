"""Codex over its app server: one process that is spoken to, for turn after turn of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.engines import failures
from core.engines.codex import EFFORTS, ENV_NAMES, QUIET_WORDS, SANDBOXED, distrusting
from core.engines.port import Capabilities, Engine, Failure, Query
from core.model.ids import SessionId
from core.model.launch import Launch
from core.model.offers import Model
from core.model.request import TurnRequest
from core.model.sessions import Said, SessionInfo
from core.wire import jsonrpc
from core.wire.codex_app import CodexAppDialogue
from core.wire.codex_compact import CodexCompaction


class AskingCodex:
    """Lists that the app server keeps."""

    def models(self, env: Mapping[str, str]) -> Query[Model]:
        from core.wire import codex_queries

        return codex_queries.models("models")

    def sessions(self, cwd: str, env: Mapping[str, str]) -> Query[SessionInfo]:
        from core.wire import codex_queries

        return codex_queries.sessions("sessions", cwd)

    def history(self, session: SessionId, cwd: str, env: Mapping[str, str]) -> Query[Said]:
        from core.wire import codex_queries

        return codex_queries.history("history", session)


@dataclass(frozen=True, slots=True)
class CodexApp:
    """*model* and *effort* are used where a request names none; empty is the account's own default.
    *fallback* is `codex exec`, where that may take over."""

    name: str = "codex"
    command: tuple[str, ...] = ("codex",)
    model: str = ""
    effort: str = ""
    label: str = "Codex"
    capabilities: Capabilities = field(
        default=Capabilities(
            images=True,
            steer=True,
            compact=True,
            fork=True,
            approvals=True,
            models=True,
            efforts=EFFORTS,
            enforced=SANDBOXED,
        )
    )
    env_names: tuple[str, ...] = ENV_NAMES
    fallback: Engine | None = None
    spoken: bool = True
    asking: AskingCodex = field(default_factory=AskingCodex, compare=False)

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host. Nothing of the request but its place
        is in the words: the rest is said."""
        argv = (*program, *QUIET_WORDS, *distrusting(request), "app-server")
        return Launch(argv, request.cwd, request.env, spoken=True)

    def dialogue(
        self, request: TurnRequest, turn: str, *, warm: bool = False
    ) -> CodexAppDialogue | CodexCompaction:
        if request.compact and request.session:
            return CodexCompaction(request.session, turn, warm=warm)
        chosen = replace(request, model=request.model or self.model, effort=request.effort or self.effort)
        return CodexAppDialogue(chosen, turn, warm=warm)

    def keys(self, told: bytes) -> set[str]:
        return jsonrpc.keys(told)

    def fixed(self, request: TurnRequest) -> tuple[object, ...]:
        """A session's sandbox is set when the process loads it."""
        return (request.access,)

    def sort(self, text: str, *, resumed: bool) -> Failure:
        special = failures.CODEX_SESSION if resumed else ()
        return failures.sort(text, (*special, *failures.COMMON))
