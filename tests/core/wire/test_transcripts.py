"""What real agents said decodes to what we wrote down: `ROOST_UPDATE_TRANSCRIPTS=1` writes it down anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.port import Decoder
from core.wire.codex_exec import CodexExecDecoder
from core.wire.cursor import CursorDecoder
from core.wire.demo import demo_decoder
from core.wire.gemini_stream import GeminiStreamDecoder
from core.wire.opencode_run import OpenCodeRunDecoder

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
DECODERS: dict[str, Callable[[], Decoder]] = {
    "codex_exec": CodexExecDecoder,
    "cursor": CursorDecoder,
    "demo": demo_decoder,
    "gemini_stream": GeminiStreamDecoder,
    "opencode_run": OpenCodeRunDecoder,
}
CASES = sorted(path.relative_to(TRANSCRIPTS) for path in TRANSCRIPTS.glob("*/*.jsonl"))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_transcript_decodes_to_the_events_beside_it(case: Path) -> None:
    recorded = TRANSCRIPTS / case
    data = recorded.read_bytes()
    decoder = DECODERS[case.parts[0]]()
    events = "".join(f"{event!r}\n" for event in [*decoder.feed(data), *decoder.finish()])
    expected = recorded.with_suffix(".events")
    if os.environ.get("ROOST_UPDATE_TRANSCRIPTS"):
        expected.write_text(events)
    assert events == expected.read_text()
    assert decoder.consumed == len(data)
