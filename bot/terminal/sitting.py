"""Somebody sits at the terminal: a greeting, a line to type in, and a way to leave."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Set
from dataclasses import replace

from bot import endings
from bot.chat import RoomAddress, Text
from bot.handlers.desk import Desk
from bot.intents.commands import encode
from bot.intents.values import CancelPrompt
from bot.live import Ended
from bot.replies import conversations as titles
from bot.replies import help as help_reply
from bot.replies import project as project_reply
from bot.replies.marks import literal, quiet
from bot.terminal.draw import Paper
from bot.terminal.scene import Scene
from bot.terminal.talk import Talking, leaves, tasks
from bot.terminal.window import Window
from bot.texts import Texts
from core.dispatch.duty import service_runs
from core.dispatch.locks import Company
from core.model.ids import PromptId
from core.model.prompt import Prompt, Status
from core.store import projects

STOP_SECONDS = 8.0
"""That somebody who leaves waits for what they stopped."""


async def sit(
    room: RoomAddress, desk: Desk, texts: Texts, paper: Paper, *, hint: str, note: str = ""
) -> None:
    """Until they leave; what runs then goes on. The sentence *hint* stands in the empty line, *note* in the
    greeting."""
    async with tasks() as group:
        with Company(desk.data_dir) as company:
            await _Sitting(room, desk, texts, paper, group, company, hint=hint, note=note).whole()


class _Sitting:
    """Somebody sits at the terminal."""

    def __init__(
        self,
        room: RoomAddress,
        desk: Desk,
        texts: Texts,
        paper: Paper,
        group: asyncio.TaskGroup,
        company: Company,
        *,
        hint: str,
        note: str,
    ) -> None:
        self._window = Window(paper, stop=self._stop)
        self._talking = Talking(
            *(room, desk, texts, self._window, group),
            live=True,
            changed=self._draw_footer,
            turned=self._turned,
        )
        self._group = group
        self._company = company
        self._hint = hint
        self._note = note
        self._stopping: set[PromptId] = set()

    @property
    def _texts(self) -> Texts:
        """In the language that was chosen by now."""
        return self._talking.show.texts

    async def whole(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._window.leave)
        found = await self._talking.scene()
        self._talking.at = found.conversation.id if found.conversation else None
        await self._greet(found)
        self._talking.take_up(found)
        minding = self._group.create_task(self._talking.mind(), name="see what others do here")
        acting = self._group.create_task(self._talking.act(), name="act on what is typed")
        await self._draw_footer()
        while (text := await self._window.read()) is not None and not self._leaves(text):
            if text.strip():
                await self._window.echo(text)
                self._talking.chat.typed(text)
        self._talking.chat.close()
        await acting
        minding.cancel()
        await self._leave()

    def _leaves(self, text: str) -> bool:
        return leaves(self._talking.chat.meaning(text))

    async def _greet(self, found: Scene) -> None:
        texts, desk = self._texts, self._talking.desk
        project = found.project.name if found.project else ""
        key = "help.who" if project else "help.nowhere"
        engine = self._engine(found)
        lines = [texts.say(key, host=literal(desk.machine), engine=literal(engine), project=literal(project))]
        lines.append(self._note)
        if found.named:
            title = titles.title(found.named, texts)
            lines.append(texts.say("chat.carried", title=literal(title)))
        await self._say(quiet(*lines, texts.say("chat.keys")))
        if found.project is None:
            known = await desk.store.read(projects.every, archived=False)
            for words in found.parked:
                await self._window.echo(words)
            ask = project_reply.parked if found.parked else project_reply.which
            await self._say(ask(known, texts, adds=True))
        for unread in found.unshown or filter(None, [found.last]):
            await self._recall(unread)
        for prompt in found.under_way:
            await self._window.echo(prompt.text)
            self._talking.show.stands_last(prompt)

    async def _recall(self, prompt: Prompt) -> None:
        """What was said last, and how it ended; nobody is called by it again."""
        await self._window.echo(prompt.text)
        async for view in self._talking.desk.watch(prompt.id):
            if isinstance(view, Ended):
                about = self._talking.desk.about(view.project, view.conversation.engine)
                said = endings.said(view, about, self._texts)
                if view.prompt.status is Status.CANCELLED:
                    said.append(endings.folded(view, self._texts))
                for text in said:
                    await self._say(replace(text, silent=True))
        await self._talking.show.was_shown(prompt)

    async def _turned(self, found: Scene, elsewhere: bool) -> None:
        """What one goes on with is told where somebody else chose it, and what was said there last."""
        if elsewhere:
            title = titles.title(found.conversation, self._texts) if found.conversation else ""
            key = "chat.turned" if title else "chat.turned_new"
            await self._say(quiet(self._texts.say(key, title=literal(title))))
        if found.last:
            await self._recall(found.last)

    def _engine(self, found: Scene) -> str:
        """The label of what one talks to."""
        desk = self._talking.desk
        return desk.catalogue.label(desk.engine_for(found.project, found.conversation))

    async def _draw_footer(self) -> None:
        """Where one is, and what Ctrl-C would do."""
        found = await self._talking.scene()
        listed = (*help_reply.LISTED, help_reply.QUIT)
        self._window.commands = {name: self._texts.say(f"help.{name}") for name in listed}
        self._window.hint = self._texts.say(self._hint)
        self._window.colon = self._texts.say("sign.colon")
        self._window.footer = " · ".join(
            filter(
                None,
                (
                    found.project.name if found.project else "",
                    titles.title(found.named, self._texts) if found.named else "",
                    self._texts.say("chat.stops") if self._talking.show.at_work else "",
                ),
            )
        )

    def _stop(self) -> bool:
        """Whether there was something that nobody had asked to stop yet."""
        prompt = self._talking.show.at_work
        if prompt is None or prompt in self._stopping:
            return False
        self._stopping.add(prompt)
        self._talking.chat.typed(encode(CancelPrompt(prompt)))
        return True

    async def _leave(self) -> None:
        """What was asked to stop is seen to have stopped; what else there is goes on."""
        show = self._talking.show
        if stopping := show.still(self._stopping):
            await self._say(quiet(self._texts.say("chat.stops_first")))
            await self._see_stopped(stopping)
        if said := self._goes_on(show.still(stopping)):
            engine = literal(self._engine(await self._talking.scene()))
            await self._say(quiet(*(self._texts.say(key, engine=engine) for key in said)))
        show.leave()

    async def _see_stopped(self, stopping: Set[PromptId]) -> None:
        """For a bounded time; one more Ctrl-C is enough of it."""
        loop, enough = asyncio.get_running_loop(), asyncio.Event()
        loop.add_signal_handler(signal.SIGINT, enough.set)
        waiting = [asyncio.create_task(one) for one in (self._talking.show.told(stopping), enough.wait())]
        await asyncio.wait(waiting, timeout=STOP_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        loop.remove_signal_handler(signal.SIGINT)
        for one in waiting:
            one.cancel()

    def _goes_on(self, stopping: Set[PromptId]) -> list[str]:
        """The sentences about what is left behind: what still stops, what runs, what waits."""
        left = {
            prompt: runs for prompt, runs in self._talking.show.under_way.items() if prompt not in stopping
        }
        served = service_runs(self._talking.desk.data_dir) or self._company.others
        sentences = {
            "chat.still_stopping": bool(stopping),
            "chat.goes_on": any(left.values()) or (served and bool(left)),
            "chat.waits_on": not served and not all(left.values()),
        }
        return [key for key, so in sentences.items() if so]

    async def _say(self, text: Text) -> None:
        await self._talking.chat.send(self._talking.chat.room, text)
        await self._talking.chat.settle()
