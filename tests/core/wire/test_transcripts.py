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
from core.wire.codex_exec import CodexExecDecoder

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"


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
DECODERS: dict[str, Callable[[], Decoder]] = {
    "acp_opencode_new": acp(OPENCODE.manner),
    "acp_opencode_warm": acp(OPENCODE.manner, OPENCODE_SESSION, warm=True),
    "acp_opencode_compact": acp(OPENCODE.manner, OPENCODE_SESSION, warm=True, text="/compact"),
    "acp_gemini_new": acp(Manner()),
    "acp_gemini_warm": acp(GEMINI.manner, GEMINI_SESSION, warm=True),
    "acp_gemini_load": acp(GEMINI.manner, GEMINI_SESSION),
    "codex_exec": CodexExecDecoder,
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
