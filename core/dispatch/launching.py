"""A claimed prompt becomes the launch of its agent: which words, which access, which environment."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from core.dispatch.means import Instructions, Means
from core.engines.logins import login_of
from core.engines.port import Engine, first_turn
from core.errors import CoreError, EngineMissing, LoggedOut
from core.hosts.port import Host
from core.model.conversation import Approvals
from core.model.launch import Launch
from core.model.login import Door
from core.model.project import Access
from core.model.prompt import Attachment, Kind, Prompt
from core.model.request import TurnRequest
from core.store.queue import Work
from core.store.turns import TurnRow


async def prepare(means: Means, work: Work, engine: Engine, host: Host) -> Launch:
    """The launch of this turn. Errors: `EngineMissing` if the program is not on the host, `LoggedOut` if
    it surely has no login there: its own words would come late, or never."""
    program = await host.find(engine.command)
    if program is None:
        raise EngineMissing(program=engine.command[0])
    login = login_of(engine)
    if login and await host.door(login, means.environ(engine)) is Door.SHUT:
        raise LoggedOut
    request = await with_pictures(request_of(means, work, engine), engine, host)
    launch, _ = first_turn(engine, program, request, name_of(work.turn))
    return replace(launch, real=work.project.real)


def name_of(turn: TurnRow) -> str:
    """Unique in the life of any agent and any session, also after a backup was put back."""
    return f"{turn.agent[:8]}-{turn.id}"


def request_of(means: Means, work: Work, engine: Engine) -> TurnRequest:
    """What this turn asks of its engine."""
    shown = [file for file in work.prompt.attachments if file.image and engine.capabilities.images]
    compact = work.prompt.kind is Kind.COMPACT
    return TurnRequest(
        cwd=work.project.path,
        real=work.project.real,
        text="" if compact else words(work, means.instructions(work.conversation.language), shown=shown),
        access=access(work),
        env=means.environ(engine),
        session=work.turn.session,
        model=work.conversation.model,
        effort=work.conversation.effort,
        language=work.conversation.language,
        images=() if work.turn.carry_on else tuple(file.path for file in shown),
        fork=work.forks,
        compact=compact,
        approvals=work.conversation.approvals is Approvals.ASK and engine.capabilities.approvals,
    )


async def with_pictures(request: TurnRequest, engine: Engine, host: Host) -> TurnRequest:
    """With the pictures that are given in the words. One that cannot be read is left to the agent."""
    pictures: dict[str, str] = {}
    for path in request.images if engine.capabilities.inline else ():
        with suppress(CoreError):
            pictures[path] = b64encode((await host.open(request.cwd, path, real=request.real)).data).decode()
    return replace(request, pictures=pictures)


def words(work: Work, add: Instructions, *, shown: list[Attachment]) -> str:
    """What the agent is told: exactly the person's words first, then what Roost adds. A session that has
    the words already gets a fixed sentence in their place."""
    if work.turn.carry_on:
        parts = [add.interrupted if work.prompt.interruptions else add.carry_on]
    else:
        parts = [work.prompt.text, *beside(work.prompt, add, shown=shown), *_handed(work, add)]
    parts.append(add.images)
    if work.first and not work.conversation.title_by:
        parts.append(add.title)
    return "\n\n".join(parts)


def beside(prompt: Prompt, add: Instructions, *, shown: Sequence[Attachment] = ()) -> Iterator[str]:
    """What came with the words: what they point at, and the files that are not *shown* in another way."""
    if prompt.beside:
        yield prompt.beside
    if named := [file.path for file in prompt.attachments if file not in shown]:
        yield add.files.format(paths="\n".join(named))


def _handed(work: Work, add: Instructions) -> Iterator[str]:
    """What was said before a fork."""
    if work.conversation.handed and work.turn.session is None:
        yield add.handed.format(said=work.conversation.handed)


def access(work: Work) -> Access:
    """The conversation's own access, never above what the terminal set for the project."""
    return (work.conversation.access or work.project.access).at_most(work.project.access)
