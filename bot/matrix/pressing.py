"""Buttons beneath our messages: offered there, and heard of again as a reaction or a word."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import replace

from bot.chat import ChatError, Heard, Message, MessageRef, Press, Refused, RoomAddress, Toward
from bot.matrix.cut import Part
from bot.matrix.offering import LONGEST_TYPED, Offer, body, html, offers, plain, seeds
from bot.texts import Texts
from bot.tokens import Tokens
from core.store.buttons import Kept

MOST_OWED = 20
"""Signs that a homeserver had no room for; the words beside them do as well."""

logger = logging.getLogger(__name__)

React = Callable[[RoomAddress, MessageRef, str], Awaitable[None]]


class Pressing:
    """*tokens* keeps what each stands for; *react* gives a reaction of ours."""

    def __init__(self, tokens: Tokens, react: React) -> None:
        self._tokens = tokens
        self._react = react
        self._owed: deque[tuple[RoomAddress, MessageRef, str]] = deque(maxlen=MOST_OWED)

    # -- offered ---------------------------------------------------------------------------------------

    async def send(
        self,
        room: RoomAddress,
        part: Part,
        send: Callable[[Part], Awaitable[MessageRef]],
        texts: Texts,
        *,
        sealed: bool,
    ) -> MessageRef:
        """*send* the message that has buttons, then give those that have a sign a reaction to press."""
        offered = offers(part.buttons)
        carried = [one.button for one in offered if one.button.typed]
        fresh = await self._tokens.fresh(room.chat, carried, thread=room.thread)
        message = await send(shown(part, offered, texts, sealed=sealed))
        await self._tokens.stand(fresh, message)
        signs = seeds(offered, sealed=sealed)
        self._owed.extend((room, message, sign) for sign in signs)
        for _ in signs:
            if not await self.make_good():
                break
        return message

    async def stays(
        self, room: RoomAddress, message: MessageRef, part: Part, texts: Texts, *, sealed: bool
    ) -> Part:
        """What a message that is there already says from now on; without buttons it can't be pressed."""
        offered = offers(part.buttons)
        carried = [one.button for one in offered if one.button.typed]
        if carried:
            await self._tokens.under(room.chat, message, carried, thread=room.thread)
        else:
            self._forgive(message)
            await self._tokens.none_under(room.chat, message)
        return shown(part, offered, texts, sealed=sealed)

    async def make_good(self) -> bool:
        """Give the sign that is missing longest. Whether another may be given now."""
        if not self._owed:
            return False
        owed = self._owed[0]
        try:
            with suppress(Refused):
                await self._react(*owed)
        except ChatError as trouble:
            logger.debug("a sign under a message comes later: %s", type(trouble).__name__)
            return False
        if owed in self._owed:  # nobody else gave it meanwhile
            self._owed.remove(owed)
        return True

    def _forgive(self, message: MessageRef) -> None:
        for owed in [one for one in self._owed if one[1] == message]:
            self._owed.remove(owed)

    # -- pressed ---------------------------------------------------------------------------------------

    async def understood(self, heard: Heard, names: Collection[str]) -> Heard | None:
        """A reaction or a word as the button that it presses; None for a reaction that presses nothing. We
        are called by our *names*."""
        match heard:
            case Press():
                return await self._reacted(heard)
            case Message():
                return await self._typed(heard, names) or heard
            case _:
                return heard

    async def _reacted(self, press: Press) -> Press | None:
        kept = await self._tokens.pressed_by(press.room.chat, press.message, plain(press.text))
        return _pressed(press, kept) if kept else None

    async def _typed(self, said: Message, names: Collection[str]) -> Press | None:
        """In reply to the question, or while that is open there (`core.store.buttons.asking`); among several
        people only if it is said to us."""
        text = _after_name(said.text, names)
        if said.unreadable or said.files or len(text) > LONGEST_TYPED:
            return None
        asked = said.reply_to or MessageRef("")
        if not asked and (said.alone or said.toward is Toward.US):
            asked = await self._tokens.asking(said.room, plain(text), until=said.at)
        kept = await self._tokens.pressed_by(said.room.chat, asked, plain(text)) if asked else None
        press = Press(said.source, said.room, said.person, asked, text, threads=said.threads)
        return _pressed(press, kept) if kept else None


def shown(part: Part, offered: list[Offer], texts: Texts, *, sealed: bool) -> Part:
    """With a line beneath it that says what can be pressed."""
    if not offered:
        return part
    return part.beneath(body(offered, texts, sealed=sealed), html(offered, texts, sealed=sealed))


def _pressed(press: Press, kept: Kept) -> Press:
    return replace(press, text=kept.intent, token=kept.token, room=replace(press.room, thread=kept.thread))


def _after_name(text: str, names: Collection[str]) -> str:
    said = text.strip()
    for name in names:
        if said.casefold().startswith(name.casefold()):
            return said[len(name) :].lstrip(":, ")
    return said
