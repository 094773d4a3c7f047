"""Claude Code: one process for each turn (behaviour §7), or one that is spoken to."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from core.engines import failures
from core.engines.oneshot import OneShot
from core.engines.port import Capabilities, Failure, Kept, Query
from core.model.ids import SessionId
from core.model.launch import Launch
from core.model.offers import Model
from core.model.project import Access
from core.model.request import TurnRequest
from core.model.sessions import Said, SessionInfo
from core.wire.claude import ClaudeDecoder
from core.wire.claude_dialogue import ClaudeDialogue
from core.wire.claude_words import keys, with_pictures

BASE_WORDS = ("-p", "--verbose", "--output-format", "stream-json")
SPOKEN_WORDS = (
    *("--input-format", "stream-json", "--include-partial-messages"),
    *("--permission-prompt-tool", "stdio"),  # what needs a person's word comes to us, questions too
)
ACCESS_WORDS: dict[Access, tuple[str, ...]] = {
    Access.READ_ONLY: ("--permission-mode", "plan"),
    Access.WORKSPACE: ("--permission-mode", "acceptEdits"),
    Access.FULL: ("--dangerously-skip-permissions",),
}
COMPACT = "/compact"
QUIET: Mapping[str, str] = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",  # statistics, surveys, updates
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1",  # it says when it is idle: sub-agents may speak again
}
"""Set unless the environment says otherwise."""
HISTORY_READ = 100
"""Messages of a session that are looked up, at most."""
T = TypeVar("T")
EFFORTS = ("low", "medium", "high", "xhigh", "max")


@dataclass(frozen=True, slots=True)
class Claude(OneShot):
    """*model* and *effort* are used where a request names none; empty is the account's own default."""

    name: str = "claude"
    command: tuple[str, ...] = ("claude",)
    model: str = ""
    effort: str = ""
    label: str = "Claude Code"
    capabilities: Capabilities = field(
        default=Capabilities(images=True, compact=True, fork=True, models=True, efforts=EFFORTS)
    )
    env_names: tuple[str, ...] = (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_CUSTOM_HEADERS",
        "ANTHROPIC_MODEL",
        "CLAUDE_CODE_MAX_RETRIES",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CONFIG_DIR",
        "IS_SANDBOX",  # says that root may have full access here: the machine is the sandbox
        "NODE_EXTRA_CA_CERTS",
    )

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host."""
        argv = (*program, *BASE_WORDS, *self._choice(request))
        text = COMPACT if request.compact else with_pictures(request.text, request.images)
        return Launch(argv, request.cwd, {**QUIET, **request.env}, text.encode())

    def decoder(self) -> ClaudeDecoder:
        return ClaudeDecoder()

    def sort(self, text: str, *, resumed: bool) -> Failure:
        special = failures.CLAUDE_SESSION if resumed else ()
        return failures.sort(text, (*special, *failures.CLAUDE, *failures.COMMON))

    def _choice(self, request: TurnRequest) -> tuple[str, ...]:
        known = request.session or request.fork
        model, effort = request.model or self.model, request.effort or self.effort
        return (
            *(("--model", model) if model else ()),
            *(("--effort", effort) if effort else ()),
            *(("--resume", known) if known else ()),
            *(("--fork-session",) if request.fork and not request.session else ()),
            *ACCESS_WORDS[request.access],
        )


class AskingClaude:
    """Its first answer names the models; its sessions are files."""

    def models(self, env: Mapping[str, str]) -> Query[Model]:
        from core.wire.claude_queries import ClaudeModels

        return ClaudeModels("models")

    def sessions(self, cwd: str, env: Mapping[str, str]) -> Kept[SessionInfo] | None:
        from core.wire.claude_sessions import info

        return self._kept(cwd, env, "*", lambda lines: [one for one in (info(lines),) if one])

    def history(self, session: SessionId, cwd: str, env: Mapping[str, str]) -> Kept[Said] | None:
        from core.wire.claude_sessions import history

        return self._kept(cwd, env, glob.escape(session), lambda lines: history(lines, HISTORY_READ))

    def _kept(
        self, cwd: str, env: Mapping[str, str], name: str, read: Callable[[Sequence[bytes]], Sequence[T]]
    ) -> Kept[T] | None:
        from core.wire.claude_sessions import folder

        home = env.get("CLAUDE_CONFIG_DIR") or os.path.join(env.get("HOME", ""), ".claude")
        if not os.path.isabs(home):
            return None
        return Kept(os.path.join(home, "projects", folder(cwd)), f"{name}.jsonl", read)


@dataclass(frozen=True, slots=True)
class ClaudeSpoken:
    """Claude Code as it is driven by default: one process for many turns of one session."""

    once: Claude = field(default_factory=Claude)
    """The same program for one turn."""
    capabilities: Capabilities = field(
        default=Capabilities(
            images=True, steer=True, compact=True, fork=True, approvals=True, models=True, efforts=EFFORTS
        )
    )
    asking: AskingClaude = field(default_factory=AskingClaude, compare=False)

    @property
    def name(self) -> str:
        return self.once.name

    @property
    def label(self) -> str:
        return self.once.label

    @property
    def command(self) -> tuple[str, ...]:
        return self.once.command

    @property
    def env_names(self) -> tuple[str, ...]:
        return self.once.env_names

    @property
    def fallback(self) -> None:
        """Its first word is the prompt: nothing fails before that."""

    @property
    def spoken(self) -> bool:
        return True

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        once = self.once.launch(program, request)
        start = len(program) + len(BASE_WORDS)
        argv = (*once.argv[:start], *SPOKEN_WORDS, *once.argv[start:])
        return Launch(argv, once.cwd, once.env, spoken=True)

    def dialogue(self, request: TurnRequest, turn: str, *, warm: bool = False) -> ClaudeDialogue:
        if request.compact:
            request = replace(request, text=COMPACT, images=())
        return ClaudeDialogue(request, turn, warm=warm)

    def fixed(self, request: TurnRequest) -> tuple[object, ...]:
        """All that stands in its words, but for the session."""
        asked = replace(request, session=None, fork=None)
        return self.once.launch((), asked).argv

    def keys(self, told: bytes) -> set[str]:
        return keys(told)

    def sort(self, text: str, *, resumed: bool) -> Failure:
        return self.once.sort(text, resumed=resumed)
