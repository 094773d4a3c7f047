"""The end of an agent, with everything that it started.

What starts a successor in a session of its own every few milliseconds can outrun every look; only a control
group or a pid namespace would end that for sure.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from signal import SIGKILL, SIGTERM, Signals

from core.hosts.directory import AgentDirectory
from core.hosts.port import Stopped
from core.hosts.processes import Identity, Process, alive, family, send

GLANCE = 0.02
"""Seconds between two looks at processes that are about to end."""
SETTLE = 0.2
"""Seconds that what an agent leaves behind has to end by itself."""
CLEAN_GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL for what an agent left behind."""
KILLED = 1.0
"""Seconds that the kernel gets to make an end after SIGKILL."""
ROUNDS = 30
"""How often what was started meanwhile is looked for, and killed."""
QUIET_LOOKS = 2
"""In so many looks in a row nothing may be found: one alone may fall between a parent and its child."""
LAST_WORD = 2.0
"""Seconds that the wrapper has to write how its agent ended."""


async def stop(directory: AgentDirectory, *, grace: float) -> Stopped:
    """End an agent that may be running, then its wrapper, which is spared until it has written how
    the agent ended."""
    wrapper = directory.wrapper()
    ours = wrapper is not None and alive(wrapper)  # else its number may be another group's by now
    stopped = await _end(directory, await _family(directory), grace)
    if wrapper and not await _gone([wrapper], LAST_WORD):
        send(wrapper, SIGKILL)
        await _gone([wrapper], KILLED)
    if wrapper and ours:
        _kill_group(wrapper.pid)
    return stopped


async def clean(directory: AgentDirectory, *, keep: bool) -> Stopped:
    """End what an agent that has ended left running, unless it may stay."""
    tree = await _family(directory)
    if tree:
        gone = await _gone([process.identity for process in tree], SETTLE)
        tree = [] if gone else await _family(directory)
    if keep or not tree:
        return Stopped(ended=(), survivors=tuple(process.name for process in tree))
    return await _end(directory, tree, CLEAN_GRACE)


async def _end(directory: AgentDirectory, tree: list[Process], grace: float) -> Stopped:
    """*tree* was looked up before the first signal: afterwards orphans have lost their parents."""
    known = _named(tree)
    _signal(known, SIGTERM)
    await _gone(known, grace)
    quiet = 0
    for _ in range(ROUNDS):
        left = _named(await _family(directory, known))
        quiet = 0 if left else quiet + 1
        if quiet == QUIET_LOOKS:
            break
        known |= left
        _kill(left.values(), spared=directory.wrapper())
        await _gone(left, KILLED)
    else:  # something is quicker than we are: whoever it is by now, it is said to have survived
        running = _named(await _family(directory, known))
        return _stopped((known | running).values(), directory.wrapper(), running)
    return _stopped(known.values(), directory.wrapper())


def _kill(processes: Collection[Process], *, spared: Identity | None) -> None:
    """Each of them, and its group at one blow: a chain of short-lived children runs away from anything
    slower. *spared* is the leader of the one group that is left alone."""
    for group in {process.group for process in processes} - {0, 1, os.getpgrp(), spared.pid if spared else 0}:
        _kill_group(group)
    _signal([process.identity for process in processes], SIGKILL)


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, SIGKILL)


def _stopped(
    processes: Iterable[Process], wrapper: Identity | None, running: Collection[Identity] = ()
) -> Stopped:
    """What became of them. The wrapper's own children, the agent and its feeder, go without saying.
    *running* were still there in the last look of all."""
    ended: list[str] = []
    survivors: list[str] = []
    for process in processes:
        if wrapper is None or process.parent != wrapper.pid:
            stays = process.identity in running or alive(process.identity)
            (survivors if stays else ended).append(process.name)
    return Stopped(tuple(ended), tuple(survivors))


def _named(tree: list[Process]) -> dict[Identity, Process]:
    return {process.identity: process for process in tree}


async def _family(directory: AgentDirectory, known: Iterable[Identity] = ()) -> list[Process]:
    """The agent's processes without its wrapper. A look at some hundred processes takes a while."""
    wrapper = directory.wrapper()
    found = await asyncio.to_thread(family, directory.agent, wrapper, set(known))
    return [process for process in found if process.identity != wrapper]


async def _gone(identities: Iterable[Identity], seconds: float) -> bool:
    """Wait until none of them lives; False if some still does after *seconds*."""
    clock = asyncio.get_running_loop().time
    until = clock() + seconds
    left = [identity for identity in identities if alive(identity)]
    while left and clock() < until:
        await asyncio.sleep(GLANCE)
        left = [identity for identity in left if alive(identity)]
    return not left


def _signal(identities: Iterable[Identity], number: Signals) -> None:
    for identity in identities:
        send(identity, number)
