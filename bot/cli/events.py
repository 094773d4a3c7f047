"""`roost events`: a conversation's log, one JSON object a line."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from bot.app import App
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import run
from bot.cli.usage import NUMBER, NUMBER_MOST
from core.model.events import TYPE_NAMES
from core.model.ids import ConversationId
from core.store import conversations, log
from core.store.log import Logged

LOOK_SECONDS = 0.1


@click.command(cls=Command)
@click.argument("conversation", type=NUMBER)
@click.option("--from", "offset", type=click.IntRange(0, NUMBER_MOST), default=0, metavar="OFFSET")
@click.option("--follow", is_flag=True)
@click.pass_obj
def command(call: Call, conversation: int, offset: int, follow: bool) -> int:
    return run(call, partial(events, ConversationId(conversation), offset, follow=follow))


async def events(conversation: ConversationId, offset: int, app: App, *, follow: bool) -> int:
    """What came after *offset*; with *follow* what comes, until Ctrl-C. Errors: `UnknownConversation`."""
    await app.store.read(conversations.get, conversation)
    while True:
        version = app.store.version()
        page, offset = await app.store.read(log.read, conversation, offset)
        for logged in page:
            click.echo(line(logged))
        if page:
            continue
        if not follow:
            return 0
        while app.store.version() == version:
            await app.means.clock.sleep(LOOK_SECONDS)


def line(logged: Logged) -> str:
    """The event's number, kind and place, then its own fields."""
    place = {
        "id": logged.id,
        "type": TYPE_NAMES[type(logged.event)],
        "at": logged.at,
        "conversation": logged.conversation,
        "prompt": logged.prompt,
    }
    return msgspec.json.encode({**msgspec.to_builtins(logged.event), **place}).decode()
