"""Killed when a command was acted on and nobody knows so yet: it is done once, and answered."""

from __future__ import annotations

import signal
import time

import pytest

from core.store import people
from core.store.database import Database, Db
from tests.support.phone import Phone, phone
from tests.support.roost import Roost


async def killed_over(held: Phone, words: str) -> None:
    """Ann says it; Roost acts on it, dies, and is started again."""
    await held.end(signal.SIGTERM)
    await held.start(ROOST_CRASH_AT="acted")
    held.ann.writes(words)
    await held.ended(20)
    await held.start()


async def counted(shop: Roost, table: str) -> int:
    def count(db: Db) -> int:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    store = await Database.open(shop.data_dir)
    try:
        return await store.read(count)
    finally:
        await store.close()


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("/new Later", "A new conversation in shop."),
        ("/title Soon", "Soon"),
        ("/project add till {home}/till", "till is there, and this room works in it."),
        ("/allow 2002", "2002 may work with me in shop from now on."),
        ("/queue clear", "Nothing waits here."),
    ],
)
async def test_a_command_is_done_once(shop: Roost, words: str, answer: str) -> None:
    (shop.home / "till").mkdir()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("Hi.")
        before = len(held.chat.reads())
        await killed_over(held, words.format(home=shop.home))
        await held.api.until(lambda: len(held.chat.reads()) > before)
        held.ann.writes("/queue")
        await held.api.until(lambda: len(held.chat.reads()) > before + 1)
        assert answer in held.chat.reads()[before]
        assert len(held.chat.reads()) == before + 2
    assert await counted(shop, "conversations") == (2 if words.startswith("/new") else 1)


async def test_a_cancel_drops_one_prompt_and_not_the_next(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        held.api.bot.reads_all = True
        group = held.api.group("Shop", held.ann)
        await held.start()
        await held.works_in_shop(group)
        await held.works_in_shop()
        held.ann.writes("@demo_agent_bot go", group)
        await held.until("⏳", group)
        await say_two(held)
        await killed_over(held, "/cancel")
        await held.until("Removed before it began: one.")
        go.touch()
        await held.until("Hi.")
        assert held.says("Hi.", group)
    assert len(shop.play.starts) == 2


async def say_two(held: Phone) -> None:
    held.ann.writes("one")
    held.ann.writes("two")
    await held.until("3 two")


async def test_a_code_makes_an_owner_who_is_told_so(shop: Roost) -> None:
    async with phone(shop, users=()) as held:
        await held.start()
        store = await Database.open(shop.data_dir)
        soon = time.time() + 600
        await store.write(people.offer, "k7", "owner", salt="x", expires_at=soon)
        await store.close()
        await killed_over(held, "/start k7")
        await held.until("You are the owner of Roost")
        assert len(held.chat.reads()) == 1


async def test_words_before_a_project_are_answered_and_kept(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        await killed_over(held, "Go")
        await held.api.until(lambda: held.chat.reads())
        await held.works_in_shop()
        await held.until("Hi.")
    assert len(shop.play.starts) == 1
