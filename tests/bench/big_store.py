"""A database with years in it is as quick as an empty one."""

from __future__ import annotations

import asyncio
import tempfile
import time
from functools import partial
from pathlib import Path

from core.dispatch.queue import decide
from core.model.events import Message, TurnStarted
from core.model.ids import AgentId, ConversationId, ItemId, ProjectId
from core.model.project import Project
from core.model.prompt import Source, Status
from core.model.slots import Caps
from core.store import conversations, projects, prompts, queue, turns
from core.store.database import Database, Db
from core.store.turns import Ending, Step
from tests.bench.table import Row, middle

PROMPTS, EVENTS, CONVERSATIONS = 200_000, 2_000_000, 400
ROUNDS = 150


async def claim_seconds(store: Database, room: ConversationId, *, tag: str) -> list[float]:
    """How long each prompt took from its claim to its first event stored, one after the other."""
    taken = []
    for number in range(ROUNDS):
        source = Source("bench", tag, str(number))
        accepted = await store.write(prompts.accept, source, room, "hello", now=time.time())
        begun = time.perf_counter()
        new_agent = partial(AgentId, f"{tag}-{number}")
        (work,) = await store.write(queue.claim, decide, Caps(), new_agent, now=time.time())
        step = Step(work.turn.id, work.prompt.id, room, (TurnStarted(), Message(ItemId("1"), "hi")), 10)
        await store.write(turns.progress, [step], now=time.time())
        taken.append(time.perf_counter() - begun)
        await store.write(turns.end, [step], Ending(Status.DONE, "hi"), now=time.time())
        await store.write(queue.release, accepted.prompt.id)
    return taken


def fill(db: Db, project: ProjectId) -> None:
    """Years of use, written in bulk."""
    db.executemany(
        "INSERT INTO conversations (project, engine, created_at) VALUES (?, 'demo', 0)",
        [(project,)] * CONVERSATIONS,
    )
    rooms = f"(SELECT max(id) FROM conversations) - value % {CONVERSATIONS}"
    series = "WITH RECURSIVE n (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < {})"
    db.execute(
        f"{series.format(PROMPTS - 1)} INSERT INTO prompts (conversation, text, status, position, created_at)"
        f" SELECT {rooms}, 'an old prompt', 'done', value, 0 FROM n"
    )
    db.execute(
        f"{series.format(PROMPTS - 1)} INSERT INTO messages (conversation, role, text, created_at)"
        f" SELECT {rooms}, 'assistant', 'an old answer', 0 FROM n"
    )
    db.execute(
        f"{series.format(EVENTS - 1)} INSERT INTO events (conversation, prompt, type, at, data)"
        f" SELECT {rooms}, 1 + value % {PROMPTS}, 'turn.started', 0, '{{}}' FROM n"
    )


async def _room(store: Database) -> ConversationId:
    wanted = Project(ProjectId(0), "bench", "/nowhere", "demo")
    project = await store.write(projects.add, wanted, now=time.time())
    return (await store.write(conversations.begin, project.id, engine="demo", now=time.time())).id


async def measure(home: Path) -> Row:
    empty, full = await Database.open(home / "empty"), await Database.open(home / "full")
    rooms = await _room(empty), await _room(full)
    await full.write(fill, ProjectId(1))
    ratios, figures = [], []
    for turn in range(5):  # in turns, so that both see the same machine
        small = middle(await claim_seconds(empty, rooms[0], tag=f"a{turn}"))
        large = middle(await claim_seconds(full, rooms[1], tag=f"a{turn}"))
        ratios.append(large / small)
        figures.append(large)
    await empty.close()
    await full.close()
    conditions = (
        f"{PROMPTS:,} prompts and {EVENTS:,} events against none, {5 * ROUNDS} claims each in turns;"
        f" {1000 * middle(figures):.2f} ms"
    )
    return Row("claim and first event, full against empty", middle(ratios), 1.1, "×", conditions)


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="roost-bench-") as home:
        return [asyncio.run(measure(Path(home)))]
