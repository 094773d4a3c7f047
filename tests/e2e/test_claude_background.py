"""What a turn of the real Claude Code leaves running is told, and ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.model.project import Access
from core.model.prompt import Status
from core.store import conversations
from tests.support.claude import ScriptedClaude, script, scripted_claude
from tests.support.sleepers import ended_after, left_by, sleepers
from tests.support.whole import roost

pytestmark = pytest.mark.claude
__all__ = ["scripted_claude"]

SECONDS = "31338.25"
"""So long sleeps nobody else."""


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    with ended_after(SECONDS):
        yield


@pytest.mark.parametrize(
    "run",
    [
        {"command": f"setsid sleep {SECONDS} >/dev/null 2>&1 & sleep 0.2", "description": "away"},
        {"command": f"sleep {SECONDS}", "run_in_background": True, "description": "in the background"},
    ],
)
async def test_it_is_ended_and_named(
    tmp_path: Path, scripted_claude: ScriptedClaude, run: dict[str, object]
) -> None:
    names = [name for name in scripted_claude.env if name not in ("HOME", "PATH", "LANG")]
    config = tmp_path / "roost.toml"
    config.write_text(
        f'data_dir = "{tmp_path / "data"}"\n[engines.claude]\n'
        f'command = ["{scripted_claude.program}"]\npass_env = {json.dumps(names)}\n'
    )
    asked = script([{"tool": {"name": "Bash", "args": run}}], [{"text": "It runs."}])
    async with roost(config, environ=scripted_claude.env, access=Access.FULL) as whole:
        begun = await whole.app.store.write(
            conversations.begin, whole.project.id, engine="claude", language="en", now=0.0
        )
        prompt = await whole.submit(asked, conversation=begun.id)
        ended = await whole.ended(prompt)
        assert ended.status is Status.DONE, ended
        left = await left_by(whole, prompt)
        assert ("sleep" in left.programs, left.ended) == (True, True)
        assert sleepers(SECONDS) == []
