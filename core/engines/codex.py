"""Codex, one `codex exec` for each turn (behaviour §7)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from core.engines import failures
from core.engines.oneshot import OneShot
from core.engines.port import Capabilities, Failure
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.codex_exec import CodexExecDecoder

ACCESS_WORDS: dict[Access, tuple[str, ...]] = {
    Access.READ_ONLY: ("--sandbox", "read-only", "--ask-for-approval", "never"),
    Access.WORKSPACE: ("--sandbox", "workspace-write", "--ask-for-approval", "never"),
    Access.FULL: ("--dangerously-bypass-approvals-and-sandbox",),
}
SANDBOXED = frozenset({Access.READ_ONLY, Access.WORKSPACE})
QUIET_WORDS = (
    *("-c", "tools.update_plan.enabled=true"),  # off by default: no plan would be seen
    *("-c", "analytics.enabled=false"),  # without a route it holds the exit up for 5 s
    *("-c", "check_for_update_on_startup=false"),
    *("--disable", "plugins"),  # their catalogue is fetched at each start
)
EFFORTS = ("minimal", "low", "medium", "high", "xhigh")
"""For an account whose models could not be asked for."""
ENV_NAMES = (
    "CODEX_HOME",
    "CODEX_API_KEY",
    "CODEX_CA_CERTIFICATE",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_ORGANIZATION",
    "OPENAI_PROJECT",
)
STDIN = "-"
"""Where Codex expects the prompt, this word makes it read standard input, with images too."""


@dataclass(frozen=True, slots=True)
class Codex(OneShot):
    """*model* and *effort* are used where a request names none; empty is the account's own default."""

    name: str = "codex"
    command: tuple[str, ...] = ("codex",)
    model: str = ""
    effort: str = ""
    label: str = "Codex"
    capabilities: Capabilities = field(
        default=Capabilities(images=True, models=True, efforts=EFFORTS, enforced=SANDBOXED)
    )
    env_names: tuple[str, ...] = ENV_NAMES

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host."""
        argv = (*program, *self._choice(request), *ACCESS_WORDS[request.access], *QUIET_WORDS)
        argv += distrusting(request)
        argv += ("exec", "--json", "--skip-git-repo-check", *_place(request), STDIN)
        return Launch(argv, request.cwd, request.env, request.text.encode())

    def decoder(self) -> CodexExecDecoder:
        return CodexExecDecoder()

    def sort(self, text: str, *, resumed: bool) -> Failure:
        special = failures.CODEX_SESSION if resumed else ()
        return failures.sort(text, (*special, *failures.COMMON))

    def _choice(self, request: TurnRequest) -> tuple[str, ...]:
        model, effort = request.model or self.model, request.effort or self.effort
        words = ("--model", model) if model else ()
        return (*words, "--config", f'model_reasoning_effort="{effort}"') if effort else words


def distrusting(request: TurnRequest) -> tuple[str, ...]:
    """Whatever the person once answered Codex about this directory: in one that it trusts, the project's own
    `.codex/config.toml` opens the sandbox to every path and to the network (tried), and starts servers."""
    names = dict.fromkeys(filter(None, (request.cwd, request.real)))
    keys = (json.dumps(name.encode(errors="replace").decode(), ensure_ascii=False) for name in names)
    told = ",".join(f'{key}={{trust_level="untrusted"}}' for key in keys)
    return ("-c", f"projects={{{told}}}")


def _place(request: TurnRequest) -> tuple[str, ...]:
    """Which session and which images; `--image` takes any number of words, so `--` ends a list of them."""
    images = tuple(word for image in request.images for word in ("--image", image))
    if request.session:
        return ("resume", *images, request.session)
    return (*images, "--") if images else ()
