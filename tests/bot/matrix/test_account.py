"""Who is turned away knocks again, as often as a homeserver bears it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.chat import DeliveringChat, Text
from bot.chatting import desk_of
from bot.intents.parse import MATRIX_MARKS
from bot.matrix.account import AGAIN_SECONDS, Account
from bot.matrix.kept import FOLDER, Kept, Session
from bot.matrix.way import Way
from bot.service import ChatService
from core.dispatch.locks import FileLock
from tests.bot.telegram.rig import HastyClock
from tests.matrix.gateway import Gateway, gateway
from tests.matrix.person import People
from tests.matrix.synapse import Json, Member
from tests.support.whole import roost

pytestmark = pytest.mark.synapse

FLOODED = {"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 283_569}
REFUSED = {"errcode": "M_FORBIDDEN", "error": "Invalid username or password"}


@dataclass
class Knocking:
    """An account with its password, whose clock goes by itself. *told*: what owners hear elsewhere."""

    bot: Member
    before: Gateway
    kept: Kept
    clock: HastyClock
    told: list[Text | None] = field(default_factory=list)
    inside: asyncio.Event = field(default_factory=asyncio.Event)

    def logins(self) -> int:
        return sum(path.endswith("/login") for path in self.before.calls)

    def lost(self, token: str) -> None:
        """It has a session that is over."""
        self.kept.keep_session(Session(self.before.url, self.bot.id, "OVER", token))

    def after(self, seconds: float) -> None:
        """From then on it is let in."""

        async def lets_in() -> None:
            self.before.refusing.clear()

        self.clock.due[self.clock.at + seconds] = lets_in


@asynccontextmanager
async def knocking(people: People, folder: Path, status: int, said: Json) -> AsyncIterator[Knocking]:
    """It goes on meanwhile; logging in is answered so, at first."""
    config, clock = folder / "roost.toml", HastyClock()
    config.write_text(f'data_dir = "{folder / "data"}"\n')
    bot = people.server.member("bot")
    async with gateway(people.server.url) as before, roost(config, duty=False, clock=clock) as whole:
        before.refusing["/login"] = (status, said)
        kept = Kept(folder / "data" / FOLDER).made()
        here, app = Knocking(bot, before, kept, clock), whole.app

        def service(chat: DeliveringChat) -> ChatService:
            here.inside.set()
            return ChatService(
                chat, desk_of(app, "codex"), marks=MATRIX_MARKS, owners=[], mask=app.means.mask
            )

        here.lost("syt_over")
        way, words = Way(before.url, bot.id, bot.password), app.texts("en")
        account = Account(way, [], folder / "data", app.means, words, service, elsewhere=here.told.append)
        running = asyncio.create_task(account.run())
        try:
            yield here
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def test_it_waits_as_long_as_the_homeserver_asks(
    everybody: People, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    async with knocking(everybody, tmp_path, 429, FLOODED) as here:
        here.after(500.0)
        await asyncio.wait_for(here.inside.wait(), 20)
        assert here.clock.rests[:2] == [283.569] * 2
        assert (here.logins(), here.told) == (3, [])


async def test_beside_another_process_it_does_nothing(
    everybody: People, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The two would use up each other's keys."""
    caplog.set_level(logging.CRITICAL)
    other = FileLock(Kept(tmp_path / "data" / FOLDER).made().lock)
    assert other.acquire()
    async with knocking(everybody, tmp_path, 200, {}) as here:
        asked: list[int] = []

        async def goes() -> None:
            asked.append(len(here.before.calls))
            other.release()

        here.clock.due[here.clock.at + 2 * AGAIN_SECONDS] = goes
        here.before.refusing.clear()
        await asyncio.wait_for(here.inside.wait(), 20)
        assert (asked, here.clock.rests[:2]) == ([0], [AGAIN_SECONDS] * 2)


async def test_a_password_that_is_none_any_more_is_told_once(
    everybody: People, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    async with knocking(everybody, tmp_path, 403, REFUSED) as here:
        here.after(2.5 * AGAIN_SECONDS)
        await asyncio.wait_for(here.inside.wait(), 20)
        assert here.clock.rests[:3] == [AGAIN_SECONDS] * 3
        told, over = here.told
        assert told
        assert "doesn’t let me in" in told.markdown
        assert here.bot.password not in told.markdown
        assert over is None
