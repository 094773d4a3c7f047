"""How the room's conversation stands, and the machine that it runs on."""

from __future__ import annotations

from dataclasses import dataclass

from bot.access import Role
from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.elsewhere import elsewhere
from bot.handlers.room import failed_here, project_of
from bot.handlers.settings import access_of
from bot.live import retry_of, running_for, turn_of
from bot.replies import conversations as titles
from bot.replies import status as reply
from core.engines.logins import login_of
from core.errors import CoreError
from core.model.conversation import Conversation
from core.model.events import Retrying, Usage
from core.model.ids import PromptId
from core.model.login import Door
from core.model.project import LOCAL, Project
from core.model.prompt import Status
from core.store import conversations, prompts, queue
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class _State:
    """*agents*: those at work on the project's host, of the engine that is asked about. *failed*: the last
    prompt here did."""

    at_work: float | None
    retry: tuple[Retrying, float] | None
    waiting: int
    usage: Usage | None
    agents: int
    failed: bool = False


async def status(place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`."""
    project, texts, here = project_of(place), desk.texts(place), place.conversation
    engine = desk.engine_for(project, here)
    state = await desk.store.read(_state, place, project, engine, desk.clock.now())
    access = access_of(here, project)
    now = reply.Status(
        project.name,
        titles.title(here, texts) if here else "",
        desk.catalogue.label(engine),
        access,
        _machine(project, state.agents, desk),
        here.model if here else "",
        here.effort if here else "",
        state.usage,
        state.at_work,
        state.waiting,
        state.retry,
        desk.catalogue.only_asked(engine, access),
        await _trouble(desk, project, engine),
        desk.about(project, engine).command,
        await desk.our_device() if place.rights.everywhere is Role.OWNER else None,
        state.failed,
        await desk.store.read(failed_here, place),
        await desk.store.read(elsewhere, place, desk.clock.now()),
    )
    return [reply.status(now, texts)]


async def _trouble(desk: Desk, project: Project, engine: str) -> str:
    """The key of what keeps *engine* from working for *project*, as far as can be seen without asking it."""
    try:
        chosen, host = desk.catalogue.engine(engine), desk.host(project.host)
    except CoreError:  # its own sentence comes with the next prompt
        return ""
    if await host.find(chosen.command) is None:
        return "status.no_program"
    login = login_of(chosen)
    shut = login and await host.door(login, desk.environ(chosen)) is Door.SHUT
    return "status.no_login" if shut else ""


def _state(db: Db, place: Place, project: Project, engine: str, now: float) -> _State:
    seated = [one for one in queue.holders(db) if one.seated]
    beside = [one for one in seated if (one.host, one.engine) == (project.host, engine)]
    if place.conversation is None:
        return _State(None, None, 0, None, len(beside))
    found = prompts.open_of(db, place.conversation.id)
    running = [one.id for one in found if one.status is Status.RUNNING]
    at_work = running_for(db, running[0], now) if running else None
    retry = retry_of(db, running[0], now) if running else None
    usage = _usage(db, place.conversation, running)
    failed = _failed_last(db, place.conversation)
    return _State(at_work, retry, len(found) - len(running), usage, len(beside), failed)


def _failed_last(db: Db, conversation: Conversation) -> bool:
    ended = prompts.ended_last(db, conversation.id)
    return ended is not None and prompts.get(db, ended).status is Status.FAILED


def _usage(db: Db, conversation: Conversation, running: list[PromptId]) -> Usage | None:
    """What the newest turn of *conversation* has told of it."""
    said = [one.prompt for one in conversations.messages(db, conversation.id) if one.role == "assistant"]
    newest = next((prompt for prompt in (*running, *reversed(said)) if prompt), None)
    return turn_of(db, newest).usage if newest else None


def _machine(project: Project, agents: int, desk: Desk) -> reply.Machine:
    """Figures of the machine itself are known for this one only."""
    if project.host != LOCAL:
        return reply.Machine(project.host, agents, desk.caps.per_engine)
    return reply.Machine(desk.machine, agents, desk.caps.per_engine, free_memory(), celsius())


def free_memory() -> int:
    """Bytes that a program could get now."""
    import psutil

    return int(psutil.virtual_memory().available)


def celsius() -> float | None:
    """The warmest sensor, where there are any."""
    import psutil

    read = [one.current for sensors in psutil.sensors_temperatures().values() for one in sensors]
    return max(read, default=None)
