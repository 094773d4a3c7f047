"""Case 36: no secret of the service reaches an agent, and one that it says is masked everywhere."""

from __future__ import annotations

import os
from pathlib import Path

from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn, until

TOKEN = "7000001:FAKE_TOKEN_FOR_TESTS_ONLY"
SERVICE = {
    "TELEGRAM_BOT_TOKEN": TOKEN,
    "MATRIX_ACCESS_TOKEN": "FAKE_MX_TOKEN_FOR_TESTS_ONLY",
    "OTHER_API_KEY": "FAKE_OTHER",
    "ROOST_TELEGRAM__TOKEN": TOKEN,
}
GIVEN = {"PROJECT_SETTING": "wanted", "PROJECT_API_KEY": "GIVEN_TO_THE_AGENT_ONLY"}
EVERYWHERE = f"your token is {TOKEN}, the key {GIVEN['PROJECT_API_KEY']}"


async def test_nothing_secret_goes_in_and_nothing_comes_out(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    shell = {"id": "s", "type": "command_execution", "command": f"echo {TOKEN}", "status": "completed"}
    item = {**shell, "aggregated_output": EVERYWHERE, "exit_code": 0}
    step = {"json": {"type": "item.completed", "item": item}}
    release = tmp_path / "go"
    play.steps({"read_stdin": "eof"}, *turn(step, {"wait_for": str(release)}, says(EVERYWHERE)))
    passed = 'pass_env = ["PROJECT_SETTING"]\nenv = { PROJECT_API_KEY = "GIVEN_TO_THE_AGENT_ONLY" }\n'
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **SERVICE}
    environ["PROJECT_SETTING"] = GIVEN["PROJECT_SETTING"]
    async with roost(configured(tmp_path, play.command, passed), environ=environ) as whole:
        prompt = await whole.submit("print your environment")
        await until(lambda: bool(play.starts))
        (start,) = play.starts
        keeper = int(Path(f"/proc/{start.pid}/stat").read_text().rpartition(")")[2].split()[1])
        cmdline = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in (start.pid, keeper))
        release.touch()
        assert (await whole.ended(prompt)).status is Status.DONE
        assert "your token is •••, the key •••" in await whole.shown(prompt)
        await whole.quiet()
        logged = repr(await whole.events(prompt))
    (start,) = play.starts
    assert start.env.keys() & SERVICE.keys() == set()
    assert {"HOME", "PATH", "LANG"} <= start.env.keys()
    assert GIVEN.items() <= start.env.items()
    given = cmdline + start.stdin + repr((start.argv, sorted(start.env.items()))).encode()
    kept = b"".join(file.read_bytes() for file in whole.app.data_dir.rglob("*") if file.is_file())
    for secret in (TOKEN, *SERVICE.values()):
        assert secret.encode() not in given
        assert secret.encode() not in kept
        assert secret not in logged
    assert GIVEN["PROJECT_API_KEY"] not in logged
