"""Cursor's agent, one `cursor-agent -p` for each turn, after its public documentation."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.engines import failures
from core.engines.oneshot import OneShot
from core.engines.port import Capabilities, Failure
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.cursor import CursorDecoder

ACCESS_WORDS: dict[Access, tuple[str, ...]] = {
    Access.READ_ONLY: ("--mode", "plan"),
    Access.WORKSPACE: (),
    Access.FULL: ("--force",),
}
"""Between the two it is what Cursor's own configuration allows: asked of it, not enforced."""


@dataclass(frozen=True, slots=True)
class Cursor(OneShot):
    """*model* is used where a request names none; empty is the account's own choice."""

    name: str = "cursor"
    command: tuple[str, ...] = ("cursor-agent",)
    model: str = ""
    label: str = "Cursor"
    capabilities: Capabilities = field(default=Capabilities(models=True))
    env_names: tuple[str, ...] = ("CURSOR_API_KEY", "CURSOR_CONFIG_DIR")

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host. Without a prompt among the words it
        is read from standard input; without `--trust` newer ones ask, and end."""
        model = request.model or self.model
        argv = (*program, "-p", "--output-format", "stream-json", "--trust")
        argv += (*(("--model", model) if model else ()), *ACCESS_WORDS[request.access])
        argv += ("--resume", request.session) if request.session else ()
        return Launch(argv, request.cwd, request.env, request.text.encode())

    def decoder(self) -> CursorDecoder:
        return CursorDecoder()

    def sort(self, text: str, *, resumed: bool) -> Failure:
        special = failures.CURSOR_SESSION if resumed else ()
        return failures.sort(text, (*special, *failures.CURSOR, *failures.COMMON))
