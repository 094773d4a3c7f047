"""Telegram as a chat: one bot, in private chats and groups."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path

from telegram import Message as TelegramMessage
from telegram import Update

from bot.chat import (
    ChatError,
    FileRef,
    Heard,
    Limits,
    Message,
    MessageRef,
    OurDevice,
    Outgoing,
    Press,
    Readers,
    Refused,
    RoomAddress,
    Text,
    Why,
)
from bot.markup.telegram import LONGEST_MESSAGE
from bot.telegram import files, signs
from bot.telegram.alone import Holder, OnlyPoller
from bot.telegram.api import Api, Patience
from bot.telegram.company import Company, present
from bot.telegram.cut import cut, first
from bot.telegram.drafts import Drafts
from bot.telegram.errors import calling
from bot.telegram.happening import is_inside
from bot.telegram.hook import Hook, Webhook
from bot.telegram.insisting import Insisting, Tell, Trouble
from bot.telegram.naming import PLATFORM, Me
from bot.telegram.part import Part, decode, encode
from bot.telegram.poller import Poller
from bot.telegram.profile import Sign, Words
from bot.telegram.sending import Sending, thread_of
from bot.telegram.token import bot_id
from bot.telegram.translate import translate
from bot.tokens import Tokens
from core.dispatch.clock import Clock

SEEN = "👀"
PATIENCE = Patience()
PACES = ((300.0, 5.0), (60.0, 3.0), (0.0, 1.2))
"""From so many seconds of a turn on, so many seconds between two edits in a private chat."""
BURST = 4
"""Short bursts pass, and then a message a second (`telegram.md` §1.10)."""
GROUP_MOST = 20
"""Messages and edits that a group takes in a minute (`telegram.md` §1.10)."""
GROUP_PACE = 6.0
"""10 of them for this: the others are for what is said and answered."""
COUNTING_SECONDS = 5.0
"""What else is heard waits as long, at most once in a while for each group."""
LONGEST_TOPIC = 128
"""Characters of a topic's name."""
LONGEST_ALERT = 200
"""Signs (Bot API)."""
MOST_PRESSES = 100
"""Presses that still wait for an answer; older ones have long lost their spinner."""


class AlreadyPolled(RuntimeError):
    """Another process of our own OS user polls for this bot."""

    def __init__(self, holder: Holder) -> None:
        super().__init__(f"process {holder.process}")
        self.holder = holder


class TelegramChat:
    """*media* gives the path of a kept file. Errors: `MalformedToken`, before anything is asked.

    *tell* hears of trouble that lasts. Without *tokens* a button carries its command itself. Updates are
    asked for, or brought by a *webhook*. *local*: the server keeps its files on this machine.
    """

    platform = PLATFORM
    limits = Limits(
        text=LONGEST_MESSAGE,
        buttons=100,
        edit_interval=PACES[-1][1],
        burst=BURST,
        drafts=True,
        rich=True,
    )

    def __init__(
        self,
        token: str,
        *,
        base_url: str,
        media: Callable[[str], Path],
        clock: Clock,
        chance: Callable[[], float],
        tell: Tell,
        patience: Patience = PATIENCE,
        tokens: Tokens | None = None,
        webhook: Webhook | None = None,
        local: bool = False,
    ) -> None:
        bot = bot_id(token)
        self.account = str(bot)
        self.me: Me | None = None
        self._known = asyncio.Event()
        self._alone = OnlyPoller(bot)
        self._api = Api(token, base_url, patience)
        self._patience = patience
        self._sending = Sending(self._api, patience, media)
        self._drafts = Drafts(self._api, patience)
        self._calls = Insisting(self._api, patience, clock, chance, tell)
        self._source = (
            Hook(self._api, webhook, clock, self._calls)
            if webhook
            else Poller(self._api, patience, clock, self._calls)
        )
        self._files = files.Files(self._api, patience, local=local)
        self._presses: dict[str, str] = {}
        self._tokens = tokens
        self._company = Company(self._members, clock)

    def open(self) -> Holder | None:
        """Who else on this machine means to poll for this bot, if that is no program of our own user: they
        keep us from nothing. Errors: `AlreadyPolled`."""
        holder = self._alone.take()
        if holder and self._alone.is_ours(holder):
            raise AlreadyPolled(holder)
        return holder

    async def close(self) -> None:
        await self._source.close()
        await self._api.close_connections()
        self._alone.release()

    @property
    def polled_at(self) -> float | None:
        """When the platform last told that it is there (monotonic), None before it ever did."""
        return self._calls.heard_at

    @property
    def trouble(self) -> Trouble | None:
        return self._calls.trouble

    # --- what people say ------------------------------------------------------------------------------

    async def incoming(self) -> AsyncIterator[Heard]:
        if self.me is None:
            self.me = await self._calls.until_done(self._identity)
            self._known.set()
        async for update in self._source.updates():
            await self._look_again(update, self.me)
            incoming = translate(update, self.me)
            if changed := update.chat_member or update.my_chat_member or _comes_or_goes(update):
                self._company.changes(str(changed.chat.id))
            if incoming is not None:
                if isinstance(incoming, Press) and update.callback_query:
                    self._remember(incoming.source.update, update.callback_query.id)
                    under = update.callback_query.message
                    seen = under is not None and under.is_accessible
                    incoming = await self._resolved(incoming, seen=seen)
                yield self._dated(await self._accompanied(incoming))

    async def _accompanied(self, heard: Heard) -> Heard:
        """With one person a group is as a private chat."""
        if isinstance(heard, Message) and not heard.alone:
            return replace(heard, alone=await self._company.one(heard.room.chat))
        return heard

    async def _look_again(self, update: Update, me: Me) -> None:
        """Who we are by now: of what is switched at @BotFather no update tells, but groups take us in anew
        for it, and topics are there."""
        message = update.message
        in_topic = bool(message and message.is_topic_message and message.chat.type == "private")
        if update.my_chat_member or (in_topic and not me.topics):
            await self._know_ourselves()

    async def _know_ourselves(self) -> None:
        with suppress(ChatError):
            async with calling(COUNTING_SECONDS):
                self.me = await self._identity(0)

    async def _members(self, chat: str) -> int:
        async with calling(COUNTING_SECONDS):
            return await self._api.get_chat_member_count(int(chat))

    async def readers(self, room: RoomAddress, people: Collection[str]) -> Readers:
        if person := self.private_to(room):
            return Readers(1, frozenset({person} & {*people}))
        return await present(self._members, self._is_member, room.chat, people)

    async def _is_member(self, chat: str, person: str) -> bool:
        async with calling(COUNTING_SECONDS):
            return is_inside(await self._api.get_chat_member(int(chat), int(person)))

    async def called(self) -> tuple[str, ...]:
        await self._known.wait()
        return (self.me.username,) if self.me and self.me.username else ()

    async def _resolved(self, press: Press, *, seen: bool) -> Press:
        """A command stands for itself. Of a message that can't be *seen* any more nobody but us knows the
        topic."""
        if self._tokens is None or press.text.startswith("/"):
            return press
        kept = await self._tokens.find(press.text)
        if kept and not seen:
            press = replace(press, room=replace(press.room, thread=kept.thread))
        return replace(press, text=kept.intent if kept else "", token=press.text)

    async def pressed(self, press: Press, words: str = "") -> bool:
        """Where Telegram has waited too long, or we have been started anew meanwhile, nothing is shown."""
        query = self._presses.pop(press.source.update, None)
        if query is not None:
            with suppress(ChatError):
                shown = _single(Text(words)).text[:LONGEST_ALERT] if words else None
                async with self._calling():
                    return await self._api.answer_callback_query(query, shown, show_alert=bool(shown))
        return False

    async def fetch(self, file: FileRef) -> bytes:
        return await self._files.fetch(file)

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        async with self._calling():
            await self._api.set_message_reaction(int(room.chat), int(message), SEEN)

    # --- what we say ----------------------------------------------------------------------------------

    def cut(self, what: Outgoing) -> list[str]:
        return [encode(part) for part in cut(what)]

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
        part = decode(body).marked(mark)
        part = replace(part, silent=part.silent or hush, reply_to=part.reply_to if replies else None)
        return await self._send(room, part)

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef:
        return await self._send(room, _single(what))

    async def _send(self, room: RoomAddress, part: Part) -> MessageRef:
        if self._tokens is None or not part.buttons:
            return await self._sending.send(room, part)
        part = replace(part, buttons=await self._tokens.fresh(room.chat, part.buttons, thread=room.thread))
        message = await self._sending.send(room, part)
        await self._tokens.stand(part.buttons, message)
        return message

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        part = _single(text)
        if self._tokens and part.buttons:
            here = (room.chat, message, part.buttons)
            part = replace(part, buttons=await self._tokens.under(*here, thread=room.thread))
        await self._sending.edit(room, message, part)

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        try:
            async with self._calling():
                await self._api.delete_message(int(room.chat), int(message))
        except Refused as refusal:
            if refusal.why is not Why.GONE:
                raise

    async def open_thread(self, room: RoomAddress, title: str) -> RoomAddress:
        try:
            async with self._calling():
                topic = await self._api.create_forum_topic(int(room.chat), title[:LONGEST_TOPIC])
        except Refused:
            await self._know_ourselves()  # they may have been switched off
            raise
        return replace(room, thread=str(topic.message_thread_id))

    async def rename_thread(self, room: RoomAddress, title: str) -> None:
        try:
            async with self._calling():
                await self._api.edit_forum_topic(int(room.chat), int(room.thread), title[:LONGEST_TOPIC])
        except Refused as refusal:
            if refusal.why is not Why.SAME:
                raise

    async def make_room(self, name: str, title: str, people: Collection[str]) -> RoomAddress:
        """No bot may."""
        raise Refused(why=Why.UNKNOWN)

    async def ask_in(self, room: RoomAddress, people: Collection[str]) -> None:
        """There is no room of ours."""

    async def our_device(self) -> OurDevice | None:
        """Bots don't encrypt."""
        return None

    async def pin(self, room: RoomAddress, message: MessageRef) -> None:
        async with self._calling():
            await self._api.pin_chat_message(int(room.chat), int(message), disable_notification=True)

    async def unpin(self, room: RoomAddress, message: MessageRef) -> None:
        try:
            async with self._calling():
                await self._api.unpin_chat_message(int(room.chat), message_id=int(message))
        except Refused as refusal:
            if refusal.why not in (Why.GONE, Why.FORBIDDEN):
                raise

    def private_to(self, room: RoomAddress) -> str:
        """A private chat is called by its person's id, a group by a number below zero."""
        return room.chat if room.chat.isdecimal() else ""

    def sealed(self, room: RoomAddress) -> bool:
        """Bots are in no secret chat."""
        return False

    def drafts(self, room: RoomAddress) -> bool:
        return bool(self.private_to(room)) and self._drafts.possible

    async def draft(self, room: RoomAddress, number: int, text: Text) -> None:
        await self._drafts.show(room, number, text)

    async def typing(self, room: RoomAddress) -> None:
        async with self._calling():
            await self._api.send_chat_action(int(room.chat), "typing", message_thread_id=thread_of(room))

    def most_a_minute(self, room: RoomAddress) -> int:
        return 0 if self.private_to(room) else GROUP_MOST

    def pace(self, room: RoomAddress, elapsed: float) -> float:
        slowest = next(seconds for since, seconds in PACES if elapsed >= since)
        return slowest if self.private_to(room) else max(slowest, GROUP_PACE)

    async def put_up(self, sign: Sign) -> None:
        async with self._calling():
            await signs.put_up(self._api, sign)

    async def reads(self, words: Words, language: str) -> str:
        async with self._calling():
            return await signs.reads(self._api, words, language)

    # --- inside ---------------------------------------------------------------------------------------

    def _calling(self, more: float = 0.0) -> AbstractAsyncContextManager[None]:
        """*more*: seconds that a file may take on its way."""
        return calling(self._patience.call + more)

    async def _identity(self, failures: int) -> Me:
        user = await self._api.get_me()
        hears, topics = user.can_read_all_group_messages, user.has_topics_enabled
        return Me(user.id, user.username or "", bool(hears), bool(topics))

    def _dated(self, heard: Heard) -> Heard:
        """The clocks of the platform and of this machine may differ by any time: what was said since we last
        asked is no older than that."""
        if isinstance(heard, Message) and heard.at:
            return replace(heard, at=max(heard.at, self._source.since))
        return heard

    def _remember(self, update: str, query: str) -> None:
        self._presses[update] = query
        while len(self._presses) > MOST_PRESSES:
            del self._presses[next(iter(self._presses))]


def _comes_or_goes(update: Update) -> TelegramMessage | None:
    message = update.message
    return message if message and (message.new_chat_members or message.left_chat_member) else None


def _single(what: Outgoing) -> Part:
    """Errors: `Refused` where there is nothing to say."""
    part = first(what)
    if part is None:
        raise Refused("nothing", Why.TEXT)
    return part
