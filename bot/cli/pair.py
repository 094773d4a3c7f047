"""`roost pair`: a one-time code that lets somebody in, and the link that says it."""

from __future__ import annotations

import secrets
from functools import partial

import click

from bot.access import Role
from bot.app import App
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import run
from bot.cli.screen import put
from core.store import accounts, people

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that nobody takes for another; a link to a bot carries them as they are."""
LENGTH = 8
GOOD_MINUTES = 10
ROLES = [role.value for role in Role if role is not Role.STRANGER]


@click.command(cls=Command)
@click.option("--role", type=click.Choice(ROLES), default=Role.OWNER.value)
@click.pass_obj
def command(call: Call, role: str) -> int:
    return run(call, partial(pair, Role(role)))


async def pair(role: Role, app: App) -> int:
    """A new code ends the one before."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    until = app.means.clock.now() + GOOD_MINUTES * 60
    await app.store.write(people.offer, code, role, salt=secrets.token_hex(16), expires_at=until)
    name, texts = await app.store.read(accounts.name_on, "telegram"), app.texts()
    put(texts.say("cli.pair.code", code=code, minutes=GOOD_MINUTES))
    if name:
        put(texts.say("cli.pair.link", name=name, code=code))
    return 0
