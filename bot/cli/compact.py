"""`roost compact`: a conversation's context is made smaller, once what waits before that has run."""

from __future__ import annotations

import uuid
from functools import partial

import click

from bot.app import App
from bot.cli.ask import followed_out
from bot.cli.asking import PLATFORM
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import run
from bot.cli.usage import NUMBER
from core.crash import crash_point
from core.engines.catalogue import Catalogue
from core.errors import Refused
from core.model.ids import ConversationId
from core.model.prompt import COMPACT, Kind, Source
from core.store import conversations, projects, prompts
from core.store.database import Db
from core.store.prompts import Accepted


@click.command(cls=Command)
@click.argument("conversation", type=NUMBER)
@click.pass_obj
def command(call: Call, conversation: int) -> int:
    """Exit status as of `roost ask`."""
    return run(call, partial(compact, ConversationId(conversation)))


async def compact(conversation: ConversationId, app: App) -> int:
    """Errors: `Refused` kinds; then nothing was stored."""
    now = app.means.clock.now()
    accepted = await app.store.write(_accept, conversation, app.catalogue, now=now)
    crash_point("before-ack")
    return await followed_out(accepted.prompt, app)


def _accept(db: Db, number: ConversationId, catalogue: Catalogue, *, now: float) -> Accepted:
    here = conversations.get(db, number)
    projects.at_work(projects.get(db, here.project))
    engine = catalogue.engine(here.engine)
    if here.session is None:
        raise Refused("context.nothing_yet")
    if not engine.capabilities.compact:
        raise Refused("cli.compact.cannot", engine=engine.label)
    source = Source(PLATFORM, "", str(uuid.uuid4()))
    return prompts.accept(db, source, here.id, COMPACT, now=now, kind=Kind.COMPACT)
