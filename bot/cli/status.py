"""`roost status`: what runs, what waits, and where."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, partial

import click

from bot.app import App
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.outcome import why_failed
from bot.cli.program import run
from bot.cli.project import public
from bot.cli.screen import put
from bot.keeping import all_wait_for
from bot.live import running_for
from bot.replies.marks import literal, preview
from bot.replies.queue import WaitsFor, reason
from bot.texts import Texts, clock
from core.dispatch.duty import service_runs, somebody_dispatches
from core.model.conversation import Conversation
from core.model.project import Project
from core.model.prompt import Prompt, Status
from core.model.slots import Caps
from core.store import conversations, projects, prompts
from core.store.database import Db

SHOWN_MOST = 20
"""Waiting prompts that a person is shown."""
DAY, FAILED_MOST = 86_400.0, 5
"""How far back failures are told of, and how many."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One prompt that runs (*seconds* so far) or waits (for *reason*, if something keeps it; known for
    those that are shown)."""

    prompt: Prompt
    conversation: Conversation
    project: Project
    seconds: float
    reason: WaitsFor | None

    @property
    def public(self) -> dict[str, object]:
        """*since*: when it began, or was sent; seconds since 1970."""
        return {
            "prompt": self.prompt.id,
            "conversation": self.conversation.id,
            "project": self.project.name,
            "engine": self.conversation.engine,
            "host": self.project.host,
            "since": self.prompt.started_at or self.prompt.created_at,
        }


@dataclass(frozen=True, slots=True)
class State:
    """*service*: one runs; *dispatched*: somebody takes up what waits. *running* and *queued* in order of the
    queue, *failed* what came to nothing last where nothing else was asked since."""

    service: bool
    running: list[Entry]
    queued: list[Entry]
    failed: list[Entry]
    projects: list[Project]
    dispatched: bool = True


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def command(call: Call, as_json: bool) -> int:
    return run(call, partial(status, as_json=as_json))


async def status(app: App, *, as_json: bool) -> int:
    now, caps = app.means.clock.now(), app.means.limits.caps
    state = await app.store.read(state_of, caps, service=service_runs(app.data_dir), now=now)
    state = replace(state, dispatched=state.service or somebody_dispatches(app.data_dir))
    if as_json:
        click.echo(json.dumps(_public(state), ensure_ascii=False))
    else:
        put("\n".join(_lines(state, app)))
    return 0


def state_of(db: Db, caps: Caps, *, service: bool, now: float) -> State:
    """In a time that grows with the queue, and no faster: each thing is looked up once."""
    opened = prompts.every_open(db)
    running = [prompt for prompt in opened if prompt.status is Status.RUNNING]
    reasons = all_wait_for(db, opened[: len(running) + SHOWN_MOST], caps)
    conversation = cache(partial(conversations.get, db))
    project = cache(partial(projects.get, db))

    def entry(prompt: Prompt) -> Entry:
        place = conversation(prompt.conversation)
        seconds = running_for(db, prompt.id, now) if prompt.status is Status.RUNNING else 0.0
        return Entry(prompt, place, project(place.project), seconds, reasons.get(prompt.id))

    entries = [entry(prompt) for prompt in opened]
    failed = [entry(prompt) for prompt in prompts.failed_last(db, since=now - DAY, most=FAILED_MOST)]
    return State(service, entries[: len(running)], entries[len(running) :], failed, projects.every(db))


def _public(state: State) -> dict[str, object]:
    return {
        "service": state.service,
        "running": [entry.public for entry in state.running],
        "queued": [entry.public for entry in state.queued],
        "projects": [_with_work(project, state.running) for project in state.projects],
    }


def _with_work(project: Project, running: list[Entry]) -> dict[str, object]:
    """A project, and what runs in it."""
    idle: dict[str, object] = {"project": project.name, "prompt": None, "conversation": None, "since": None}
    work = next((entry.public for entry in running if entry.project.id == project.id), idle)
    return {**work, **public(project)}


def _lines(state: State, app: App) -> list[str]:
    texts = app.texts()
    entries = [*state.running, *state.queued[:SHOWN_MOST]]
    more = len(state.queued) - SHOWN_MOST
    return [
        texts.say("check.service.running" if state.service else "check.service.stopped"),
        *([texts.say("cli.status.rests")] if entries and not state.dispatched else []),
        *(_line(entry, app.catalogue.label(entry.conversation.engine), texts) for entry in entries),
        *([texts.more(more)] if more > 0 else []),
        *([] if entries else [texts.say("cli.status.idle")]),
        *_failed(state.failed, app),
        *([] if state.projects else [texts.say("cli.status.no_project")]),
    ]


def _failed(entries: list[Entry], app: App) -> list[str]:
    """A line each, and what can be done."""
    lines = [_failure(entry, app) for entry in entries]
    return [*lines, app.texts().say("cli.ask.again")] if lines else []


def _failure(entry: Entry, app: App) -> str:
    engine, prompt = entry.conversation.engine, entry.prompt
    said, *words = why_failed(prompt, entry.project, engine, app).split("\n\n")
    if words and said.endswith(":"):  # it leads into somebody's words
        said = f"{said} {preview(prompt.detail)}"
    return f"✗ {_what(entry, app.catalogue.label(engine))} · *{preview(prompt.text)}* · {said}"


def _what(entry: Entry, engine: str) -> str:
    return f"`{entry.prompt.id}` **{literal(entry.project.name)}** · {literal(engine)}"


def _line(entry: Entry, engine: str, texts: Texts) -> str:
    """Its number, which `roost cancel` takes, then what it is."""
    what = _what(entry, engine)
    if entry.prompt.status is Status.RUNNING:
        return f"▸ {what} · {clock(entry.seconds)} · *{preview(entry.prompt.text)}*"
    why = f" · {reason(entry.reason, texts)}" if entry.reason else ""
    return f"⏳ {what} · *{preview(entry.prompt.text)}*{why}"
