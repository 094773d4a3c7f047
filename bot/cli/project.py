"""`roost project`: which folders agents work in, and on what terms; the service sees a change at once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from bot.app import App, rooms_on
from bot.cli.call import Call
from bot.cli.engine import BUILT_IN, engine_here, is_here
from bot.cli.lazy import Group
from bot.cli.program import run
from bot.cli.screen import put, say
from bot.handlers.projects import new_project
from bot.paths import path_fault
from bot.replies.marks import code, literal
from core.dispatch.bell import ring
from core.errors import Refused
from core.model.project import LOCAL, Access, Project
from core.store import own_rooms, projects
from core.store.database import Db

Function = TypeVar("Function", bound=Callable[..., Any])
command = Group("project")


def _terms(function: Function) -> Function:
    """The options that say on what terms agents work in a project."""
    for option in (
        click.option("--whole-home", is_flag=True, default=None),
        click.option("--host"),
        click.option("--group", multiple=True),
        click.option("--access", type=click.Choice([access.value for access in Access])),
        click.option("--engine"),
    ):
        function = option(function)
    return function


@command.command("add")
@click.argument("name")
@click.argument("path")
@_terms
@click.pass_obj
def add(call: Call, /, name: str, path: str, **terms: Any) -> int:
    return run(call, partial(_add, name, _whole(path), terms))


@command.command("set")
@click.argument("name")
@click.option("--path")
@_terms
@click.option("--no-groups", is_flag=True, default=None)
@click.option("--background/--no-background", default=None)
@click.option("--archived/--no-archived", default=None)
@click.pass_obj
def change(call: Call, /, name: str, **terms: Any) -> int:
    return run(call, partial(_change, name, terms))


@command.command("room")
@click.argument("name")
@click.pass_obj
def room(call: Call, name: str) -> int:
    return run(call, partial(_room, name))


@command.command("archive")
@click.argument("name")
@click.pass_obj
def archive(call: Call, name: str) -> int:
    return run(call, partial(_change, name, {"archived": True}))


@command.command("unarchive")
@click.argument("name")
@click.pass_obj
def unarchive(call: Call, name: str) -> int:
    return run(call, partial(_change, name, {"archived": False}))


@command.command("remove")
@click.argument("name")
@click.pass_obj
def remove(call: Call, name: str) -> int:
    return run(call, partial(_remove, name))


@command.command("list")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def list_all(call: Call, as_json: bool) -> int:
    return run(call, partial(_list, as_json))


@command.command("show")
@click.argument("name")
@click.pass_obj
def show(call: Call, name: str) -> int:
    return run(call, partial(_show, name))


async def _add(name: str, path: str, terms: dict[str, Any], app: App) -> int:
    engine, meant = await engine_here(app, os.environ), terms.pop("whole_home")
    fresh = new_project(name, path, engine=engine, data_dir=app.data_dir, whole_home=bool(meant))
    wanted, makers = _on_terms(fresh, terms, app), rooms_on(app.settings)

    def add(db: Db) -> Project:
        added = projects.add(db, wanted, now=app.means.clock.now())
        for platform in makers:
            own_rooms.want(db, added, platform)
        return added

    added = await app.store.write(add)
    _told(added, app)
    for platform in makers:
        _room_told(platform, app, there=False)
    if terms["engine"]:
        await _warn(added, app)
    elif added.engine == BUILT_IN:
        say(_about("cli.project.demo_meanwhile", added, app))
    return 0


async def _change(name: str, terms: dict[str, Any], app: App) -> int:
    def change(db: Db) -> tuple[Project, Project]:
        before = projects.named(db, name)
        if not any(value not in (None, ()) for term, value in terms.items() if term != "whole_home"):
            raise Refused("cli.project.nothing_set", name=before.name, options=_settable())
        return before, projects.change(db, _on_terms(before, terms, app))

    before, now = await app.store.write(change)
    _told(now, app)
    if now.engine != before.engine:
        say(_about("cli.project.new_conversation", now, app))
        await _warn(now, app)
    return 0


def _settable() -> str:
    options = (param.opts[0] for param in change.params if isinstance(param, click.Option))
    return ", ".join(option for option in options if option not in ("--config", "--debug", "--whole-home"))


async def _room(name: str, app: App) -> int:
    """For one that was there before rooms were made, or for which none could be."""
    makers = rooms_on(app.settings)
    if not makers:
        raise Refused("project.no_rooms")

    def want(db: Db) -> list[bool]:
        found = projects.named(db, name)
        for platform in makers:
            own_rooms.want(db, found, platform)
        return [own_rooms.is_made(db, found.id, platform) for platform in makers]

    for platform, there in zip(makers, await app.store.write(want), strict=True):
        _room_told(platform, app, there=there)
    return 0


async def _remove(name: str, app: App) -> int:
    def forget(db: Db) -> str:
        found = projects.named(db, name)
        projects.remove(db, found.id)
        return found.name

    removed = await app.store.write(forget)
    say(app.texts().say("cli.project.removed", name=literal(removed)))
    return 0


async def _list(as_json: bool, app: App) -> int:
    found = await app.store.read(projects.every)
    if as_json:
        click.echo(json.dumps([public(project) for project in found], ensure_ascii=False))
    elif not found:
        say(app.texts().say("check.projects.none"))
    else:
        put("\n\n".join(_line(project, app) for project in found))
    return 0


async def _show(name: str, app: App) -> int:
    put(_line(await app.store.read(projects.named, name), app))
    return 0


def public(project: Project) -> dict[str, object]:
    """A project as scripts read it."""
    fields = ("name", "path", "engine", "access", "groups", "host", "archived")
    return {field: getattr(project, field) for field in fields}


def _on_terms(project: Project, terms: dict[str, Any], app: App) -> Project:
    """*project* with the *terms* that were given. Errors: `Refused` for what can't be worked with."""
    given = {name: value for name, value in terms.items() if value not in (None, ())}
    meant = given.pop("whole_home", False)
    if "engine" in given:
        app.catalogue.engine(given["engine"])
    if given.get("host", LOCAL) not in app.means.hosts:
        raise Refused("cli.project.no_host", host=given["host"])
    if "" in given.get("group", ()):
        raise Refused("cli.project.no_group")
    if "path" in given:
        given["path"] = _whole(given["path"])
        if wrong := path_fault(Path(given["path"]), app.data_dir, whole_home=meant):
            raise Refused(wrong, path=given["path"])
        given["real"] = os.path.realpath(given["path"])
    if "access" in given:
        given["access"] = Access(given["access"])
    groups = given.pop("group", () if given.pop("no_groups", False) else project.groups)
    return replace(project, **given, groups=tuple(dict.fromkeys(groups)))


def _whole(path: str) -> str:
    """*path* from the root on; a link in it stays as it was named. Errors: `Refused` if there is none."""
    if not path:
        raise Refused("project.no_path")
    return os.path.abspath(os.path.expanduser(path))


def _room_told(platform: str, app: App, *, there: bool) -> None:
    key = "cli.project.has_room" if there else "cli.project.room"
    say(app.texts().say(key, chat=platform.capitalize()))


def _told(project: Project, app: App) -> None:
    ring(app.data_dir)
    put(_line(project, app))


async def _warn(project: Project, app: App) -> None:
    """Where the project's engine has no program, which may come later."""
    if project.host == LOCAL and not await is_here(app, project.engine):
        say(_about("cli.project.no_program", project, app))


def _about(key: str, project: Project, app: App) -> str:
    host, engine = literal(os.uname().nodename), literal(app.catalogue.label(project.engine))
    name = literal(project.name)
    return app.texts().say(key, name=name, host=host, engine=engine, project=project.name)


def _line(project: Project, app: App) -> str:
    """Two lines: where it is, and on what terms."""
    texts = app.texts()
    terms = [
        literal(app.catalogue.label(project.engine)),
        _access(project, app),
        ", ".join(literal(group) for group in project.groups),
        literal(project.host) if project.host != LOCAL else "",
        texts.say("cli.project.archived", project=project.name) if project.archived else "",
    ]
    return f"**{literal(project.name)}** {code(project.path, most=200)}\n{' · '.join(filter(None, terms))}"


def _access(project: Project, app: App) -> str:
    texts = app.texts()
    word = texts.say(f"cli.access.{project.access.name.lower()}")
    asked = app.catalogue.only_asked(project.engine, project.access)
    return texts.say("access.asked", access=word) if asked else word
