"""The whole of Roost on a directory of its own: in this process, or in one of its own that can be killed.

`python -m tests.support.whole CONFIG` is such a process: it dispatches until it is ended.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.access import Rights, Role
from bot.app import App, on_duty, opened
from bot.handlers.act import answer
from bot.handlers.desk import Desk
from bot.intents.parse import Here
from bot.replies import answer as answer_reply
from bot.replies import errors
from core.dispatch.bell import ring
from core.dispatch.clock import Clock
from core.dispatch.dispatcher import Dispatcher
from core.dispatch.duty import Duty
from core.dispatch.means import Limits
from core.dispatch.offers import Offers
from core.dispatch.progress import Book
from core.dispatch.queries import Asker
from core.model.answer import StoredMessage
from core.model.conversation import Conversation
from core.model.events import Event
from core.model.ids import ConversationId, ProjectId, PromptId
from core.model.project import Access, Project
from core.model.prompt import Attachment, Prompt, Source
from core.settings import load
from core.store import conversations, log, projects, prompts
from tests.support.fake_chat import ROOM, FakeChat, take, visible
from tests.support.play_agent import Step
from tests.support.store import lay
from tests.support.tree import ROOT

ENDED_SECONDS = 30.0
THREAD = "01999999-0000-7000-8000-000000000001"
"""The session of every scripted agent, in Codex's own form."""
PATIENT = 0.01

STARTED: Step = {"json": {"type": "thread.started", "thread_id": THREAD}}
BEGUN: Step = {"json": {"type": "turn.started"}}
COMPLETED: Step = {"json": {"type": "turn.completed", "usage": {"input_tokens": 10, "output_tokens": 5}}}


def says(text: str, item: str = "item_1") -> Step:
    """A step of a scripted agent: a whole message."""
    return {"json": {"type": "item.completed", "item": {"id": item, "type": "agent_message", "text": text}}}


def turn(*steps: Step) -> list[Step]:
    """*steps* in a turn that begins and ends as it should."""
    return [STARTED, BEGUN, *steps, COMPLETED]


@dataclass(frozen=True)
class Whole:
    """An open Roost with a project and a conversation in it."""

    app: App
    home: Path
    project: Project
    conversation: ConversationId

    @property
    def workspace(self) -> Path:
        return Path(self.project.path)

    async def begin(self, project: Project | None = None) -> ConversationId:
        """One more conversation."""
        chosen = project or self.project
        begun = await self.app.store.write(
            conversations.begin, chosen.id, engine=chosen.engine, language="en", now=time.time()
        )
        return begun.id

    async def add_project(self, name: str, *, access: Access = Access.WORKSPACE) -> Project:
        path = self.home / name
        path.mkdir()
        wanted = project_at(path, access, self.project.engine)
        return await self.app.store.write(projects.add, wanted, now=time.time())

    async def submit(
        self,
        text: str = "Go",
        *,
        conversation: ConversationId | None = None,
        attachments: Sequence[Attachment] = (),
        beside: str = "",
        now: float | None = None,
    ) -> PromptId:
        source = Source("test", "whole", f"{os.getpid()}-{next(_updates)}")
        accepted = await self.app.store.write(
            prompts.accept,
            source,
            conversation or self.conversation,
            text,
            attachments=attachments,
            beside=beside,
            now=time.time() if now is None else now,
        )
        ring(self.app.data_dir)
        return accepted.prompt.id

    async def cancel(self, prompt: PromptId) -> None:
        await self.app.store.insist(prompts.cancel, prompt, now=time.time())
        ring(self.app.data_dir)

    async def ended(self, prompt: PromptId, *, seconds: float = ENDED_SECONDS) -> Prompt:
        """The prompt at its end."""

        async def has_ended() -> bool:
            return (await self.prompt(prompt)).status.ended

        await until(has_ended, seconds)
        return await self.prompt(prompt)

    async def ask(self, text: str = "Go", *, attachments: Sequence[Attachment] = ()) -> Prompt:
        """Submitted and ended."""
        return await self.ended(await self.submit(text, attachments=attachments))

    async def prompt(self, prompt: PromptId) -> Prompt:
        return await self.app.store.read(prompts.get, prompt)

    async def answer(self, prompt: PromptId) -> StoredMessage:
        """What the agent answered, whole or partial."""
        found = await self.app.store.read(conversations.answer_to, prompt)
        assert found, (await self.prompt(prompt), await self.events(prompt))
        return found

    async def events(self, prompt: PromptId) -> list[Event]:
        found, _ = await self.app.store.read(log.of_prompt, prompt)
        return [one.event for one in found]

    async def talk(self, conversation: ConversationId | None = None) -> Conversation:
        """The conversation as it is stored now."""
        return await self.app.store.read(conversations.get, conversation or self.conversation)

    async def shown(self, prompt: PromptId) -> str:
        """What a person reads at its end: the answer, then the trouble."""
        texts, ended = self.app.texts("en"), await self.prompt(prompt)
        message = await self.app.store.read(conversations.answer_to, prompt)
        said = [visible(answer_reply.answer(message, texts).markdown)] if message else []
        if ended.reason:
            about = errors.About("nest", "Codex", self.project.path, "codex login")
            said.append(visible(errors.failed(ended, about, texts).markdown))
        return "\n".join(said)

    async def quiet(self) -> None:
        """Nothing holds its place any more, and no agent's directory is left."""
        await until(lambda: not list((self.app.data_dir / "agents").glob("*")))


class Room:
    """A chat before an open Roost: a person writes in it, and reads what is said in return."""

    def __init__(self, whole: Whole) -> None:
        self.chat = FakeChat()
        self.took: list[PromptId] = []
        self._incoming = self.chat.incoming()
        app = whole.app
        means = app.means
        asker = Asker(means.engine, means.host, means.environ, means.mask, means.new_agent)
        self._desk = Desk(
            store=app.store,
            data_dir=app.data_dir,
            host=app.means.host,
            catalogue=app.catalogue,
            offers=Offers(asker, app.means.clock, patience=ENDED_SECONDS),
            caps=app.means.limits.caps,
            clock=app.means.clock,
            words=app.texts,
            machine="nest",
            rights=lambda person: Rights(Role.OWNER),
            watch=app.watch,
            about=lambda project, engine: errors.About("nest"),
            engine="codex",
            fetch=self.chat.fetch,
            took=lambda place, prompt: self.took.append(prompt.id),
        )
        self._whole, self._bound = whole, False

    async def says(self, text: str, files: Mapping[str, bytes] | None = None) -> list[str]:
        """What the person reads in return for *text* with *files*."""
        if not self._bound:
            await self._bind()
        self.chat.writes(text, files=dict(files or {}))
        return await self._handled()

    async def presses(self, label: str) -> list[str]:
        """The same for the button *label*."""
        self.chat.presses(label)
        return await self._handled()

    async def _handled(self) -> list[str]:
        before = len(self.chat.reads())
        for reply in await answer(await take(self._incoming), Here(), self._desk):
            await self.chat.send(ROOM, reply)
        return self.chat.reads()[before:]

    async def _bind(self) -> None:
        whole, store = self._whole, self._whole.app.store
        place = await store.write(conversations.room, ROOM.platform, ROOM.account, ROOM.chat)
        await store.write(conversations.bind, place.id, whole.project.id, whole.conversation)
        self._bound = True


_updates = itertools.count(1)


def project_at(path: Path, access: Access = Access.WORKSPACE, engine: str = "codex") -> Project:
    return Project(ProjectId(0), path.name, str(path), engine, access)


async def until(true: Callable[[], bool | Awaitable[bool]], seconds: float = ENDED_SECONDS) -> None:
    """Other processes need real time: wait for what they do, and not for the clock."""
    async with asyncio.timeout(seconds):
        while True:
            found = true()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(PATIENT)


def configured(
    home: Path, command: Sequence[str], more: str = "", *, first: str = "", engine: str = "codex"
) -> Path:
    """A configuration whose *engine* is *command*; Codex is run for each turn unless *more* says otherwise.
    *first* and *more* are TOML, before and in its table."""
    config = home / "roost.toml"
    words = json.dumps(list(map(str, command)))
    way = 'transport = "exec"\n' if engine == "codex" and "transport" not in more else ""
    table = f"[engines.{engine}]\ncommand = {words}\n{way}{more}"
    config.write_text(f'data_dir = "{home / "data"}"\n{first}{table}')
    return config


@asynccontextmanager
async def roost(
    config: Path,
    *,
    environ: Mapping[str, str] | None = None,
    duty: bool = True,
    clock: Clock | None = None,
    access: Access = Access.WORKSPACE,
    workspace: Path | None = None,
    answering: float | None = None,
    engine: str = "codex",
) -> AsyncIterator[Whole]:
    """Roost in this process, dispatching if *duty*; a second opening finds what the first one left.

    A *clock* stands in place of the machine's, *answering* (seconds) in place of what a start may take.
    """
    home = config.parent
    environ = {**os.environ, "HOME": str(home)} if environ is None else environ
    settings = load(environ, config)
    lay(settings.data_dir)
    async with opened(settings, environ) as app:
        if clock:
            app = with_clock(app, clock)
        if answering:
            app = with_limits(app, replace(app.means.limits, answering=answering))
        path = workspace or home / "project"
        whole = await _settled_in(app, home, project_at(path, access, engine))
        if not duty:
            yield whole
            return
        async with on_duty(app):
            yield whole


def with_clock(app: App, clock: Clock) -> App:
    book = Book(app.store, now=clock.now, mask=app.means.mask)
    means = replace(app.means, clock=clock, book=book)
    return replace(app, means=means, duty=Duty(app.data_dir, Dispatcher(means)))


def with_limits(app: App, limits: Limits) -> App:
    means = replace(app.means, limits=limits)
    return replace(app, means=means, duty=Duty(app.data_dir, Dispatcher(means)))


async def _settled_in(app: App, home: Path, wanted: Project) -> Whole:
    known = await app.store.read(projects.every)
    if known:
        (latest,) = await app.store.read(conversations.latest, known[0].id, most=1)
        return Whole(app, home, known[0], latest.id)
    Path(wanted.path).mkdir(exist_ok=True)
    project = await app.store.write(projects.add, wanted, now=time.time())
    begun = await app.store.write(
        conversations.begin, project.id, engine=wanted.engine, language="en", now=time.time()
    )
    return Whole(app, home, project, begun.id)


@dataclass
class SwiftClock:
    """The machine's, but that a wait of a second or more is noted and short."""

    waited: list[float] = field(default_factory=list)

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        if seconds >= 1:
            self.waited.append(seconds)
            seconds = PATIENT
        await asyncio.sleep(seconds)


class Service:
    """Roost as a process of its own."""

    def __init__(self, config: Path, environ: Mapping[str, str] | None = None) -> None:
        self._words = (sys.executable, "-m", "tests.support.whole", str(config))
        self._environ = {**os.environ, "HOME": str(config.parent)} if environ is None else dict(environ)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, **environ: str) -> None:
        self._process = subprocess.Popen(self._words, env=self._environ | environ, cwd=ROOT)

    def end(self, by: signal.Signals = signal.SIGKILL) -> None:
        """End it, if it has not ended by itself."""
        if self._process:
            self._process.send_signal(by)
            self._process.wait(10)

    async def died(self) -> int:
        """Its exit code, once it has ended by itself."""
        process = self._process
        assert process
        await until(lambda: process.poll() is not None)
        return int(process.returncode)

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


async def serve(config: Path) -> None:
    async with opened(load(os.environ, config), os.environ, service=True) as app, on_duty(app):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
