"""What real agents said decodes to what we wrote down: `ROOST_UPDATE_TRANSCRIPTS=1` writes it down anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.port import Decoder
from core.wire.claude import ClaudeDecoder
from core.wire.codex_exec import CodexExecDecoder

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
DECODERS: dict[str, Callable[[], Decoder]] = {"claude": ClaudeDecoder, "codex_exec": CodexExecDecoder}
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
