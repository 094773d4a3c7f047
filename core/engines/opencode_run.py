"""OpenCode, one `opencode run` for each turn (behaviour §7)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.engines import failures
from core.engines.oneshot import OneShot
from core.engines.opencode_project import CONFIG_NAME, apart
from core.engines.port import Capabilities, Failure
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.opencode_run import OpenCodeRunDecoder

AGENTS = {Access.READ_ONLY: "plan"}
DEFAULT_AGENT = "build"
ACCESS_WORDS: dict[Access, tuple[str, ...]] = {
    Access.READ_ONLY: ("--agent", "plan"),  # alone it still lets commands run: so the permissions as well
    Access.WORKSPACE: (),
    Access.FULL: ("--auto",),  # yes to all that OpenCode would ask; what its configuration denies stays so
}
PERMISSIONS: dict[Access, dict[str, str]] = {
    Access.READ_ONLY: {"edit": "deny", "bash": "deny", "external_directory": "deny"},
    Access.WORKSPACE: {"external_directory": "deny"},
    Access.FULL: {},
}
"""OpenCode has no sandbox: this is asked of it, not enforced. What it would *ask* nobody can answer here:
the turn would end with that step; what is denied the model hears of, and goes on."""
PERMISSION_NAME = "OPENCODE_PERMISSION"
"""Laid over every configuration file. What a file allows one agent by name is stronger still (tried): so the
same stands in the configuration that comes after it."""
QUIET = {"OPENCODE_DISABLE_AUTOUPDATE": "1"}


@dataclass(frozen=True, slots=True)
class OpenCodeRun(OneShot):
    """*model* (`provider/model`) and *effort* are used where a request names none; empty is OpenCode's own
    choice."""

    name: str = "opencode"
    command: tuple[str, ...] = ("opencode",)
    model: str = ""
    effort: str = ""
    label: str = "OpenCode"
    capabilities: Capabilities = field(
        default=Capabilities(
            images=True, fork=True, models=True, efforts=("minimal", "low", "medium", "high", "max")
        )
    )
    env_names: tuple[str, ...] = (
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_CONTENT",
        "OPENCODE_CONFIG_DIR",
        "OPENCODE_API_KEY",
        "OPENCODE_DISABLE_MODELS_FETCH",
        "OPENCODE_DISABLE_LSP_DOWNLOAD",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "GOOGLE_GENERATIVE_AI_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
    )

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host. The prompt is read from standard
        input: a prompt among the words would be put into quotes."""
        argv = (*program, "run", "--format", "json", *_session(request), *self._choice(request))
        argv += ACCESS_WORDS[request.access] + _files(request)
        rules = _permissions(request)
        env = {**request.env, **QUIET, **rules, **apart(request, rules.get(CONFIG_NAME, ""))}
        return Launch(argv, request.cwd, env, request.text.encode())

    def decoder(self) -> OpenCodeRunDecoder:
        return OpenCodeRunDecoder()

    def sort(self, text: str, *, resumed: bool) -> Failure:
        special = failures.OPENCODE_SESSION if resumed else ()
        return failures.sort(text, (*special, *failures.OPENCODE, *failures.COMMON))

    def _choice(self, request: TurnRequest) -> tuple[str, ...]:
        model, effort = request.model or self.model, request.effort or self.effort
        words = ("--model", model) if model else ()
        return (*words, "--variant", effort) if effort else words


def _session(request: TurnRequest) -> tuple[str, ...]:
    """The session that is resumed, or the one that a new one is forked from."""
    if request.fork:
        return ("--session", request.fork, "--fork")
    return ("--session", request.session) if request.session else ()


def _files(request: TurnRequest) -> tuple[str, ...]:
    """Last: `--file` takes any number of words."""
    return tuple(word for image in request.images for word in ("--file", image))


def _permissions(request: TurnRequest) -> dict[str, str]:
    rules = PERMISSIONS[request.access]
    if not rules:
        return {}
    given = {PERMISSION_NAME: json.dumps(rules)}
    config = _configured(
        request.env.get(CONFIG_NAME) or "{}", AGENTS.get(request.access, DEFAULT_AGENT), rules
    )
    return {**given, CONFIG_NAME: config} if config else given


def _configured(given: str, agent: str, rules: Mapping[str, str]) -> str:
    """The configuration *given*, with *rules* for *agent*; empty where it is not plain JSON: it is the
    person's own, and stays as it is."""
    try:
        config = _table(json.loads(given))
    except ValueError:
        return ""
    agents = _table(config.get("agent"))
    chosen = _table(agents.get(agent))
    permission = {**_table(chosen.get("permission")), **rules}
    return json.dumps({**config, "agent": {**agents, agent: {**chosen, "permission": permission}}})


def _table(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, dict) else {}
