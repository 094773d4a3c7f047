"""What the cases are played with: each one-shot engine's decoder on the lines of a case."""

from __future__ import annotations

import json
from collections.abc import Mapping

from core.engines.codex import Codex
from core.engines.cursor import Cursor
from core.engines.demo import Demo
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import OpenCodeRun
from core.engines.port import Engine
from core.model.events import EngineEvent
from core.model.turn import Turn, advance
from tests.support.engines import decoder_of

ENGINES: tuple[Engine, ...] = (Codex(), Cursor(), Demo(), GeminiStream(), OpenCodeRun())
THREAD = "01999999-0000-7000-8000-000000000001"
CHAT = "11111111-2222-4333-8444-555555555555"


def lines(*events: Mapping[str, object]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def read(engine: Engine, data: bytes) -> list[EngineEvent]:
    decoder = decoder_of(engine)
    return decoder.feed(data) + decoder.finish()


def folded(events: list[EngineEvent]) -> Turn:
    """The turn as a chat would show it."""
    turn = Turn()
    for event in events:
        turn = advance(turn, event)
    return turn
