"""What somebody at the terminal sees of a prompt, from its place in line to its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.handlers.act import answer
from bot.intents.parse import Here
from bot.terminal.adapter import TerminalChat
from bot.terminal.show import Show
from core.model.events import Leftovers, Progress, Recovering, Retrying, ToolCall, ToolKind, TurnStarted
from core.model.ids import ConversationId, ItemId, PromptId
from core.model.preferences import Quiet
from core.model.prompt import Status
from core.model.repository import Order, OrderKind
from core.store import conversations, preferences, prompts, queue, repositories, turns
from core.store.queue import Work
from core.store.turns import Ending
from tests.support import store as shelf
from tests.support.fake_chat import ROOM
from tests.support.office import Office, open_office
from tests.support.screens import MemoryScreen
from tests.support.store import FakeClock

STOPPED = "Stopped after 0:32, 0 steps done. Nothing is left running; the conversation can go on."


class StillClock(FakeClock):
    """Moves when a test says so, and never by itself."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0.001)


class Seat:
    """Somebody at a terminal whose agents a test plays."""

    def __init__(self, office: Office, group: asyncio.TaskGroup, language: str, *, live: bool) -> None:
        self.office = office
        self.screen = MemoryScreen()
        self.chat = TerminalChat("ann", ROOM, self.screen)
        texts = office.desk.words(language)
        self.changes = 0
        self.show = Show(self.chat, office.desk, texts, group, live=live, changed=self._changed)
        self.office.desk = replace(office.desk, took=self.show.took)
        self._incoming = self.chat.incoming()

    async def types(self, text: str) -> None:
        self.chat.typed(text)
        for reply in await answer(await anext(self._incoming), Here(), self.office.desk):
            await self.chat.send(ROOM, reply)
        await self.chat.settle()

    async def sees(self, *lines: str) -> None:
        """Until exactly these messages are on the screen."""
        await self._until(lambda: self.screen.seen == list(lines), lines)

    async def sees_beneath(self, *lines: str) -> None:
        await self._until(lambda: self.screen.changing == list(lines), lines)

    async def _until(self, so: Callable[[], bool], wanted: object) -> None:
        for _ in range(2_000):
            if so():
                return
            await asyncio.sleep(0.002)
        raise AssertionError(f"{self.screen.seen} is not {wanted}")

    async def starts(self) -> Work:
        """The one that may start does, and is seen to: from then on its time counts."""
        before = self.changes
        (work,) = await self.office.starts()
        await self._until(lambda: self.changes > before, "a turn that runs")
        return work

    async def _changed(self) -> None:
        self.changes += 1

    async def step(self, work: Work, title: str, progress: Progress) -> None:
        call = ToolCall(ItemId(title), ToolKind.EXECUTE, title, progress)
        await self.office.tells(work, TurnStarted(), call)

    async def ends(self, work: Work, ending: Ending, *left: Leftovers) -> None:
        step, store = shelf.step(work), self.office.store
        await store.write(turns.end, [step], ending, now=shelf.NOW)
        for event in left:
            await store.write(turns.note, step, event, now=shelf.NOW)
        await store.write(queue.release, work.prompt.id)
        await self.show.finished()


@asynccontextmanager
async def seated(folder: Path, language: str = "en", *, live: bool = True) -> AsyncIterator[Seat]:
    async with (
        open_office(folder, language=language, clock=StillClock()) as office,
        asyncio.TaskGroup() as group,
    ):
        await office.project()
        seat = Seat(office, group, language, live=live)
        yield seat
        seat.show.leave()


@pytest.fixture
async def seat(tmp_path: Path) -> AsyncIterator[Seat]:
    async with seated(tmp_path) as taken:
        yield taken


async def test_progress_is_redrawn_in_its_place_and_the_answer_stays(seat: Seat) -> None:
    await seat.types("Why does checkout take 3 s?")
    work = await seat.starts()
    await seat.sees_beneath("⏳ Codex · shop · 0:00\nStarting …")
    await seat.step(work, "pytest -k checkout", Progress.IN_PROGRESS)
    seat.office.clock.ticks += 12
    await seat.sees_beneath("⏳ Codex · shop · 0:12\n▸ Running pytest -k checkout")
    await seat.ends(work, Ending(Status.DONE, "It asks **400** times."))
    assert seat.screen.seen == ["✓ 0:12 · 1 step", "It asks 400 times."]
    assert seat.screen.rung == 1


async def test_a_short_turn_leaves_its_answer_alone(seat: Seat) -> None:
    await seat.types("hello")
    await seat.ends(await seat.starts(), Ending(Status.DONE, "Hello."))
    assert seat.screen.seen == ["Hello."]


async def test_the_second_in_line_becomes_its_own_progress(seat: Seat) -> None:
    await seat.types("profile checkout")
    work = await seat.starts()
    await seat.sees_beneath("⏳ Codex · shop · 0:00\nStarting …")
    await seat.types("fix the tests")
    second = seat.show.at_work
    await seat.sees_beneath(
        "› profile checkout\n⏳ Codex · shop · 0:00\nStarting …",
        f"Second in line, after profile checkout.\nRemove: /queue drop {work.prompt.id + 1}",
    )
    assert second == work.prompt.id
    step, store = shelf.step(work), seat.office.store
    await store.write(turns.end, [step], Ending(Status.DONE, "One."), now=shelf.NOW)
    await store.write(queue.release, work.prompt.id)
    following = await seat.starts()
    await seat.sees("› profile checkout\n\nOne.", "⏳ Codex · shop · 0:00\nStarting …")
    await seat.ends(following, Ending(Status.DONE, "Two."))
    assert seat.screen.seen == ["› profile checkout\n\nOne.", "Two."]


async def test_a_stopped_turn_is_told_of_with_what_is_next(seat: Seat) -> None:
    await seat.types("profile checkout")
    work = await seat.starts()
    await seat.types("fix the tests")
    await seat.step(work, "sleep 600", Progress.IN_PROGRESS)
    seat.office.clock.ticks += 32
    await seat.types("/stop")
    step, store = shelf.step(work), seat.office.store
    await store.write(turns.end, [step], Ending(Status.DONE, "I had begun."), now=shelf.NOW)
    await store.write(queue.release, work.prompt.id)
    waiting = f"Remove: /queue drop {work.prompt.id + 1}"
    await seat._until(lambda: len(seat.screen.kept) == 2, "the end")
    assert seat.screen.kept == [
        "› profile checkout\n\nI had begun.\n\nStopped here.",
        f"{STOPPED}\nNext: fix the tests.\nRemove the rest: /queue clear 1 2",
    ]
    assert all(waiting in line for line in seat.screen.changing)


async def test_what_survived_a_stop_is_named(seat: Seat) -> None:
    await seat.types("go")
    work = await seat.starts()
    await seat.sees_beneath("⏳ Codex · shop · 0:00\nStarting …")
    await seat.types("/stop")
    await seat.ends(work, Ending(Status.CANCELLED), Leftovers(("mpv",), ended=False))
    assert seat.screen.seen == [
        "Stopped after 0:00, 0 steps done. Still running, and not to be ended from here: mpv."
    ]


async def test_what_a_good_turn_left_running_is_told_after_its_answer(seat: Seat) -> None:
    await seat.types("serve it")
    work = await seat.starts()
    await seat.ends(work, Ending(Status.DONE, "It runs."), Leftovers(("node", "esbuild"), ended=True))
    assert seat.screen.seen == ["It runs.", "Left running, and now ended: node, esbuild."]


async def test_trouble_is_one_sentence_then_what_to_do(seat: Seat) -> None:
    await seat.types("go")
    work = await seat.starts()
    await seat.ends(work, Ending(Status.FAILED, reason="engine.login"))
    again = f"Try again: /queue again {work.prompt.id}"
    assert seat.screen.seen[-1] == (
        f"Codex isn’t logged in on pi5. There: codex login. Your message is kept.\n{again}"
    )
    assert seat.screen.rung == 1


async def test_a_wait_for_the_next_try_and_a_machine_that_went_down(seat: Seat) -> None:
    await seat.types("go")
    work = await seat.starts()
    step, store = shelf.step(work), seat.office.store
    await store.write(
        turns.follow_up, [step], Retrying("rate_limit", 45.0, 2, 3), outcome="rate_limit", now=shelf.NOW
    )
    await seat._until(lambda: "Next try in 45 s (2 of 3)." in "".join(seat.screen.changing), "the wait")
    await store.write(
        turns.follow_up, [step], Recovering("interrupted"), outcome="interrupted", now=shelf.NOW
    )
    await seat._until(lambda: bool(seat.screen.kept), "a word")
    assert seat.screen.kept == [
        "The machine went down in the middle. Codex has been asked to look at what was done, and to carry on."
    ]


async def test_what_a_project_makes_agents_run_is_told(seat: Seat) -> None:
    await seat.types("go")
    work = await seat.starts()
    found = {"key": Order(OrderKind.SERVER, ".mcp.json", "x: npx evil")}
    step, project = shelf.step(work), work.project.id
    await seat.office.store.write(repositories.keep, step, project, "m1", found, now=shelf.NOW)
    await seat._until(lambda: bool(seat.screen.kept), "a word")
    head = "⚠️ shop holds what agents run or obey by themselves:"
    assert seat.screen.kept == [f"{head}\n· .mcp.json starts or calls a tool server: x: npx evil"]
    assert seat.screen.rung == 0


async def test_what_was_removed_before_it_began_is_told_once(seat: Seat) -> None:
    await seat.types("go")
    await seat.types("/cancel")
    await seat.show.finished()
    assert seat.screen.seen == ["Removed before it began: go."]


async def test_what_was_under_way_before_is_shown_on(seat: Seat) -> None:
    room = await seat.office.store.write(conversations.room, ROOM.platform, ROOM.account, ROOM.chat)
    assert room.project is not None
    begun = await seat.office.store.write(conversations.begin, room.project, engine="demo", now=shelf.NOW)
    work = await seat.office.store.write(shelf.running, begun)
    seat.office.clock.wall += 65
    seat.show.follow(work.prompt)
    await seat.sees_beneath("› Go\n⏳ Demo · shop · 1:05\nStarting …")
    seat.show.stands_last(work.prompt)
    await seat.show.changed()
    await seat.sees_beneath("⏳ Demo · shop · 1:05\nStarting …")


async def test_what_belongs_to_a_conversation_that_was_left_says_so(seat: Seat) -> None:
    await seat.types("profile checkout")
    work = await seat.starts()
    seat.show.here = ConversationId(work.conversation.id + 1)
    await seat.ends(work, Ending(Status.FAILED, reason="engine.usage_limit"))
    head, why = seat.screen.seen
    assert (head, why[:27]) == ("› profile checkout\n✗ 0:00 · failed", "Your Codex limit is used up")


async def test_what_runs_stands_above_what_waits(seat: Seat) -> None:
    for words in ("one", "two", "three"):
        await seat.types(words)
    first = await seat.starts()
    await seat.types(f"/queue up {first.prompt.id + 2}")
    step, store = shelf.step(first), seat.office.store
    await store.write(turns.end, [step], Ending(Status.DONE, "One."), now=shelf.NOW)
    await store.write(queue.release, first.prompt.id)
    await seat.starts()
    tops = ("⏳ Codex · shop · 0:00\nStarting …", "› two\nSecond in line, after three.\nRemove:")
    await seat._until(lambda: tuple(map(str.startswith, seat.screen.changing, tops)) == (True, True), tops)


async def test_for_a_pipe_there_are_answers_only(tmp_path: Path) -> None:
    async with seated(tmp_path, "fr", live=False) as seat:
        await seat.types("un")
        work = await seat.starts()
        await seat.step(work, "make", Progress.COMPLETED)
        await seat.types("deux")
        seat.office.clock.ticks += 60
        await seat.types("/cancel all")
        assert seat.screen.seen == ["Retiré avant de commencer : deux."]
        await seat.ends(work, Ending(Status.CANCELLED))
        assert seat.screen.seen[1:] == [
            "Arrêté après 1:00, 1 étape faite. Plus rien ne tourne ; la conversation peut continuer."
        ]


async def test_in_quiet_hours_nothing_rings(seat: Seat) -> None:
    await seat.office.store.write(preferences.set_quiet, ROOM.platform, "ann", Quiet(0, 0))
    await seat.types("go")
    await seat.ends(await seat.starts(), Ending(Status.DONE, "Hello."))
    assert (seat.screen.seen, seat.screen.rung) == (["Hello."], 0)


async def test_a_number_beneath_an_answer_is_for_who_gave_it(seat: Seat) -> None:
    await seat.types("go")
    work = await seat.starts()
    await seat.types("/access")
    await seat.ends(work, Ending(Status.DONE, "One or two?\n\n1. one\n2. two"))
    await seat.show.finished()
    await seat.types("1")
    assert (await seat.office.store.read(prompts.get, PromptId(2))).text == "1"
