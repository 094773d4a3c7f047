"""Somebody sits at the terminal: a greeting, a line to type in, and a way to leave."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import replace

from bot.chat import RoomAddress, Text
from bot.handlers.desk import Desk
from bot.intents.commands import encode
from bot.intents.values import CancelPrompt
from bot.replies import answer as answer_reply
from bot.replies import conversations as titles
from bot.replies import help as help_reply
from bot.replies import project as project_reply
from bot.replies.marks import literal, quiet
from bot.terminal.draw import Paper
from bot.terminal.scene import Scene
from bot.terminal.talk import Talking, tasks
from bot.terminal.window import Window
from bot.texts import Texts
from core.model.ids import PromptId
from core.store import projects


async def sit(
    room: RoomAddress, desk: Desk, texts: Texts, paper: Paper, *, hint: str, note: str = ""
) -> None:
    """Until they leave; what runs then goes on. *hint* stands in the empty line, *note* in the greeting."""
    async with tasks() as group:
        await _Sitting(room, desk, texts, paper, group, hint=hint, note=note).whole()


class _Sitting:
    """Somebody sits at the terminal."""

    def __init__(
        self,
        room: RoomAddress,
        desk: Desk,
        texts: Texts,
        paper: Paper,
        group: asyncio.TaskGroup,
        *,
        hint: str,
        note: str,
    ) -> None:
        commands = {name: texts.say(f"help.{name}") for name in help_reply.LISTED}
        self._window = Window(paper, commands=commands, hint=hint, stop=self._stop)
        self._talking = Talking(room, desk, texts, self._window, group, live=True, changed=self._draw_footer)
        self._group = group
        self._texts = texts
        self._note = note
        self._stopping: set[PromptId] = set()

    async def whole(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._window.leave)
        found = await self._talking.scene()
        await self._greet(found)
        self._talking.take_up(found)
        self._group.create_task(self._talking.act(), name="act on what is typed")
        await self._draw_footer()
        while (text := await self._window.read()) is not None:
            if text.strip():
                await self._window.echo(text)
                self._talking.chat.typed(text)
        await self._leave()

    async def _greet(self, found: Scene) -> None:
        texts, desk = self._texts, self._talking.desk
        project = found.project.name if found.project else ""
        key = "help.who" if project else "help.nowhere"
        engine = self._engine(found)
        lines = [texts.say(key, host=literal(desk.machine), engine=literal(engine), project=literal(project))]
        lines.append(self._note)
        if found.conversation and found.conversation.begun:
            title = titles.title(found.conversation, texts)
            lines.append(texts.say("chat.carried", title=literal(title)))
        for message in found.last:
            if message.role == "user":
                await self._window.echo(message.text)
            else:
                await self._say(replace(answer_reply.answer(message, texts), silent=True))
        await self._say(quiet(*lines, texts.say("chat.keys")))
        if found.project is None:
            known = await desk.store.read(projects.every, archived=False)
            await self._say(project_reply.which(known, texts))
        for prompt in found.under_way:
            await self._window.echo(prompt.text)

    def _engine(self, found: Scene) -> str:
        """The label of what one talks to."""
        desk = self._talking.desk
        return desk.catalogue.label(desk.engine_for(found.project, found.conversation))

    async def _draw_footer(self) -> None:
        """Where one is, and what Ctrl-C would do."""
        found = await self._talking.scene()
        here = found.conversation if found.conversation and found.conversation.begun else None
        self._window.footer = " · ".join(
            filter(
                None,
                (
                    found.project.name if found.project else "",
                    titles.title(here, self._texts) if here else "",
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
        if self._talking.show.at_work:
            engine = self._engine(await self._talking.scene())
            await self._say(quiet(self._texts.say("chat.goes_on", engine=literal(engine))))
        self._talking.show.leave()
        self._talking.chat.close()

    async def _say(self, text: Text) -> None:
        await self._talking.chat.send(self._talking.chat.room, text)
        await self._talking.chat.settle()
