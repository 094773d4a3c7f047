"""Commands that have their name already, and their work in a later version."""

from __future__ import annotations

import click

from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.screen import say

NOT_YET = 2


@click.command(
    cls=Command,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    add_help_option=True,
)
@click.pass_context
def command(ctx: click.Context) -> int:
    """One sentence, whatever stands behind the name."""
    say(ctx.ensure_object(Call).texts.say("cli.not_yet", name=ctx.command_path))
    return NOT_YET
