"""`roost chat`: a conversation with an agent, here in the terminal."""

from __future__ import annotations

import asyncio
import os
import pwd
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import astuple, replace
from pathlib import Path

from bot.app import App, on_duty
from bot.chat import RoomAddress
from bot.chatting import desk_of
from bot.cli.engine import BUILT_IN, is_here, usual_engine, wants_login
from bot.cli.screen import say
from bot.cli.trouble import FAILED, MISTAKEN
from bot.cli.where import SAMPLE, project_for
from bot.handlers.desk import Desk
from bot.replies.marks import code, literal
from bot.terminal.adapter import PLATFORM
from bot.terminal.draw import Paper
from bot.terminal.pixels import colours_of
from bot.terminal.plain import PlainScreen
from bot.terminal.scene import bring, enter
from bot.terminal.talk import Outcome, read_out
from bot.texts import Texts
from core.engines.logins import LOGINS
from core.errors import Refused
from core.model.project import Project
from core.store import conversations, projects


async def chat(app: App, *, project: str | None = None, engine: str | None = None) -> int:
    """Talk until the person leaves, or until all lines of a pipe are answered; then 0. Of a pipe 1 where a
    prompt failed, 2 where some wait for a project, which wasn't named.

    Errors: `Refused` for a project or an engine that there is not, or that has no program here.
    """
    if engine and not await is_here(app, engine):
        raise Refused("chat.no_engine", engine=app.catalogue.label(engine))
    place = await project_for(app, project, os.environ)
    room = await _entered(app, place, engine)
    if place and (project or len(await app.store.read(projects.every, archived=False)) == 1):
        await app.store.write(bring, replace(room, chat=""), to=room)
    usual = engine or (place.engine if place else await usual_engine(app, os.environ))
    desk = replace(desk_of(app, usual), always=bool(engine))
    texts = app.texts(await app.store.read(conversations.language_at, *astuple(room)))
    async with on_duty(app):
        if sys.stdin.isatty() and sys.stdout.isatty():
            await _sit(app, room, desk, texts, place)
            return 0
        return await _pipe(app, room, desk, texts)


async def _entered(app: App, place: Project | None, engine: str | None) -> RoomAddress:
    """The room of this terminal's owner that shows *place*."""
    owner = pwd.getpwuid(app.data_dir.stat().st_uid).pw_name
    if place is None:
        return RoomAddress(PLATFORM, owner, "")
    room = RoomAddress(PLATFORM, owner, str(place.id))
    wanted = engine or (place.engine if place.name == SAMPLE else "")
    await app.store.write(enter, room, place, wanted)
    return room


async def _sit(app: App, room: RoomAddress, desk: Desk, texts: Texts, place: Project | None) -> None:
    # A pipe pays nothing for the line that one types in.
    from bot.terminal.sitting import sit

    sample = place is not None and place.name == SAMPLE
    hint = "chat.hint_sample" if sample else "chat.hint"
    stands_in = desk.engine == BUILT_IN and not desk.always and (sample or place is None)
    note = await _login_first(app, texts) if stands_in else ""
    paper = replace(_paper(app, texts), colours=colours_of(os.environ), home=Path.home())
    await sit(room, desk, texts, paper, hint=hint, note=note)


async def _login_first(app: App, texts: Texts) -> str:
    """What keeps an agent program that is here from answering; empty if nothing does."""
    name = await wants_login(app, os.environ)
    if name is None:
        return ""
    engine = app.catalogue.engine(name)
    login = code(" ".join((*engine.command, *LOGINS[name].words)))
    return texts.say("chat.login_first", engine=literal(engine.label), command=login)


async def _pipe(app: App, room: RoomAddress, desk: Desk, texts: Texts) -> int:
    if sys.stdin.isatty():
        say(texts.say("chat.lines"))
    screen = PlainScreen(_paper(app, texts), sys.stdout)
    match await read_out(room, desk, texts, screen, _lines()):
        case Outcome.ANSWERED:
            return 0
        case Outcome.NOTHING:
            say(texts.say("chat.nothing_came"))
            return 0
        case Outcome.WAITS:
            say(texts.say("chat.names_none"))
            return MISTAKEN
        case Outcome.FAILED:
            return FAILED


def _paper(app: App, texts: Texts) -> Paper:
    return Paper(app.means.media.called, colon=texts.say("sign.colon"))


async def _lines() -> AsyncIterator[str]:
    """Lines of standard input as they come. A thread reads, since a file or a terminal may be there as
    well as a pipe; it reads by itself, so that nothing waits for it at the end."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        with open(sys.stdin.fileno(), "rb", closefd=False) as source:
            for line in source:
                loop.call_soon_threadsafe(queue.put_nowait, line)
        loop.call_soon_threadsafe(queue.put_nowait, b"")

    threading.Thread(target=read, name="read standard input", daemon=True).start()
    while line := await queue.get():
        yield line.decode("utf-8", "replace").rstrip("\r\n")
