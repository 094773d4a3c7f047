"""Which agent program is on this machine, and may work."""

from __future__ import annotations

from collections.abc import Mapping

from bot.app import App
from core.engines.logins import LOGINS
from core.hosts.logins import door
from core.model.login import Door

FIRST_CHOICE, BUILT_IN = "codex", "demo"


async def is_here(app: App, engine: str) -> bool:
    """Whether *engine* has its program on this machine, logged in or not. Errors: `Refused` for no engine."""
    return await app.host.find(app.catalogue.engine(engine).command) is not None


async def engine_here(app: App) -> str:
    """An agent program that is here, logged in or not, else the built-in agent."""
    return FIRST_CHOICE if await is_here(app, FIRST_CHOICE) else BUILT_IN


async def usual_engine(app: App, environ: Mapping[str, str]) -> str:
    """An agent program that is here and may work, else the built-in agent."""
    here = await engine_here(app)
    return here if here == BUILT_IN or _may_work(app, environ) else BUILT_IN


async def wants_login(app: App, environ: Mapping[str, str]) -> bool:
    """Whether an agent program is here that only lacks its login."""
    return await is_here(app, FIRST_CHOICE) and not _may_work(app, environ)


def _may_work(app: App, environ: Mapping[str, str]) -> bool:
    """Whoever names the program's command knows how it gets in."""
    configured = app.settings.engines.get(FIRST_CHOICE)
    named = configured is not None and bool(configured.command)
    env = app.catalogue.environment(FIRST_CHOICE, environ)
    return named or door(LOGINS[FIRST_CHOICE], env) is Door.OPEN
