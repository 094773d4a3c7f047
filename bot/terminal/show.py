"""What becomes of each prompt, as messages of the chat in a terminal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Set
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot import endings, told
from bot.chat import MessageRef, Text
from bot.endings import SHORT_SECONDS
from bot.handlers.desk import Desk, Place
from bot.live import Ended, Settled, Told, View, Waits, Works, seen_out
from bot.replies import errors, progress, queue
from bot.replies.marks import preview
from bot.terminal.adapter import TerminalChat
from bot.texts import Texts
from core.errors import CoreError
from core.model.ids import ConversationId, PromptId
from core.model.prompt import Prompt, Status
from core.store import preferences, unshown


class Show:
    """One task for each prompt. *live*: somebody watches, so progress is shown while it lasts, and what is
    not about the prompt that stands last in the conversation they see says which one it is about.

    *changed* is called whenever a prompt has begun or ended. The tasks live in *group*. *texts* may be others
    from now on, at any time.
    """

    here: ConversationId | None = None
    """The conversation that they see."""
    failed = False
    """Whether any prompt has."""

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
        self.texts = texts
        self._group = group
        self._live = live
        self._on_change = changed
        self._tasks: dict[PromptId, asyncio.Task[None]] = {}
        self._open: dict[PromptId, bool] = {}
        self._messages: dict[PromptId, _Progress] = {}
        self._newest: PromptId | None = None
        self.followed: set[PromptId] = set()
        """All that were ever shown here."""

    @property
    def at_work(self) -> PromptId | None:
        """The prompt that runs, else the one that has waited longest."""
        running = (prompt for prompt, runs in self._open.items() if runs)
        return next(running, next(iter(self._open), None))

    @property
    def under_way(self) -> Mapping[PromptId, bool]:
        """The prompts that wait or, if true, run."""
        return self._open

    async def changed(self) -> None:
        """Something else may stand last, or another conversation be seen."""
        await self._redrawn()
        if self._on_change:
            await self._on_change()

    async def _redrawn(self) -> None:
        for message in list(self._messages.values()):
            await message.again()

    def took(self, place: Place, prompt: Prompt) -> None:
        self.stands_last(prompt)
        self.follow(prompt)

    def stands_last(self, prompt: Prompt) -> None:
        """Its words are the last ones above what is shown."""
        self._newest, self.here = prompt.id, prompt.conversation

    def follow(self, prompt: Prompt) -> None:
        if prompt.id in self._tasks:
            return
        self.followed.add(prompt.id)
        task = self._group.create_task(self._follow(prompt), name=f"show prompt {prompt.id}")
        self._tasks[prompt.id], self._open[prompt.id] = task, False
        task.add_done_callback(lambda _: self._tasks.pop(prompt.id))

    async def finished(self) -> None:
        """Once nothing waits or runs any more."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    def still(self, prompts: Set[PromptId]) -> set[PromptId]:
        """Those of *prompts* of which not all has been said."""
        return set(prompts & self._tasks.keys())

    async def told(self, prompts: Set[PromptId]) -> None:
        """Once all has been said of *prompts*."""
        while tasks := [self._tasks[prompt] for prompt in self.still(prompts)]:
            await asyncio.wait(tasks)

    def leave(self) -> None:
        """Look no longer; what runs goes on."""
        for task in self._tasks.values():
            task.cancel()

    async def _follow(self, prompt: Prompt) -> None:
        message = _Progress(self._chat, partial(self._headed, prompt), live=self._live)
        self._messages[prompt.id] = message
        await self._redrawn()  # another one stood last
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
                    await message.now(queue.place(prompt.id, reason, self.texts))
            case Works(_, live):
                await message.now(replace(progress.progress(live, self.texts), buttons=()), works=True)
            case Told(prompt):
                await self._say(
                    self._headed(prompt, told.said(view, None, self.texts, replies=not self._live))
                )
            case Settled(prompt):
                await self._say(self._headed(prompt, told.settled(view, self.texts)))
            case Ended():
                await self._ended(view, message)

    async def _ended(self, ended: Ended, message: _Progress) -> None:
        del self._messages[ended.prompt.id]
        self.failed = self.failed or ended.prompt.status is Status.FAILED
        self._chat.withdraw()
        headed = await message.last(self._folded(ended))
        for text in endings.said(ended, self._about(ended), self.texts):
            await self._say(text if headed else self._headed(ended.prompt, text))
            headed = True
            await self.was_shown(ended.prompt)
        if ended.prompt.started_at is not None:
            left = await seen_out(self._desk.store, ended.prompt.id, clock=self._desk.clock)
            for text in endings.aftermath(ended, left, self.texts):
                await self._say(text if headed else self._headed(ended.prompt, text))
        await self.was_shown(ended.prompt)

    async def was_shown(self, prompt: Prompt) -> None:
        """How it ended stands on the screen, and need not be shown again."""
        with suppress(CoreError):
            await self._desk.store.write(unshown.shown, prompt.id)

    def _headed(self, prompt: Prompt, text: Text) -> Text:
        """*text* about *prompt*, beneath its first words where one could take it for another's."""
        if not self._live or (prompt.id, prompt.conversation) == (self._newest, self.here):
            return text
        between = "\n" if text.silent else "\n\n"
        return replace(text, markdown=f"*› {preview(prompt.text)}*{between}{text.markdown}")

    def _folded(self, ended: Ended) -> Text | None:
        """What is left of the progress; «Stopped after …» says as much, and a short turn needs nothing."""
        status = ended.prompt.status
        if status is Status.CANCELLED or (status is Status.DONE and ended.elapsed < SHORT_SECONDS):
            return None
        return endings.folded(ended, self.texts)

    def _about(self, ended: Ended) -> errors.About:
        return self._desk.about(ended.project, ended.conversation.engine)

    async def _say(self, text: Text) -> None:
        silent = text.silent or await self._hushed()
        await self._chat.send(self._chat.room, replace(text, silent=silent))
        await self._chat.settle()

    async def _hushed(self) -> bool:
        """Whether who sits there is not to be called at this time of the day."""
        now, whom = time.localtime(self._desk.clock.now()), (self._chat.room.platform, self._chat.account)
        with suppress(CoreError):
            quiet = await self._desk.store.glance(preferences.quiet_of, *whom)
            return quiet is not None and quiet.covers(now.tm_hour * 60 + now.tm_min)
        return False


class _Progress:
    """The one message of a prompt that changes until it has ended; *headed* says whose it is."""

    def __init__(self, chat: TerminalChat, headed: Callable[[Text], Text], *, live: bool) -> None:
        self._chat = chat
        self._headed = headed
        self._live = live
        self._text: Text | None = None
        self._message: MessageRef | None = None
        self._works = False

    async def now(self, text: Text, *, works: bool = False) -> None:
        """What *works* stands above what waits."""
        if not self._live:
            return
        self._text = text
        if self._message is None:
            self._message = await self._chat.send(self._chat.room, self._headed(text))
            self._chat.hold(self._message)
        else:
            await self.again()
        if works and not self._works:
            self._works = True
            self._chat.lift(self._message)

    async def again(self) -> None:
        if self._message and self._text:
            await self._chat.edit(self._chat.room, self._message, self._headed(self._text))

    async def last(self, text: Text | None) -> bool:
        """*text* is what is left of it, None: nothing; whether it is seen."""
        if self._message is None:
            return False
        self._chat.release(self._message)
        if text is None:
            await self._chat.delete(self._chat.room, self._message)
            return False
        await self._chat.edit(self._chat.room, self._message, self._headed(text))
        return True
