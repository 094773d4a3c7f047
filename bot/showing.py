"""What a chat sees of each prompt while it waits and works: one silent message, and signs of typing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from bot import endings
from bot.chat import DeliveringChat, ChatError, MessageRef, RoomAddress, Text
from bot.endings import SHORT_SECONDS
from bot.handlers.desk import Desk
from bot.live import Ended, Told, View, Waits, Works, seen_out
from bot.outbox import Outbox, sendable
from bot.replies import progress, queue
from bot.tasks import Tasks
from bot.texts import Texts
from core.model.ids import PromptId
from core.model.prompt import ChatPlace, Status
from core.store import conversations, deliveries, prompts

TYPING_SECONDS = 4.0
"""A sign of typing lasts five (Bot API), so it is given again before."""


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where a prompt is shown, and in which words."""

    place: ChatPlace
    address: RoomAddress
    texts: Texts


class Showing:
    """One task for each prompt that waits or works for this chat."""

    def __init__(self, chat: DeliveringChat, desk: Desk, outbox: Outbox) -> None:
        self._chat = chat
        self._desk = desk
        self._outbox = outbox
        self._tasks = Tasks()

    async def take_up(self) -> None:
        """Show what waits and works already, as after a restart."""
        account = (self._chat.platform, self._chat.account)
        for prompt in await self._desk.store.read(prompts.in_chats, *account):
            self.follow(prompt.id)

    def follow(self, prompt: PromptId) -> None:
        self._tasks.start(f"show prompt {prompt}", lambda: self._follow(prompt))

    async def close(self) -> None:
        await self._tasks.close()

    async def compose(self, prompt: PromptId) -> tuple[list[Text], Text]:
        """What tells its end, and what its progress message says from then on."""
        seat = await self._seat(prompt)
        async for view in self._desk.watch(prompt):
            if isinstance(view, Ended):
                return await self._told(view, seat)
        raise AssertionError("a prompt that has ended is seen to have ended")

    async def _told(self, ended: Ended, seat: _Seat) -> tuple[list[Text], Text]:
        said = endings.said(ended, self._desk.about(ended.project, ended.conversation.engine), seat.texts)
        if ended.prompt.status is Status.CANCELLED:
            said += await self._aftermath(ended, seat)
        reply_to = MessageRef(seat.place.message) if seat.place.message else None
        return [replace(text, reply_to=reply_to) for text in said], endings.folded(ended, seat.texts)

    async def _aftermath(self, ended: Ended, seat: _Seat) -> list[Text]:
        left = await seen_out(self._desk.store, ended.prompt.id, clock=self._desk.clock)
        return endings.aftermath(ended, left, seat.texts)

    async def _follow(self, prompt: PromptId) -> None:
        seat, signs = await self._seat(prompt), Tasks()
        try:
            async for view in self._desk.watch(prompt):
                if isinstance(view, Works):
                    signs.start(f"type for prompt {prompt}", lambda: self._type(seat))
                await self._shown(view, seat)
        finally:
            await signs.close()

    async def _shown(self, view: View, seat: _Seat) -> None:
        prompt, texts = view.prompt.id, seat.texts
        match view:
            case Waits(_, reason) if reason:
                self._show(prompt, seat, queue.place(prompt, reason, texts), 0.0)
            case Works(_, live) if live.elapsed >= SHORT_SECONDS or await self._is_shown(prompt, seat):
                self._show(prompt, seat, progress.progress(live, texts), live.elapsed)
            case Told(_, event, engine):
                await self._say(seat, [progress.recovering(event, engine, texts)])
            case Ended(asked):
                self._outbox.wake()
                if asked.status is not Status.CANCELLED:
                    await self._say(seat, await self._aftermath(view, seat))
            case _:
                pass

    async def _say(self, seat: _Seat, said: list[Text]) -> None:
        if said:
            bodies, now = sendable(self._chat, said), self._desk.clock.now()
            await self._desk.store.insist(deliveries.add, seat.place.room, bodies, now=now)
            self._outbox.wake()

    def _show(self, prompt: PromptId, seat: _Seat, text: Text, elapsed: float) -> None:
        self._outbox.show(seat.place.room, seat.address, prompt, text, elapsed)

    async def _is_shown(self, prompt: PromptId, seat: _Seat) -> bool:
        return bool(await self._desk.store.read(deliveries.progress_of, prompt, seat.place.room))

    async def _type(self, seat: _Seat) -> None:
        """A sign every few seconds while the room is open; one that is lost is no loss."""
        while True:
            if not self._outbox.closed(seat.place.room):
                with suppress(ChatError):
                    await self._chat.typing(seat.address)
            await self._desk.clock.sleep(TYPING_SECONDS)

    async def _seat(self, prompt: PromptId) -> _Seat:
        place = await self._desk.store.read(prompts.place_of, prompt)
        assert place is not None
        address, language = await self._desk.store.read(conversations.address_of, place.room)
        return _Seat(place, RoomAddress(*address), self._desk.words(language))
