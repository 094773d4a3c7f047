"""Case 46: bytes that are no UTF-8, on stdout and on stderr, leave the answer as it was meant."""

from __future__ import annotations

import base64
from pathlib import Path

from core.model.events import ToolCall
from core.model.prompt import Status
from tests.support.play_agent import Play, Step
from tests.support.whole import BEGUN, COMPLETED, STARTED, configured, roost

STEP = (
    b'{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"ls",'
    b'"aggregated_output":"caf\xe9 \xff\xfe","exit_code":0,"status":"completed"}}\n'
)
ANSWER = (
    b'{"type":"item.completed","item":{"id":"i2","type":"agent_message","text":"a\\u0000b FINAL-46 \xe2\x82'
)
STDERR = base64.b64encode(b"caf\xe9 \xff\xfe\n").decode()
REST = b'\xac"}}\n'


def raw(data: bytes) -> Step:
    return {"raw": base64.b64encode(data).decode()}


async def test_the_euro_sign_is_whole_and_the_nul_is_gone(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    answer = (raw(ANSWER), {"sleep": 0.4}, raw(REST))
    play.steps(raw(b"\xef\xbb\xbf"), STARTED, BEGUN, raw(STEP), {"raw_err": STDERR}, *answer, COMPLETED)
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        (step,) = [event for event in await whole.events(prompt.id) if isinstance(event, ToolCall)]
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "ab FINAL-46 €"
        assert (step.title, step.output) == ("ls", "caf\ufffd \ufffd\ufffd")
