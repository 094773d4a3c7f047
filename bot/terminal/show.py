"""What becomes of each prompt, as messages of the chat in a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot import endings
from bot.chat import MessageRef, Text
from bot.endings import SHORT_SECONDS
from bot.handlers.desk import Desk, Place
from bot.live import Ended, Told, View, Waits, Works, seen_out
from bot.replies import errors, progress, queue
from bot.terminal.adapter import TerminalChat
from bot.texts import Texts
from core.model.ids import PromptId
from core.model.prompt import Prompt, Status


class Show:
    """One task for each prompt. *live*: somebody watches, so progress is shown while it lasts.

    *changed* is called whenever a prompt has begun or ended. The tasks live in *group*.
    """

    def __init__(
        self,
        chat: TerminalChat,
        desk: Desk,
        texts: Texts,
        group: asyncio.TaskGroup,
        *,
        live: bool,
        changed: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._chat = chat
        self._desk = desk
        self._texts = texts
        self._group = group
        self._live = live
        self._on_change = changed
        self._tasks: dict[PromptId, asyncio.Task[None]] = {}
        self._open: dict[PromptId, bool] = {}

    @property
    def at_work(self) -> PromptId | None:
        """The prompt that runs, else the one that has waited longest."""
        running = (prompt for prompt, runs in self._open.items() if runs)
        return next(running, next(iter(self._open), None))

    async def changed(self) -> None:
        if self._on_change:
            await self._on_change()

    def took(self, place: Place, prompt: Prompt) -> None:
        self.follow(prompt)

    def follow(self, prompt: Prompt) -> None:
        if prompt.id in self._tasks:
            return
        task = self._group.create_task(self._follow(prompt), name=f"show prompt {prompt.id}")
        self._tasks[prompt.id], self._open[prompt.id] = task, False
        task.add_done_callback(lambda _: self._tasks.pop(prompt.id))

    async def finished(self) -> None:
        """Once nothing waits or runs any more."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    def leave(self) -> None:
        """Look no longer; what runs goes on."""
        for task in self._tasks.values():
            task.cancel()

    async def _follow(self, prompt: Prompt) -> None:
        message = _Progress(self._chat, live=self._live)
        async for view in self._desk.watch(prompt.id):
            await self._noted(view)
            await self._shown(view, message)

    async def _noted(self, view: View) -> None:
        prompt = view.prompt.id
        before = self._open.get(prompt)
        if isinstance(view, Ended):
            self._open.pop(prompt, None)
        else:
            self._open[prompt] = isinstance(view, Works)
        if self._open.get(prompt) != before:
            await self.changed()

    async def _shown(self, view: View, message: _Progress) -> None:
        match view:
            case Waits(prompt, reason):
                if reason:
                    await message.now(queue.place(prompt.id, reason, self._texts))
            case Works(_, live):
                await message.now(replace(progress.progress(live, self._texts), buttons=()))
            case Told(_, event, engine, _):
                await self._say(progress.recovering(event, engine, self._texts))
            case Ended():
                await self._ended(view, message)

    async def _ended(self, ended: Ended, message: _Progress) -> None:
        await message.last(self._folded(ended))
        for text in endings.said(ended, self._about(ended), self._texts):
            await self._say(text)
        if ended.prompt.started_at is not None:
            left = await seen_out(self._desk.store, ended.prompt.id, clock=self._desk.clock)
            for text in endings.aftermath(ended, left, self._texts):
                await self._say(text)

    def _folded(self, ended: Ended) -> Text | None:
        """What is left of the progress; «Stopped after …» says as much, and a short turn needs nothing."""
        status = ended.prompt.status
        if status is Status.CANCELLED or (status is Status.DONE and ended.elapsed < SHORT_SECONDS):
            return None
        return endings.folded(ended, self._texts)

    def _about(self, ended: Ended) -> errors.About:
        return self._desk.about(ended.project, ended.conversation.engine)

    async def _say(self, text: Text) -> None:
        await self._chat.send(self._chat.room, text)
        await self._chat.settle()


class _Progress:
    """The one message of a prompt that changes until it has ended."""

    def __init__(self, chat: TerminalChat, *, live: bool) -> None:
        self._chat = chat
        self._live = live
        self._message: MessageRef | None = None

    async def now(self, text: Text) -> None:
        if not self._live:
            return
        if self._message is None:
            self._message = await self._chat.send(self._chat.room, text)
            self._chat.hold(self._message)
        else:
            await self._chat.edit(self._chat.room, self._message, text)

    async def last(self, text: Text | None) -> None:
        """*text* is what is left of it; None: nothing."""
        if self._message is None:
            return
        self._chat.release(self._message)
        if text is None:
            await self._chat.delete(self._chat.room, self._message)
        else:
            await self._chat.edit(self._chat.room, self._message, text)
