"""A turn is the fold of its events."""

from __future__ import annotations

from functools import reduce

from core.model import events
from core.model.events import (
    Event,
    Message,
    MessageDelta,
    PlanEntry,
    PlanUpdated,
    Progress,
    Recovering,
    Retrying,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnStarted,
    Usage,
)
from core.model.ids import ItemId, SessionId
from core.model.prompt import Status
from core.model.turn import STEPS_KEPT, Turn, advance

ITEM = ItemId("m")
WAIT = Retrying("rate_limit", 15.0, 1, 3)


def fold(*happened: Event) -> Turn:
    return reduce(advance, happened, Turn())


def call(item: str, progress: Progress = Progress.COMPLETED) -> ToolCall:
    return ToolCall(ItemId(item), ToolKind.EXECUTE, f"run {item}", progress)


def test_the_session_has_the_words_once_the_turn_started() -> None:
    assert fold(SessionStarted(SessionId("s"))) == Turn(session=SessionId("s"))
    assert fold(WAIT, MessageDelta(ITEM, "old"), TurnStarted()) == Turn(started=True)


def test_the_last_message_is_the_answer_unless_the_end_names_another() -> None:
    said = (MessageDelta(ITEM, "On "), MessageDelta(ITEM, "it"), Message(ITEM, "On it."))
    assert fold(*said[:2]).streamed == "On it"
    assert fold(*said) == Turn(answer="On it.")
    assert fold(*said, Message(ITEM, "Done."), TurnCompleted()).answer == "Done."
    assert fold(*said, MessageDelta(ITEM, "x"), TurnCompleted("Final.")) == Turn(answer="Final.")


def test_a_step_is_one_however_often_it_is_told_and_stays_in_its_place() -> None:
    turn = fold(call("a", Progress.IN_PROGRESS), call("b", Progress.IN_PROGRESS), call("a"))
    assert [(step.item, step.progress) for step in turn.steps] == [
        ("a", Progress.COMPLETED),
        ("b", Progress.IN_PROGRESS),
    ]
    assert turn.count == 2


def test_the_last_steps_are_kept_and_all_are_counted() -> None:
    turn = fold(*(call(str(number)) for number in range(STEPS_KEPT + 50)))
    assert (len(turn.steps), turn.count) == (STEPS_KEPT, STEPS_KEPT + 50)
    assert (turn.steps[0].item, turn.steps[-1].item) == ("50", str(STEPS_KEPT + 49))


def test_plan_usage_and_notice_are_the_newest() -> None:
    plan, usage = PlanUpdated((PlanEntry("look", Progress.PENDING),)), Usage(1, 0, 2)
    turn = fold(PlanUpdated(()), plan, Usage(0, 0, 0), usage, events.Notice("a"), events.Notice("b"))
    assert (turn.plan, turn.usage, turn.notice) == (plan.entries, usage, "b")


def test_a_notice_holds_until_the_agent_goes_on() -> None:
    notice = events.Notice("Reconnecting...")
    assert fold(notice, Usage(0, 0, 0)).notice == "Reconnecting..."
    for event in (call("a"), Message(ITEM, "Hi."), MessageDelta(ITEM, "H"), WAIT, TurnStarted()):
        assert fold(notice, event).notice == ""


def test_a_wait_is_shown_until_something_goes_on() -> None:
    assert fold(WAIT).waiting == WAIT
    assert fold(WAIT, Recovering("session_gone")).waiting is None


def test_what_a_progress_message_does_not_show_changes_nothing() -> None:
    silent: tuple[Event, ...] = (
        events.Unrecognised("x"),
        events.Malformed("x", "y"),
        events.TurnFailed("x"),
        events.PromptAccepted(1),
        events.PromptStarted("codex"),
        events.Leftovers(("sleep",), ended=True),
        events.Answered(1),
        events.PromptEnded(Status.DONE),
    )
    assert fold(*silent) == Turn()


def test_a_step_that_was_cut_off_is_not_done() -> None:
    turn = Turn()
    told = (
        (Progress.COMPLETED, 0),
        (Progress.FAILED, 1),
        (Progress.FAILED, None),
        (Progress.IN_PROGRESS, None),
    )
    for item, (progress, code) in enumerate(told):
        turn = advance(turn, ToolCall(ItemId(str(item)), ToolKind.EXECUTE, "ls", progress, exit_code=code))
    assert (turn.count, turn.done) == (4, 2)
