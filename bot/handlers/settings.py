"""What the room's conversation uses: its model, its effort, its access."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from bot.chat import Outgoing, Text
from bot.handlers.desk import Desk, Place
from bot.handlers.room import conversation_here, project_of
from bot.intents.values import SetAccess, SetEffort, SetModel, Setting, ShowSetting
from bot.replies import settings as reply
from core.engines.port import Capabilities
from core.model.conversation import Conversation
from core.model.project import Access, Project
from core.store import conversations
from core.store.database import Db

Change: TypeAlias = SetModel | SetEffort | SetAccess


async def setting(intent: ShowSetting | Change, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `Refused` for an engine that this version can't drive."""
    project = project_of(place)
    engine = desk.catalogue.engine(desk.engine_for(project, place.conversation))
    if not isinstance(intent, ShowSetting):
        if refusal := _refused(intent, engine.label, engine.capabilities, desk, place):
            return [refusal]
        now = desk.clock.now()
        return await desk.once(
            place,
            lambda db: _set(db, intent, place, desk, now=now),
            lambda here: [_shown(_kind(intent), here, project, engine.label, (), desk, place)],
        )
    choices = _choices(intent.setting, project, engine.capabilities)
    return [_shown(intent.setting, place.conversation, project, engine.label, choices, desk, place)]


def _refused(intent: Change, label: str, capabilities: Capabilities, desk: Desk, place: Place) -> Text | None:
    """Why the engine can't be told that; going back to what is usual is always possible."""
    match intent:
        case SetModel(str()) if not capabilities.models:
            return reply.no_model(label, desk.texts(place))
        case SetEffort(str(effort)) if effort not in capabilities.efforts:
            return reply.no_effort(label, capabilities.efforts, desk.texts(place))
        case _:
            return None


def _set(db: Db, intent: Change, place: Place, desk: Desk, *, now: float) -> Conversation:
    here = conversation_here(db, place, desk, now=now).id
    match intent:
        case SetModel(model):
            conversations.set_model(db, here, model or "")
        case SetEffort(effort):
            conversations.set_effort(db, here, effort or "")
        case SetAccess(access):
            conversations.set_access(db, here, access)
        case _:
            assert_never(intent)
    return conversations.get(db, here)


def _kind(intent: Change) -> Setting:
    match intent:
        case SetModel():
            return Setting.MODEL
        case SetEffort():
            return Setting.EFFORT
        case SetAccess():
            return Setting.ACCESS


def _choices(setting: Setting, project: Project, capabilities: Capabilities) -> Sequence[str]:
    match setting:
        case Setting.MODEL:
            return ()
        case Setting.EFFORT:
            return capabilities.efforts
        case Setting.ACCESS:
            return [access for access in Access if access.rank <= project.access.rank]


def _shown(
    setting: Setting,
    conversation: Conversation | None,
    project: Project,
    label: str,
    choices: Sequence[str],
    desk: Desk,
    place: Place,
) -> Text:
    value = VALUES[setting](conversation, project)
    return reply.shown(setting, value, label, desk.texts(place), choices=choices)


VALUES: dict[Setting, Callable[[Conversation | None, Project], str]] = {
    Setting.MODEL: lambda conversation, _: conversation.model if conversation else "",
    Setting.EFFORT: lambda conversation, _: conversation.effort if conversation else "",
    Setting.ACCESS: lambda conversation, project: access_of(conversation, project),
}


def access_of(conversation: Conversation | None, project: Project) -> Access:
    """What an agent may do there, never above the project's own."""
    own = conversation.access if conversation else None
    return (own or project.access).at_most(project.access)
