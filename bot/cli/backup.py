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
@click.pass_obj
def command(call: Call, file: str) -> int:
    return run(call, partial(backup, Path(os.path.abspath(file))))


async def backup(file: Path, app: App) -> int:
    """The service may run meanwhile. Errors: `Refused` where *file* can't be written or is something else."""
    await app.store.read(copies.copy_to, file)
    say(app.texts().say("cli.backup.done", path=code(str(file), most=200)))
    return 0
