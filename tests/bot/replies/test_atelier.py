"""The workbench: the whole plan, every step with the last of its output, what changed; all in one message."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from bot.chat import Button
from bot.markup.telegram import TextPart, render
from bot.replies.atelier import bench, cleared
from bot.replies.progress import Live, Phase
from bot.texts import Texts
from core.answers.diffs import DiffSize
from core.model.events import (
    Event,
    Message,
    MessageDelta,
    PlanEntry,
    PlanUpdated,
    Progress,
    Reasoning,
    ToolCall,
    ToolKind,
    TurnStarted,
)
from core.model.ids import ItemId, PromptId
from core.model.prompt import Status
from core.model.turn import Turn, advance
from tests.support.fake_chat import visible
from tests.support.telegram_rules import faults

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)
MOST = 4096
CHANGED = DiffSize(files=4, added=120, removed=30)


def after(*events: Event) -> Turn:
    return reduce(advance, events, Turn())


def ran(number: int, title: str, output: str = "", state: Progress = Progress.COMPLETED) -> ToolCall:
    return ToolCall(ItemId(str(number)), ToolKind.EXECUTE, title, state, output)


def live(turn: Turn, phase: Phase = Phase.WORKING) -> Live:
    return Live(PromptId(7), "Codex", "shop", turn, 12, 0, phase)


def lines(turn: Turn, changed: DiffSize = CHANGED, texts: Texts = EN, most: int = MOST) -> list[str]:
    shown = visible(bench(live(turn), changed, texts, most=most).markdown)
    return [line for line in shown.split("\n") if line]


WORKING = after(
    TurnStarted(),
    PlanUpdated(
        (
            PlanEntry("read the *view*", Progress.COMPLETED),
            PlanEntry("measure the queries", Progress.IN_PROGRESS),
            PlanEntry("fix", Progress.PENDING),
        )
    ),
    ran(1, "ls"),
    ran(2, "pytest -q", "\n".join(f"test {n}" for n in range(20)), Progress.FAILED),
    ran(3, "profile.py", state=Progress.IN_PROGRESS),
)


def test_everything_is_on_the_bench() -> None:
    assert lines(WORKING) == [
        "⏳ Codex · shop · 0:12",
        "☑ read the *view*",
        "▸ measure the queries",
        "☐ fix",
        "✓ Ran ls",
        "✗ Ran pytest -q",
        *(f"test {n}" for n in range(14, 20)),
        "▸ Running profile.py",
        "4 files changed: +120 −30",
    ]
    shown = bench(live(WORKING), CHANGED, EN, most=MOST)
    assert (shown.buttons, shown.silent) == ((Button("Stop", "/cancel 7"),), True)


def test_output_is_a_quotation_in_which_nothing_is_markup() -> None:
    output = "- a\n1. *b*\n```\n---\n    # c\n> d"
    shown = render(bench(live(after(ran(1, "cat", output))), DiffSize(), EN, most=MOST).markdown)
    (part,) = shown
    assert isinstance(part, TextPart)
    assert output in part.text
    assert [one.type for one in part.entities].count("expandable_blockquote") == 1


def test_what_it_thinks_is_folded_up_until_it_says_something() -> None:
    thought = Reasoning(ItemId("9"), "Long ago. " * 200 + "\n\nThe *view* asks twice:\n- once\n```\nfor each")
    turn = after(ran(1, "ls"), thought)
    (part,) = render(bench(live(turn), CHANGED, EN, most=MOST).markdown)
    assert isinstance(part, TextPart)
    shown = part.text.split("\n")
    assert shown[2:4] == ["✓ Ran ls", ""]
    assert shown[4] == "Thinking"
    assert part.text.endswith("The *view* asks twice:\n- once\n```\nfor each\n\n4 files changed: +120 −30")
    assert len(part.text) < 900
    (quoted,) = [one for one in part.entities if one.type == "expandable_blockquote"]
    assert quoted.offset == part.text.index("Thinking")
    assert quoted.offset + quoted.length == part.text.index("\n\n4 files")
    for said in (MessageDelta(ItemId("2"), "It"), Message(ItemId("2"), "It."), TurnStarted()):
        assert "Thinking" not in visible(bench(live(advance(turn, said)), CHANGED, EN, most=MOST).markdown)
    assert "Thinking" not in visible(cleared(turn, Status.DONE, 1, CHANGED, EN, most=MOST).markdown)


def test_older_steps_are_counted_where_they_have_no_room() -> None:
    many = after(*(ran(n, f"step-{n}", "x" * 110) for n in range(30)))
    shown = lines(many, most=1_200)
    earlier = next(line for line in shown if line.startswith("…"))
    titles = [line for line in shown if line.startswith("✓")]
    assert earlier == f"… {30 - len(titles)} earlier steps"
    assert titles[-1] == "✓ Ran step-29"
    assert lines(many, texts=FR, most=1_200)[1].endswith("étapes avant")


def test_what_is_left_of_it_keeps_plan_steps_and_changes() -> None:
    left = cleared(WORKING, Status.DONE, 65, CHANGED, EN, most=MOST)
    said = visible(left.markdown)
    assert said.startswith("✓ 1:05 · 3 steps\n\n☑ read the *view*")
    assert said.endswith("4 files changed: +120 −30")
    assert left.buttons == ()


def test_one_that_is_being_stopped_has_no_button() -> None:
    assert bench(live(WORKING, Phase.STOPPING), CHANGED, EN, most=MOST).buttons == ()


def test_a_plan_without_end_leaves_room_for_the_steps() -> None:
    plan = PlanUpdated(tuple(PlanEntry("😀" * 100, Progress.PENDING) for _ in range(60)))
    shown = lines(after(plan, ran(1, "ls")))
    assert shown[-2:] == ["✓ Ran ls", "4 files changed: +120 −30"]
    assert [line for line in shown if line.startswith("…")] == ["… and 50 more"]


WORDS = st.text(max_size=200) | st.text(alphabet="😀`*_>|\n-", max_size=400)
STEPS = st.builds(ran, st.integers(0, 99), WORDS, WORDS, st.sampled_from(Progress))
PLANS = st.lists(st.builds(PlanEntry, WORDS, st.sampled_from(Progress)), max_size=40).map(tuple)


@given(PLANS, st.lists(STEPS, max_size=25))
def test_it_is_always_one_lawful_message(plan: tuple[PlanEntry, ...], steps: list[ToolCall]) -> None:
    turn = after(PlanUpdated(plan), *steps)
    for shown in (
        bench(live(turn), CHANGED, EN, most=MOST),
        cleared(turn, Status.DONE, 3, CHANGED, FR, most=MOST),
    ):
        (part,) = render(shown.markdown)
        assert isinstance(part, TextPart)
        assert faults(part.text, part.entities) == []
