"""The live message: the storyboard's words, and never more than eight lines."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import Button
from bot.replies.progress import Live, Phase, folded, leftovers, progress, recovering, step
from bot.replies.queue import ForPlace
from bot.texts import Texts
from core.answers.markdown import parse_inline
from core.model.events import (
    Asked,
    AskKind,
    Compacted,
    Event,
    Leftovers,
    Message,
    MessageDelta,
    Notice,
    PlanEntry,
    PlanUpdated,
    Progress,
    PromptEnded,
    Recovering,
    Retrying,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Usage,
)
from core.model.ids import ItemId, PromptId, SessionId
from core.model.prompt import Status
from core.model.turn import Turn, advance
from tests.support.fake_chat import visible

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)
READ, RUN = ToolKind.READ, ToolKind.EXECUTE


def after(*events: Event) -> Turn:
    return reduce(advance, events, Turn())


def call(item: str, kind: ToolKind, title: str, state: Progress, exit_code: int | None = None) -> ToolCall:
    return ToolCall(ItemId(item), kind, title, state, exit_code=exit_code)


def test_what_it_waits_for_to_go_on_is_its_last_line() -> None:
    tv = ForPlace(1, ("tv",))
    renewed = replace(live(after(TurnStarted(), Retrying("usage_limit", 9.0, 1, 3, 5.0))), kept_by=tv)
    assert lines(renewed)[-1] == "Waits for a free place: 1 of 1 agents is at work (tv)."
    asked = replace(live(after(TurnStarted(), Asked("q", AskKind.COMMAND, "rm x", ()))), kept_by=tv)
    assert (
        lines(asked, FR)[-1] == "Réponse reçue. Attend une place libre : 1 agent sur 1 est au travail (tv)."
    )
    assert lines(replace(asked, phase=Phase.STOPPING))[-1] == "Stopping …"


def test_how_long_nothing_was_heard_is_told_after_a_while_and_that_the_step_has_answered() -> None:
    ran = after(TurnStarted(), call("1", RUN, "make", Progress.COMPLETED))
    assert lines(replace(live(ran), quiet_for=119.0))[-1] == "✓ Ran make"
    silent = replace(live(ran), quiet_for=725.0)
    assert lines(silent)[-2:] == ["✓ Ran make", "nothing heard for 12:05"]
    assert lines(silent, FR)[-1] == "plus de nouvelles depuis 12:05"
    assert lines(replace(silent, phase=Phase.STOPPING))[-1] == "Stopping …"


def test_compactions_without_end_are_counted() -> None:
    once = after(TurnStarted(), Compacted(10, 5))
    assert not [line for line in lines(live(once)) if "compacted" in line]
    often = after(TurnStarted(), *[Compacted(10, 5)] * 48)
    assert lines(live(often))[-1] == "compacted 48 times"


def live(turn: Turn, *, elapsed: float = 12, retry_in: float = 0, phase: Phase = Phase.WORKING) -> Live:
    return Live(PromptId(7), "Codex", "shop", turn, elapsed, retry_in, phase)


def lines(shown: Live, texts: Texts = EN) -> list[str]:
    return visible(progress(shown, texts).markdown).split("\n")


WORKING = after(
    TurnStarted(),
    PlanUpdated(
        (
            PlanEntry("read the view", Progress.COMPLETED),
            PlanEntry("measure the queries", Progress.IN_PROGRESS),
            PlanEntry("fix", Progress.PENDING),
            PlanEntry("test", Progress.PENDING),
        )
    ),
    call("1", READ, "checkout/views.py", Progress.COMPLETED),
    call("2", RUN, "pytest -k checkout", Progress.FAILED, 4),
    call("3", RUN, "profile.py", Progress.IN_PROGRESS),
)


def test_it_says_what_the_storyboard_says() -> None:
    shown = progress(live(WORKING), EN)
    assert shown.markdown.split("\n") == [
        "⏳ **Codex** · shop · 0:12",
        "Plan 2/4: measure the queries",
        "✓ Read `checkout/views.py`",
        "✗ Ran `pytest -k checkout` · exit 4",
        "▸ Running `profile.py`",
    ]
    assert shown.buttons == (Button("Stop", "/cancel 7"),)
    assert shown.silent


def test_it_says_the_same_in_french() -> None:
    assert lines(live(WORKING), FR) == [
        "⏳ Codex · shop · 0:12",
        "Plan 2/4 : measure the queries",
        "✓ Lu checkout/views.py",
        "✗ Exécuté pytest -k checkout · code 4",
        "▸ Exécute profile.py",
    ]


def test_an_agents_word_on_itself_is_one_short_line_until_it_goes_on() -> None:
    notice = Notice(
        "⚠️ Reconnecting... *2*/5 (unexpected status 404 Not Found: no such path, url: ws://localhost/v1)"
    )
    turn = advance(WORKING, notice)
    shown = lines(live(turn))
    assert shown[-2:] == ["▸ Running profile.py", "Reconnecting... 2/5 (unexpected status 404 Not Found: no…"]
    assert lines(live(after(notice), phase=Phase.STARTING))[1:] == shown[-1:]
    assert lines(live(turn, phase=Phase.STOPPING))[-1] == "Stopping …"
    assert lines(live(advance(turn, call("4", RUN, "make", Progress.IN_PROGRESS))))[-1] == "▸ Running make"


def test_the_last_four_steps_are_shown() -> None:
    many = after(*(call(str(n), READ, f"{n}.py", Progress.COMPLETED) for n in range(9)))
    assert lines(live(many))[1:] == [f"✓ Read {n}.py" for n in (5, 6, 7, 8)]


def test_a_command_is_cut_at_sixty_characters_and_stays_on_its_line() -> None:
    shown = lines(live(after(call("1", RUN, "cat <<`E`\n" + "x" * 100, Progress.COMPLETED))))
    assert len(shown) == 2
    assert shown[1].removeprefix("✓ Ran ") == "cat <<`E` " + "x" * 49 + "…"


@pytest.mark.parametrize("kind", ToolKind)
@pytest.mark.parametrize("state", Progress)
def test_every_step_has_its_words(kind: ToolKind, state: Progress) -> None:
    for texts in (EN, FR):
        assert step(call("1", kind, "x.py", state), texts).endswith("`x.py`")


def test_a_step_without_a_title_is_named_by_its_paths() -> None:
    moved = ToolCall(ItemId("1"), ToolKind.EDIT, "", Progress.COMPLETED, paths=("a.py", "b.py"))
    assert step(moved, EN) == "✓ Wrote `a.py, b.py`"


def test_a_wait_counts_down() -> None:
    waiting = after(TurnStarted(), Retrying("rate_limit", 45, 2, 3))
    assert lines(live(waiting, retry_in=44.2))[-1] == "Rate limit. Next try in 45 s (2 of 3)."
    waiting = after(Retrying("thread_writer", 5, 2, 4))
    assert lines(live(waiting, retry_in=5))[-1] == (
        "Another program has this session open. Trying again in 5 s."
    )


def renewed_at(at: float) -> Turn:
    return after(TurnStarted(), Retrying("usage_limit", 9_000, 1, 3, at))


@pytest.mark.parametrize(
    ("texts", "left", "said"),
    [
        (EN, 9_000, "Your Codex limit is used up until 09:13. It will run then."),
        (EN, 90_000, "Your Codex limit is used up until 09:13 on 2026-12-01. It will run then."),
        (FR, 9_000, "Votre limite Codex est épuisée jusqu’à 09:13. La demande partira à ce moment-là."),
        (
            FR,
            90_000,
            "Votre limite Codex est épuisée jusqu’à 09:13 le 01/12/2026. La demande partira à ce moment-là.",
        ),
    ],
)
def test_a_limit_is_waited_for_with_its_time_and_no_clock_that_ticks(
    texts: Texts, left: float, said: str
) -> None:
    shown = live(renewed_at(time.mktime((2026, 12, 1, 9, 13, 0, 0, 0, -1))), retry_in=left)
    assert lines(shown, texts) == ["⏳ Codex · shop", said]
    (drop,) = progress(shown, texts).buttons
    assert (drop.label, drop.intent) == (texts.say("button.drop"), "/cancel 7")


def test_it_says_what_roost_is_about() -> None:
    assert lines(live(Turn(), phase=Phase.STARTING))[1:] == ["Starting …"]
    stopping = live(WORKING, phase=Phase.STOPPING)
    assert lines(stopping)[-1] == "Stopping …"
    assert progress(stopping, EN).buttons == ()


def test_it_folds_to_one_line() -> None:
    steps = [call(str(n), READ, "x", Progress.COMPLETED) for n in range(12)]
    turn = after(*steps, Usage(150_000, 90_000, 6_160, window=256_000))
    assert folded(turn, Status.DONE, 65, EN).markdown == "✓ 1:05 · 12 steps · context 61 %"
    assert folded(Turn(), Status.DONE, 3, EN).markdown == "✓ 0:03"
    assert folded(Turn(), Status.DONE, 0.4, EN).markdown == "✓ 0:00 · answered"
    assert folded(turn, Status.FAILED, 65, FR).markdown == "✗ 1:05 · échec · 12 étapes · contexte 61 %"
    assert folded(Turn(), Status.CANCELLED, 32, EN).markdown == "■ 0:32 · stopped"
    assert folded(turn, Status.DONE, 65, EN).buttons == ()


@pytest.mark.parametrize(
    "usage", [Usage(9_000, 0, 100), Usage(9_000_000, 0, 100, window=200_000, cumulative=True)]
)
def test_a_total_over_the_session_says_nothing_about_the_context(usage: Usage) -> None:
    assert folded(after(usage), Status.DONE, 1, EN).markdown == "✓ 0:01"


def test_recovery_and_leftovers_are_said_quietly() -> None:
    gone = recovering(Recovering("session_gone"), "Codex", EN)
    assert gone.markdown == "Codex no longer has this session. Your message went into a new one."
    assert gone.silent
    for texts in (EN, FR):
        assert "Codex" in recovering(Recovering("interrupted"), "Codex", texts).markdown
        assert "Codex" in recovering(Recovering("never_started"), "Codex", texts).markdown
    ended = leftovers(Leftovers(("vite", "esbuild"), ended=True), EN)
    assert visible(ended.markdown) == "Left running, and now ended: vite, esbuild."
    assert "as the project allows" in leftovers(Leftovers(("vite",), ended=False), EN).markdown


ODD = st.text(alphabet=st.sampled_from("ab `*_[]<>\\\n\u202e#é"), max_size=90)
STATES = st.sampled_from(Progress)
EVENTS = st.lists(
    st.one_of(
        st.just(TurnStarted()),
        st.builds(SessionStarted, ODD.map(SessionId)),
        st.builds(
            ToolCall,
            st.sampled_from("abcdefgh").map(ItemId),
            st.sampled_from(ToolKind),
            ODD,
            STATES,
            ODD,
            st.none() | st.integers(0, 255),
            st.tuples(ODD),
        ),
        st.builds(PlanUpdated, st.lists(st.builds(PlanEntry, ODD, STATES), max_size=6).map(tuple)),
        st.builds(
            Retrying,
            st.sampled_from(["rate_limit", "thread_writer", "busy", "usage_limit"]),
            st.just(15.0),
            st.just(1),
            st.just(3),
            st.sampled_from([0.0, 1_796_030_000.0]),
        ),
        st.builds(Recovering, st.sampled_from(["session_gone", "interrupted", "never_started"])),
        st.builds(MessageDelta, st.just(ItemId("m")), ODD),
        st.builds(Message, st.just(ItemId("m")), ODD),
        st.builds(Notice, ODD),
        st.builds(TurnCompleted, st.none() | ODD),
        st.builds(TurnFailed, ODD),
        st.builds(PromptEnded, st.sampled_from(Status)),
        st.builds(
            Usage, st.integers(0, 10**7), st.just(0), st.integers(0, 10**6), window=st.integers(0, 10**6)
        ),
    ),
    max_size=20,
)


@given(EVENTS, st.sampled_from(Phase), st.sampled_from([EN, FR]), ODD)
def test_whatever_happens_it_is_a_few_whole_lines(
    events: list[Event], phase: Phase, texts: Texts, project: str
) -> None:
    turn = after(*events)
    shown = progress(Live(PromptId(7), "Codex", project, turn, 65, 15, phase), texts).markdown.split("\n")
    assert 1 <= len(shown) <= 8
    for line in shown:
        kinds = [token.type for token in parse_inline(line)[0].children or ()]
        is_step = line[0] in "✓✗▸"
        assert kinds.count("code_inline") == (1 if is_step else 0)
        assert set(kinds) <= {"text", "text_special", "code_inline", "strong_open", "strong_close"}
    assert "\n" not in folded(turn, Status.DONE, 65, texts).markdown
