"""Each real agent program that is there (`ROOST_TEST_…`): through Roost, and driven directly."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from core.engines.port import Dialogue, Engine, first_turn
from core.hosts.programs import native
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

COLD, WARM = 25, 15
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

    def __init__(self, engine: Engine, command: tuple[str, ...], request: TurnRequest) -> None:
        self._engine = engine
        self._command = command
        self._request = request
        self._held = ExitStack()

    def cold(self) -> Times:
        self.close()
        time.sleep(PAUSE_SECONDS)
        begun = time.monotonic()
        launch, dialogue = first_turn(self._engine, self._command, self._request, "t0")
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


async def cold(whole: Whole, bare: Directly) -> list[Pair]:
    """The bare one ends before Roost's next begins, so that neither has another agent beside it."""
    pairs = []
    for _ in range(COLD):
        ours = await timed(whole, await whole.begin())
        pairs.append((ours, await asyncio.to_thread(bare.cold)))
        bare.close()
    return pairs


async def warm(whole: Whole, bare: Directly) -> list[Pair]:
    talk = await whole.begin()
    await timed(whole, talk)
    await asyncio.to_thread(bare.cold)
    return [(await timed(whole, talk), await asyncio.to_thread(bare.warm, number)) for number in range(WARM)]


# -- the table ---------------------------------------------------------------------------------------------


async def compared(name: str, program: Path, config: Path, env: dict[str, str]) -> list[Row]:
    """Both sides run *program* with the same words; where that is what Roost runs in place of npm's command,
    the command is started directly as well: it is what people have without Roost."""
    async with roost(config, environ=env, access=Access.FULL, engine=name) as whole:
        engine = whole.app.catalogue.engine(name)
        cwd, given = str(whole.workspace), dict(whole.app.means.environ(engine))
        request = TurnRequest(cwd, "Hello", Access.FULL, given)
        with closing(Directly(engine, engine.command, request)) as bare:
            rows = [*cold_rows(name, "bare", await cold(whole, bare))]
            rows += warm_rows(name, await warm(whole, bare))
        for npm in (each / ".bin" / name for each in program.parents if each.name == "node_modules"):
            if native(str(npm)) != str(program):
                continue
            with closing(Directly(engine, (str(npm), *engine.command[1:]), request)) as bare:
                rows += cold_rows(name, "npm's command", await cold(whole, bare))
    return rows


def cold_rows(name: str, beside: str, pairs: list[Pair]) -> Iterator[Row]:
    for about, taken in both(pairs):
        times = middle([ours / theirs for ours, theirs in taken])
        told = f"{beside} {middle([theirs for _, theirs in taken]):.2f} s, {COLD} turns each"
        yield Row(f"{name}, cold: {about}", times, 1.1, f"× {beside}", told)


def warm_rows(name: str, pairs: list[Pair]) -> Iterator[Row]:
    for about, taken in both(pairs):
        more = middle([1000 * (ours - theirs) for ours, theirs in taken])
        told = f"bare {1000 * middle([theirs for _, theirs in taken]):.0f} ms, {WARM} turns each"
        yield Row(f"{name}, warm: {about}", more, 15, "ms more", told)


def both(pairs: list[Pair]) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    yield "first event", [(ours.first, theirs.first) for ours, theirs in pairs]
    yield "answer", [(ours.answer, theirs.answer) for ours, theirs in pairs]


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
                    yield from asyncio.run(compared(name, Path(program), config, env))
    with tempfile.TemporaryDirectory(prefix="roost-bench-") as place:
        more = [(kept(Path(place), UNUSED) - kept(Path(place), 0)) / 1e6 for _ in range(3)]
    yield Row("memory for engines unused", middle(more), 0.5, "MB", f"{UNUSED} configured, PSS")
