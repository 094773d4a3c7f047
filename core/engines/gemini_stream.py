"""Gemini CLI, one `gemini -o stream-json` for each turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.engines import failures
from core.engines.oneshot import OneShot
from core.engines.port import Capabilities, Failure
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.gemini_stream import GeminiStreamDecoder

ACCESS_WORDS: dict[Access, tuple[str, ...]] = {
    Access.READ_ONLY: ("--approval-mode", "plan"),
    Access.WORKSPACE: ("--approval-mode", "auto_edit"),
    Access.FULL: ("--approval-mode", "yolo"),
}
"""Nobody can be asked here: what a mode would ask for, its model is not offered. So in `auto_edit` it writes
in the project and runs no command."""
ALWAYS = {
    "GEMINI_CLI_TRUST_WORKSPACE": "true",  # else it asks, and ends
    "GEMINI_CLI_NO_RELAUNCH": "true",  # else a parent stands before it that ignores signals
}


@dataclass(frozen=True, slots=True)
class GeminiStream(OneShot):
    """*model* is used where a request names none; empty is Gemini's own choice. Pictures are no capability:
    Gemini reads none of a directory that git ignores, as the one is where people's files lie (tried)."""

    name: str = "gemini"
    command: tuple[str, ...] = ("gemini",)
    model: str = ""
    label: str = "Gemini"
    capabilities: Capabilities = field(default=Capabilities(models=True))
    env_names: tuple[str, ...] = (
        "GEMINI_API_KEY",
        "GEMINI_CLI_HOME",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_GEMINI_BASE_URL",
        "GOOGLE_GENAI_USE_GCA",
        "GOOGLE_GENAI_USE_VERTEXAI",
    )

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host. Without `-p` the prompt is read
        from standard input."""
        model = request.model or self.model
        argv = (*program, *(("--resume", request.session) if request.session else ()))
        argv += ("--model", model) if model else ()
        argv += (*ACCESS_WORDS[request.access], "--output-format", "stream-json")
        return Launch(argv, request.cwd, {**request.env, **ALWAYS}, request.text.encode())

    def decoder(self) -> GeminiStreamDecoder:
        return GeminiStreamDecoder()

    def sort(self, text: str, *, resumed: bool) -> Failure:
        special = failures.GEMINI_SESSION if resumed else ()
        return failures.sort(text, (*special, *failures.GEMINI, *failures.COMMON))
