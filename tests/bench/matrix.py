"""How quick the way is over a real homeserver, beside a bare echo bot on the same library, and how lean."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nio.client.async_client import AsyncClient, AsyncClientConfig

from tests.bench.process import environ, memory
from tests.bench.table import Row, middle
from tests.matrix.clients import ENCRYPTION
from tests.matrix.synapse import Member, Synapse, synapse

ROUNDS = 60
"""To each of the two bots, in turn."""
WARM = 5
"""Rounds before them, which count for nothing."""
SETTLED_SECONDS = 3.0
FIRST_MESSAGES, MESSAGES, EACH, LOOKS = 300, 2_000, 10, 5
"""One of *EACH* messages is a prompt, the others are commands. A look at memory is a moment's, and varies."""
PATIENCE = 30.0
ANSWER = "Hi."
WIDE = {"room": {"timeline": {"limit": 100}}}
"""A filter that leaves no gap after many messages at once."""

AGENT = """\
while read -r line; do :; done
echo '{"type":"thread.started","thread_id":"t"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"a","type":"agent_message","text":"Hi."}}
{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'
"""
"""It starts no other program: what is measured is the way to it and back."""
ECHO = """\
import asyncio, sys
from nio import AsyncClient, InviteMemberEvent, RoomMessageText
async def main(url, user, password, folder):
    client = AsyncClient(url, user, store_path=folder)
    await client.login(password)
    async def invited(room, event):
        if event.membership == "invite": await client.join(room.room_id)
    async def said(room, event):
        if event.sender == user: return
        content = {"msgtype": "m.text", "body": "Hi."}
        await client.room_send(room.room_id, "m.room.message", content, ignore_unverified_devices=True)
    client.add_event_callback(invited, InviteMemberEvent)
    client.add_event_callback(said, RoomMessageText)
    await client.sync_forever(30_000, full_state=True)
asyncio.run(main(*sys.argv[1:]))
"""


class Ann:
    """A person with a client of the same library."""

    def __init__(self, server: Synapse, member: Member, folder: Path) -> None:
        self._member = member
        folder.mkdir()
        config = AsyncClientConfig(store_sync_tokens=False)
        self._client: Any = AsyncClient(server.url, member.id, store_path=str(folder), config=config)

    async def log_in(self) -> None:
        await self._client.login(self._member.password)
        await self._heard(0)

    async def close(self) -> None:
        await self._client.close()

    async def room(self, bot: Member, *, encrypted: bool) -> str:
        """Where the bot is too."""
        state = [ENCRYPTION] if encrypted else []
        room = str((await self._client.room_create(invite=[bot.id], initial_state=state)).room_id)
        while not await self._is_in(room, bot):
            await self._heard(500)
        return room

    async def _is_in(self, room: str, bot: Member) -> bool:
        members = await self._client.joined_members(room)
        return bot.id in [one.user_id for one in members.members]

    async def ask(self, room: str, *texts: str, answers: tuple[str, ...] = (ANSWER,)) -> float:
        """Seconds until as many messages there begin with one of the *answers*."""
        begun = time.perf_counter()
        for text in texts:
            content = {"msgtype": "m.text", "body": text}
            sent = await self._client.room_send(
                room, "m.room.message", content, ignore_unverified_devices=True
            )
            assert hasattr(sent, "event_id"), sent
        heard = 0
        async with asyncio.timeout(PATIENCE):
            while heard < len(texts):
                heard += sum(body.startswith(answers) for body in await self._heard(1_000, room))
        return time.perf_counter() - begun

    async def quiet(self, room: str) -> None:
        """Nothing is said there any more."""
        while await self._heard(300, room):
            pass

    async def _heard(self, milliseconds: int, room: str = "") -> list[str]:
        """What others said in *room*."""
        answer = await self._client.sync(milliseconds, WIDE, full_state=not self._client.next_batch)
        if self._client.should_upload_keys:
            await self._client.keys_upload()
        if self._client.should_query_keys:
            await self._client.keys_query()
        found = answer.rooms.join.get(room)
        events = found.timeline.events if found else []
        return [str(getattr(event, "body", "")) for event in events if event.sender != self._member.id]


@dataclass
class Place:
    """A homeserver, and in it Ann, Roost and the echo."""

    home: Path
    ann: Ann
    bot: Member
    echo: Member
    service: subprocess.Popen[bytes]

    async def rounds(self, *, encrypted: bool) -> tuple[list[float], list[float]]:
        """Seconds of each round to Roost, and of each to the echo, which take turns."""
        room, other = [await self.ann.room(one, encrypted=encrypted) for one in (self.bot, self.echo)]
        await self.ann.ask(room, "!project shop", answers=("This room works in shop",))
        ours, theirs = [], []
        for _ in range(WARM + ROUNDS):
            ours.append(await self.ann.ask(room, "Go"))
            await self.ann.quiet(room)
            theirs.append(await self.ann.ask(other, "Go"))
            await self.ann.quiet(other)
        return ours[WARM:], theirs[WARM:]


@asynccontextmanager
async def place(python: Path) -> AsyncIterator[Place]:
    with (
        tempfile.TemporaryDirectory(prefix="roost-bench-") as folder,
        synapse(python, Path(folder, "s")) as server,
    ):
        home = Path(folder)
        bot, echo = server.member("bot"), server.member("echo")
        ann_is = server.member("ann")
        ann = Ann(server, ann_is, home / "ann")
        _configure(home, server, bot, ann_is)
        words = [sys.executable, "-m", "bot.cli", "--config", str(home / "roost.toml")]
        (home / "shop").mkdir()
        subprocess.run([*words, "project", "add", "shop", home / "shop"], env=environ(home), check=True)
        service = subprocess.Popen([*words, "run"], env=environ(home), stderr=subprocess.DEVNULL)
        (home / "echo").mkdir()
        bare: list[str] = [sys.executable, "-c", ECHO, server.url, echo.id, echo.password, str(home / "echo")]
        beside = subprocess.Popen(bare, env=environ(home), stderr=subprocess.DEVNULL)
        try:
            await ann.log_in()
            yield Place(home, ann, bot, echo, service)
        finally:
            await ann.close()
            for process in (service, beside):
                process.send_signal(signal.SIGTERM)
                await asyncio.to_thread(process.wait)


def _configure(home: Path, server: Synapse, bot: Member, ann: Member) -> None:
    (home / "agent.sh").write_text(AGENT)
    (home / "roost.toml").write_text(
        f'data_dir = "{home / "data"}"\n'
        f'[engines.codex]\ntransport = "exec"\ncommand = ["sh", "{home / "agent.sh"}"]\n'
        f'[matrix]\nhomeserver = "{server.url}"\nuser = "{bot.id}"\npassword = "{bot.password}"\n'
        f'allowed_users = ["{ann.id}"]\n'
    )


async def quickness(here: Place, *, encrypted: bool) -> Row:
    """Of each round, and the one beside it: whatever else the machine does, both have it."""
    ours, theirs = await here.rounds(encrypted=encrypted)
    ratio = middle([one / other for one, other in zip(ours, theirs, strict=True)])
    kind = "encrypted" if encrypted else "plain"
    told = f"{middle(ours) * 1000:.0f} ms to {middle(theirs) * 1000:.0f} ms, {ROUNDS} rounds each in turn"
    return Row(f"Matrix, round trip to a bare echo bot's, {kind}", ratio, 1.5, "", told)


async def leanness(here: Place) -> list[Row]:
    room = await here.ann.room(here.bot, encrypted=True)
    await here.ann.ask(room, "!project shop", answers=("This room works in shop",))
    first = await _memory_after(here, room, FIRST_MESSAGES)
    looks = [await _memory_after(here, room, MESSAGES // LOOKS) for _ in range(LOOKS)]
    told = f"encrypted, {MESSAGES} messages, every {EACH}th a prompt"
    on_the_way = f"{told}, after {FIRST_MESSAGES} others; the median of {LOOKS} looks on the way"
    return [
        Row("Matrix, memory at work", max(looks) / 1e6, 95, "MB (PSS)", f"{told}; the most"),
        Row(
            "Matrix, memory that is not left again", (middle(looks) - first) / 1e6, 4, "MB (PSS)", on_the_way
        ),
    ]


async def _memory_after(here: Place, room: str, messages: int) -> int:
    some = ["Go", *["!status"] * (EACH - 1)]
    for _ in range(messages // EACH):
        await here.ann.ask(room, *some, answers=(ANSWER, "shop"))
    await asyncio.sleep(SETTLED_SECONDS)
    return memory(here.service.pid)


async def _all(python: Path) -> list[Row]:
    async with place(python) as here:
        quick = [await quickness(here, encrypted=encrypted) for encrypted in (False, True)]
        return [*quick, *await leanness(here)]


def rows() -> Sequence[Row]:
    """None where there is no homeserver (`ROOST_TEST_SYNAPSE`)."""
    python = os.environ.get("ROOST_TEST_SYNAPSE", "")
    return asyncio.run(_all(Path(python))) if python else []
