"""Where the campaign plays: a data directory, four projects that share groups, and the real service."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

from core.dispatch.bell import ring
from core.model.ids import ConversationId, ProjectId, PromptId
from core.model.project import Project
from core.model.prompt import Prompt, Source
from core.store import conversations, projects, prompts
from core.store.database import Database
from tests.support.forked import Forked

AGENT = Path(__file__).with_name("agent.py")
GROUPS = (("tv",), ("tv", "salon"), ("salon",), ())
STARTED_SECONDS = 10.0


@dataclass
class Stage:
    """*home* holds everything. `prompts` are those that were accepted, with their tags. *longest_life* of a
    service that is killed at random, in seconds."""

    crash_points: ClassVar[tuple[str, ...]] = (
        "queued",
        "waiting",
        "start-fence",
        "running",
        "answered",
        "releasing",
    )
    longest_life: ClassVar[float] = 0.6

    home: Path
    chance: random.Random
    store: Database
    rooms: list[ConversationId] = field(default_factory=list)
    prompts: dict[PromptId, str] = field(default_factory=dict)
    service: Forked | None = None
    hits: Counter[str] = field(default_factory=Counter)

    @classmethod
    async def built(cls, home: Path, chance: random.Random) -> Self:
        store = await Database.open(home / "data")
        stage = cls(home, chance, store)
        for folder in ("ledger/sessions", "ledger/runs", "home"):
            (home / folder).mkdir(parents=True)
        stage._configure()
        for number, groups in enumerate(GROUPS):
            path = home / f"project{number}"
            path.mkdir()
            wanted = Project(ProjectId(0), f"project{number}", str(path), "codex", groups=groups)
            project = await store.write(projects.add, wanted, now=time.time())
            for _ in range(2):
                room = await store.write(conversations.begin, project.id, engine="codex", now=time.time())
                stage.rooms.append(room.id)
        return stage

    def _configure(self, more: str = "") -> None:
        command = json.dumps([sys.executable, str(AGENT), str(self.ledger)])
        text = f'data_dir = "{self.data}"\n[engines.codex]\ntransport = "exec"\ncommand = {command}\n{more}'
        (self.home / "roost.toml").write_text(text)

    async def close(self) -> None:
        if self.service and self.service.poll() is None:
            self.service.send_signal(signal.SIGKILL)
            self.service.wait()
        await self.store.close()

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def ledger(self) -> Path:
        return self.home / "ledger"

    # -- the person ------------------------------------------------------------------------------------

    async def submit(self) -> None:
        """A prompt, and now and then the same update once more, as platforms do."""
        room = self.chance.choice(self.rooms)
        number = len(self.prompts)
        tag = f"[{room}/{number}]"
        source = Source("test", "campaign", str(number))
        times = 2 if self.chance.random() < 0.2 else 1
        accepted = [
            await self.store.insist(prompts.accept, source, room, f"do {tag}", now=time.time())
            for _ in range(times)
        ]
        assert len({once.prompt.id for once in accepted}) == 1
        self.prompts[accepted[0].prompt.id] = tag
        ring(self.data)

    async def ask_and_die(self) -> None:
        """A prompt by `roost ask`, which is killed between storing it and saying so."""
        room = self.chance.choice(self.rooms)
        tag = f"[{room}/{len(self.prompts)}]"
        project = f"project{self.rooms.index(room) // 2}"
        environ = {**self._environ(), "ROOST_CRASH_AT": "before-ack"}
        asking = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.cli"),
            *self._words("ask", project, f"do {tag}", "--conversation", str(room)),
            env=environ,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert await asking.wait() == -signal.SIGKILL
        (stored,) = [prompt for prompt in await self.open_prompts() if tag in prompt.text]
        self.prompts[stored.id] = tag

    async def pending(self) -> int:
        """How many prompts have not come to their end."""
        return len(await self.open_prompts())

    async def wrong(self) -> list[str]:
        """What else is not as it must be at the end."""
        return []

    async def open_prompts(self) -> list[Prompt]:
        return await self.store.read(prompts.every_open)

    # -- the service -----------------------------------------------------------------------------------

    def start(self, crash_at: str = "") -> None:
        environ = self._environ() | ({"ROOST_CRASH_AT": crash_at} if crash_at else {})
        self.service = Forked(self._words("run"), environ, self.home / "service.log", self.home)

    def _environ(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.home / "home"), "LANG": "C.UTF-8"}

    def _words(self, *words: str) -> list[str]:
        return ["--config", str(self.home / "roost.toml"), *words]

    async def working(self) -> bool:
        """Whether the service has come as far as to claim something, or has died on the way."""
        until = time.monotonic() + STARTED_SECONDS
        while time.monotonic() < until:
            if self.service and self.service.poll() is not None:
                return False
            if (self.data / "bell").exists():
                return True
            await asyncio.sleep(0.01)
        raise AssertionError("the service did not start: " + self.log())

    async def end(self, by: signal.Signals) -> int:
        """Signal the service and wait for its end; its exit code."""
        assert self.service
        if self.service.poll() is None:
            self.service.send_signal(by)
        begun = time.monotonic()
        while self.service.poll() is None:
            assert time.monotonic() - begun < 5, f"{by.name} took more than 5 s"
            await asyncio.sleep(0.005)
        (self.data / "bell").unlink(missing_ok=True)
        return self.service.wait()

    def log(self) -> str:
        return (self.home / "service.log").read_text()[-3000:]

    # -- the agents ------------------------------------------------------------------------------------

    def agents(self) -> list[int]:
        """The agent processes that are alive, without their wrappers."""
        marker = str(self.ledger).encode()
        return [pid for pid, line in _command_lines() if str(AGENT).encode() in line and marker in line
                and not line.startswith(b"/bin/sh") and not line.startswith(b"sh\0")]  # fmt: skip

    def survivors(self) -> list[int]:
        """Every process that has anything to do with this stage, the service aside."""
        marker = str(self.home).encode()
        ours = self.service.pid if self.service else 0
        return [pid for pid, line in _command_lines() if marker in line and pid not in (ours, os.getpid())]


def _command_lines() -> list[tuple[int, bytes]]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            found.append((int(folder.name), (folder / "cmdline").read_bytes()))
        except OSError:
            continue
    return found
