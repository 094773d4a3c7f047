"""What a terminal's room shows when somebody comes in."""

from __future__ import annotations

from dataclasses import dataclass

from bot.chat import RoomAddress
from bot.handlers.desk import shown
from bot.kept import parked_words
from core.model.conversation import Conversation
from core.model.project import Project
from core.model.prompt import Prompt
from core.store import conversations, inbox, prompts, unshown
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Scene:
    """*under_way*: prompts without an end yet. *last*: the newest prompt, where nothing is under way: its end
    may have come while nobody looked. *parked*: the words that wait for a project. *unshown*: what was asked
    in the room and has ended, and nobody read there how.
    *language* is empty where nobody chose one."""

    project: Project | None
    conversation: Conversation | None
    under_way: tuple[Prompt, ...] = ()
    last: Prompt | None = None
    parked: tuple[str, ...] = ()
    unshown: tuple[Prompt, ...] = ()
    language: str = ""

    @property
    def named(self) -> Conversation | None:
        """The conversation, where there is anything to call it by or to go on with."""
        here = self.conversation
        return here if here and (here.begun or here.title or here.parent) else None


def scene(db: Db, address: RoomAddress) -> Scene:
    room = conversations.room(db, address.platform, address.account, address.chat, address.thread)
    project, conversation = shown(db, room)
    unread = tuple(unshown.ended(db, room.id))
    if conversation is None:
        words = tuple(parked_words(db, room.id))
        return Scene(project, None, parked=words, unshown=unread, language=room.language)
    under_way = tuple(prompts.open_of(db, conversation.id))
    last = None if under_way else _last(db, conversation)
    return Scene(project, conversation, under_way, last, unshown=unread, language=room.language)


def _last(db: Db, conversation: Conversation) -> Prompt | None:
    said = conversations.messages(db, conversation.id)
    newest = max((one.prompt for one in said if one.prompt), default=None)
    return prompts.get(db, newest) if newest else None


def enter(db: Db, address: RoomAddress, project: Project, engine: str) -> None:
    """Let the room show *project*: with the conversation that it had, or where it had shown another, with the
    newest one of the project's engine; but with a new one if that is not of *engine*, where one is wanted."""
    room = conversations.room(db, address.platform, address.account, address.chat, address.thread)
    number = room.conversation
    if room.project != project.id:
        known = conversations.latest(db, project.id)
        number = next((one.id for one in known if one.engine == project.engine), None)
    if number and engine and conversations.get(db, number).engine != engine:
        number = None
    conversations.bind(db, room.id, project.id, number)


def bring(db: Db, address: RoomAddress, *, to: RoomAddress) -> None:
    """What waits in a room for its project waits in another now, which has one, to be acted on."""
    rooms = (conversations.room(db, one.platform, one.account, one.chat) for one in (address, to))
    inbox.carry(db, *(room.id for room in rooms))
