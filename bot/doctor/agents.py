"""The agent programs: are they here, and would their makers let them work?"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from bot.doctor.case import Agent, Case
from bot.doctor.finding import Finding, fault, ok, warning

Environment = Mapping[str, str]


async def check_agents(case: Case) -> list[Finding]:
    """One finding for each agent program that is here or should be; one if there is none at all."""
    found = await asyncio.gather(*(_agent(case, agent) for agent in case.agents))
    findings = [finding for finding in found if finding]
    return findings or [warning("agents", "check.agents.none", "check.agents.install")]


async def _agent(case: Case, agent: Agent) -> Finding | None:
    engine = agent.engine
    program = await case.programs(engine.command)
    if program is None:
        fields = {"agent": engine.label, "engine": engine.name, "command": " ".join(engine.command)}
        missing = fault(engine.name, "check.agent.missing", "check.agent.install", **fields)
        return missing if agent.configured else None
    fields = {"agent": engine.label, "version": program.version, "program": program.argv[0]}
    login = LOGINS.get(engine.name)
    if login and not await asyncio.to_thread(login, agent.env):
        return warning(engine.name, "check.agent.no_login", f"check.login.{engine.name}", **fields)
    return ok(engine.name, "check.agent.ok", **fields)


def codex_can_log_in(env: Environment) -> bool:
    """Whether Codex has a login, a key, or a gateway of its own to ask."""
    home = Path(env.get("CODEX_HOME") or Path(env.get("HOME", "~"), ".codex"))
    keys = ("OPENAI_API_KEY", "CODEX_API_KEY")
    return (home / "auth.json").is_file() or any(env.get(key) for key in keys) or _own_gateway(home)


def _own_gateway(home: Path) -> bool:
    try:
        return "model_provider" in tomllib.loads((home / "config").with_suffix(".toml").read_text("utf-8"))
    except (OSError, ValueError):
        return False


LOGINS: Mapping[str, Callable[[Environment], bool]] = {"codex": codex_can_log_in}
"""Where an engine's login can be looked up without asking its makers."""
