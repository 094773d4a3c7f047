"""`roost backup`: the database in one file, as it is at one moment."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import click

from bot.app import App
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import run
from bot.cli.screen import say
from bot.replies.marks import code
from core.store import copies


@click.command(cls=Command)
@click.argument("file")
@click.option("--replace", is_flag=True)
@click.pass_obj
def command(call: Call, file: str, replace: bool) -> int:
    return run(call, partial(backup, Path(os.path.abspath(file)), replace=replace))


async def backup(file: Path, app: App, *, replace: bool) -> int:
    """The service may run meanwhile. *replace*: an earlier copy gives way. Errors: `Refused` where *file*
    is there otherwise, or can't be written."""
    await app.store.read(partial(copies.copy_to, replace=replace), file)
    say(app.texts().say("cli.backup.done", path=code(str(file), most=200)))
    return 0
