"""`roost pair`: a one-time code that lets somebody in, and the link that says it."""

from __future__ import annotations

from functools import partial

import click

from bot.access import Role
from bot.app import App
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import run
from bot.cli.screen import put
from bot.cli.setups import CHATS
from bot.handlers.inviting import GOOD_MINUTES, invite
from bot.intents.parse import MATRIX_MARK
from core.errors import Refused
from core.store import accounts, projects

ROLES = [role.value for role in Role if role is not Role.STRANGER]


@click.command(cls=Command)
@click.option("--role", type=click.Choice(ROLES), default=Role.OWNER.value)
@click.option("--project")
@click.pass_obj
def command(call: Call, role: str, project: str | None) -> int:
    return run(call, partial(pair, Role(role), named=project))


async def pair(role: Role, app: App, *, named: str | None = None) -> int:
    """A new code ends the one before for the same. Errors: `Refused` for an owner of one project alone,
    `UnknownProject`."""
    if named is not None and role is Role.OWNER:
        raise Refused("people.owns_all_only")
    now = app.means.clock.now()
    project = (await app.store.read(projects.named, named)).id if named is not None else None
    code, texts = await app.store.write(invite, role, project, now=now), app.texts()
    put(texts.say("cli.pair.code", code=code, minutes=GOOD_MINUTES))
    if app.settings.matrix.configured:
        put(texts.say("cli.pair.matrix", words=f"{MATRIX_MARK}start {code}", user=app.settings.matrix.user))
    for chat in CHATS:
        name = await app.store.read(accounts.name_on, chat.chat)
        if link := chat.link(name, code) if name else "":
            put(texts.say("cli.pair.link", link=link))
    return 0
