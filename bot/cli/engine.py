"""Which agent programs are on this machine, and may work."""

from __future__ import annotations

from collections.abc import Mapping

from bot.app import App
from core.engines.logins import LOGINS
from core.hosts.logins import door
from core.model.login import Door

BUILT_IN = "demo"


async def is_here(app: App, engine: str) -> bool:
    """Whether *engine* has its program on this machine, logged in or not. Errors: `Refused` for no engine."""
    return await app.host.find(app.catalogue.engine(engine).command) is not None


async def engine_here(app: App, environ: Mapping[str, str]) -> str:
    """An agent program that is here and may work, else one that only lacks its login, else the built-in
    agent."""
    here = await _here(app)
    return next((engine for engine in here if _may_work(app, engine, environ)), next(iter(here), BUILT_IN))


async def usual_engine(app: App, environ: Mapping[str, str]) -> str:
    """An agent program that is here and may work, else the built-in agent."""
    here = await engine_here(app, environ)
    return here if here == BUILT_IN or _may_work(app, here, environ) else BUILT_IN


async def wants_login(app: App, environ: Mapping[str, str]) -> str | None:
    """The agent program that is here and only lacks its login, where no other one may work."""
    here = await engine_here(app, environ)
    return None if here == BUILT_IN or _may_work(app, here, environ) else here


async def _here(app: App) -> list[str]:
    """In the order in which the README names them."""
    return [engine for engine in LOGINS if await is_here(app, engine)]


def _may_work(app: App, engine: str, environ: Mapping[str, str]) -> bool:
    """Whoever names the program's command knows how it gets in."""
    configured = app.settings.engines.get(engine)
    named = configured is not None and bool(configured.command)
    return named or door(LOGINS[engine], app.catalogue.environment(engine, environ)) is Door.OPEN
