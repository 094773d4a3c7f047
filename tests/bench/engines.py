"""Each real agent program that is there (`ROOST_TEST_…`): through Roost, and driven directly."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from core.engines.port import Dialogue, Engine, first_turn
from core.model.events import EngineEvent, SessionStarted, TurnCompleted
from core.model.ids import ConversationId
from core.model.project import Access
from core.model.request import TurnRequest
from core.store import log
from tests.bench.apart import apart
from tests.bench.process import environ
from tests.bench.table import Row, middle
from tests.support.spoken import Process, ended
from tests.support.whole import Whole, roost

COLD, WARM = 9, 9
"""Turns of each."""
PAUSE_SECONDS = 0.5
"""Before each prompt, through Roost and directly: it comes to those who have done with the one before."""
NAMES = ("codex", "claude", "opencode", "gemini")
UNUSED = 40
"""Engines that are configured, and that nobody works with."""
OPEN = """
import asyncio, gc, os, sys
from pathlib import Path
from bot.app import on_duty, opened
from core.settings import load
from tests.bench.apart import apart
from tests.bench.process import memory
async def main():
    async with opened(load(os.environ, Path(sys.argv[1])), os.environ) as app, on_duty(app):
        await asyncio.sleep(0.5)
        gc.collect()
        print(memory(os.getpid()))
asyncio.run(main())
"""


@dataclass(frozen=True)
class Times:
    """Seconds from the prompt to the first event of the agent, and to the turn's end."""

    first: float
    answer: float


Pair = tuple[Times, Times]
"""A turn through Roost, and the one driven directly right after it: what the machine does besides, both
have."""


# -- through Roost -----------------------------------------------------------------------------------------


async def timed(whole: Whole, conversation: ConversationId) -> Times:
    await asyncio.sleep(PAUSE_SECONDS)
    told = asyncio.Event()
    with whole.app.means.news.heard_by(told.set):  # to look for it all the time would hold up the agent
        begun = time.time()
        prompt = await whole.submit("Hello", conversation=conversation)
        await asyncio.wait_for(told.wait(), 120)
    done = await whole.ended(prompt, seconds=120)
    found, _ = await whole.app.store.read(log.of_prompt, prompt)
    first = next(one.at for one in found if isinstance(one.event, EngineEvent))
    assert done.ended_at
    return Times(first - begun, done.ended_at - begun)


# -- directly ----------------------------------------------------------------------------------------------


def heard_out(process: Process, dialogue: Dialogue, begun: float) -> tuple[Times, list[EngineEvent]]:
    events: list[EngineEvent] = []
    first = 0.0
    while not ended(events):
        process.tell(dialogue.due())
        events += dialogue.feed(process.read())
        if not first and events:
            first = time.monotonic() - begun
    assert isinstance(events[-1], TurnCompleted), events
    return Times(first, time.monotonic() - begun), events


class Directly:
    """The program with nothing between: a new process for each cold turn, the last one for the warm ones."""

    def __init__(self, engine: Engine, request: TurnRequest) -> None:
        self._engine = engine
        self._request = request
        self._held = ExitStack()

    def cold(self) -> Times:
        self.close()
        time.sleep(PAUSE_SECONDS)
        begun = time.monotonic()
        launch, dialogue = first_turn(self._engine, self._engine.command, self._request, "t0")
        self._process = self._held.enter_context(Process(launch))
        times, events = heard_out(self._process, dialogue, begun)
        (session,) = {event.session for event in events if isinstance(event, SessionStarted)}
        self._going_on = replace(self._request, session=session)
        return times

    def warm(self, number: int) -> Times:
        time.sleep(PAUSE_SECONDS)
        begun = time.monotonic()
        dialogue = self._engine.dialogue(self._going_on, f"w{number}", warm=True)
        return heard_out(self._process, dialogue, begun)[0]

    def close(self) -> None:
        self._held.close()


async def in_turn(whole: Whole, bare: Directly) -> tuple[list[Pair], list[Pair]]:
    """The cold ones and the warm ones."""
    talks = [await whole.begin() for _ in range(COLD)]
    cold = [(await timed(whole, talk), await asyncio.to_thread(bare.cold)) for talk in talks]
    warm = [
        (await timed(whole, talks[-1]), await asyncio.to_thread(bare.warm, number)) for number in range(WARM)
    ]
    return cold, warm


# -- the table ---------------------------------------------------------------------------------------------


async def compared(name: str, config: Path, env: dict[str, str]) -> list[Row]:
    async with roost(config, environ=env, access=Access.FULL, engine=name) as whole:
        engine = whole.app.catalogue.engine(name)
        cwd, given = str(whole.workspace), dict(whole.app.means.environ(engine))
        bare = Directly(engine, TurnRequest(cwd, "Hello", Access.FULL, given))
        try:
            cold, warm = await in_turn(whole, bare)
        finally:
            bare.close()
    return [row for what in ("first", "answer") for row in rows_of(name, what, cold, warm)]


def rows_of(name: str, what: str, cold: list[Pair], warm: list[Pair]) -> Iterator[Row]:
    def taken(pairs: list[Pair]) -> list[tuple[float, float]]:
        return [(getattr(ours, what), getattr(theirs, what)) for ours, theirs in pairs]

    about = "first event" if what == "first" else what
    more = middle([1000 * (ours - theirs) for ours, theirs in taken(warm)])
    ms = 1000 * middle([theirs for _, theirs in taken(warm)])
    yield Row(f"{name}, warm: {about}", more, 15, "ms more", f"bare {ms:.0f} ms, {WARM} turns each")
    times = middle([ours / theirs for ours, theirs in taken(cold)])
    seconds = middle([theirs for _, theirs in taken(cold)])
    yield Row(f"{name}, cold: {about}", times, 1.1, "× bare", f"bare {seconds:.2f} s, {COLD} turns each")


def kept(home: Path, unused: int) -> int:
    """Bytes of a Roost that has nothing to do."""
    config = home / f"{unused}.toml"
    tables = [f'[engines.a{n}]\nkind = "acp"\ncommand = ["agent-{n}"]\n' for n in range(unused)]
    config.write_text(f'data_dir = "{home / str(unused)}"\n{"".join(tables)}')
    words = [sys.executable, "-c", OPEN, str(config)]
    return int(subprocess.run(words, env=environ(home), capture_output=True, check=True, text=True).stdout)


def rows() -> Iterator[Row]:
    for name in NAMES:
        program = os.environ.get(f"ROOST_TEST_{name.upper()}", "")
        if program:
            with tempfile.TemporaryDirectory(prefix="roost-bench-", ignore_cleanup_errors=True) as place:
                folder = Path(place)
                with apart(name, Path(program), folder) as (config, env):
                    yield from asyncio.run(compared(name, config, env))
    with tempfile.TemporaryDirectory(prefix="roost-bench-") as place:
        more = [(kept(Path(place), UNUSED) - kept(Path(place), 0)) / 1e6 for _ in range(3)]
    yield Row("memory for engines unused", middle(more), 0.5, "MB", f"{UNUSED} configured, PSS")
