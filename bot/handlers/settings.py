"""What the room's conversation uses: its engine, its model, its effort, its access, who is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from bot.chat import Button, Outgoing, Text
from bot.handlers.desk import Desk, Place
from bot.handlers.offered import Offer, offer_of
from bot.handlers.room import conversation_here, project_of, turn_to
from bot.intents.commands import encode
from bot.intents.values import (
    PickConversation,
    SetAccess,
    SetApprovals,
    SetEffort,
    SetEngine,
    SetModel,
    Setting,
    ShowSetting,
)
from bot.replies import settings as reply
from core.engines.port import Capabilities, Engine
from core.errors import CoreError
from core.model.conversation import Approvals, Conversation
from core.model.project import Access, Project
from core.store import conversations
from core.store.database import Db

Change: TypeAlias = SetEngine | SetModel | SetEffort | SetAccess | SetApprovals

ASKED = (Setting.MODEL, Setting.EFFORT)
"""What the engine itself knows the values of."""


async def setting(intent: ShowSetting | Change, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `Refused` for an engine that this version can't drive."""
    project = project_of(place)
    name = (
        intent.engine.casefold()
        if isinstance(intent, SetEngine)
        else desk.engine_for(project, place.conversation)
    )
    engine = desk.catalogue.engine(name)
    asked = _kind(intent) in ASKED
    offer = await offer_of(name, engine.capabilities, place, desk) if asked else Offer()
    absent = await _absent(intent, project, desk)
    if not isinstance(intent, ShowSetting):
        if refusal := _refused(intent, engine.label, engine.capabilities, offer, desk, place):
            return [refusal]
        now = desk.clock.now()
        return await desk.once(
            place,
            lambda db: _set(db, intent, offer, place, desk, now=now),
            lambda here: [_done(intent, here, project, engine, desk, place, absent=absent)],
        )
    if intent.setting is Setting.ENGINE:
        choices = reply.engines(desk.catalogue.names, absent, desk.texts(place))
    else:
        choices = _choices(intent.setting, project, engine.capabilities, offer)
    return [_shown(intent.setting, place.conversation, project, engine, choices, desk, place)]


async def _absent(intent: ShowSetting | Change, project: Project, desk: Desk) -> list[str]:
    """The engines that it is about and that have no program where *project* is."""
    match intent:
        case SetEngine(engine):
            return [name for name in (engine.casefold(),) if not await _is_here(name, project, desk)]
        case ShowSetting(Setting.ENGINE):
            return [name for name in desk.catalogue.names if not await _is_here(name, project, desk)]
        case _:
            return []


async def _is_here(engine: str, project: Project, desk: Desk) -> bool:
    try:
        command = desk.catalogue.engine(engine).command
        return await desk.host(project.host).find(command) is not None
    except CoreError:  # its own sentence comes with the next prompt
        return True


def _done(
    intent: Change,
    here: Conversation,
    project: Project,
    engine: Engine,
    desk: Desk,
    place: Place,
    *,
    absent: Sequence[str],
) -> Text:
    texts, before = desk.texts(place), place.conversation
    said = _shown(_kind(intent), here, project, engine, reply.Choices(), desk, place)
    if isinstance(intent, SetEngine) and before and here.id != before.id:
        said = reply.new_with(engine.label, texts)
    if not absent:
        return said
    back = _back(here, project, desk, place)
    return reply.without_program(said, engine.label, back, texts)


def _back(here: Conversation, project: Project, desk: Desk, place: Place) -> Button | None:
    """To what worked here before: the conversation that was left, or the engine alone."""
    before, engine = place.conversation, desk.engine_for(project, place.conversation)
    if engine == here.engine:
        return None
    left = before is not None and before.id != here.id
    command = PickConversation(before.id) if before and left else SetEngine(engine)
    return Button(desk.catalogue.label(engine), encode(command))


def _refused(
    intent: Change, label: str, capabilities: Capabilities, offer: Offer, desk: Desk, place: Place
) -> Text | None:
    """Why the engine can't be told that; going back to what is usual is always possible."""
    match intent:
        case SetModel(str()) if not capabilities.models:
            return reply.no_model(label, desk.texts(place))
        case SetApprovals(Approvals.ASK) if not capabilities.approvals:
            return reply.no_approvals(label, desk.texts(place))
        case SetModel(str(model)) if not offer.takes(model):
            return reply.model_unknown(label, [one.name for one in offer.models], desk.texts(place))
        case SetEffort(str(effort)) if effort not in (known := offer.efforts(offer.model)):
            return reply.no_effort(label, known, desk.texts(place))
        case _:
            return None


def _set(db: Db, intent: Change, offer: Offer, place: Place, desk: Desk, *, now: float) -> Conversation:
    if isinstance(intent, SetEngine):
        return _engine(db, intent.engine.casefold(), place, desk, now=now)
    found = conversation_here(db, place, desk, now=now)
    here = found.id
    match intent:
        case SetModel(model):
            conversations.set_model(db, here, model or "")
            if model and found.effort not in offer.efforts(model):
                conversations.set_effort(db, here, "")
        case SetEffort(effort):
            conversations.set_effort(db, here, effort or "")
        case SetAccess(access):
            conversations.set_access(db, here, access)
        case SetApprovals(approvals):
            conversations.set_approvals(db, here, approvals)
        case _:
            assert_never(intent)
    return conversations.get(db, here)


def _engine(db: Db, engine: str, place: Place, desk: Desk, *, now: float) -> Conversation:
    """The conversation that works with *engine*: this one if nothing was said in it, else a new one. A
    session belongs to the program that made it."""
    here = conversation_here(db, place, desk, now=now)
    if here.engine == engine:
        return here
    if not here.begun:
        conversations.set_engine(db, here.id, engine)
        return conversations.get(db, here.id)
    begun = conversations.begin(db, here.project, engine=engine, language=here.language, now=now)
    turn_to(db, begun, place, desk)
    return begun


def _kind(intent: ShowSetting | Change) -> Setting:
    match intent:
        case ShowSetting(setting):
            return setting
        case SetEngine():
            return Setting.ENGINE
        case SetApprovals():
            return Setting.APPROVALS
        case SetModel():
            return Setting.MODEL
        case SetEffort():
            return Setting.EFFORT
        case SetAccess():
            return Setting.ACCESS


def _choices(setting: Setting, project: Project, capabilities: Capabilities, offer: Offer) -> reply.Choices:
    match setting:
        case Setting.ENGINE:
            return reply.Choices()
        case Setting.APPROVALS:
            return reply.Choices(tuple(Approvals) if capabilities.approvals else ())
        case Setting.MODEL:
            labels = {model.name: model.label for model in offer.models}
            return reply.Choices(tuple(labels), labels, pending=offer.pending)
        case Setting.EFFORT:
            return reply.Choices(offer.efforts(offer.model), pending=offer.pending)
        case Setting.ACCESS:
            return reply.Choices([access for access in Access if access.rank <= project.access.rank])


def _shown(
    setting: Setting,
    conversation: Conversation | None,
    project: Project,
    engine: Engine,
    choices: reply.Choices,
    desk: Desk,
    place: Place,
) -> Text:
    value = VALUES[setting](conversation, project)
    asked = setting is Setting.ACCESS and engine.capabilities.only_asked(Access(value))
    return reply.shown(setting, value, engine.label, desk.texts(place), choices=choices, asked=asked)


VALUES: dict[Setting, Callable[[Conversation | None, Project], str]] = {
    Setting.ENGINE: lambda conversation, project: conversation.engine if conversation else project.engine,
    Setting.APPROVALS: lambda conversation, _: conversation.approvals if conversation else Approvals.NEVER,
    Setting.MODEL: lambda conversation, _: conversation.model if conversation else "",
    Setting.EFFORT: lambda conversation, _: conversation.effort if conversation else "",
    Setting.ACCESS: lambda conversation, project: access_of(conversation, project),
}


def access_of(conversation: Conversation | None, project: Project) -> Access:
    """What an agent may do there, never above the project's own."""
    own = conversation.access if conversation else None
    return (own or project.access).at_most(project.access)
