"""`roost check`: the doctor's findings, for a person or a script."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

import bot
from bot.app import catalogue_of, chats_of
from bot.cli.call import Call
from bot.cli.chats import CHECKS, check_transcription
from bot.cli.lazy import Command
from bot.cli.program import settings_of
from bot.cli.screen import put
from bot.doctor.case import Agent, Case
from bot.doctor.examine import examine
from bot.doctor.finding import Finding, Line, exit_code, unusable, warning, worded
from bot.texts import Texts
from core.dispatch.duty import service_runs
from core.engines.catalogue import Catalogue
from core.errors import ConfigError, Refused
from core.hosts.local import LocalHost
from core.hosts.programs import find
from core.settings import Settings, config_file
from core.store import projects
from core.store.database import FILE_NAME
from core.store.health import glance
from core.store.record import Record, records

BUILT_IN = "demo"
DAY = 86_400.0


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def command(call: Call, as_json: bool) -> int:
    """Exit status 0 without a fault, 1 with one. Nothing is made or changed."""
    findings = _found(call)
    lines = [worded(finding, call.texts) for finding in findings]
    if as_json:
        click.echo(json.dumps([asdict(line) for line in lines], ensure_ascii=False))
    else:
        put("\n".join(_shown(line, call.texts) for line in lines))
    return exit_code(findings)


def _shown(line: Line, texts: Texts) -> str:
    return f"**{line.state}** {line.name}{texts.say('sign.colon')}{line.message} {line.remedy}".rstrip()


def _found(call: Call) -> list[Finding]:
    try:
        settings = settings_of(call)
    except ConfigError as error:
        return unusable(error)
    catalogue = catalogue_of(settings)
    agents, undrivable = _agents(settings, catalogue, call.environ)
    return [*undrivable, *asyncio.run(_examined(_case(call, settings, agents), settings))]


async def _examined(case: Case, settings: Settings) -> list[Finding]:
    asked = (*(CHECKS[chat] for chat in case.chats), check_transcription)
    chats = [await check(settings) for check in asked]
    return [*await examine(case), *(finding for found in chats for finding in found)]


def _case(call: Call, settings: Settings, agents: list[Agent]) -> Case:
    file, _ = config_file(call.environ, call.config)
    return Case(
        settings.data_dir,
        LocalHost(settings.data_dir).programs,
        now=time.time(),
        built=Path(bot.__file__).stat().st_mtime,
        config=file if file.exists() else None,
        secret=bool(settings.secrets()),
        agents=agents,
        projects=glance(settings.data_dir / FILE_NAME, projects.every, []),
        chats=chats_of(settings),
        missing=[agent.engine.name for agent in agents if find(agent.engine.command) is None],
        found=[agent.engine.name for agent in agents if find(agent.engine.command)],
        records=_records(settings.data_dir / FILE_NAME),
        service=_service(settings.data_dir),
        language=settings.language,
    )


def _agents(
    settings: Settings, catalogue: Catalogue, environ: Mapping[str, str]
) -> tuple[list[Agent], list[Finding]]:
    """The agent programs to look for, and a word on those that this version can't drive."""
    agents, undrivable = [], []
    for name in dict.fromkeys((*catalogue.names, *settings.engines)):
        try:
            engine, env = catalogue.engine(name), catalogue.environment(name, environ)
        except Refused as error:
            undrivable.append(warning(name, error.key, **error.fields))
            continue
        if name != BUILT_IN:
            agents.append(Agent(engine, env, configured=name in settings.engines))
    return agents, undrivable


def _records(file: Path) -> Mapping[str, Record]:
    nothing: dict[str, Record] = {}
    return glance(file, partial(records, since=time.time() - DAY), nothing)


def _service(data_dir: Path) -> bool:
    with suppress(OSError):
        return data_dir.is_dir() and service_runs(data_dir)
    return False
