"""Commands that are loaded when they are used, and help in the words of `locales/`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import bot
from bot.cli.call import Call
from bot.cli.usage import UnknownCommand
from bot.texts import Texts


def _texts(ctx: click.Context) -> Texts:
    return ctx.ensure_object(Call).texts


def _keep_config(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.ensure_object(Call).config = Path(value)


def _keep_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.ensure_object(Call).debug = True


def _options_of_all() -> list[click.Option]:
    """They may stand before a command or after it."""
    return [
        click.Option(["--config"], metavar="FILE", expose_value=False, callback=_keep_config),
        click.Option(["--debug"], is_flag=True, expose_value=False, callback=_keep_debug),
    ]


def _show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"roost {bot.__version__}")
        ctx.exit()


def version_option() -> click.Option:
    return click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version
    )


@click.pass_context
def _help_alone(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


class Command(click.Command):
    """A command whose help is `cli.help.NAME`, and that of its options `cli.option.NAME`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params = [*self.params, *_options_of_all()]
        self.options_metavar = "…"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = error.ctx or ctx  # whose help tells how the option is written
            raise

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{_texts(ctx).say('cli.usage')} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text(_texts(ctx).say(f"cli.help.{_name(ctx)}"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        texts = _texts(ctx)
        records = [(param, param.get_help_record(ctx)) for param in self.get_params(ctx)]
        with formatter.section(texts.say("cli.options")):
            formatter.write_dl(
                [(record[0], texts.say(f"cli.option.{_word(param)}")) for param, record in records if record]
            )


class Group(Command, click.Group):
    """Commands under one word."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, callback=_help_alone, invoke_without_command=True, **kwargs)
        self.subcommand_metavar = "COMMAND …"

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise UnknownCommand(args[0], self.list_commands(ctx), ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        texts, prefix = _texts(ctx), f"{_name(ctx)}_" if ctx.parent else ""
        with formatter.section(texts.say("cli.commands")):
            formatter.write_dl(
                [
                    (name, texts.say(f"cli.help.{prefix}{_key(name)}").partition("\n")[0])
                    for name in self.list_commands(ctx)
                ]
            )


class LazyGroup(Group):
    """*modules* names the module of each command, which has it under the name `command`; those of the module
    *later* answer, and are not listed."""

    def __init__(self, *args: Any, modules: Mapping[str, str], later: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._modules = modules
        self._later = later

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, module in self._modules.items() if module != self._later]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        command: click.Command = import_module(self._modules[cmd_name]).command
        return command


def _name(ctx: click.Context) -> str:
    """`roost project add` is `project_add`, `roost` itself `roost`."""
    return _key("_".join(ctx.command_path.split()[1:])) or "roost"


def _word(param: click.Parameter) -> str:
    return _key(max(param.opts, key=len).lstrip("-"))


def _key(name: str) -> str:
    return name.replace("-", "_")
