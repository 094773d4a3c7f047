"""Every engine passes the same suite: one line for each way to it."""

from __future__ import annotations

import pytest

from core.engines.acp import GEMINI, OPENCODE
from core.engines.claude import Claude, ClaudeSpoken
from core.engines.codex import Codex
from core.engines.codex_app import CodexApp
from core.engines.cursor import Cursor
from core.engines.demo import Demo
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import OpenCodeRun
from tests.core.engines.conformance import Driven, EngineConformance, HeardConformance
from tests.core.wire.test_transcripts import DECODERS
from tests.support.claude_lines import dialogue

DRIVEN = (
    Driven(Codex(), "codex_exec", frozenset({"sigint_stream", "sigterm_tool"})),
    Driven(Cursor(), "cursor", frozenset({"stop"})),
    Driven(Demo(), "demo"),
    Driven(GeminiStream(), "gemini_stream", frozenset({"429"})),
    Driven(OpenCodeRun(), "opencode_run", frozenset({"sigint_stream", "sigint_tool", "sigterm_stream"})),
)
HEARD = (
    Driven(Claude(), "claude", frozenset({"sigterm_tool"})),
    Driven(ClaudeSpoken(), "claude_spoken", decoder=dialogue, warm=False),
    Driven(ClaudeSpoken(), "claude_spoken", decoder=lambda: dialogue(turn="t2", warm=True), warm=True),
    Driven(CodexApp(), "codex_app", decoder=DECODERS["codex_app"]),
    Driven(CodexApp(), "codex_compact", decoder=DECODERS["codex_compact"]),
    *(
        Driven(engine, name, decoder=DECODERS[name])
        for engine, names in (
            (OPENCODE, ("acp_opencode_new", "acp_opencode_warm", "acp_opencode_compact")),
            (GEMINI, ("acp_gemini_warm", "acp_gemini_load")),
        )
        for name in names
    ),
)


@pytest.mark.parametrize("driven", DRIVEN, ids=lambda driven: driven.transcripts)
class TestEngines(EngineConformance):
    """All of it, for all that are told everything at once."""


@pytest.mark.parametrize("driven", HEARD, ids=lambda driven: driven.transcripts + "_warm" * bool(driven.warm))
class TestSpoken(HeardConformance):
    """The same of what they say, for those that are spoken to, and for Claude Code once."""
