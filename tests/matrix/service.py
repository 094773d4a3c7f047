"""The real `roost run` as a process, with an account on the homeserver, and Ann who owns it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.matrix.clients import SECONDS
from tests.matrix.person import People, Person
from tests.matrix.synapse import Member
from tests.matrix.timeline import Seen
from tests.support.forked import Service
from tests.support.roost import Roost

ACCESS = "[matrix]\nhomeserver = {url}\nuser = {user}\n{way} = {secret}\nallowed_users = {allowed}\n"


class Served:
    """*roost* answers in the rooms that Ann makes; nothing runs before `start`. *command* is its agent, if it
    isn't the scripted one; *engine* is TOML in its table."""

    def __init__(
        self, roost: Roost, people: People, *, command: list[str] | None = None, engine: str = ""
    ) -> None:
        self.roost = roost
        self.people = people
        self.ann: Person = people.person("ann")
        self.bot: Member = people.server.member("bot")
        self.owners = [self.ann.id]
        self.service: Service | None = None
        self._command, self._engine = command, engine
        self.configure()

    def configure(self, url: str = "", more: str = "", *, token: str = "") -> None:
        access = self.access(url, token=token)
        self.roost.configure(self._engine + access + more, command=self._command)

    def access(self, url: str = "", *, token: str = "") -> str:
        """With the password, unless there is a *token*."""
        words = {
            "url": json.dumps(url or self.people.server.url),
            "user": json.dumps(self.bot.id),
            "way": "access_token" if token else "password",
            "secret": json.dumps(token or self.bot.password),
            "allowed": json.dumps(self.owners),
        }
        return ACCESS.format(**words)

    # -- the service -----------------------------------------------------------------------------------

    def start(self, **env: str) -> None:
        self.service = self.roost.runs(self._log, env)

    def end(self, by: signal.Signals = signal.SIGKILL) -> int:
        """Its exit code."""
        assert self.service
        with contextlib.suppress(ProcessLookupError):
            self.service.send_signal(by)
        return self.service.wait(SECONDS)

    def restart(self, **env: str) -> None:
        self.end()
        self.start(**env)

    async def died(self) -> int:
        """Its exit code, once it has ended by itself."""
        assert self.service
        return await asyncio.to_thread(self.service.wait, SECONDS)

    @property
    def _log(self) -> Path:
        return self.roost.home / "service.log"

    @property
    def log(self) -> str:
        return self._log.read_text()

    # -- Ann's rooms -----------------------------------------------------------------------------------

    async def room(self, *, encrypted: bool = False, version: str = "", project: str = "shop") -> str:
        """One that the bot has come into, about a project if one is named."""
        room = self.ann.room(self.bot.id, encrypted=encrypted, version=version)
        await self.until(lambda: self.ann.members(room).get(self.bot.id) == "join")
        if project:
            self.ann.says(room, f"!project {project}")
            await self.answers(room, f"This room works in {project}")
        return room

    async def answers(self, room: str, words: str) -> Seen:
        """What says *words* there, once something does."""
        found = await self.until(lambda: [seen for seen in self.ann.seen(room) if words in seen.body])
        return found[-1]

    async def settles(self, seconds: float) -> None:
        """Let so much time pass for the service, in which nothing can be waited for."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), seconds)

    async def until(self, true: object, seconds: float = SECONDS) -> list[Seen]:
        try:
            return await self.ann.until(true, seconds)  # type: ignore[arg-type]
        except TimeoutError:
            raise AssertionError(self.log) from None


@asynccontextmanager
async def served(
    roost: Roost, people: People, *, command: list[str] | None = None, engine: str = ""
) -> AsyncIterator[Served]:
    held = Served(roost, people, command=command, engine=engine)
    try:
        yield held
    finally:
        (roost.home / "go").touch()  # an agent outlives its Roost: one that `holds` ends with the test
        if held.service and held.service.poll() is None:
            held.end()
