"""The project and the conversation that a room shows, found or begun."""

from __future__ import annotations

from bot.access import Rights, Role
from bot.chat import Outgoing, Text
from bot.handlers import beside
from bot.handlers.desk import Desk, Opening, Place
from bot.intents.values import CancelThose, DropThose
from bot.replies import conversations as conversation_reply
from bot.replies.errors import is_kept
from core.answers.title import clean_title
from core.errors import Refused, UnknownPrompt
from core.model.conversation import Conversation
from core.model.ids import PromptId
from core.model.project import Project
from core.model.prompt import Prompt
from core.store import conversations, deliveries, line, mirrors, pieces, projects, prompts, threads
from core.store.database import Db


class NoProject(Refused):
    """No project is chosen in this room."""

    key = "project.which"


def project_of(place: Place) -> Project:
    """Errors: `NoProject`."""
    if place.project is None:
        raise NoProject
    return place.project


def conversation_here(db: Db, place: Place, desk: Desk, *, now: float) -> Conversation:
    """The conversation of the room; one is begun and shown there if there is none. Errors: `NoProject`."""
    return place.conversation or begin(db, place, desk, now=now)


def replied_to(db: Db, place: Place) -> PromptId | None:
    """The prompt that is, or is answered by, what it was said in reply to; None where that is about none, or
    about one of a project in which who is there may not work."""
    if not place.answers:
        return None
    room = place.room.id
    number = deliveries.about(db, room, place.answers) or pieces.found(db, room, place.answers)
    return number if number is not None and in_reach(db, number, place) else None


def carried_on(db: Db, place: Place) -> Conversation | None:
    """The conversation of what it was said in reply to, whatever the room shows by now; None where that is
    about none, was put away, goes on in other rooms without this one, or is of a project in which who is
    there may not work."""
    number = replied_to(db, place)
    if number is None:
        return None
    found, room = conversations.get(db, prompts.get(db, number).conversation), place.room.id
    if found.archived or projects.get(db, found.project).archived or mirrors.parted(db, room, found.id):
        return None
    return found


def begin(db: Db, place: Place, desk: Desk, *, now: float) -> Conversation:
    """A new conversation, shown in the room from now on; in a thread to which somebody gave a name, it is
    called that. Errors: `NoProject`."""
    begun = unseen(db, place, desk, title=clean_title(threads.name_of(db, place.room.id)), now=now)
    conversations.bind(db, place.room.id, begun.project, begun.id)
    return begun


def unseen(db: Db, place: Place, desk: Desk, *, title: str = "", now: float) -> Conversation:
    """A new conversation, not shown anywhere yet. Errors: `NoProject`."""
    project, language = project_of(place), desk.texts(place).language
    return conversations.begin(
        db, project.id, engine=desk.engine_for(project), language=language, title=title, now=now
    )


def show(db: Db, begun: Conversation, place: Place, desk: Desk, said: Text) -> list[Outgoing]:
    """Where a new conversation is read from now on: in a thread of its own if the room has them, where *said*
    comes first; else here. What is left to say here."""
    if not place.threads or mirrors.together(db, place.room.id):
        turn_to(db, begun, place, desk)
        return [said]
    texts = desk.texts(place)
    name = begun.title or texts.say("thread.unnamed")
    refused = conversation_reply.no_thread(said, texts, own=place.own)
    opening = Opening(begun.id, name, said, conversation_reply.in_thread(name, texts), refused)
    desk.opens(db, place, opening)
    return []


def turn_to(db: Db, there: Conversation, place: Place, desk: Desk) -> None:
    """The room shows that conversation from now on; those that show the same are told."""
    conversations.bind(db, place.room.id, there.project, there.id)
    beside.turned(db, place, desk, lambda texts: conversation_reply.title(there, texts), now=desk.clock.now())


def prompt_here(db: Db, number: PromptId, place: Place) -> Prompt:
    """A prompt of the room's project, or one that was asked in the room, whatever that shows by now. Errors:
    `UnknownPrompt` for any other: rooms don't see each other's."""
    prompt = prompts.get(db, number)
    if not is_here(db, prompt, place):
        raise UnknownPrompt(id=number)
    return prompt


def is_here(db: Db, prompt: Prompt, place: Place) -> bool:
    """Whoever asked, only somebody who may work in its project has it in reach."""
    if not in_reach(db, prompt.id, place):
        return False
    project = prompts.project_of(db, prompt.id)
    if prompts.asked_at(db, prompt.id) == place.room.id:
        return True
    return place.project is not None and place.project.id == project


def asked_about(db: Db, prompt: PromptId) -> Project:
    """The project that a prompt is about. Errors: `Refused` where that was put away."""
    return projects.at_work(projects.get(db, prompts.project_of(db, prompt)))


def in_reach(db: Db, number: PromptId, place: Place) -> bool:
    """Whether who is there may work in the project of a prompt, whatever the room shows by now."""
    return place.rights.within(prompts.project_of(db, number)).at_least(Role.MEMBER)


def meant_here(db: Db, place: Place) -> list[Prompt]:
    """What runs and waits in the conversation that the room shows; where that has nothing, what was asked in
    the room, whatever conversation it stands in."""
    shown = prompts.open_of(db, place.conversation.id) if place.conversation else []
    return shown or asked_here(db, place)


def asked_here(db: Db, place: Place) -> list[Prompt]:
    """What runs and waits of what was asked in the room, whatever conversation it stands in."""
    return [one for one in prompts.asked_in(db, place.room.id) if in_reach(db, one.id, place)]


def those_here(db: Db, those: CancelThose | DropThose, place: Place) -> list[Prompt]:
    """What runs and waits of *those*, without what the room may not touch."""
    found = [one for one in prompts.open_of(db, those.conversation) if one.id <= those.newest]
    return [one for one in found if is_here(db, one, place)]


def waiting_here(db: Db, place: Place) -> DropThose | None:
    """All that waits now in the conversation that the room shows, as a button names it."""
    newest = line.newest(db, place.conversation.id) if place.conversation else None
    return DropThose(place.conversation.id, newest) if place.conversation and newest else None


def failed_here(db: Db, place: Place) -> Prompt | None:
    """What was asked last in the conversation that the room shows, where it came to nothing, is kept, and
    nothing runs or waits since."""
    here = place.conversation
    if here is None or prompts.open_of(db, here.id, most=1):
        return None
    number = prompts.ended_last(db, here.id)
    last = prompts.get(db, number) if number else None
    return last if last and is_kept(last) else None


def choices(db: Db, place: Place) -> list[Project]:
    """The projects that the room can be given by who is there, without its own."""
    here = place.project.id if place.project else None
    return [one for one in open_to(db, place.rights, own=place.own) if one.id != here]


def put_away(db: Db, place: Place) -> Project | None:
    """The room's own project, where that was put away and who is there might see it."""
    found = projects.get(db, place.room.project) if place.room.project else None
    return found if found and found.archived and can_show(found, place.rights, own=place.own) else None


def open_to(db: Db, rights: Rights, *, own: bool) -> list[Project]:
    """The projects that somebody may let a room show, which is theirs alone or not."""
    return [one for one in projects.every(db, archived=False) if can_show(one, rights, own=own)]


def can_show(project: Project, rights: Rights, *, own: bool) -> bool:
    """In a room for others too that is for who works in it."""
    return rights.within(project.id).at_least(Role.VIEWER if own else Role.MEMBER)
