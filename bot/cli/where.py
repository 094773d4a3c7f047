"""Which project a terminal talks about, and which engine works there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from itertools import chain, count
from pathlib import Path

from bot.app import App
from bot.cli.engine import usual_engine
from bot.handlers.folders import NAME
from bot.handlers.projects import new_project
from core.errors import Refused, UnknownProject
from core.model.project import Project
from core.store import projects
from core.store.database import Db

SAMPLE = "roost-demo"


async def project_for(app: App, named: str | None, environ: Mapping[str, str]) -> Project | None:
    """The project that is *named*, by its name or its folder. Without a name: the one that we stand in,
    else the only one, else the sample project; None where several could be meant.

    Errors: `Refused` for a name that is none.
    """
    known = await app.store.read(projects.every, archived=False)
    if named is not None:
        return await app.store.read(_named, named)
    if inside := _around(known, Path.cwd()):
        return inside
    own = [one for one in known if one.name != SAMPLE]
    if own:
        return own[0] if len(own) == 1 else None
    return await _sample(app, environ)


def _named(db: Db, named: str) -> Project:
    with suppress(UnknownProject):
        return projects.at_work(projects.named(db, named))
    folder = Path(os.path.expanduser(named))
    if not folder.is_dir():
        raise UnknownProject(name=named)
    real = folder.resolve()
    for one in projects.every(db):
        if Path(one.path).resolve() == real:
            return projects.at_work(one)
    name = real.name if NAME.fullmatch(real.name) else "NAME"
    raise Refused("chat.no_project", path=real, project=name)


def _around(known: list[Project], here: Path) -> Project | None:
    """The innermost project that *here* lies in."""
    around = [one for one in known if here.resolve().is_relative_to(Path(one.path).resolve())]
    return max(around, key=lambda one: len(one.path), default=None)


async def _sample(app: App, environ: Mapping[str, str]) -> Project:
    """A small project to try things in, made where it is not; with the engine that is usual now."""
    known = [Path(one.path) for one in await app.store.read(projects.every) if one.name == SAMPLE]
    engine = await usual_engine(app, environ)
    folder = next((one for one in known if one.is_dir()), None) or await asyncio.to_thread(_made)
    wanted = new_project(SAMPLE, str(folder), engine=engine, data_dir=app.data_dir)
    return await app.store.write(_kept, wanted, now=app.means.clock.now())


def _kept(db: Db, wanted: Project, *, now: float) -> Project:
    try:
        found = projects.named(db, wanted.name)
    except UnknownProject:
        return projects.add(db, wanted, now=now)
    return projects.change(db, replace(found, path=wanted.path, engine=wanted.engine, archived=False))


def _made() -> Path:
    """The sample's folder, which has its files if it is new; what somebody else has at its place stays so."""
    sample = {file.name: file.read_bytes() for file in (files("bot") / "sample").iterdir()}
    names = chain([SAMPLE], (f"{SAMPLE}-{number}" for number in count(2)))
    folder = next(one for one in map(Path.home().joinpath, names) if _is_free(one) or _is_ours(one, sample))
    if _is_free(folder):
        folder.mkdir(exist_ok=True)
        for name, data in sample.items():
            (folder / name).write_bytes(data)
    return folder


def _is_free(folder: Path) -> bool:
    return not os.path.lexists(folder) or (folder.is_dir() and not any(folder.iterdir()))


def _is_ours(folder: Path, sample: Iterable[str]) -> bool:
    """Whether we made it, whatever became of its files since."""
    return folder.is_dir() and all((folder / name).exists() for name in sample)
