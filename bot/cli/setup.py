"""`roost setup`: what a chat needs is asked, tried and written down, and its first owner gets a code."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from bot.access import Role
from bot.app import App, rooms_on
from bot.cli.call import Call
from bot.cli.dialog import Dialog
from bot.cli.lazy import Command
from bot.cli.pair import pair
from bot.cli.program import run, settings_of
from bot.cli.setups import CHATS, Account, Field, SetUp
from core.dispatch.duty import service_runs
from core.errors import Refused
from core.settings import Settings, config_file
from core.settings.writing import PRIVATE, Value, put_into
from core.store import accounts


@click.command(cls=Command)
@click.pass_obj
def command(call: Call) -> int:
    """What was there stays, but for the keys that are answered."""
    file, _ = config_file(call.environ, call.config)
    with _begun(file):
        settings = settings_of(call)
        dialog = Dialog(call.texts)
        found = settle(CHATS, settings, dialog)
        put_into(file, found.chat.chat, found.values)
    dialog.tell("setup.written", file=file)
    return run(call, partial(_paired, found, dialog))


@contextmanager
def _begun(file: Path) -> Iterator[None]:
    """An empty one is a whole configuration, and secrets may be put into it from its first moment on. One of
    ours is gone again where nothing came of it."""
    fresh = not file.exists()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_RDONLY | os.O_NONBLOCK, PRIVATE))
    try:
        yield
    finally:
        if fresh and not file.stat().st_size:
            file.unlink()


@dataclass(frozen=True, slots=True)
class Settled:
    """*chat* works as *account*; *values* is what its table is to say for that. *owned*: somebody is named
    there."""

    chat: SetUp
    account: Account
    values: Mapping[str, Value]
    owned: bool


def settle(chats: Sequence[SetUp], settings: Settings, dialog: Dialog) -> Settled:
    """Ask until there is an answer that works. Errors: `Refused` where none comes any more."""
    chat = _chosen(chats, dialog)
    chat.needed()
    there = settings.said_of(chat.chat)
    answers, account = _working(chat, there, settings, dialog)
    dialog.tell("setup.works", chat=chat.label, name=account.name)
    values: dict[str, Value] = {name: said for name, said in answers.items() if said != there.get(name)}
    owned = bool(there.get("allowed_users"))
    if not owned and (owner := _owner(chat, dialog)):
        values["allowed_users"], owned = owner, True
    return Settled(chat, account, values, owned)


def _chosen(chats: Sequence[SetUp], dialog: Dialog) -> SetUp:
    """One alone needs no question."""
    if len(chats) == 1:
        return chats[0]
    names = {word: chat for at, chat in enumerate(chats, 1) for word in (str(at), chat.chat)}
    listed = ", ".join(f"{at} {chat.label}" for at, chat in enumerate(chats, 1))
    numbers = " / ".join(str(at) for at, _ in enumerate(chats, 1))
    while (answer := dialog.ask("setup.which", chats=listed).casefold()) not in names:
        dialog.tell("setup.which_number", numbers=numbers)
    return names[answer]


def _working(
    chat: SetUp, there: Mapping[str, str], settings: Settings, dialog: Dialog
) -> tuple[dict[str, str], Account]:
    """Nothing said in return means what was said last, or what the configuration says."""
    last = dict(there)
    while True:
        for field in chat.fields:
            last[field.name] = _asked(chat, field, last.get(field.name, ""), dialog)
        answers = {field.name: last[field.name] for field in chat.fields}
        try:
            return answers, asyncio.run(_tried(chat, answers, settings))
        except Refused as trouble:
            dialog.tell(trouble.key, **trouble.fields)


def _asked(chat: SetUp, field: Field, last: str, dialog: Dialog) -> str:
    """Until it can be that."""
    key = f"setup.{chat.chat}.{field.name}"
    while not field.fits(answer := dialog.ask(key, secret=field.secret) or last):
        dialog.tell(f"setup.{chat.chat}.no_{field.name}")
    return answer


async def _tried(chat: SetUp, answers: Mapping[str, str], settings: Settings) -> Account:
    return await chat.tried(answers, settings)


def _owner(chat: SetUp, dialog: Dialog) -> list[int | str]:
    """Who owns Roost without a code: nobody, if nothing is said."""
    while answer := dialog.ask(f"setup.{chat.chat}.person"):
        try:
            person = chat.person(answer)
        except ValueError:
            dialog.tell(f"setup.{chat.chat}.no_person")
            continue
        return [person]
    return []


async def _paired(found: Settled, dialog: Dialog, app: App) -> int:
    """The environment may say otherwise than the file."""
    written = app.settings.said_of(found.chat.chat)
    for field in found.chat.fields:
        if field.name in found.values and written.get(field.name) != found.values[field.name]:
            dialog.tell("setup.overridden", setting=f"{found.chat.chat}.{field.name}")
    platform, account = found.chat.chat, found.account
    await app.store.write(accounts.called, platform, account.id, account.name)
    makes = "rooms" if platform in rooms_on(app.settings) else "next"
    then = f"setup.{platform}.{makes}" if found.owned else "setup.next"
    dialog.tell("setup.restart" if service_runs(app.data_dir) else then, name=account.name)
    return 0 if found.owned else await pair(Role.OWNER, app)
