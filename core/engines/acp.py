"""Agents that speak ACP: OpenCode, Gemini, and any other by its command."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from core.engines import failures
from core.engines.opencode_project import apart
from core.engines.piped import piped
from core.engines.port import Capabilities, Engine, Failure, Query
from core.model.ids import SessionId
from core.model.launch import Launch
from core.model.offers import Model
from core.model.project import Access
from core.model.request import TurnRequest
from core.model.sessions import Said, SessionInfo
from core.wire.acp import AcpDialogue, Manner, keys

MODES: dict[Access, tuple[str, ...]] = {
    Access.READ_ONLY: ("read-only", "plan"),
    Access.WORKSPACE: ("acceptEdits", "autoEdit", "auto"),
    Access.FULL: ("bypassPermissions", "yolo", "full-access"),
}
"""By the names that agents are known to give their modes (Claude's and Codex's adapters, Gemini)."""
GEMINI_MODES: dict[Access, tuple[str, ...]] = {
    Access.READ_ONLY: ("plan",),
    Access.WORKSPACE: ("autoEdit",),
    Access.FULL: ("yolo",),
}

ASKING = {Access.READ_ONLY: ("default",)}
"""Where a person is asked, the mode that asks before it does anything."""

OPENCODE_STEPS = ("edit", "bash", "external_directory")
OPENCODE_ALLOWED: dict[Access, frozenset[str]] = {
    Access.READ_ONLY: frozenset(),
    Access.WORKSPACE: frozenset({"edit"}),
    Access.FULL: frozenset(OPENCODE_STEPS),
}
"""It has no sandbox: a command could write anywhere, so only full access means commands. Its plan mode denies
edits but runs commands, and is no read-only (recorded)."""

Settings = Callable[[TurnRequest], Mapping[str, str]]


def _nothing(_: TurnRequest) -> Mapping[str, str]:
    return {}


class AskingAcp:
    """What every agent of the protocol may be asked."""

    def models(self, env: Mapping[str, str]) -> Query[Model]:
        """Those of a new session. It is begun where no project can be: nobody is shown it in a list, and no
        repository has a say in it."""
        from core.wire.acp_queries import AcpModels

        return AcpModels(env.get("HOME") or "/")

    def sessions(self, cwd: str, env: Mapping[str, str]) -> Query[SessionInfo]:
        from core.wire.acp_queries import AcpSessions

        return AcpSessions(cwd)

    def history(self, session: SessionId, cwd: str, env: Mapping[str, str]) -> Query[Said]:
        from core.wire.acp_queries import AcpHistory

        return AcpHistory(session, cwd)


@dataclass(frozen=True, slots=True)
class Acp:
    """Any agent: *command* starts it, *words* follow. *model* and *effort* are used where a request names
    none; empty is the agent's own default. *model_word* is the option of the command line that chooses the
    model, if there is one. *settings* are variables that tell the agent how to do a turn. *file_will_do*:
    it can write to a file; most that are written in Python cannot."""

    name: str = "acp"
    command: tuple[str, ...] = ()
    model: str = ""
    effort: str = ""
    label: str = "ACP agent"
    words: tuple[str, ...] = ()
    model_word: str = ""
    manner: Manner = field(default=Manner(modes=MODES, asking=ASKING))
    settings: Settings = _nothing
    file_will_do: bool = False
    capabilities: Capabilities = field(
        default=Capabilities(images=True, inline=True, approvals=True, models=True)
    )
    env_names: tuple[str, ...] = ()
    fallback: Engine | None = None
    spoken: bool = True
    asking: AskingAcp = field(default_factory=AskingAcp, compare=False)

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host."""
        model = request.model or self.model
        argv = (*program, *self.words, *((self.model_word, model) if self.model_word and model else ()))
        argv = argv if self.file_will_do else piped(argv)
        return Launch(argv, request.cwd, {**request.env, **self.settings(request)}, spoken=True)

    def dialogue(self, request: TurnRequest, turn: str, *, warm: bool = False) -> AcpDialogue:
        model, effort = request.model or self.model, request.effort or self.effort
        wanted = replace(request, model=model, effort=effort)
        if request.compact:
            wanted = replace(wanted, text=self.manner.compact, images=())
        return AcpDialogue(wanted, turn, warm=warm, manner=self.manner)

    def fixed(self, request: TurnRequest) -> tuple[object, ...]:
        """What an agent is told once, before its first prompt: a turn that wants it otherwise needs another
        process."""
        model, effort = request.model or self.model, request.effort or self.effort
        return (request.cwd, request.access, str(request.approvals), model, effort)

    def keys(self, told: bytes) -> set[str]:
        return keys(told)

    def sort(self, text: str, *, resumed: bool) -> Failure:
        special = failures.ACP_SESSION if resumed else ()
        return failures.sort(text, (*special, *failures.ACP, *failures.COMMON))


def _opencode_settings(request: TurnRequest) -> Mapping[str, str]:
    """These permissions are laid over those of its configuration files. What is refused is so beforehand: a
    refusal by answer ends OpenCode's turn without a word, and this one it works around."""
    otherwise = "ask" if request.approvals else "deny"
    allowed = OPENCODE_ALLOWED[request.access]
    rules = {step: "allow" if step in allowed else otherwise for step in OPENCODE_STEPS}
    return {
        "OPENCODE_PERMISSION": json.dumps(rules),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        **apart(request),
    }


def _gemini_settings(_: TurnRequest) -> Mapping[str, str]:
    """Without a trusted workspace it refuses every mode but the default; without a relaunch it is one
    process, which signals reach."""
    return {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true"}


OPENCODE = Acp(
    name="opencode",
    command=("opencode",),
    label="OpenCode",
    words=("acp",),
    file_will_do=True,
    manner=Manner(compact="/compact", keeps_failed=True),
    settings=_opencode_settings,
    capabilities=Capabilities(
        images=True,
        compact=True,
        fork=True,
        approvals=True,
        models=True,
        efforts=("low", "medium", "high"),
    ),
    env_names=(
        *(
            "OPENCODE_CONFIG",
            "OPENCODE_CONFIG_DIR",
            "OPENCODE_CONFIG_CONTENT",
            "OPENCODE_DISABLE_MODELS_FETCH",
        ),
        *("OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY"),
        *("GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "MISTRAL_API_KEY", "DEEPSEEK_API_KEY"),
    ),
)
GEMINI = Acp(
    name="gemini",
    command=("gemini",),
    label="Gemini",
    words=("--acp",),
    file_will_do=True,
    model_word="--model",
    manner=Manner(
        modes=GEMINI_MODES,
        asking=ASKING,
        asks_mode_again=True,
        by_argv=True,
        raw_links=True,
        loads_apart=True,
        harmless=("write_todos__", "update_topic__"),
    ),
    settings=_gemini_settings,
    # It takes a link for `@path`, and leaves it as text where the file is ignored by git, as ours are.
    capabilities=Capabilities(images=True, inline=True, approvals=True, models=True),
    env_names=(
        *("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"),
        *("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI"),
        *("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_GCA"),
    ),
)
