"""What is wrong with how a command was written."""

from __future__ import annotations

import click

from bot.texts import Texts


class UnknownCommand(click.UsageError):
    """There is no command of that name."""

    def __init__(self, name: str, ctx: click.Context) -> None:
        super().__init__(name, ctx)


def misuse(error: click.UsageError, texts: Texts) -> str:
    """What is wrong, and where it says how to write it."""
    command = error.ctx.command_path if error.ctx else "roost"
    return f"{_what(error, texts)} {texts.say('cli.misuse.see', command=f'{command} --help')}"


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
