"""Sessions that were begun in an engine's own program: listed, and carried on from here."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of, turn_to
from bot.intents.values import ImportSession
from bot.replies import importing as reply
from core.answers.title import clean_title
from core.dispatch.offers import Known, Pending, Unable
from core.dispatch.queries import Unanswered
from core.errors import UnknownConversation
from core.model.conversation import Conversation
from core.model.ids import SessionId
from core.model.project import Project
from core.model.sessions import Said, SessionInfo
from core.store import conversations
from core.store.database import Db

LISTED = 5
EXCHANGES = 3


async def found(place: Place, desk: Desk) -> tuple[list[SessionInfo], bool]:
    """The newest sessions of the engine here that were begun in the project's directory and that no
    conversation has; and whether the engine is still being asked. Errors: `NoProject`."""
    project = project_of(place)
    answer = await desk.offers.sessions(_engine(place, desk), project.host, _directory(project))
    known = await desk.store.read(conversations.by_session, project.id)
    listed = _of(project, answer.values) if isinstance(answer, Known) else []
    return [one for one in listed if one.id not in known][:LISTED], isinstance(answer, Pending)


async def carry_on(intent: ImportSession, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`; `UnknownConversation` for a session that isn't of this project's directory,
    `Unanswered` where the engine doesn't tell."""
    project, engine, texts = project_of(place), _engine(place, desk), desk.texts(place)
    session = SessionId(intent.session)
    known = await desk.store.read(conversations.by_session, project.id)
    title = "" if session in known else await _title(session, project, engine, desk)
    if title is None:
        return [reply.asking(desk.catalogue.label(engine), texts)]
    said = await _said(session, project, engine, desk)
    now = desk.clock.now()

    def verb(db: Db) -> Conversation:
        begun = conversations.carry_on(
            db, project.id, session, engine=engine, language=texts.language, title=title, now=now
        )
        turn_to(db, begun, place, desk)
        return begun

    return await desk.once(place, verb, lambda begun: [reply.carried_on(begun, said, texts)])


async def _title(session: SessionId, project: Project, engine: str, desk: Desk) -> str | None:
    """As the engine lists it; None while it is being asked. Errors: as `carry_on`."""
    answer = await desk.offers.sessions(engine, project.host, _directory(project))
    match answer:
        case Pending():
            return None
        case Unable():
            raise Unanswered
        case Known(listed):
            titles = {one.id: clean_title(one.title) for one in _of(project, listed)}
            if session not in titles:
                raise UnknownConversation(id=session)
            return titles[session]


async def _said(session: SessionId, project: Project, engine: str, desk: Desk) -> Sequence[Said]:
    """The last exchanges, as far as the engine tells them in time."""
    answer = await desk.offers.history(engine, project.host, _directory(project), session)
    return _exchanges(answer.values) if isinstance(answer, Known) else ()


def _exchanges(said: Sequence[Said]) -> list[Said]:
    """The last `EXCHANGES` prompts, and after each the last thing that was answered."""
    kept: list[Said] = []
    for one in said:
        if kept and kept[-1][0] == one[0] == "assistant":
            kept.pop()
        kept.append(one)
    prompts = [at for at, (who, _) in enumerate(kept) if who == "user"]
    return kept[prompts[-EXCHANGES] if len(prompts) >= EXCHANGES else 0 :][-2 * EXCHANGES :]


def _of(project: Project, sessions: Sequence[SessionInfo]) -> list[SessionInfo]:
    """Whatever the engine lists: those of the project's own directory, newest first."""
    own = [one for one in sessions if one.cwd in (project.path, project.real or project.path)]
    return sorted(own, key=lambda one: one.updated_at, reverse=True)


def _directory(project: Project) -> str:
    return project.real or project.path


def _engine(place: Place, desk: Desk) -> str:
    return desk.engine_for(place.project, place.conversation)
