"""A prompt is followed from any process, from its place in line to its answer; no clock jumps."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.live import Ended, Told, View, Waits, Works, seen_out, watch
from bot.replies.progress import Phase, progress
from bot.replies.queue import ForAnswer, ForGroup, ForPlace, ForProject, InLine, WaitsFor
from bot.texts import Texts
from core.model.conversation import Conversation
from core.model.events import (
    Asked,
    AskKind,
    Event,
    Leftovers,
    Progress,
    Recovering,
    Retrying,
    ToolCall,
    ToolKind,
    TurnStarted,
)
from core.model.ids import ItemId, PromptId
from core.model.project import Project
from core.model.prompt import ChatPlace, Prompt, Source, Status
from core.model.slots import Caps
from core.store import aside, conversations, inbox, projects, prompts, queue, turns
from core.store.database import Database, Db
from core.store.queue import Work
from core.store.turns import Ending
from tests.support import store as shelf
from tests.support.fake_chat import visible
from tests.support.store import FakeClock

DAY = 86_400.0


class Watched:
    """A store, a clock, and what a watcher sees next."""

    def __init__(self, store: Database, caps: Caps = shelf.MANY) -> None:
        self.store = store
        self.clock = FakeClock()
        self.caps = caps

    def watch(self, prompt: PromptId) -> AsyncIterator[View]:
        label = {"codex": "Codex", "demo": "Demo"}.__getitem__
        return watch(self.store, prompt, clock=self.clock, caps=self.caps, label=label)

    async def submit(self, conversation: Conversation, text: str = "Go") -> Prompt:
        return await self.store.write(shelf.submit, conversation, text)

    async def start(self) -> Work:
        (work,) = await self.store.write(shelf.claimed, self.caps)
        return work

    async def tell(self, work: Work, *events: Event, offset: int) -> None:
        step = shelf.step(work, *events, offset=offset)
        await self.store.write(turns.progress, [step], now=self.clock.now())


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    shelf.lay(tmp_path)
    store = await Database.open(tmp_path)
    yield Watched(store)
    await store.close()


def ran(item: str, title: str = "pytest", progress: Progress = Progress.COMPLETED) -> ToolCall:
    return ToolCall(ItemId(item), ToolKind.EXECUTE, title, progress)


async def until(views: AsyncIterator[View], kind: type[View]) -> View:
    """The next view of that kind."""
    return await anext(view async for view in views if isinstance(view, kind))


async def test_from_its_place_in_line_to_its_answer(watched: Watched) -> None:
    conversation = await watched.store.write(shelf.a_conversation)
    first = await watched.submit(conversation, "profile checkout")
    second = await watched.submit(conversation, "fix the tests")
    views = watched.watch(second.id)
    assert await anext(views) == Waits(second, InLine(1, "profile checkout"))
    work = await watched.start()
    assert work.prompt.id == first.id
    await watched.store.write(shelf.finish, work)
    assert await anext(views) == Waits(second, None)
    work = await watched.start()
    view = await anext(views)
    assert isinstance(view, Works)
    assert (view.live.engine, view.live.project, view.live.phase) == ("Codex", "shop", Phase.STARTING)
    await watched.tell(work, TurnStarted(), ran("1"), offset=10)
    view = await anext(views)
    assert isinstance(view, Works)
    assert [step.title for step in view.live.turn.steps] == ["pytest"]
    assert view.live.phase is Phase.WORKING
    await watched.store.write(shelf.finish, work, Ending(Status.DONE, "All green."))
    ended = await anext(views)
    assert isinstance(ended, Ended)
    assert (ended.prompt.status, ended.turn.count) == (Status.DONE, 1)
    assert ended.answer is not None
    assert ended.answer.text == "All green."
    assert [view async for view in views] == []


async def test_the_third_learns_who_is_before_it(watched: Watched) -> None:
    conversation = await watched.store.write(shelf.a_conversation)
    for words in ("one", "two"):
        await watched.submit(conversation, words)
    third = await watched.submit(conversation, "three")
    views = watched.watch(third.id)
    assert await anext(views) == Waits(third, InLine(2, "two"))
    await watched.store.write(prompts.move_up, third.id)
    moved = await anext(views)
    assert isinstance(moved, Waits)
    assert moved.reason is None


def two_in_one_project(db: Db) -> Prompt:
    project = shelf.a_project(db)
    shelf.running(db, shelf.a_conversation(db, project), "profile checkout")
    return shelf.submit(db, shelf.a_conversation(db, project))


def two_in_one_group(db: Db) -> Prompt:
    shelf.running(db, shelf.a_conversation(db, shelf.a_project(db, "tv-remote", ("salon", "tv"))))
    return shelf.submit(db, shelf.a_conversation(db, shelf.a_project(db, "media", ("salon", "media"))))


def behind_a_question(db: Db) -> Prompt:
    prompt = two_in_one_group(db)
    aside.give_place(db, queue.holding(db)[0])
    return prompt


def one_too_many(db: Db) -> Prompt:
    shelf.running(db, shelf.a_conversation(db, shelf.a_project(db, "tv")))
    return shelf.submit(db, shelf.a_conversation(db, shelf.a_project(db, "shop")))


@pytest.mark.parametrize(
    ("arranged", "caps", "reason"),
    [
        (two_in_one_project, shelf.MANY, ForProject("shop", "profile checkout")),
        (two_in_one_group, shelf.MANY, ForGroup("salon", "tv-remote")),
        (behind_a_question, shelf.MANY, ForAnswer("tv-remote", "Go")),
        (one_too_many, Caps(per_engine=1), ForPlace(1, ("tv",))),
    ],
)
async def test_what_keeps_it_from_starting(
    watched: Watched, arranged: Callable[[Db], Prompt], caps: Caps, reason: WaitsFor
) -> None:
    watched.caps = caps
    prompt = await watched.store.write(arranged)
    assert await anext(watched.watch(prompt.id)) == Waits(prompt, reason)


def said_before_another(db: Db) -> Prompt:
    """What was said after it in its room was not acted on yet: that may take it back."""
    room = conversations.room(db, "fake", "roost", "1001").id
    source, later = (Source("fake", "roost", f"u{next(shelf.counter)}") for _ in range(2))
    inbox.receive(db, later, room, "{}", said_at=shelf.NOW, now=shelf.NOW)
    here, place = shelf.a_conversation(db), ChatPlace(room, "in1")
    return prompts.accept(db, source, here.id, "Go", now=shelf.NOW, place=place).prompt


async def test_a_wait_for_other_words_is_no_wait_for_a_file(watched: Watched) -> None:
    prompt = await watched.store.write(said_before_another)
    assert await watched.store.write(shelf.claimed) == []
    assert await anext(watched.watch(prompt.id)) == Waits(prompt, None)


async def test_the_clock_ticks_while_nothing_happens(watched: Watched) -> None:
    conversation = await watched.store.write(shelf.a_conversation)
    prompt = await watched.submit(conversation)
    views = watched.watch(prompt.id)
    await anext(views)
    await watched.start()
    seen = [await until(views, Works) for _ in range(4)]
    assert [round(view.live.elapsed) for view in seen if isinstance(view, Works)] == [0, 1, 2, 3]
    assert [round(view.live.quiet_for) for view in seen if isinstance(view, Works)] == [0, 1, 2, 3]


async def test_a_clock_that_is_set_meanwhile_does_not_show(watched: Watched) -> None:
    work = await watched.store.write(shelf.running)
    views = watched.watch(work.prompt.id)
    await anext(views)
    for jump in (90 * DAY, -200 * DAY):
        watched.clock.wall += jump
        view = await anext(views)
        assert isinstance(view, Works)
        assert view.live.elapsed < 5
    await watched.store.write(shelf.finish, work)
    ended = await until(views, Ended)
    assert isinstance(ended, Ended)
    assert ended.elapsed < 5


async def test_after_a_restart_the_clock_goes_on(watched: Watched) -> None:
    work = await watched.store.write(shelf.running)
    watched.clock.wall += 40
    await watched.tell(work, TurnStarted(), offset=1)
    watched.clock.wall += 25
    view = await anext(watched.watch(work.prompt.id))
    assert isinstance(view, Works)
    assert view.live.elapsed == 65


async def test_after_a_restart_with_another_date_it_shows_no_days(watched: Watched) -> None:
    work = await watched.store.write(shelf.running)
    watched.clock.wall += 10
    await watched.tell(work, TurnStarted(), offset=1)
    watched.clock.wall -= 9_000 * DAY
    view = await anext(watched.watch(work.prompt.id))
    assert isinstance(view, Works)
    assert view.live.elapsed == 10


async def test_a_wait_for_the_next_try_counts_down(watched: Watched) -> None:
    work = await watched.store.write(shelf.running)
    retrying = Retrying("rate_limit", 45.0, 2, 3)
    step = shelf.step(work, offset=1)
    await watched.store.write(
        turns.follow_up, [step], retrying, outcome="rate_limit", now=watched.clock.now()
    )
    watched.clock.wall += 15
    views = watched.watch(work.prompt.id)
    first, second = await anext(views), await anext(views)
    assert isinstance(first, Works)
    assert isinstance(second, Works)
    assert (first.live.turn.waiting, first.live.retry_in) == (retrying, 30.0)
    assert second.live.retry_in == pytest.approx(29.0, abs=0.1)


async def test_steps_before_another_try_keep_their_place(watched: Watched) -> None:
    """The names of items begin again with each turn."""
    work = await watched.store.write(shelf.running)
    await watched.tell(work, ran("item_0", "make"), offset=1)
    step = shelf.step(work, offset=2)
    await watched.store.write(
        turns.follow_up, [step], Recovering("interrupted"), outcome="interrupted", now=shelf.NOW
    )
    await watched.tell(work, ran("item_0", "make check"), offset=3)
    views = watched.watch(work.prompt.id)
    told, view = await anext(views), await anext(views)
    assert isinstance(told, Told)
    assert told.event == Recovering("interrupted")
    assert isinstance(view, Works)
    assert [step.title for step in view.live.turn.steps] == ["make", "make check"]


async def test_while_it_is_asked_to_stop_it_says_so(watched: Watched) -> None:
    work = await watched.store.write(shelf.running)
    views = watched.watch(work.prompt.id)
    await anext(views)
    await watched.store.write(prompts.cancel, work.prompt.id, now=shelf.NOW)
    view = await anext(views)
    assert isinstance(view, Works)
    assert view.live.phase is Phase.STOPPING


def blog(db: Db) -> Project:
    return shelf.a_project(db, "blog")


async def test_what_keeps_an_answer_from_its_agent(watched: Watched) -> None:
    """Looked at as often as anything changes; nothing is said of it before somebody has answered."""
    watched.caps = Caps(per_engine=1)
    work = await watched.store.write(lambda db: shelf.running(db, shelf.a_conversation(db, blog(db))))
    await watched.tell(work, Asked("q1", AskKind.COMMAND, "rm -r out", ()), offset=1)
    await watched.store.write(aside.give_place, work.prompt.id)
    tv = await watched.store.write(one_too_many)
    view = await until(watched.watch(work.prompt.id), Works)
    assert isinstance(view, Works)
    assert view.live.kept_by is None
    await watched.store.write(aside.want, work.prompt.id)
    views = watched.watch(work.prompt.id)
    view = await until(views, Works)
    assert isinstance(view, Works)
    assert view.live.kept_by == ForPlace(1, ("tv",))
    assert visible(progress(view.live, Texts("en")).markdown).endswith(
        "Answered. Waits for a free place: 1 of 1 agents is at work (tv)."
    )
    (holder,) = [one for one in await watched.store.read(queue.holders) if one.seated]
    await watched.store.write(shelf.finish, await watched.store.read(queue.work, holder.prompt))
    (back,) = await watched.store.write(shelf.claimed, watched.caps)
    assert (back.prompt.id, tv.status) == (work.prompt.id, Status.QUEUED)
    view = await until(views, Works)
    assert isinstance(view, Works)
    assert view.live.kept_by is None


async def test_the_end_knows_who_is_next(watched: Watched) -> None:
    conversation = await watched.store.write(shelf.a_conversation)
    await watched.submit(conversation, "one")
    following = await watched.submit(conversation, "two")
    work = await watched.start()
    await watched.store.write(shelf.finish, work, Ending(Status.CANCELLED))
    ended = await anext(watched.watch(work.prompt.id))
    assert isinstance(ended, Ended)
    assert ended.following == following
    assert ended.answer is None


async def test_a_long_log_is_read_to_its_end(watched: Watched) -> None:
    work = await watched.store.write(shelf.running)
    await watched.tell(work, *(ran(str(number)) for number in range(1_203)), offset=1)
    view = await anext(watched.watch(work.prompt.id))
    assert isinstance(view, Works)
    assert view.live.turn.count == 1_203


async def test_what_it_left_running_is_known_once_it_has_gone(watched: Watched) -> None:
    work = await watched.store.write(shelf.running)
    left = Leftovers(("sleep",), ended=True)
    step = shelf.step(work)
    await watched.store.write(turns.end, [step], shelf.DONE, now=shelf.NOW)
    await watched.store.write(turns.note, step, left, now=shelf.NOW)
    await watched.store.write(queue.release, work.prompt.id)
    assert await seen_out(watched.store, work.prompt.id, clock=watched.clock) == [left]


async def test_another_process_may_be_the_one_that_works(watched: Watched, tmp_path: Path) -> None:
    other = await Database.open(tmp_path)
    prompt = await other.write(shelf.submit, await other.write(shelf.a_conversation))
    views = watched.watch(prompt.id)
    assert isinstance(await anext(views), Waits)
    (work,) = await other.write(shelf.claimed)
    await other.write(shelf.finish, work)
    ended = await until(views, Ended)
    assert isinstance(ended, Ended)
    assert ended.project == await other.read(projects.named, "shop")
    await other.close()
