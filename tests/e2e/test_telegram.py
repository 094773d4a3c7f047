"""A whole conversation on a phone, watched on the server's side: what is seen when, and what rings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.phone import Phone, phone
from tests.support.play_agent import Step
from tests.support.roost import Roost
from tests.support.whole import BEGUN, COMPLETED, STARTED, says
from tests.telegram.client import picture
from tests.telegram.server import Change, Message, Rule

PACE = 1.2
"""Seconds between two edits in a private chat, in a turn's first minute."""


def began(command: str, item: str) -> Step:
    started = {"id": item, "type": "command_execution", "command": command, "status": "in_progress"}
    return {"json": {"type": "item.started", "item": started | {"aggregated_output": ""}}}


def over(command: str, item: str, status: int = 0) -> Step:
    ended = {"id": item, "type": "command_execution", "command": command, "status": "completed"}
    return {
        "json": {"type": "item.completed", "item": ended | {"aggregated_output": "", "exit_code": status}}
    }


def steps(seconds: float) -> Iterator[Step]:
    """Two commands, of which the second fails, in so many seconds."""
    for item, command, status in (("a", "pytest -q", 0), ("b", "ruff check", 1)):
        yield began(command, item)
        yield {"sleep": seconds / 2}
        yield over(command, item, status)


def edits(changes: list[Change]) -> list[Change]:
    return [change for change in changes if change.kind == "edited"]


def handed_out(held: Phone, sent: Message) -> float:
    """When the service was given the last update."""
    return held.api.bot.updates.handed[held.api.bot.updates.last_id]


async def test_what_is_seen_and_what_rings(shop: Roost) -> None:
    """The screen at every second of a turn of six."""
    (shop.shop / "output").mkdir()
    (shop.shop / "output/chart.png").write_bytes(picture(640, 480))
    (shop.shop / "output/plan.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    answer = "It is slow.\n\n![chart](output/chart.png)\n\nThe plan:\n\n![plan](output/plan.svg)\n\nDone."
    shop.says(answer, *steps(6.0))
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        asked = held.ann.writes("Why is checkout slow?")
        await held.api.until(lambda: held.says("Done.") and held.says("✓ 0:06"))
        begun, chat = handed_out(held, asked), held.chat
        assert held.api.violations == []
    log = [change for change in chat.log if change.at >= begun]
    (looked,) = [change for change in log if change.kind == "reacted"]
    assert looked.message
    assert looked.message.id == asked.id
    assert looked.at - begun < 0.3
    (first,) = [c for c in log if c.kind == "sent" and c.message and c.message.buttons == [["Stop"]]]
    assert first.message
    assert 1.5 <= first.at - begun < 2.3
    assert first.message.silent
    assert first.message.buttons == [["Stop"]]
    shown = held.seen(first.message)
    assert all(later.at - before.at > PACE - 0.1 for before, later in pairwise(edits(shown)[:-1]))
    assert [line for line in words(shown[-2]) if "`" in line or line[0] in "✓✗▸"][-2:]
    assert len(edits(shown)) >= 3
    answered = held.one("It is slow.")
    assert answered.reply_to
    assert answered.reply_to.id == asked.id
    assert held.rung == ["It is slow."]
    for second in (0.5, 1.2):
        assert chat.reads(begun + second)[-1:] == ["This room works in shop from now on."]
        assert chat.typing(begun + second)
    for second in (2.5, 3.5, 4.5, 5.5):
        *_, last = chat.reads(begun + second)
        assert last.startswith((told(second - 1), told(second))), last
    assert all(
        chat.typing(begun + second) for second in (4.5, 5.5)
    )  # a message that comes ends the first one
    assert not chat.typing(answered.date)
    assert chat.reads()[1:] == [
        "✓ 0:06 · 2 steps",
        "It is slow.",
        "[chart.jpg] chart",
        "The plan:",
        "[plan.svg] plan",
        "Done.",
    ]
    assert [bool(message.photo) for message in chat.screen() if message.media] == [True, False]
    assert chat.screen()[-1].buttons == [["Ask again"]]


def told(seconds: float) -> str:
    return f"⏳ Codex · shop · 0:0{int(seconds)}"


def clock(held: Phone) -> int:
    """The seconds that the turn at work shows; -1 where none is shown."""
    found = re.search(r"⏳ .* 0:(\d\d)", "\n".join(held.chat.reads()))
    return int(found[1]) if found else -1


def words(change: Change) -> list[str]:
    assert change.message
    return change.message.words.splitlines()


async def test_a_short_turn_needs_no_progress_and_few_calls(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        before = len(held.api.called())
        asked = held.ann.writes("Hello")
        await held.until("Hi.")
        calls = [call.method for call in held.api.called()[before:] if "My" not in call.method]
        assert len(calls) <= 5, calls
        assert held.chat.reads()[1:] == ["Hi."]
        assert held.rung == ["Hi."]
        assert held.chat.messages[asked.id].reactions == ((held.api.bot.user.id, "👀"),)


@pytest.fixture
def reader(shop: Roost) -> Roost:
    """Its agent notes what it was told."""
    shop.play.steps({"read_stdin": "eof"}, STARTED, BEGUN, says("Hi."), COMPLETED)
    return shop


async def test_a_prompt_waits_for_its_project_and_runs_once(reader: Roost) -> None:
    shop, blog = reader, reader.home / "blog"
    blog.mkdir()
    shop("project", "add", "blog", str(blog))
    async with phone(shop) as held:
        await held.start()
        asked = held.ann.writes("Why?")
        await held.until("Which project is this for?")
        assert sorted(held.chat.buttons()) == ["New project", "blog", "shop"]
        await held.restart()
        assert not shop.play.starts
        press = held.ann.presses("blog")
        await held.until("Hi.")
        await held.api.until(lambda: press.answered)
        answer = held.one("Hi.")
        assert answer.reply_to
        assert answer.reply_to.id == asked.id
        assert held.rung == ["Hi."]
    (start,) = shop.play.starts
    assert start.stdin.startswith(b"Why?")


async def test_a_photo_and_a_document_reach_the_agent(reader: Roost) -> None:
    async with phone(reader) as held:
        await held.start()
        await held.works_in_shop()
        sent = held.ann.writes("What is this?", photo=picture(640, 480))
        await held.until("Hi.")
        held.ann.writes("And this?", document=("notes.txt", b"buy tea"))
        await held.api.until(lambda: held.chat.reads().count("Hi.") == 2)
    first, second = reader.play.starts
    (image,) = [Path(word) for word in first.argv if word.endswith(".jpg")]
    assert sent.media
    assert image.read_bytes() == sent.media.data
    assert first.stdin.startswith(b"What is this?")
    (named,) = [word for word in second.stdin.decode().split() if "notes.txt" in word]
    assert Path(named.strip("`'\".,:()")).read_bytes() == b"buy tea"


async def test_what_telegram_keeps_to_itself_is_told_and_the_words_run(reader: Roost) -> None:
    async with phone(reader) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Look", document=("film.mp4", bytes(25_000_000)))
        await held.until("Hi.")
        assert held.chat.reads()[1:] == [
            "film.mp4 is left out: this chat hands out no file over 21 MB. The rest of your message runs.",
            "Hi.",
        ]
        assert not held.api.called("getFile")
    assert len(reader.play.starts) == 1


async def test_a_photo_that_cannot_be_fetched_yet_is_waited_for(reader: Roost) -> None:
    async with phone(reader) as held:
        held.api.faults.add(Rule("file", times=1, drop_connection=True))
        await held.start()
        await held.works_in_shop()
        held.ann.writes("What is this?", photo=picture())
        await held.until("Hi.")
        assert held.rung == ["Hi."]
    assert any(word.endswith(".jpg") for word in reader.play.starts[0].argv)


async def test_stop_is_a_button_and_a_word_and_the_conversation_goes_on(shop: Roost) -> None:
    shop.holds()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.api.until(lambda: held.chat.buttons() == ["Stop"])
        press = held.ann.presses("Stop")
        await held.until("Stopped after 0:0")
        await held.until("■ 0:0")
        assert press.answered
        assert held.rung == []
        shop.says("Hi again.")
        held.ann.writes("Go on")
        await held.until("Hi again.")
        assert "resume" in shop.play.starts[-1].argv


async def test_the_clock_goes_on_in_the_same_message_across_two_restarts(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.api.until(lambda: clock(held) >= 2)
        shown = held.one("⏳")
        await held.restart()
        await held.api.until(lambda: clock(held) >= 4)
        await held.restart()
        await held.api.until(lambda: clock(held) >= 6)
        go.touch()
        await held.until("Hi.")
        await held.until("✓ 0:0")
        assert held.chat.messages[shown.id].words.startswith("✓ 0:0")
        assert held.chat.reads()[2:] == ["Hi."]
        ticks = [words(change)[0] for change in held.seen(shown)[:-1]]
        assert ticks == sorted(ticks)
        assert held.rung == ["Hi."]
        assert len(shop.play.starts) == 1


@pytest.mark.parametrize(("point", "mark"), [("answered", ""), ("delivering:2", "(may be a repeat)\n\n")])
async def test_killed_between_the_answer_and_its_sending(shop: Roost, point: str, mark: str) -> None:
    async with phone(shop) as held:
        await held.start(ROOST_CRASH_AT=point)  # what is delivered first is the word on the project
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.ended(20)
        assert held.rung == []
        await held.start()
        await held.api.until(lambda: held.rung)
        assert held.rung == [f"{mark}Hi."]
    assert len(shop.play.starts) == 1


def test_a_token_that_is_none_is_refused_and_not_repeated(shop: Roost) -> None:
    for pasted in ("Use this token:\n7000001:AAE-secret-secret-secret-secret", "7000001"):
        shop.configure(f"[telegram]\ntoken = {json.dumps(pasted)}\n")
        ran = shop("run")
        assert ran.status != 0
        assert "@BotFather" in ran.err
        assert "secret" not in ran.err
        assert len(ran.err.strip().splitlines()) <= 2


def test_an_address_that_is_no_server_s_is_refused_at_once(shop: Roost) -> None:
    for url in ("ftp://example.org", "https://", "https://example.org/bot7000001:AAE-secret-secret-secret"):
        shop.configure(
            f"[telegram]\ntoken = '7000001:AAE-secret-secret-secret'\nbase_url = {json.dumps(url)}\n"
        )
        ran = shop("run")
        assert ran.status == 2
        assert "telegram.base_url" in ran.err
        assert "https://api.telegram.org" in ran.err
        assert "secret" not in ran.err
