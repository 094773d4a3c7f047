"""A full disk is told once in each room, without the store, and everything is acted on when there is room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.chat import Flood, NotSent, RoomAddress
from bot.outage import AGAIN_SECONDS
from bot.texts import Texts
from tests.support.at_work import AtWork
from tests.support.fake_chat import BOB, Trouble
from tests.support.faults import full_disk

BOBS = RoomAddress("fake", "roost", "1002")
GROUP = RoomAddress("fake", "roost", "-5")
FULL = "The disk of pi5 is full. Nothing was lost; free some space, then this goes on by itself."


@contextmanager
def full(work: AtWork) -> Iterator[None]:
    """Not one byte more of the database can be written."""
    with full_disk(after=work.store.path.with_name("roost.db-wal").stat().st_size):
        yield


async def test_it_is_told_once_and_nothing_is_lost(work: AtWork) -> None:
    await work.project()
    with full(work):
        for words in ("one", "two", "/queue"):
            work.chat.writes(words)
        await work.until(lambda: bool(work.chat.reads()))
        await work.passes(30)
        assert (work.chat.reads(), work.chat.rung) == ([FULL], [])
        assert len(work.chat.waiting) == 3
    await work.until(lambda: work.chat.reads() == [FULL, "1 one\n2 two"])
    assert await work.words() == ["one", "two"]


async def test_one_that_comes_soon_after_it_is_told_of_no_second_time(work: AtWork) -> None:
    await work.project()
    for times in (1, 1, 2):
        with full(work):
            work.chat.writes("one")
            await work.until(lambda: bool(work.chat.waiting))
            await work.passes(2)
        await work.until(lambda: not work.chat.waiting)
        await work.passes(2)
        assert work.chat.reads().count(FULL) == times
        work.clock.move(AGAIN_SECONDS / 2 + 1)


async def test_where_it_cannot_be_told_it_is_waited_out(work: AtWork) -> None:
    await work.project()
    work.chat.troubles = [Trouble(NotSent(), call="send")]
    with full(work):
        work.chat.writes("one")
        await work.until(lambda: bool(work.chat.calls("(send)")))
    await work.until(lambda: not work.chat.waiting)
    await work.passes(2)
    assert (await work.words(), len(work.chat.calls("send", "(send)"))) == (["one"], 1)


async def test_a_chat_that_a_flood_has_closed_is_not_told(work: AtWork) -> None:
    await work.project()
    work.chat.troubles = [Trouble(Flood(30.0), call="typing")]
    work.chat.writes("one")
    await work.passes()
    await work.starts()
    with full(work):
        work.chat.writes("two")
        await work.until(lambda: bool(work.chat.waiting))
        await work.passes(2)
        assert work.chat.calls("send", "(send)") == []


async def test_it_is_told_in_the_language_of_the_room(work: AtWork) -> None:
    await work.project()
    await work.store.write(lambda db: db.execute("UPDATE rooms SET language = 'fr'"))
    with full(work):
        work.chat.writes("un")
        await work.until(lambda: bool(work.chat.reads()))
        assert work.chat.reads() == [Texts("fr").say("queue.disk_full", host="pi5").replace("*", "")]


async def test_strangers_and_words_among_others_are_told_nothing(work: AtWork) -> None:
    with full(work):
        work.chat.writes("Go", room=BOBS, person=BOB)
        await work.until(lambda: bool(work.chat.waiting))
        await work.passes(2)
    await work.until(lambda: not work.chat.waiting)
    with full(work):
        work.chat.writes("Nice weather", room=GROUP, alone=False)
        await work.until(lambda: bool(work.chat.waiting))
        await work.passes(2)
    await work.until(lambda: not work.chat.waiting)
    assert work.chat.calls("send") == []
