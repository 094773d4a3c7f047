"""`roost chat`: talk to an agent in this terminal."""

from __future__ import annotations

from functools import partial

import click

from bot.cli.call import Call
from bot.cli.chat import chat
from bot.cli.lazy import Command
from bot.cli.program import run


@click.command(cls=Command)
@click.option("--project")
@click.option("--engine")
@click.pass_obj
def command(call: Call, project: str | None, engine: str | None) -> int:
    return run(call, partial(chat, project=project, engine=engine))
