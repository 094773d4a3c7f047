"""What running turns say is kept once, in order, for all of them together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.answers.secrets import MASK, Masker
from core.dispatch.progress import WAITING_MOST, Book, masked
from core.errors import StoreError
from core.model import events
from core.model.events import Event, Message
from core.model.ids import ItemId, SessionId
from core.model.prompt import Status
from core.store import log, prompts, turns
from core.store.database import Database
from core.store.queue import Work
from tests.support.faults import full_disk
from tests.support.store import DONE, NOW, a_conversation, a_project, opened, running, step

ITEM = ItemId("1")
SECRET = "hunter22"


@dataclass
class Desk:
    """Two turns at work, and the book that they write to."""

    store: Database
    works: list[Work]
    book: Book
    said: list[int] = field(default_factory=lambda: [0, 0])

    async def say(self, which: int, text: str) -> None:
        self.said[which] += 1
        await self.book.add(step(self.works[which], Message(ITEM, text), offset=self.said[which]))

    async def kept(self, which: int) -> list[str]:
        work = self.works[which]
        found = await self.store.read(log.of_turn, work.prompt.id, work.turn.id)
        return [event.text for event in found if isinstance(event, Message)]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    store, here = await opened(tmp_path)
    blog = await store.write(a_project, "blog")
    works = [await store.write(running, here)]
    works.append(await store.write(running, await store.write(a_conversation, blog)))
    yield Desk(store, works, Book(store, now=lambda: NOW, mask=Masker([SECRET]).mask))
    await store.close()


async def test_several_turns_are_kept_together_in_order_without_secrets(desk: Desk) -> None:
    for number in range(6):
        await desk.say(number % 2, f"{number} {SECRET}")
    before = desk.store.version()
    await desk.book.flush()
    after = desk.store.version()
    await desk.book.flush()
    assert before != after == desk.store.version()
    assert await desk.kept(0) == [f"{number} {MASK}" for number in (0, 2, 4)]
    assert await desk.kept(1) == [f"{number} {MASK}" for number in (1, 3, 5)]


async def test_its_task_writes_what_comes_until_it_is_stopped(desk: Desk) -> None:
    writing = asyncio.create_task(desk.book.run())
    for text in ("one", "two"):
        await desk.say(0, text)
        while (await desk.kept(0))[-1:] != [text]:
            await asyncio.sleep(0.01)
    writing.cancel()
    await desk.say(0, "three")
    await desk.book.close()
    assert await desk.kept(0) == ["one", "two", "three"]


async def test_who_ends_a_turn_takes_its_steps_along_and_leaves_the_others(desk: Desk) -> None:
    await desk.say(0, "first")
    await desk.say(1, "other")
    last = step(desk.works[0], Message(ITEM, f"last {SECRET}"), offset=9)
    steps = await desk.book.taking(last)
    assert [taken.offset for taken in steps] == [1, 9]
    assert await desk.store.write(turns.end, steps, DONE, now=NOW) is Status.DONE
    await desk.book.flush()
    assert await desk.kept(0) == ["first", f"last {MASK}"]
    assert await desk.kept(1) == ["other"]


async def test_taking_waits_for_what_is_being_written(desk: Desk) -> None:
    await desk.say(0, "first")
    with full_disk(after=0):
        flushing = asyncio.create_task(desk.book.flush())
        await asyncio.sleep(0.05)
        await desk.say(0, "second")
        taking = asyncio.create_task(desk.book.taking(step(desk.works[0], offset=9)))
        await asyncio.sleep(0.05)
        assert not taking.done()
    await flushing
    assert [taken.offset for taken in await taking] == [2, 9]
    assert await desk.kept(0) == ["first"]


async def test_what_was_stopped_in_the_middle_is_neither_lost_nor_kept_twice(desk: Desk) -> None:
    for number in range(20):
        await desk.say(0, str(number))
        flushing = asyncio.create_task(desk.book.flush())
        for _ in range(number % 4):
            await asyncio.sleep(0)
        flushing.cancel()
    await desk.book.flush()
    assert await desk.kept(0) == [str(number) for number in range(20)]


async def test_what_could_not_be_kept_is_kept_when_it_can(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.say(0, "first")
    await desk.store.write(lambda db: db.execute("ALTER TABLE events RENAME TO gone").fetchall())
    with pytest.raises(StoreError):
        await desk.book.flush()
    writing = asyncio.create_task(desk.book.run())
    while not caplog.records:
        await asyncio.sleep(0.01)
    await desk.say(0, "second")
    await desk.store.write(lambda db: db.execute("ALTER TABLE gone RENAME TO events").fetchall())
    while await desk.kept(0) != ["first", "second"]:
        await asyncio.sleep(0.01)
    writing.cancel()


async def test_too_much_that_waits_holds_its_turns_up_until_it_is_kept(desk: Desk) -> None:
    many = [Message(ITEM, str(number)) for number in range(WAITING_MOST + 1)]
    await desk.book.add(step(desk.works[0], *many, offset=1))
    more = asyncio.create_task(desk.book.add(step(desk.works[1], Message(ITEM, "more"), offset=1)))
    await asyncio.sleep(0.05)
    assert not more.done()
    await desk.book.flush()
    await more
    await desk.book.flush()
    assert len(await desk.kept(0)) == len(many)
    assert await desk.kept(1) == ["more"]


async def test_closing_gives_up_in_time_when_there_is_no_room(desk: Desk) -> None:
    await desk.say(0, "lost, but for the spool")
    with full_disk(after=0):
        async with asyncio.timeout(5):
            await desk.book.close()
    assert await desk.kept(0) == []
    assert (await desk.store.read(prompts.get, desk.works[0].prompt.id)).status is Status.RUNNING


@pytest.mark.parametrize(
    "event",
    [
        events.Message(ITEM, SECRET),
        events.MessageDelta(ITEM, SECRET),
        events.Reasoning(ITEM, SECRET),
        events.Notice(SECRET),
        events.TurnFailed(SECRET),
        events.TurnCompleted(SECRET),
        events.Malformed(SECRET, SECRET),
        events.Unrecognised(SECRET),
        events.PlanUpdated((events.PlanEntry(SECRET, events.Progress.PENDING),)),
        events.ToolCall(
            ITEM, events.ToolKind.EXECUTE, SECRET, events.Progress.FAILED, SECRET, 1, (f"/{SECRET}",)
        ),
    ],
    ids=lambda event: type(event).__name__,
)
def test_no_event_says_a_secret(event: Event) -> None:
    (clean,) = masked([event], Masker([SECRET]).mask)
    assert type(clean) is type(event)
    assert SECRET not in repr(clean)
    assert MASK in repr(clean)


def test_what_says_nothing_stays_as_it_is() -> None:
    quiet: list[Event] = [events.TurnStarted(), events.TurnCompleted(), events.SessionStarted(SessionId("s"))]
    assert list(masked(quiet, Masker([SECRET]).mask)) == quiet


@pytest.mark.parametrize(
    "event",
    [
        events.ToolCall(ITEM, events.ToolKind.EXECUTE, "x", events.Progress.COMPLETED, SECRET + "y" * 3_996),
        events.Malformed("z" * 196 + SECRET, "odd"),
        events.Unrecognised("z" * 96 + SECRET),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_secret_is_masked_before_the_rest_is_cut(event: Event) -> None:
    """Half of one is not known for one, and would stand in the log."""
    (kept,) = masked([event], Masker([SECRET]).mask)
    assert SECRET[:4] not in repr(kept)
    assert SECRET[4:] not in repr(kept)
