"""A store to try things on: a database with a project and a conversation, and a clock that a test sets."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from uuid import uuid4

from core.dispatch.queue import decide
from core.model.conversation import Conversation
from core.model.events import Event
from core.model.ids import AgentId, ProjectId
from core.model.project import Project
from core.model.prompt import Prompt, Source, Status
from core.model.slots import Caps
from core.store import conversations, projects, prompts, queue, turns
from core.store.database import FILE_NAME, Database, Db
from core.store.folder import made_private
from core.store.migrate import upgrade
from core.store.queue import Work
from core.store.turns import Ending, Step

NOW = 1_800_000_000.0
MANY = Caps(per_engine=100)
DONE = Ending(Status.DONE, "Done.")
counter = itertools.count(1)


class FakeClock:
    """Stands still until it is told; a sleep is noted and over at once, and moves it on."""

    def __init__(self) -> None:
        self.wall = NOW
        self.ticks = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.ticks

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.wall += seconds
        self.ticks += seconds
        await asyncio.sleep(0)


def connected(path: Path | str = ":memory:") -> Db:
    """A bare connection as the verbs get it, to a database that is up to date."""
    if path != ":memory:":
        _laid(Path(path))
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    if path == ":memory:":
        db.deserialize(_upgraded())
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = OFF")
    upgrade(db, Path(path))
    return db


def lay(data_dir: Path) -> None:
    """A new database, where there is none yet, as Roost would make it there: the upgrades, which take most of
    the time, ran once for all."""
    made_private(data_dir)
    _laid(data_dir / FILE_NAME)


def _laid(path: Path) -> None:
    if not path.exists() or not path.stat().st_size:
        path.touch(mode=0o600)
        path.write_bytes(_upgraded())


@cache
def _upgraded() -> bytes:
    """A database with nothing in it that has gone through every upgrade."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        upgrade(db, Path(":memory:"))
        return db.serialize()


def new_agent() -> AgentId:
    return AgentId(str(uuid4()))


def a_project(db: Db, name: str = "shop", groups: tuple[str, ...] = (), engine: str = "codex") -> Project:
    made = Project(ProjectId(0), name, f"/srv/{name}", engine, groups=groups)
    return projects.add(db, made, now=NOW)


def a_conversation(db: Db, project: Project | None = None) -> Conversation:
    project = project or a_project(db)
    return conversations.begin(db, project.id, engine=project.engine, now=NOW)


def submit(db: Db, conversation: Conversation, text: str = "Go", *, update: str = "") -> Prompt:
    source = Source("terminal", "here", update or f"update-{next(counter)}")
    return prompts.accept(db, source, conversation.id, text, now=NOW).prompt


def claimed(db: Db, caps: Caps = MANY) -> list[Work]:
    """Everything that may start now, started."""
    return queue.claim(db, decide, caps, new_agent, now=NOW)


def running(db: Db, conversation: Conversation | None = None, text: str = "Go") -> Work:
    """A prompt that has just been claimed, alone in its store."""
    submit(db, conversation or a_conversation(db), text)
    (work,) = claimed(db)
    return work


def step(work: Work, *events: Event, offset: int = 0) -> Step:
    return Step(work.turn.id, work.prompt.id, work.conversation.id, events, offset)


def finish(db: Db, work: Work, ending: Ending = DONE) -> Status:
    """Ended, and its keys free again."""
    status = turns.end(db, [step(work)], ending, now=NOW)
    queue.release(db, work.prompt.id)
    return status


async def opened(data_dir: Path) -> tuple[Database, Conversation]:
    """The real store of *data_dir* with a conversation in it."""
    store = await Database.open(data_dir)
    return store, await store.write(a_conversation)
