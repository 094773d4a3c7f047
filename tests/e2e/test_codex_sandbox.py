"""What a command inside the real Codex's sandbox can reach of the agents beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.model.events import Progress, ToolCall
from core.model.prompt import Status
from tests.e2e.test_codex import agents, asked, config, transport, was_told, whole_roost
from tests.support.codex import ScriptedCodex, script, scripted_codex
from tests.support.whole import until

pytestmark = pytest.mark.codex
__all__ = ["config", "scripted_codex", "transport"]

ATTACK = """
import glob, os, sys
mark = ('AT' + 'TACK').encode()
kept = [os.path.join(folder, name) for folder, _, names in os.walk(sys.argv[1]) for name in names]
seen = glob.glob('/proc/[0-9]*/fd/*')
harmless = {'/dev/null', *(os.readlink(f'/proc/self/fd/{number}') for number in (1, 2))}
for path in [*kept, *seen]:
    try:
        if os.path.islink(path) and os.readlink(path) in harmless:
            continue
        os.write(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK), mark)
        print('reached', path, os.path.realpath(path))
    except OSError:
        pass
try:
    os.write(0, mark)
    print('reached its own input', os.readlink('/proc/self/fd/0'))
except OSError:
    pass
print('tried', len(seen), 'descriptors and files:', len(kept))
"""


async def test_a_command_in_the_sandbox_reaches_no_agent(
    config: Path, scripted_codex: ScriptedCodex, tmp_path: Path
) -> None:
    codex_config = Path(scripted_codex.env["CODEX_HOME"]) / "config.toml"
    own_place = "\n[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n"
    codex_config.write_text(codex_config.read_text() + own_place)
    model = scripted_codex.model
    async with whole_roost(config, scripted_codex) as whole:
        (whole.workspace / "attack.py").write_text(ATTACK)
        victim = await whole.submit(
            script([{"sleep": 30}]), conversation=await whole.begin(await whole.add_project("victim"))
        )
        await asked(model, 1)
        attack = f"python3 attack.py {whole.app.data_dir}"
        prompt = await whole.submit(script([{"shell": attack}], [{"text": "Done."}]))
        await until(lambda: len(agents(whole)) == 2)
        told = {agent: was_told(whole, agent) for agent in agents(whole)}
        assert (await whole.ended(prompt)).status is Status.DONE
        (step,) = [
            event
            for event in await whole.events(prompt)
            if isinstance(event, ToolCall) and event.progress is Progress.COMPLETED
        ]
        assert step.output.startswith("tried"), step.output
        assert int(step.output.split()[-1]) >= 10
        for file in whole.app.data_dir.rglob("*"):
            assert not file.is_file() or b"ATTACK" not in file.read_bytes(), file
        for agent in agents(whole):
            assert was_told(whole, agent).startswith(told[agent])
        await whole.cancel(victim)
        assert (await whole.ended(victim)).status is Status.CANCELLED
    assert not any("ATTACK" in text for call in model.calls for text in call.users)
