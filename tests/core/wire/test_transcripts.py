"""What real agents said decodes to what we wrote down: `ROOST_UPDATE_TRANSCRIPTS=1` writes it down anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.port import Decoder
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.claude import ClaudeDecoder
from core.wire.codex_app import CodexAppDialogue
from core.wire.codex_compact import CodexCompaction
from core.wire.codex_exec import CodexExecDecoder
from core.wire.cursor import CursorDecoder
from core.wire.demo import demo_decoder
from core.wire.gemini_stream import GeminiStreamDecoder
from core.wire.opencode_run import OpenCodeRunDecoder

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
COMPACTED = SessionId("01a22b63-deac-7323-8e87-d76428a91ef8")
"""The session of the recorded compaction."""


def codex_app() -> CodexAppDialogue:
    request = TurnRequest("/home/pi/project", "Hello", Access.WORKSPACE, {}, approvals=True)
    return CodexAppDialogue(request, "t")


DECODERS: dict[str, Callable[[], Decoder]] = {
    "claude": ClaudeDecoder,
    "codex_app": codex_app,
    "codex_compact": lambda: CodexCompaction(COMPACTED, "t"),
    "codex_exec": CodexExecDecoder,
    "cursor": CursorDecoder,
    "demo": demo_decoder,
    "gemini_stream": GeminiStreamDecoder,
    "opencode_run": OpenCodeRunDecoder,
}
CASES = sorted(
    path.relative_to(TRANSCRIPTS) for name in DECODERS for path in (TRANSCRIPTS / name).glob("*.jsonl")
)


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
