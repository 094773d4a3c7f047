"""Ann on Telegram and on Matrix, with one real `roost run` between a Bot API server of ours and a Synapse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tests.matrix.person import People
from tests.matrix.service import Served
from tests.matrix.timeline import Seen
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.telegram.server import Chat

FROM_TELEGRAM, FROM_MATRIX = ", from Telegram:", ", from Matrix:"


class Both:
    """Ann has a group on Telegram, and a room on Matrix; the project `shop` is shown in both."""

    def __init__(self, phone: Phone, served: Served, group: Chat) -> None:
        self.phone, self.served, self.group = phone, served, group
        self.room = ""

    async def begin(self, *, encrypted: bool = False) -> None:
        await self.phone.start()
        await self.phone.works_in_shop(self.group)
        self.room = await self.served.room(encrypted=encrypted)

    async def share(self) -> None:
        await self.says("/settings mirror on", "This room shares shop")
        self.served.ann.says(self.room, "!settings mirror on")
        await self.reads("show the same of shop")

    async def says(self, words: str, answer: str) -> None:
        """On Telegram, until *answer* is read there."""
        self.phone.ann.writes(words, self.group)
        await self.phone.until(answer, self.group)

    async def reads(self, words: str) -> Seen:
        """On Matrix, once it is there."""
        return await self.served.answers(self.room, words)

    async def agreed(self, question: str) -> None:
        """On Matrix, to what is asked there in these words."""
        asked = await self.reads(question)
        self.served.ann.replies(self.room, asked.id, "I agree")
        await self.reads("show the same of shop from now on")

    async def until(self, true: Callable[[], object]) -> None:
        """Until that is so on both. Errors: `AssertionError`, telling what is read instead."""
        try:
            await self.served.until(true)
        except AssertionError as error:
            here, there = self.group.reads(), self.served.ann.reads(self.room)
            raise AssertionError(f"{error}\nTelegram: {here}\nMatrix: {there}") from None

    def pictures(self) -> list[Seen]:
        return [seen for seen in self.served.ann.seen(self.room) if seen.kind == "m.image"]

    def whole(self, words: str) -> tuple[int, int]:
        """How many messages say just that, without a mark above."""
        return self.group.reads().count(words), self.served.ann.reads(self.room).count(words)

    def count(self, words: str) -> tuple[int, int]:
        """How many messages say that, on Telegram and on Matrix."""
        here, there = self.group.reads(), self.served.ann.reads(self.room)
        return sum(words in read for read in here), sum(words in read for read in there)


@asynccontextmanager
async def both(
    shop: Roost, everybody: People, *others: int, url: str = "", more: str = "", forum: bool = False
) -> AsyncIterator[Both]:
    """*others* are in the group too; *url* is where the homeserver is reached, *more* is TOML;
    a *forum* has topics."""
    served = Served(shop, everybody)
    async with phone(shop, more=more + served.access(url)) as held:
        held.api.bot.reads_all = True
        people = (held.api.person(user_id=other) for other in others)
        yield Both(held, served, held.api.group("Shop", held.ann, *people, forum=forum))
        assert held.api.violations == []
