"""`roost ask`: one prompt through the queue, its progress on stderr, its answer on stdout."""

from __future__ import annotations

import json
import sys
from functools import partial

import click

from bot.app import App, on_duty
from bot.cli.asking import Request, submit
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.outcome import Outcome, outcome
from bot.cli.program import run
from bot.cli.progress import Teller
from bot.cli.screen import say
from bot.cli.stopping import stopped_by_interrupt
from bot.cli.usage import NUMBER
from bot.live import Ended, seen_out
from core.dispatch.bell import ring
from core.errors import Refused
from core.model.ids import ConversationId
from core.model.prompt import Prompt, Status

EXITS = {Status.DONE: 0, Status.FAILED: 1, Status.CANCELLED: 130}


@click.command(cls=Command)
@click.argument("project")
@click.argument("text")
@click.option("--image", multiple=True, metavar="FILE")
@click.option("--conversation", type=NUMBER, metavar="ID")
@click.option("--new", is_flag=True)
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def command(
    call: Call,
    project: str,
    text: str,
    image: tuple[str, ...],
    conversation: int | None,
    new: bool,
    as_json: bool,
) -> int:
    """Exit status 0 done, 1 failed, 2 usage, 130 cancelled."""
    if new and conversation is not None:
        raise Refused("cli.ask.either")
    where = ConversationId(conversation) if conversation is not None else None
    request = Request(project, words(text), image, where, new=new)
    return run(call, partial(ask, request, as_json=as_json))


def words(text: str) -> str:
    """What is asked; `-` reads it from stdin, and what is no text is replaced. Errors: `Refused` if empty."""
    data = sys.stdin.buffer.read() if text == "-" else text.encode("utf-8", "surrogateescape")
    asked = data.decode("utf-8", "replace")
    if not asked.strip("\0 \r\n\t"):
        raise Refused("cli.ask.empty")
    return asked


async def ask(request: Request, app: App, *, as_json: bool) -> int:
    """Errors: `Refused` kinds; then nothing was stored."""
    accepted = await submit(request, app)
    return await followed_out(accepted.prompt, app, as_json=as_json)


async def followed_out(prompt: Prompt, app: App, *, as_json: bool = False) -> int:
    """The exit status, once what came of *prompt*, which is stored, was told and its agent has gone."""
    ring(app.data_dir)
    async with on_duty(app), stopped_by_interrupt(app, prompt.id):
        ended = await followed(app, prompt)
        try:
            report(outcome(ended, app), as_json=as_json)
        finally:
            if app.duty.ours:
                await seen_out(app.store, prompt.id, clock=app.means.clock)
    return EXITS[ended.prompt.status]


async def followed(app: App, prompt: Prompt) -> Ended:
    """Tell what becomes of *prompt*, until it has ended."""
    teller = Teller(app.texts())
    async for view in app.watch(prompt.id):
        if isinstance(view, Ended):
            return view
        for line in teller.news(view):
            say(line)
    raise AssertionError("a prompt's views end with its end")


def report(result: Outcome, *, as_json: bool) -> None:
    """The answer on stdout, how it ended on stderr."""
    if as_json:
        click.echo(json.dumps(result.public, ensure_ascii=False))
        return
    if result.markdown:
        click.echo(result.drawn if sys.stdout.isatty() else result.plain)
    sys.stdout.flush()
    say(result.closing)
