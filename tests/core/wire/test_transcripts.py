"""What real agents said decodes to what we wrote down: `ROOST_UPDATE_TRANSCRIPTS=1` writes it down anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.engines.acp import GEMINI, OPENCODE
from core.engines.port import Decoder
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.acp import AcpDialogue, Manner
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


def acp(
    manner: Manner, session: str = "", *, warm: bool = False, text: str = "Hello"
) -> Callable[[], Decoder]:
    """What was recorded had a person who answered every question."""
    request = TurnRequest("/home/pi/projects", text, Access.READ_ONLY, {}, approvals=True)
    if session:
        request = replace(request, session=SessionId(session))
    return lambda: AcpDialogue(request, "t", warm=warm, manner=manner)


OPENCODE_SESSION = "ses_dd4930903ffeMaWgoQNOBbc3Tm"
GEMINI_SESSION = "70701b70-c98e-420c-a0af-e13c2ffd9378"
GEMINI_LOADED = "5cb25e22-64c1-4d4b-9201-6afad4d730c2"

DECODERS: dict[str, Callable[[], Decoder]] = {
    "acp_opencode_new": acp(OPENCODE.manner),
    "acp_opencode_warm": acp(OPENCODE.manner, OPENCODE_SESSION, warm=True),
    "acp_opencode_compact": acp(OPENCODE.manner, OPENCODE_SESSION, warm=True, text="/compact"),
    "acp_gemini_new": acp(Manner()),
    "acp_gemini_warm": acp(GEMINI.manner, GEMINI_SESSION, warm=True),
    "acp_gemini_load": acp(GEMINI.manner, GEMINI_LOADED),
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
