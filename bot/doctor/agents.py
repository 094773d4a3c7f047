"""The agent programs: are they here, would their makers let them work, and how did they fare lately?"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

from bot.doctor.case import Agent, Case
from bot.doctor.finding import Finding, fault, ok, past, warning
from core.engines.logins import LOGINS
from core.hosts.logins import door
from core.hosts.port import Program
from core.hosts.programs import runs
from core.model.login import Door
from core.model.prompt import Status

RECORDED = {
    "codex": (0, 171, 0),
    "claude": (2, 1, 197),
    "opencode": (1, 18, 33),
    "gemini": (0, 61, 0),
}
"""The oldest version of each whose protocol was recorded (`engines.md`); older ones may say other things."""

TRIES_SANDBOX = {"codex": ("sandbox", "--", "true")}
"""The words with which a program runs the command `true` in the sandbox of its own."""
SANDBOX_SECONDS = 5.0

KINDS_SHOWN = 3


async def check_agents(case: Case) -> list[Finding]:
    """What there is to say of each agent program that is here or should be; one finding if there is none."""
    each = await asyncio.gather(*(_agent(case, agent) for agent in case.agents))
    findings = [finding for found in each for finding in found]
    return findings or [warning("agents", "check.agents.none", "check.agents.install")]


async def _agent(case: Case, agent: Agent) -> list[Finding]:
    engine = agent.engine
    program = await case.programs(engine.command)
    if program is None:
        return _no_program(case, agent)
    fields = {"agent": engine.label, "version": program.version, "program": program.argv[0]}
    return [await _itself(agent, program, fields), *await _sandbox(agent, program), *_lately(case, agent)]


def _no_program(case: Case, agent: Agent) -> list[Finding]:
    engine = agent.engine
    fields = {"agent": engine.label, "engine": engine.name, "command": " ".join(engine.command)}
    if engine.name in case.found:
        return [warning(engine.name, "check.agent.mute", "check.agent.install", **fields)]
    missing = fault(engine.name, "check.agent.missing", "check.agent.install", **fields)
    return [missing] if agent.configured else []


async def _itself(agent: Agent, program: Program, fields: dict[str, str]) -> Finding:
    engine = agent.engine
    login = LOGINS.get(engine.name)
    found = await asyncio.to_thread(door, login, agent.env) if login else Door.OPEN
    if login and found is Door.SHUT:
        return warning(engine.name, "check.agent.no_login", "check.login", **fields, command=login.command)
    if is_old(engine.name, program.version):
        oldest = ".".join(map(str, RECORDED[engine.name]))
        return warning(engine.name, "check.agent.old", "check.agent.update", **fields, oldest=oldest)
    if login and found is Door.UNSEEN:
        return warning(
            engine.name, "check.agent.login_unseen", "check.login", **fields, command=login.command
        )
    return ok(engine.name, "check.agent.ok", **fields)


async def _sandbox(agent: Agent, program: Program) -> list[Finding]:
    """That its sandbox can't be set up, which its commands would find out one by one."""
    name = agent.engine.name
    words = TRIES_SANDBOX.get(name)
    if words is None or is_old(name, program.version):
        return []
    if await asyncio.to_thread(runs, program, words, agent.env, seconds=SANDBOX_SECONDS) is not False:
        return []
    fields = {"agent": agent.engine.label}
    return [warning(f"{name} sandbox", "check.agent.no_sandbox", "check.agent.sandbox", **fields)]


def is_old(engine: str, version: str) -> bool:
    """Whether it is older than anything that was recorded, or names no version at all."""
    if engine not in RECORDED:
        return False
    number = re.search(r"(\d+)\.(\d+)\.(\d+)", version)
    return number is None or tuple(map(int, number.groups())) < RECORDED[engine]


def _lately(case: Case, agent: Agent) -> Iterator[Finding]:
    engine = agent.engine
    record = case.records.get(engine.name)
    if record is None:
        return
    fields = {"agent": engine.label, "at": past(case.now - record.at)}
    if record.status is Status.DONE:
        yield ok(f"{engine.name} turns", "check.agent.went_well", **fields)
    else:
        yield warning(
            f"{engine.name} turns", "check.agent.failed", "check.agent.look", **fields, reason=record.reason
        )
    if record.unrecognised:
        count = str(sum(record.unrecognised.values()))
        kinds = ", ".join(sorted(record.unrecognised)[:KINDS_SHOWN])
        yield ok(f"{engine.name} protocol", "check.agent.unrecognised", **fields, count=count, kinds=kinds)
