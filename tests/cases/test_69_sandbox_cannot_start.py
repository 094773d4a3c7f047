"""Case 69, as far as the protocol has it: failed commands keep their words, and the answer arrives."""

from __future__ import annotations

from pathlib import Path

from core.model.events import Progress, ToolCall
from core.model.prompt import Status
from tests.support.play_agent import Play, Step
from tests.support.whole import configured, roost, says, turn

BWRAP = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted"


def failed(number: int) -> Step:
    ran = {"command": "bash -lc pwd", "aggregated_output": BWRAP, "exit_code": 1, "status": "failed"}
    item = {"id": f"item_{number}", "type": "command_execution", **ran}
    return {"json": {"type": "item.completed", "item": item}}


async def test_the_apology_arrives_and_every_command_is_known_as_failed(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(
        *turn(*(failed(number) for number in range(3)), says("I cannot run any command here.", "last"))
    )
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "I cannot run any command here."
        steps = [event for event in await whole.events(prompt.id) if isinstance(event, ToolCall)]
    assert [step.progress for step in steps] == [Progress.FAILED] * 3
    assert {step.output for step in steps} == {BWRAP}
