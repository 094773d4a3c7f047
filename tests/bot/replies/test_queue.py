"""Places in line, and what a prompt waits for, in the storyboard's words."""

from __future__ import annotations

import pytest

from bot.chat import Button
from bot.intents.values import DropThose
from bot.replies import cancelled
from bot.replies.queue import (
    Entry,
    ForAnswer,
    ForFile,
    ForGroup,
    ForHost,
    ForPlace,
    ForProject,
    InLine,
    WaitsFor,
    backlog,
    cleared,
    line,
    moved,
    place,
    queue,
    reason,
    removed,
)
from bot.texts import Texts
from core.model.ids import ConversationId, PromptId
from tests.support.fake_chat import visible

REST = DropThose(ConversationId(3), PromptId(29))
EN, FR = Texts("en", strict=True), Texts("fr", strict=True)

REASONS: list[tuple[WaitsFor, str]] = [
    (InLine(1, "profile checkout"), "Second in line, after profile checkout."),
    (InLine(2, "profile checkout"), "Third in line, after profile checkout."),
    (InLine(6, "fix *all* tests"), "6 come first, the last of them fix *all* tests."),
    (
        ForPlace(3, ("shop", "blog", "tv")),
        "Waits for a free place: 3 of 3 agents are at work (shop, blog, tv).",
    ),
    (ForPlace(1, ("shop",)), "Waits for a free place: 1 of 1 agents is at work (shop)."),
    (ForGroup("salon", "tv-remote"), "Waits for salon: tv-remote is at work there."),
    (ForProject("shop", "profile checkout"), "Waits for shop: profile checkout is at work there."),
    (ForAnswer("shop", "clean up"), "Waits for the answer to what clean up asks in shop."),
    (ForHost("desk", 3 * 3_600), "Waits for host desk, last seen 3 h ago."),
    (ForHost("desk", 0.5), "Waits for host desk, last seen 0 s ago."),
    (ForHost("desk", None), "Waits for host desk, not seen yet."),
    (ForFile(), "Waits for its file to arrive."),
]


@pytest.mark.parametrize(("waits_for", "said"), REASONS)
def test_what_it_waits_for_is_said(waits_for: WaitsFor, said: str) -> None:
    assert visible(reason(waits_for, EN)) == said
    assert reason(waits_for, FR) != reason(waits_for, EN)


def test_a_place_in_line_can_be_left_and_from_the_third_on_improved() -> None:
    second = place(PromptId(9), InLine(1, "x"), EN)
    assert second.silent
    assert second.buttons == (Button("Remove", "/queue drop 9"),)
    third = place(PromptId(9), InLine(2, "x"), EN)
    assert third.buttons == (Button("Move up", "/queue up 9"), Button("Remove", "/queue drop 9"))
    assert place(PromptId(9), ForFile(), EN).buttons == second.buttons


def test_a_queue_is_one_card() -> None:
    card = queue([Entry(PromptId(7), "profile checkout", 65), Entry(PromptId(9), "fix the tests")], REST, EN)
    assert visible(card.markdown) == "▸ profile checkout · 1:05\n9 fix the tests"
    assert card.buttons == (Button("Remove 9", "/queue drop 9"),)


def test_a_long_queue_keeps_its_buttons_few() -> None:
    card = queue([Entry(PromptId(n), f"number {n}") for n in range(20)], REST, EN)
    assert [button.label for button in card.buttons] == [
        "Move up 19",
        "Remove 0",
        "Remove 1",
        "Remove 2",
        "Remove 3",
        "Remove the rest",
    ]
    assert len(card.markdown.split("\n")) == 20


def test_a_line_says_after_whom_or_why_it_waits_and_how_long_it_is() -> None:
    first = [Entry(PromptId(n), f"number {n}") for n in range(6)]
    card = line(first, 30, InLine(1, "profile checkout"), REST, EN)
    assert card.silent
    said = visible(card.markdown).splitlines()
    assert (said[0], said[1], said[-1]) == ("30 wait, after profile checkout.", "0 number 0", "… and 24 more")
    assert len(said) == 8
    labels = [button.label for button in card.buttons]
    assert labels == ["Move up 5", "Remove 0", "Remove 1", "Remove 2", "Remove 3", "Remove the rest"]
    assert [button.intent for button in card.buttons][:2] == ["/queue up 5", "/queue drop 0"]
    assert card.buttons[-1].intent == "/queue clear 3 29"
    kept = visible(line(first[:2], 2, ForGroup("salon", "tv-remote"), REST, EN).markdown)
    assert kept == "Waits for salon: tv-remote is at work there.\n0 number 0\n1 number 1"
    wordless = visible(line(first[:2], 2, InLine(1, ""), REST, FR).markdown)
    assert wordless.startswith("2 en attente, après …")


def test_changes_of_the_queue_are_said() -> None:
    assert visible(queue([], None, EN).markdown) == "Nothing waits here."
    assert visible(removed("fix the tests", EN).markdown) == "Removed: fix the tests."
    assert visible(moved("fix the tests", EN).markdown) == "Moved up: fix the tests is next."
    assert cleared(0, EN).markdown == "Nothing waits here."
    assert cleared(1, EN).markdown == "1 waiting message removed."
    assert cleared(3, FR).markdown == "3 messages en attente retirés."
    assert backlog(4, EN).markdown == "4 messages came while I was away. They run now, in order."


def test_a_cancel_says_what_it_came_to() -> None:
    said = cancelled.stopped(32, 4, EN)
    assert said.markdown == (
        "Stopped after 0:32, 4 steps done. Nothing is left running; the conversation can go on."
    )
    assert said.buttons == ()
    following = cancelled.stopped(32, 1, EN, following="fix the tests", rest=REST)
    assert visible(following.markdown).split("\n")[1] == "Next: fix the tests."
    assert following.buttons == (Button("Remove the rest", "/queue clear 3 29"),)


def test_what_has_begun_already_is_next_but_is_not_offered_for_removal() -> None:
    begun = cancelled.stopped(32, 1, EN, following="fix the tests")
    assert "Next: *fix the tests*." in begun.markdown
    assert begun.buttons == ()


def test_what_survived_a_cancel_is_named() -> None:
    for texts in (EN, FR):
        assert "`vite`" in cancelled.stopped(32, 4, texts, survivors=("vite",)).markdown
    assert "Nothing is left" not in cancelled.stopped(32, 4, EN, survivors=("vite",)).markdown


def test_a_cancel_of_nothing_says_so() -> None:
    assert cancelled.too_late(EN).markdown == "That had already ended."
    assert cancelled.nothing(EN).markdown == "Nothing is running here."
    assert visible(cancelled.dropped("fix", EN).markdown) == "Removed before it began: fix."
