"""Each real agent program that is there (`ROOST_TEST_…`): through Roost, and driven directly."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
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


@dataclass(frozen=True)
class Figures:
    cold: list[Times]
    warm: list[Times]


# -- through Roost -----------------------------------------------------------------------------------------


async def timed(whole: Whole, conversation: ConversationId) -> Times:
    await asyncio.sleep(PAUSE_SECONDS)
    begun = time.time()
    prompt = await whole.submit("Hello", conversation=conversation)
    done = await whole.ended(prompt, seconds=120)
    found, _ = await whole.app.store.read(log.of_prompt, prompt)
    first = next(one.at for one in found if isinstance(one.event, EngineEvent))
    assert done.ended_at
    return Times(first - begun, done.ended_at - begun)


async def through(whole: Whole) -> Figures:
    talks = [await whole.begin() for _ in range(COLD)]
    cold = [await timed(whole, talk) for talk in talks]
    return Figures(cold, [await timed(whole, talks[-1]) for _ in range(WARM)])


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


def directly(engine: Engine, request: TurnRequest) -> Figures:
    figures = Figures([], [])
    for last in (False,) * (COLD - 1) + (True,):
        time.sleep(PAUSE_SECONDS)
        begun = time.monotonic()
        launch, dialogue = first_turn(engine, engine.command, request, "t0")
        with Process(launch) as process:
            times, events = heard_out(process, dialogue, begun)
            figures.cold.append(times)
            (session,) = {event.session for event in events if isinstance(event, SessionStarted)}
            for number in range(WARM if last else 0):
                time.sleep(PAUSE_SECONDS)
                begun = time.monotonic()
                dialogue = engine.dialogue(replace(request, session=session), f"w{number}", warm=True)
                figures.warm.append(heard_out(process, dialogue, begun)[0])
    return figures


# -- the table ---------------------------------------------------------------------------------------------


async def compared(name: str, config: Path, env: dict[str, str]) -> list[Row]:
    async with roost(config, environ=env, access=Access.FULL, engine=name) as whole:
        engine = whole.app.catalogue.engine(name)
        cwd, given = str(whole.workspace), dict(whole.app.means.environ(engine))
        ours = await through(whole)
    request = TurnRequest(cwd, "Hello", Access.FULL, given)
    bare = await asyncio.to_thread(directly, engine, request)
    rows: list[Row] = []
    for what in ("first", "answer"):
        cold, warm = (
            [middle([getattr(one, what) for one in times]) for times in (of.cold for of in (ours, bare))],
            [middle([getattr(one, what) for one in times]) for times in (of.warm for of in (ours, bare))],
        )
        about = f"{what} event" if what == "first" else what
        rows += [
            Row(
                f"{name}, warm: {about}",
                1000 * (warm[0] - warm[1]),
                15,
                "ms more",
                f"bare {1000 * warm[1]:.0f} ms, {WARM} turns",
            ),
            Row(
                f"{name}, cold: {about}",
                cold[0] / cold[1],
                1.1,
                "× bare",
                f"bare {cold[1]:.2f} s, {COLD} turns",
            ),
        ]
    return rows


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
