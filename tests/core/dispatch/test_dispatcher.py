"""What a dispatcher leaves to the next one, and what it takes up that nobody works on."""

from __future__ import annotations

import asyncio
import threading
import time
from functools import partial
from pathlib import Path

from core.dispatch.bell import ring
from core.dispatch.queue import decide
from core.model.events import Retrying
from core.model.ids import AgentId
from core.model.prompt import Status
from core.model.slots import Caps
from core.store import prompts, queue, turns
from core.store.database import Db
from core.store.turns import Step
from tests.support.agents import new_agent
from tests.support.play_agent import Play
from tests.support.whole import roost, says, turn


def config(home: Path) -> Path:
    play = Play(home / "play")
    play.steps(*turn(says("Done.")))
    file = home / "roost.toml"
    file.write_text(
        f'data_dir = "{home / "data"}"\n[engines.codex]\ntransport = "exec"\ncommand = {play.command}\n'
    )
    return file


async def test_a_claim_that_nobody_saw_is_taken_up(tmp_path: Path) -> None:
    """A dispatcher was told to stop while its claim was under way: the prompt runs, and has no task."""
    async with roost(config(tmp_path), duty=False) as whole:
        prompt = await whole.submit()
        agent = partial(AgentId, "c4b7a3a0-2f0e-4f57-9a63-0d6f0c9f7d11")
        (work,) = await whole.app.store.write(queue.claim, decide, Caps(), agent, now=time.time())
        assert (work.prompt.id, work.prompt.status) == (prompt, Status.RUNNING)
    async with roost(config(tmp_path)) as whole:
        assert (await whole.ended(prompt)).status is Status.DONE
        second = await whole.submit("More")
        await whole.ended(second)
        third = await whole.submit("Lost", conversation=await whole.begin())
        await whole.app.store.write(
            queue.claim, decide, Caps(), partial(AgentId, str(third)), now=time.time()
        )
        ring(whole.app.data_dir)
        assert (await whole.ended(third)).status is Status.DONE


async def test_of_an_agent_that_was_told_off_before_a_kill_nothing_stays(tmp_path: Path) -> None:
    """Killed between the decision to try again, which is stored, and the old agent's farewell."""
    async with roost(config(tmp_path), duty=False) as whole:
        prompt = await whole.submit()
        (work,) = await whole.app.store.write(queue.claim, decide, Caps(), new_agent, now=time.time())
        old = whole.app.data_dir / "agents" / work.turn.agent
        old.mkdir(parents=True)
        step = Step(work.turn.id, prompt, work.conversation.id, (), work.turn.offset)
        waits = Retrying("rate_limit", 15.0, 1, 3)
        await whole.app.store.write(turns.follow_up, [step], waits, outcome="rate_limit", now=time.time())
    async with roost(config(tmp_path)) as whole, asyncio.timeout(10):
        while old.exists():
            await asyncio.sleep(0.01)
        assert (await whole.app.store.read(prompts.get, prompt)).status is Status.RUNNING


async def test_a_store_is_settled_once_nothing_is_written_any_more(tmp_path: Path) -> None:
    """Also what nobody waits for any more."""
    written, begun = [], threading.Event()

    def slow(db: Db) -> None:
        begun.set()
        time.sleep(0.3)
        written.append(True)

    async with roost(config(tmp_path), duty=False) as whole:
        writing = asyncio.create_task(whole.app.store.write(slow))
        await asyncio.to_thread(begun.wait, 10)
        writing.cancel()
        await whole.app.store.settled()
        assert written == [True]
