"""Sessions that were begun in the engine's own program are listed here, and carried on from here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.model.events import SessionStarted
from core.model.ids import ProjectId, SessionId
from core.store import conversations
from tests.support.answering import AnsweringHost, offers_of, thread, turn
from tests.support.office import Office, open_office

NONE_YET = "There is no conversation in shop yet. Write what is to be done."
UNKNOWN = "There is no such conversation here. /conversations lists them."


@pytest.fixture
def host() -> AnsweringHost:
    return AnsweringHost()


@pytest.fixture
async def asked(tmp_path: Path, host: AnsweringHost) -> AsyncIterator[Office]:
    """Where engines answer."""
    async with open_office(tmp_path) as opened:
        opened.desk = replace(opened.desk, offers=offers_of(host, opened.clock))
        project = await opened.project()
        assert project.path == "/srv/shop"
        yield opened


def lists(host: AnsweringHost, *rows: dict[str, object]) -> None:
    host.answers["thread/list"] = {"data": list(rows)}


async def test_the_newest_of_this_directory_are_listed(asked: Office, host: AnsweringHost) -> None:
    lists(
        host,
        *(thread(f"s-{n}", f"Title {n}", at=n) for n in range(7)),
        thread("s-x", "Of another", "/srv/blog", at=9),
    )
    newest = [f"Title {n}" for n in (6, 5, 4, 3, 2)]
    listed = "\n".join(f"· {title}" for title in newest)
    assert await asked.says("/conversations") == [f"{NONE_YET}\nBegun in Codex itself:\n{listed}"]
    assert asked.chat.buttons() == [f"↪ {title}" for title in newest]


async def test_one_is_carried_on_with_what_was_said_last(asked: Office, host: AnsweringHost) -> None:
    lists(host, thread("s-1", "Count the stars"))
    turns = [turn(f"Question {n}", "Looking", f"Answer {n}") for n in range(4)]
    host.answers["thread/read"] = {"thread": {"id": "s-1", "turns": turns}}
    await asked.says("/conversations")
    (said,) = await asked.presses("↪ Count the stars")
    exchanges = [line for n in (1, 2, 3) for line in (f"› Question {n}", f"‹ Answer {n}")]
    assert said.splitlines() == ["Carrying on: Count the stars.", *exchanges]
    await asked.says("Go on")
    (work,) = await asked.starts()
    assert work.turn.session == "s-1"
    here = await asked.conversation()
    assert (here.id, here.title, here.engine) == (asked.took[0].conversation, "Count the stars", "codex")


async def test_what_is_known_is_not_listed_again(asked: Office, host: AnsweringHost) -> None:
    lists(host, thread("s-1", "Count the stars"))
    await asked.says("/conversations import s-1")
    here = await asked.conversation()
    (said,) = await asked.says("/conversations")
    assert said == f"The last ones in shop:\n{here.id} Count the stars"
    await asked.says("/new")
    assert (await asked.conversation()).id != here.id
    assert await asked.says("/conversations import s-1") == ["Carrying on: Count the stars."]
    assert await asked.conversation() == here


@pytest.mark.parametrize("session", ["s-x", "s-0"])
async def test_no_session_of_another_directory_is_taken(
    asked: Office, host: AnsweringHost, session: str
) -> None:
    lists(host, thread("s-x", "Of another", "/srv/blog"), thread("s-1", "Mine"))
    assert await asked.says(f"/conversations import {session}") == [UNKNOWN]
    assert await asked.store.read(conversations.latest, ProjectId(1)) == []


async def test_words_from_outside_are_plain(asked: Office, host: AnsweringHost) -> None:
    lists(host, thread("s-1", "[x](http://e.example) **a**\u202e\n`b`"))
    host.answers["thread/read"] = {"thread": {"id": "s-1", "turns": [turn("**c**\n\n# d", "e" * 300)]}}
    (said,) = await asked.says("/conversations")
    assert said.endswith("· [x]( **a** `b`")
    (said,) = await asked.says("/conversations import s-1")
    assert said.splitlines()[1:] == ["› **c** # d", f"‹ {'e' * 199}…"]


async def test_nobody_waits_for_a_slow_program(asked: Office, host: AnsweringHost) -> None:
    host.awake.clear()
    asked.desk = replace(asked.desk, offers=offers_of(host, asked.clock, patience=0.0))
    asking = "Codex is being asked for those begun elsewhere. Say it again in a moment."
    assert await asked.says("/conversations") == [f"{NONE_YET}\n{asking}"]
    await asked.desk.offers.close()


async def test_a_session_is_taken_only_when_the_engine_has_told_of_it(
    asked: Office, host: AnsweringHost
) -> None:
    assert await asked.says("/conversations import s-1") == ["Codex was asked, and gave no answer."]
    host.awake.clear()
    asked.desk = replace(asked.desk, offers=offers_of(host, asked.clock, patience=0.0))
    (said,) = await asked.says("/conversations import s-1")
    assert said.startswith("Codex is being asked")
    await asked.desk.offers.close()


async def test_an_engine_without_sessions_lists_none(asked: Office) -> None:
    assert await asked.says("/conversations") == [NONE_YET]


async def test_a_session_of_a_conversation_here_is_none_of_those(asked: Office, host: AnsweringHost) -> None:
    await asked.says("Hello")
    (work,) = await asked.starts()
    await asked.tells(work, SessionStarted(SessionId("s-7")))
    await asked.ends(work)
    lists(host, thread("s-7", "Hello"))
    (said,) = await asked.says("/conversations")
    assert "Begun in Codex" not in said
