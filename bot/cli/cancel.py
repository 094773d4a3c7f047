"""`roost cancel`: stop what runs, drop what waits; whoever dispatches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from bot.app import App, on_duty, only_stopping
from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import run
from bot.cli.screen import put
from bot.cli.usage import NUMBER
from bot.live import Ended, seen_out
from bot.replies import cancelled
from core.dispatch.bell import ring
from core.errors import Refused
from core.model.ids import ConversationId, PromptId
from core.model.prompt import Prompt, Status
from core.store import conversations, prompts
from core.store.database import Db
from core.store.prompts import Cancelled

Verb = Callable[[Db, float], Cancelled]


@click.command(cls=Command)
@click.argument("prompt", type=NUMBER, required=False)
@click.option("--conversation", type=NUMBER, metavar="ID")
@click.option("--all", "everything", is_flag=True)
@click.pass_obj
def command(call: Call, prompt: int | None, conversation: int | None, everything: bool) -> int:
    if (prompt is not None) + (conversation is not None) + everything != 1:
        raise Refused("cli.cancel.which")
    return run(call, partial(cancel, _verb(prompt, conversation), one=prompt is not None))


def _verb(prompt: int | None, conversation: int | None) -> Verb:
    if prompt is not None:
        return lambda db, now: prompts.cancel(db, PromptId(prompt), now=now)
    if conversation is not None:
        return lambda db, now: _all_of(db, ConversationId(conversation), now)
    return lambda db, now: prompts.cancel_all(db, now=now)


def _all_of(db: Db, conversation: ConversationId, now: float) -> Cancelled:
    number = conversations.get(db, conversation).id
    return prompts.cancel_here(db, number, everything=True, now=now)


async def cancel(verb: Verb, app: App, *, one: bool) -> int:
    """Returns when nothing of it runs any more. Where nobody dispatches this process does, and begins
    nothing new. Errors: `Refused` kinds."""
    asked = await app.store.write(verb, app.means.clock.now())
    texts = app.texts()
    ring(app.data_dir)
    if not asked:
        put((cancelled.too_late if one else cancelled.nothing)(texts).markdown)
    for prompt in asked.dropped:
        put(cancelled.dropped(prompt.text, texts).markdown)
    if asked.stopping:
        async with on_duty(only_stopping(app)):
            for prompt in asked.stopping:
                put(await _stopped(prompt, app))
    return 0


async def _stopped(prompt: Prompt, app: App) -> str:
    """What became of a prompt that was asked to stop, once its process has gone."""
    async for view in app.watch(prompt.id):
        if isinstance(view, Ended):
            await seen_out(app.store, prompt.id, clock=app.means.clock)
            if view.prompt.status is Status.CANCELLED:
                return cancelled.stopped(view.elapsed, view.turn.done, app.texts()).markdown
    return cancelled.too_late(app.texts()).markdown
