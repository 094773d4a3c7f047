"""What is wrong with how a command was written."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import click

from bot.texts import Texts

NUMBER_MOST = 2**63 - 1
"""What the database can count to."""
NUMBER = click.IntRange(1, NUMBER_MOST)

ALIKE = 0.7
"""From 0 to 1; less has led people to what they did not mean."""


class UnknownCommand(click.UsageError):
    """There is no command of that name; *near* is one that there is and that may be meant."""

    def __init__(self, name: str, known: Sequence[str], ctx: click.Context) -> None:
        super().__init__(name, ctx)
        near = get_close_matches(name, known, n=1, cutoff=ALIKE)
        self.near = f"{ctx.command_path} {near[0]}" if near else ""


def misuse(error: click.UsageError, texts: Texts) -> str:
    """What is wrong, and what may be meant, or where it says how to write it."""
    if isinstance(error, UnknownCommand) and error.near:
        return texts.say("cli.misuse.near", name=error.message, command=error.near)
    command = error.ctx.command_path if error.ctx else "roost"
    hint = texts.say("cli.misuse.see", command=f"{command} --help")
    if isinstance(error, click.MissingParameter) and _named(error) == "CONVERSATION":
        hint = texts.say("cli.misuse.conversation")
    return f"{_what(error, texts)} {hint}"


def _what(error: click.UsageError, texts: Texts) -> str:
    match error:
        case UnknownCommand():
            return texts.say("cli.misuse.no_command", name=error.message)
        case click.NoSuchOption():
            return texts.say("cli.misuse.no_option", name=error.option_name)
        case click.BadOptionUsage():
            return texts.say("cli.misuse.no_value", name=error.option_name)
        case click.MissingParameter():
            return texts.say("cli.misuse.missing", name=_named(error))
        case click.BadParameter():
            expected = _expected(error.param) or texts.say("cli.misuse.number")
            return texts.say("cli.misuse.bad_value", name=_named(error), expected=expected)
        case _:
            return texts.say("cli.misuse.words")


def _named(error: click.BadParameter) -> str:
    return error.param.get_error_hint(error.ctx).strip("'[]") if error.param and error.ctx else ""


def _expected(param: click.Parameter | None) -> str:
    """The words that may stand there; none where it is a number."""
    kind = param.type if param else None
    return ", ".join(map(str, kind.choices)) if isinstance(kind, click.Choice) else ""
