"""A chat to which no known secret goes: whatever is said in it passes the mask first (behaviour §14.8)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import replace
from typing import TypeVar

from bot.chat import (
    DeliveringChat,
    FileRef,
    Heard,
    Limits,
    MessageRef,
    OurDevice,
    Outgoing,
    Press,
    Readers,
    RoomAddress,
    Text,
)
from core.model.answer import Placed

Mask = Callable[[str], str]
What = TypeVar("What", bound=Outgoing)


class MaskedChat:
    """*chat*, with everything masked that it is to say; what it was given to `deliver` it has cut itself."""

    def __init__(self, chat: DeliveringChat, mask: Mask) -> None:
        self._chat = chat
        self._mask = mask

    @property
    def platform(self) -> str:
        return self._chat.platform

    @property
    def account(self) -> str:
        return self._chat.account

    @property
    def limits(self) -> Limits:
        return self._chat.limits

    # --- what is said -----------------------------------------------------------------------------------

    def cut(self, what: Outgoing) -> list[str]:
        return self._chat.cut(masked(what, self._mask))

    async def deliver(
        self,
        room: RoomAddress,
        body: str,
        *,
        mark: str = "",
        replies: bool = True,
        once: str = "",
        hush: bool = False,
    ) -> MessageRef:
        masked = self._mask(mark)
        return await self._chat.deliver(room, body, mark=masked, replies=replies, once=once, hush=hush)

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef:
        return await self._chat.send(room, masked(what, self._mask))

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        await self._chat.edit(room, message, masked(text, self._mask))

    async def open_thread(self, room: RoomAddress, title: str) -> RoomAddress:
        return await self._chat.open_thread(room, self._mask(title))

    async def rename_thread(self, room: RoomAddress, title: str) -> None:
        await self._chat.rename_thread(room, self._mask(title))

    async def make_room(self, name: str, title: str, people: Collection[str]) -> RoomAddress:
        return await self._chat.make_room(name, self._mask(title), people)

    async def ask_in(self, room: RoomAddress, people: Collection[str]) -> None:
        await self._chat.ask_in(room, people)

    # --- what says nothing ------------------------------------------------------------------------------

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        await self._chat.delete(room, message)

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        await self._chat.acknowledge(room, message)

    async def fetch(self, file: FileRef) -> bytes:
        return await self._chat.fetch(file)

    def drafts(self, room: RoomAddress) -> bool:
        return self._chat.drafts(room)

    async def draft(self, room: RoomAddress, number: int, text: Text) -> None:
        await self._chat.draft(room, number, masked(text, self._mask))

    async def typing(self, room: RoomAddress) -> None:
        await self._chat.typing(room)

    async def pin(self, room: RoomAddress, message: MessageRef) -> None:
        await self._chat.pin(room, message)

    async def unpin(self, room: RoomAddress, message: MessageRef) -> None:
        await self._chat.unpin(room, message)

    def incoming(self) -> AsyncIterator[Heard]:
        return self._chat.incoming()

    def private_to(self, room: RoomAddress) -> str:
        return self._chat.private_to(room)

    def sealed(self, room: RoomAddress) -> bool:
        return self._chat.sealed(room)

    async def readers(self, room: RoomAddress, people: Collection[str]) -> Readers:
        return await self._chat.readers(room, people)

    def most_a_minute(self, room: RoomAddress) -> int:
        return self._chat.most_a_minute(room)

    def pace(self, room: RoomAddress, elapsed: float) -> float:
        return self._chat.pace(room, elapsed)

    async def our_device(self) -> OurDevice | None:
        return await self._chat.our_device()

    async def called(self) -> tuple[str, ...]:
        return await self._chat.called()

    async def pressed(self, press: Press, words: str = "") -> bool:
        return await self._chat.pressed(press, self._mask(words))


def masked(what: What, mask: Mask) -> What:
    """*what* without a secret in its words, its pictures' and files' names, and its buttons. A command that a
    button carries is masked with it: pressed, it says what can be read."""
    buttons = tuple(replace(one, label=mask(one.label), intent=mask(one.intent)) for one in what.buttons)
    if isinstance(what, Text):
        placed = tuple(_placed(one, mask) for one in what.placed)
        shorter = tuple(map(mask, what.shorter))
        return replace(what, markdown=mask(what.markdown), shorter=shorter, buttons=buttons, placed=placed)
    return replace(what, name=mask(what.name), caption=mask(what.caption), buttons=buttons)


def _placed(one: Placed, mask: Mask) -> Placed:
    return replace(one, src=mask(one.src), name=mask(one.name))
