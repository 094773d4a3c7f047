"""The campaign itself: faults by the hundred, then a quiet while, then the books are checked.

python -m tests.campaign [--telegram] [--seed N] [--kills 200] [--terms 40] [--agents 40]
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path

from core.model.prompt import Prompt, Status
from core.store import conversations, prompts
from tests.campaign.phones import Phones
from tests.campaign.stage import Stage

SETTLE_SECONDS = 60.0
WORDS_FOR_AN_END = {"prompt.killed", "prompt.set_aside", "engine.failed"}


@dataclass(frozen=True)
class Plan:
    """How many of each fault; the same *seed* gives the same order of them. *telegram*: people write and
    read there, and calls fail besides."""

    seed: int
    kills: int = 200
    terms: int = 40
    agents: int = 40
    telegram: bool = False


async def play(home: Path, plan: Plan) -> str:
    """Play the campaign in *home*; the report. Errors: `AssertionError` with every law that was broken."""
    chance = random.Random(plan.seed)
    stage = await (Phones if plan.telegram else Stage).built(home, chance)
    faults: list[Callable[[Stage], Coroutine[None, None, None]]] = [
        *[_kill_before_the_word] * (plan.kills // 10),
        *[_kill_at_random] * (plan.kills // 2 - plan.kills // 10),
        *[_kill_at_a_point] * (plan.kills - plan.kills // 2),
        *[_terminate] * plan.terms,
        *[_kill_an_agent] * plan.agents,
    ]
    chance.shuffle(faults)
    try:
        for fault in faults:
            await _some_prompts(stage)
            await fault(stage)
        await _settle(stage)
        return await _check(stage)
    finally:
        await stage.close()


# -- faults ----------------------------------------------------------------------------------------------


async def _some_prompts(stage: Stage) -> None:
    """Keep a handful waiting, so that there is always something to break."""
    await stage.submit()
    while await stage.pending() < 8:
        await stage.submit()


async def _kill_before_the_word(stage: Stage) -> None:
    """Whoever asks dies when the prompt is stored and nobody has been told so."""
    await stage.ask_and_die()
    stage.hits["killed at before-ack"] += 1


async def _kill_at_random(stage: Stage) -> None:
    stage.start()
    if await stage.working():
        await asyncio.sleep(stage.chance.uniform(0, stage.longest_life))
    await stage.end(signal.SIGKILL)


async def _kill_at_a_point(stage: Stage) -> None:
    """At a named place, on its first or second passing; where it is not passed, at random."""
    point = stage.chance.choice(stage.crash_points)
    stage.start(f"{point}:{stage.chance.choice((1, 1, 2))}")
    if await stage.working():
        until = time.monotonic() + max(1.0, 2 * stage.longest_life)
        assert stage.service
        while stage.service.poll() is None and time.monotonic() < until:
            await asyncio.sleep(0.01)
        if stage.service.poll() is not None:
            stage.hits[f"killed at {point}"] += 1
    await stage.end(signal.SIGKILL)


async def _terminate(stage: Stage) -> None:
    stage.start()
    if await stage.working():
        await asyncio.sleep(stage.chance.uniform(0, stage.longest_life))
    code = await stage.end(signal.SIGTERM)
    assert code == 0, f"exit status {code}\n{stage.log()}"


async def _kill_an_agent(stage: Stage) -> None:
    """While Roost lives or, every second time, while it is dead: alone, or with its wrapper, as when the
    machine goes down."""
    stage.start()
    alive = stage.chance.random() < 0.5
    if not await stage.working():
        return
    victim = await _somebody_at_work(stage)
    if not alive:
        await stage.end(signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        group = os.getpgid(victim)
        if stage.chance.random() < 0.5:
            os.kill(victim, signal.SIGKILL)
        else:
            os.killpg(group, signal.SIGKILL)
        stage.hits["agents killed"] += 1
    if alive:
        await asyncio.sleep(0.1)
        await stage.end(signal.SIGKILL)


async def _somebody_at_work(stage: Stage) -> int:
    """An agent that has only just begun."""
    async with asyncio.timeout(20):
        while not (agents := stage.agents()):
            await asyncio.sleep(0.005)
    return agents[-1]


async def _settle(stage: Stage) -> None:
    """No more faults: everything that was accepted must come to its end."""
    stage.start()
    assert await stage.working(), stage.log()  # where nothing is left to do it may be told to stop at once
    until = time.monotonic() + SETTLE_SECONDS
    while await stage.pending() or any((stage.data / "agents").iterdir()):
        assert time.monotonic() < until, f"{await stage.pending()} are still open\n{stage.log()}"
        await asyncio.sleep(0.05)
    code = await stage.end(signal.SIGTERM)
    assert code == 0, f"exit status {code}\n{stage.log()}"


# -- the books -------------------------------------------------------------------------------------------


async def _check(stage: Stage) -> str:
    wrong = [*_violations(stage), *_twice_told(stage), *await stage.wrong()]
    ends: Counter[str] = Counter()
    for number, tag in stage.prompts.items():
        prompt = await stage.store.read(prompts.get, number)
        answer = await stage.store.read(conversations.answer_to, number)
        ends[f"{prompt.status} {prompt.reason}".strip()] += 1
        if not _well_ended(prompt, answer.text if answer else "", tag):
            wrong.append(f"prompt {number} {tag}: {prompt.status} {prompt.reason} {prompt.detail} {answer}")
    held = await stage.store.read(lambda db: db.execute("SELECT * FROM holds").fetchall())
    wrong += [f"still held: {tuple(row)}" for row in held]
    wrong += [f"still running: {pid}" for pid in stage.survivors()]
    assert not wrong, "\n".join(wrong)
    counted = [*sorted(ends.items()), *sorted(stage.hits.items())]
    rows = "\n".join(f"  {count:5} {what}" for what, count in counted)
    return f"{len(stage.prompts)} prompts, each ended once:\n{rows}"


def _well_ended(prompt: Prompt, answer: str, tag: str) -> bool:
    if prompt.status is Status.DONE:
        return answer == f"answer to {tag}"
    return prompt.status is Status.FAILED and prompt.reason in WORDS_FOR_AN_END


def _violations(stage: Stage) -> list[str]:
    noted = stage.ledger / "violations"
    return noted.read_text().splitlines() if noted.exists() else []


def _twice_told(stage: Stage) -> list[str]:
    told = []
    for session in (stage.ledger / "sessions").iterdir():
        counted = Counter(session.read_text().splitlines())
        told += [
            f"{session.name} was told {count} times: {words}" for words, count in counted.items() if count > 1
        ]
    return told
