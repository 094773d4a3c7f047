"""How quick and how lean the way is from a phone to an agent and back. The Bot API is this process."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from core.model.ids import ProjectId
from core.model.project import Project
from core.store import conversations, projects
from core.store.database import Database
from tests.bench.process import cpu_seconds, environ, memory
from tests.bench.table import Row, middle, most
from tests.telegram.server import BotApi, Change, Message, Person, own_token

STARTS, PROMPTS, MORE_PROMPTS = 9, 30, 200
CHATS, EVENTS, EACH_SECOND = 20, 200, 50
AT_ONCE = 50
PAUSE_SECONDS = 1.1
"""Before each prompt that is timed: a private chat takes a message a second."""
SETTLED_SECONDS, IDLE_SECONDS = 3.0, 20.0

TALKER = """
import json, sys, time
sys.stdin.read()
events, rate, ends = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
def say(**line): print(json.dumps(line), flush=True)
say(type="thread.started", thread_id="t")
say(type="turn.started")
begun = time.monotonic()
for n in range(events):
    say(type="item.completed", item=dict(id=f"item_{n // 2}", type="command_execution", command="pytest -q",
        aggregated_output="." * 200, exit_code=0, status="completed"))
    time.sleep(max(0.0, begun + (n + 1) / rate - time.monotonic()))
say(type="item.completed", item=dict(id="a", type="agent_message", text="Done."))
say(type="turn.completed", usage=dict(input_tokens=1, cached_input_tokens=0, output_tokens=1))
with open(ends, "a") as file: file.write(f"{time.time()}\\n")
"""


@dataclass
class Place:
    """A service before our Bot API, and people whose chats work in a project each."""

    home: Path
    api: BotApi
    people: list[Person]
    service: subprocess.Popen[bytes] | None = None

    async def start(self) -> float:
        """Seconds until its first poll."""
        before, begun = len(self.api.called("getUpdates")), time.time()
        words = [sys.executable, "-m", "bot.cli", "--config", str(self.home / "roost.toml"), "run"]
        self.service = subprocess.Popen(words, env=environ(self.home), stderr=subprocess.DEVNULL)
        await self.api.until(lambda: len(self.api.called("getUpdates")) > before)
        return self.api.called("getUpdates")[before].at - begun

    async def stop(self) -> None:
        if self.service:
            self.service.send_signal(signal.SIGTERM)
            await asyncio.to_thread(self.service.wait)

    @property
    def pid(self) -> int:
        assert self.service
        return self.service.pid

    async def ask(self, person: Person) -> tuple[Message, Change]:
        """The prompt, and its answer as it came."""
        asked = person.writes("Go")
        await self.api.until(lambda: _answer(asked))
        return asked, next(_answers(asked))

    def ends(self) -> list[float]:
        """When each agent had said its last line, oldest first."""
        return sorted(map(float, (self.home / "ends").read_text().split()))

    async def quiet(self) -> None:
        """Nothing of any turn is left to be done."""
        while any((self.home / "data/agents").iterdir()):
            await asyncio.sleep(0.02)


def _answers(asked: Message) -> Iterator[Change]:
    for change in asked.chat.log:
        message = change.message
        if change.kind == "sent" and message and message.reply_to and message.reply_to.id == asked.id:
            yield change


def _answer(asked: Message) -> bool:
    return next(_answers(asked), None) is not None


@asynccontextmanager
async def place(*, people: int, events: int) -> AsyncIterator[Place]:
    """Its agent says so many events before its answer."""
    with tempfile.TemporaryDirectory(prefix="roost-bench-") as folder:
        async with BotApi(token=own_token()) as api:
            home = Path(folder)
            known = [api.person(f"Person{number}", 1001 + number) for number in range(people)]
            _configure(home, api, known, events)
            await _settle_in(home, api, known)
            here = Place(home, api, known)
            try:
                yield here
            finally:
                await here.stop()


def _configure(home: Path, api: BotApi, people: list[Person], events: int) -> None:
    (home / "talker.py").write_text(TALKER)
    talker = [sys.executable, "-S", "-E", home / "talker.py", events, EACH_SECOND, home / "ends"]
    (home / "roost.toml").write_text(
        f'data_dir = "{home / "data"}"\nmax_concurrent_agents = {len(people)}\n'
        f'[engines.codex]\ntransport = "exec"\ncommand = {json.dumps([str(word) for word in talker])}\n'
        f'[telegram]\ntoken = "{api.token}"\nbase_url = "{api.url}"\n'
        f"allowed_users = {[person.user.id for person in people]}\n"
    )


async def _settle_in(home: Path, api: BotApi, people: list[Person]) -> None:
    store = await Database.open(home / "data")
    for number, person in enumerate(people):
        path = home / f"project{number}"
        path.mkdir()
        wanted = Project(ProjectId(0), path.name, str(path), "codex")
        project = await store.write(projects.add, wanted, now=time.time())
        chat = ("telegram", str(api.bot.user.id), str(person.chat.id))
        room = await store.write(conversations.room, *chat)
        begun = await store.write(conversations.begin, project.id, engine="codex", now=time.time())
        await store.write(conversations.bind, room.id, project.id, begun.id)
    await store.close()


# -- what is measured ------------------------------------------------------------------------------------


async def starting() -> Row:
    async with place(people=1, events=0) as here:
        figures = []
        for _ in range(STARTS):
            figures.append(await here.start())
            await here.stop()
        here.service = None
    return Row(
        "Telegram, start to the first poll", middle(figures), 1.0, "s", f"{STARTS} starts of the service"
    )


async def one_after_the_other() -> list[Row]:
    signs, delays, calls = [], [], []
    async with place(people=1, events=0) as here:
        (person,), api = here.people, here.api
        await here.start()
        await asyncio.sleep(SETTLED_SECONDS)
        idle, before = memory(here.pid), cpu_seconds(here.pid)
        await asyncio.sleep(IDLE_SECONDS)
        share = 100 * (cpu_seconds(here.pid) - before) / IDLE_SECONDS
        for number in range(MORE_PROMPTS):
            if number < PROMPTS:
                await asyncio.sleep(PAUSE_SECONDS)
            made = len(api.called())
            asked, answer = await here.ask(person)
            handed = api.bot.updates.handed[api.bot.updates.last_id]
            await here.quiet()
            if number < PROMPTS:
                signs.append(_sign(asked) - handed)
                delays.append(answer.at - here.ends()[-1])
                calls.append(len(api.called()) - made)
        used = memory(here.pid)
        assert not api.violations, api.violations
        assert await _stored_before_shown(here)
    each = f"{PROMPTS} prompts, one at a time, an agent that answers at once"
    quiet = f"{IDLE_SECONDS:.0f} s after {SETTLED_SECONDS:.0f} s"
    return [
        Row("Telegram, first sign after the update", middle(signs), 0.05, "s", f"{each}; each stored before"),
        Row("Telegram, answer after the agent's last line", middle(delays), 0.05, "s", each),
        Row("Telegram, calls for a short prompt", max(calls), 5, "", f"{each}; the most"),
        Row("Telegram, idle memory", idle / 1e6, 62, "MB (PSS)", quiet),
        Row("Telegram, idle processor", share, 0.2, "% of a core", quiet),
        Row("Telegram, memory after work", used / 1e6, 68, "MB (PSS)", f"{MORE_PROMPTS} prompts"),
    ]


def _sign(asked: Message) -> float:
    return next(
        c.at for c in asked.chat.log if c.kind == "reacted" and c.message and c.message.id == asked.id
    )


async def _stored_before_shown(here: Place) -> bool:
    store = await Database.open(here.home / "data")
    stored = await store.read(lambda db: db.execute("SELECT received_at FROM inbox ORDER BY id").fetchall())
    await store.close()
    shown = [change.at for change in here.people[0].chat.log if change.kind == "reacted"]
    return len(stored) == len(shown) and all(row[0] < at for row, at in zip(stored, shown, strict=True))


async def many_chats() -> list[Row]:
    async with place(people=CHATS, events=EVENTS) as here:
        await here.start()
        await asyncio.sleep(SETTLED_SECONDS)
        before = cpu_seconds(here.pid)
        answers = await asyncio.gather(*(here.ask(person) for person in here.people))
        await here.quiet()
        spent, used = cpu_seconds(here.pid) - before, memory(here.pid)
        assert not here.api.violations, here.api.violations
        late = [answer.at - end for (_, answer), end in zip(_by_answer(answers), here.ends(), strict=True)]
    conditions = f"{CHATS} chats × {EVENTS} events at {EACH_SECOND}/s"
    return [
        Row("Telegram, slowest answer of many chats", max(late), 0.5, "s", conditions),
        Row("Telegram, processor for many chats", spent, 0.8, "s", f"{conditions}, beyond the start"),
        Row("Telegram, memory with many chats", used / 1e6, 85, "MB (PSS)", conditions),
    ]


async def at_once() -> list[Row]:
    async with place(people=AT_ONCE, events=0) as here:
        await here.start()
        await asyncio.sleep(SETTLED_SECONDS)
        answers = await asyncio.gather(*(here.ask(person) for person in here.people))
        await here.quiet()
        used = memory(here.pid)
        assert not here.api.violations, here.api.violations
        late = [answer.at - end for (_, answer), end in zip(_by_answer(answers), here.ends(), strict=True)]
        signs = [_sign(asked) - asked.date for asked, _ in answers]
    conditions = f"{AT_ONCE} chats at once, a prompt each; 95 of 100"
    return [
        Row("Telegram, first sign in many chats at once", most(signs), 0.3, "s", conditions),
        Row(
            "Telegram, answers in many chats at once", most(late), 1.0, "s", f"{conditions}, from its end on"
        ),
        Row("Telegram, memory with many chats at once", used / 1e6, 80, "MB (PSS)", conditions),
    ]


def _by_answer(answers: list[tuple[Message, Change]]) -> list[tuple[Message, Change]]:
    return sorted(answers, key=lambda one: one[1].at)


async def _all() -> list[Row]:
    return [await starting(), *await one_after_the_other(), *await many_chats(), *await at_once()]


def rows() -> list[Row]:
    return asyncio.run(_all())
