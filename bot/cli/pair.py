"""`roost pair`: a one-time code that lets somebody in, and the link that says it."""

from __future__ import annotations

from functools import partial

import click

from bot.access import Role
from bot.app import App, chats_of
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import run
from bot.cli.screen import put
from bot.cli.setups import CHATS, SetUp
from bot.handlers.inviting import GOOD_MINUTES, invite
from bot.replies.marks import literal
from core.errors import Refused
from core.store import projects

ROLES = [role.value for role in Role if role is not Role.STRANGER]


@click.command(cls=Command)
@click.option("--role", type=click.Choice(ROLES), default=Role.OWNER.value)
@click.option("--project")
@click.pass_obj
def command(call: Call, role: str, project: str | None) -> int:
    return run(call, partial(pair, Role(role), named=project))


async def pair(role: Role, app: App, *, named: str | None = None) -> int:
    """A new code ends the one before for the same. Errors: `Refused` where there is no chat to say it in, or
    for an owner of one project alone, `UnknownProject`."""
    chats = [chat for chat in CHATS if chat.chat in chats_of(app.settings)]
    if not chats:
        raise Refused("cli.pair.no_chat")
    if named is not None and role is Role.OWNER:
        raise Refused("people.owns_all_only")
    now = app.means.clock.now()
    project = (await app.store.read(projects.named, named)).id if named is not None else None
    code, texts = await app.store.write(invite, role, project, now=now), app.texts()
    put(texts.say("cli.pair.code", code=code, minutes=GOOD_MINUTES))
    for chat in chats:
        put(await _way_in(chat, code, app))
    return 0


async def _way_in(chat: SetUp, code: str, app: App) -> str:
    """How the code is said there: by a link, where the platform has one."""
    name, words = await chat.called(app), f"{chat.mark}start {code}"
    link = chat.link(name, code) if name else ""
    key = "cli.pair.link" if link else f"cli.pair.{chat.chat}"
    return app.texts().say(key, chat=chat.label, link=link, name=literal(name), words=words)
