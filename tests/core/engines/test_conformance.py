"""Every engine passes the same suite: one line for each."""

from __future__ import annotations

import pytest

from core.engines.codex import Codex
from core.engines.cursor import Cursor
from core.engines.demo import Demo
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import OpenCodeRun
from tests.core.engines.conformance import Driven, EngineConformance

DRIVEN = (
    Driven(Codex(), "codex_exec", frozenset({"sigint_stream", "sigterm_tool"})),
    Driven(Cursor(), "cursor", frozenset({"stop"})),
    Driven(Demo(), "demo"),
    Driven(GeminiStream(), "gemini_stream", frozenset({"429"})),
    Driven(OpenCodeRun(), "opencode_run", frozenset({"sigint_stream", "sigint_tool", "sigterm_stream"})),
)


@pytest.mark.parametrize("driven", DRIVEN, ids=lambda driven: driven.transcripts)
class TestEngines(EngineConformance):
    """All of it, for all of them."""
