"""What Roost itself costs while 64 agents talk, and how soon an answer is stored."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.app import App, on_duty, opened
from core.dispatch.bell import ring
from core.model.ids import ConversationId, ProjectId, PromptId
from core.model.project import Project
from core.model.prompt import Source
from core.settings import load
from core.store import conversations, log, projects, prompts
from tests.bench.table import Row, middle

AGENTS, EACH_SECOND, SECONDS = 64, 20, 8.0
ANSWERS = 30

TALKER = """
import json, sys, time
sys.stdin.read()
seconds, rate = float(sys.argv[1]), float(sys.argv[2])
def say(**line): print(json.dumps(line), flush=True)
say(type="thread.started", thread_id="t")
say(type="turn.started")
until, n = time.monotonic() + seconds, 0
while time.monotonic() < until:
    n += 1
    say(type="item.completed", item=dict(id=f"item_{n // 2}", type="command_execution", command="pytest -q",
        aggregated_output="." * 200, exit_code=0, status="completed"))
    time.sleep(1 / rate)
say(type="item.completed", item=dict(id="a", type="agent_message", text="Done."))
say(type="turn.completed", usage=dict(input_tokens=1, cached_input_tokens=0, output_tokens=1))
print(time.time(), file=sys.stderr, flush=True)
time.sleep(float(sys.argv[3]))
"""


@asynccontextmanager
async def roost(home: Path, *arguments: object) -> AsyncIterator[App]:
    """Roost in this process, its Codex a script that talks."""
    talker = home / "talker.py"
    talker.write_text(TALKER)
    command = [sys.executable, str(talker), *map(str, arguments)]
    config = home / "roost.toml"
    caps = f"max_concurrent_agents = {AGENTS}"
    config.write_text(
        f'data_dir = "{home / "data"}"\n{caps}\n[engines.codex]\ntransport = "exec"\ncommand = {command}\n'
    )
    async with opened(load({"HOME": str(home)}, config), os.environ) as app, on_duty(app):
        yield app


async def ask(app: App, name: str) -> tuple[ConversationId, PromptId]:
    path = app.data_dir.parent / name
    path.mkdir()
    wanted = Project(ProjectId(0), name, str(path), "codex")
    project = await app.store.write(projects.add, wanted, now=time.time())
    room = await app.store.write(conversations.begin, project.id, engine="codex", now=time.time())
    source = Source("bench", "", name)
    accepted = await app.store.write(prompts.accept, source, room.id, "talk", now=time.time())
    ring(app.data_dir)
    return room.id, accepted.prompt.id


async def busy_share(home: Path) -> Row:
    """Our processor time while every agent talks, as a share of one core."""
    async with roost(home, SECONDS + 12, EACH_SECOND, 0) as app:
        asked = [await ask(app, f"project{number}") for number in range(AGENTS)]
        while sum([len((await app.store.read(log.read, room, 0))[0]) > 5 for room, _ in asked]) < AGENTS:
            await asyncio.sleep(0.1)
        before, begun = time.process_time(), time.monotonic()
        await asyncio.sleep(SECONDS)
        share = (time.process_time() - before) / (time.monotonic() - begun)
        for _, prompt in asked:
            await app.store.write(prompts.cancel, prompt, now=time.time())
        ring(app.data_dir)
        while await app.store.read(prompts.every_open):
            await asyncio.sleep(0.1)
    conditions = (
        f"{AGENTS} agents × {EACH_SECOND} events/s for {SECONDS:.0f} s, events stored, nobody watching"
    )
    return Row("processor while agents talk", 100 * share, 40, "% of a core", conditions)


async def answer_delay(home: Path) -> Row:
    """From the agent's last line to the stored answer."""
    delays = []
    async with roost(home, 0.3, EACH_SECOND, 0.2) as app:
        for number in range(ANSWERS):
            _, prompt = await ask(app, f"single{number}")
            while not (await app.store.read(prompts.get, prompt)).status.ended:
                await asyncio.sleep(0.002)
            stored = (await app.store.read(prompts.get, prompt)).ended_at or 0
            (agent,) = (app.data_dir / "agents").iterdir()
            delays.append(stored - float((agent / "err").read_text()))
            while list((app.data_dir / "agents").iterdir()):
                await asyncio.sleep(0.01)
    return Row(
        "answer after the agent's last line", middle(delays), 0.03, "s", f"{ANSWERS} turns, one at a time"
    )


def rows() -> list[Row]:
    found = []
    for measure in (answer_delay, busy_share):
        with tempfile.TemporaryDirectory(prefix="roost-bench-") as home:
            found.append(asyncio.run(measure(Path(home))))
    return found
