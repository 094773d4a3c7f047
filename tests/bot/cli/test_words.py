"""Progress as lines, sentences on a screen, and the log: what is written and what is not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pydantic import SecretStr

from bot.cli.logs import log_to_stderr
from bot.cli.progress import Teller
from bot.cli.screen import drawn
from bot.live import Told, View, Waits, Works
from bot.replies.progress import Live, Phase
from bot.replies.queue import InLine
from bot.texts import Texts
from core.model.events import Notice, PlanEntry, Progress, Recovering, Retrying, ToolCall, ToolKind
from core.model.ids import ConversationId, ItemId, PromptId
from core.model.prompt import Prompt, Status
from core.model.turn import Turn, advance
from core.settings import Settings
from core.settings.schema import TelegramSettings

TEXTS = Texts("en", strict=True)
PROMPT = Prompt(PromptId(1), ConversationId(1), "Go", Status.RUNNING, 1.0, 0.0)
SECRET = "12345678:abcdefghijklmnopqrstuvwxyz"
WITH_SECRET = Settings(telegram=TelegramSettings(token=SecretStr(SECRET)))


def told(*views: View) -> list[str]:
    teller = Teller(TEXTS)
    return [line for view in views for line in teller.news(view)]


def works(turn: Turn, *, elapsed: float = 0, phase: Phase = Phase.WORKING) -> Works:
    return Works(PROMPT, Live(PROMPT.id, "Codex", "shop", turn, elapsed, phase=phase))


def ran(number: int, progress: Progress = Progress.COMPLETED) -> ToolCall:
    return ToolCall(ItemId(str(number)), ToolKind.EXECUTE, "make", progress)


def test_each_change_is_told_once_and_the_clock_is_none() -> None:
    busy = Turn(plan=(PlanEntry("look", Progress.IN_PROGRESS),))
    under_way, done = advance(busy, ran(1, Progress.IN_PROGRESS)), advance(busy, ran(1))
    assert told(
        Waits(PROMPT, InLine(1, "One")),
        Waits(PROMPT, None),
        works(Turn(), phase=Phase.STARTING),
        works(busy, elapsed=1),
        works(busy, elapsed=2),
        works(under_way, elapsed=3),
        works(done, elapsed=4),
        works(done, elapsed=5),
    ) == [
        "Second in line, after *One*.",
        "Starting …",
        "Plan 1/1: look",
        "▸ Running `make`",
        "✓ Ran `make`",
    ]


def test_the_same_step_twice_is_told_twice() -> None:
    once = advance(Turn(), ran(1))
    assert told(works(once), works(advance(once, ran(2)))) == ["✓ Ran `make`", "✓ Ran `make`"]


def test_a_wait_for_the_next_try_is_told_once_and_the_next_one_again() -> None:
    first, second = (works(Turn(waiting=Retrying("rate_limit", 15.0 * n, n, 3))).live for n in (1, 2))
    ticks = [replace(first, retry_in=left) for left in (14.8, 13.7, 0.2)]
    assert told(*(Works(PROMPT, live) for live in (*ticks, second))) == [
        "Rate limit. Next try in 15 s (1 of 3).",
        "Rate limit. Next try in 30 s (2 of 3).",
    ]


def test_an_agents_word_on_itself_is_told_once_for_each_change() -> None:
    turns = [advance(Turn(started=True), Notice(f"Reconnecting... {n}/5")) for n in (1, 1, 2)]
    assert told(*map(works, turns)) == ["Reconnecting... 1/5", "Reconnecting... 2/5"]


def test_what_happened_besides_does_not_repeat_the_progress() -> None:
    busy = works(advance(Turn(), ran(1)))
    lines = told(busy, Told(PROMPT, Recovering("session_gone"), "Codex", 1, "shop"), replace(busy))
    assert lines == [
        "✓ Ran `make`",
        "Codex no longer has this session. Your message went into a new one.",
    ]


def test_a_terminal_gets_colours_and_a_pipe_plain_words() -> None:
    assert drawn("**Done** `x`", terminal=False) == "Done x"
    assert drawn("**Done** `x`", terminal=True) == "\x1b[1mDone\x1b[0m \x1b[36mx\x1b[0m"
    assert drawn("Starting …", terminal=True) == "Starting …"
    assert drawn("_so_", terminal=False) == "so"


def test_a_picture_is_its_path_where_it_stands() -> None:
    answer, pictures = "Before\n\n![a](a.png)\n\nAfter", {"a.png": "/media/1.png"}
    assert drawn(answer, terminal=True, pictures=pictures) == "Before\n\n/media/1.png\n\nAfter"


@pytest.fixture
def log() -> Iterator[None]:
    """Whatever a test does to logging is undone."""
    loggers = [logging.getLogger(name) for name in ("", "bot", "core")]
    before = [(one, one.level, one.handlers[:]) for one in loggers]
    yield
    for one, level, handlers in before:
        one.setLevel(level)
        one.handlers[:] = handlers


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize(
    ("service", "debug", "shown"),
    [
        (False, False, ""),
        (True, False, "info: prompt 3 •••\nerror: it broke at once: ValueError\n"),
    ],
)
def test_the_log_is_one_masked_line_each(
    service: bool, debug: bool, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log_to_stderr(WITH_SECRET, debug=debug, service=service)
    fail(logging.getLogger("core.test"))
    assert capsys.readouterr().err == shown


@pytest.mark.usefixtures("log")
def test_who_looks_for_a_fault_sees_all_of_it_but_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr(WITH_SECRET, debug=True)
    fail(logging.getLogger("core.test"))
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert SECRET not in shown


def fail(logger: logging.Logger) -> None:
    logger.info("prompt %d %s", 3, SECRET)
    try:
        raise ValueError(SECRET)
    except ValueError:
        logger.exception("it broke\nat once")
