"""What is wrong with how a command was written."""

from __future__ import annotations

import click

from bot.texts import Texts

HELP_OPTIONS = "--help"


def misuse(error: click.UsageError, texts: Texts) -> str:
    """What is wrong, and where it says how to write it."""
    command = error.ctx.command_path if error.ctx else "roost"
    return f"{_what(error, texts)} {texts.say('cli.misuse.see', command=f'{command} {HELP_OPTIONS}')}"


def _what(error: click.UsageError, texts: Texts) -> str:
    match error:
        case click.NoSuchOption():
            return texts.say("cli.misuse.no_option", name=error.option_name)
        case click.BadOptionUsage():
            return texts.say("cli.misuse.no_value", name=error.option_name)
        case click.MissingParameter():
            return texts.say("cli.misuse.missing", name=_named(error))
        case click.BadParameter():
            return texts.say("cli.misuse.bad_value", name=_named(error), expected=_expected(error.param))
        case _:
            return texts.say("cli.misuse.words")


def _named(error: click.BadParameter) -> str:
    return error.param.get_error_hint(error.ctx).strip("'") if error.param and error.ctx else ""


def _expected(param: click.Parameter | None) -> str:
    kind = param.type if param else None
    return ", ".join(map(str, kind.choices)) if isinstance(kind, click.Choice) else "1, 2, 3 …"
