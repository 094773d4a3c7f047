"""The agent is told exactly the person's words first, and no more than it may know or do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.dispatch.answers import Media
from core.dispatch.launching import access, prepare
from core.dispatch.means import Instructions, Means
from core.dispatch.progress import Book
from core.engines.codex import Codex
from core.engines.demo import Demo
from core.engines.port import Engine
from core.errors import EngineMissing
from core.model.ids import SessionId
from core.model.launch import Launch
from core.model.project import Access
from core.model.prompt import Attachment
from core.store import conversations, turns
from core.store.database import Database
from core.store.queue import Work
from tests.support.fake_host import FakeHost
from tests.support.store import (
    NOW,
    FakeClock,
    claimed,
    connected,
    finish,
    lay,
    new_agent,
    running,
    step,
    submit,
)

SAY = Instructions(
    "[images]", "[title]", "[carry on]", "[interrupted]", "[files]\n{paths}", "[handed]\n{said}"
)
CASE_07 = "תקן את `a\u202egnp.txt` בבקשה, ואז הרץ pytest -q"
PICTURE = Attachment("a.png", "/srv/shop/inbox/a.png", image=True)
REPORT = Attachment("r.pdf", "/srv/shop/inbox/{r}.pdf", image=False)


@pytest.fixture
def work() -> Work:
    """The first prompt of a conversation, claimed."""
    return running(connected())


def asking(work: Work, text: str, *files: Attachment) -> Work:
    return replace(work, prompt=replace(work.prompt, text=text, attachments=files))


async def launch(work: Work, engine: Engine, folder: Path, *, missing: bool = False) -> Launch:
    lay(folder)
    store, clock = await Database.open(folder), FakeClock()
    means = Means(
        store=store,
        hosts={},
        engine=lambda _: engine,
        environ=lambda _: {"PATH": "/bin"},
        instructions=lambda language: replace(SAY, images=f"[images {language or 'en'}]"),
        media=Media(folder),
        book=Book(store, now=clock.now, mask=str),
        clock=clock,
        mask=str,
        new_agent=new_agent,
    )
    await store.close()
    return await prepare(means, work, engine, FakeHost(missing=missing))


@pytest.mark.parametrize("engine", [Codex(), Demo()], ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    "text", [CASE_07, "--help", "-", "resume", "", " \n", "{paths} %s", "x" * 300_000], ids=lambda t: t[:8]
)
async def test_what_the_agent_reads_begins_with_the_very_bytes_that_were_sent(
    tmp_path: Path, work: Work, engine: Engine, text: str
) -> None:
    made = await launch(asking(work, text), engine, tmp_path)
    assert made.input == f"{text}\n\n[images en]\n\n[title]".encode()
    assert len(text) < 3 or not [word for word in made.argv if text[:50] in word]
    assert (made.cwd, made.spoken) == ("/srv/shop", False)


async def test_the_words_are_in_the_language_of_the_conversation(tmp_path: Path, work: Work) -> None:
    french = replace(work, conversation=replace(work.conversation, language="fr"))
    assert b"[images fr]" in (await launch(french, Codex(), tmp_path)).input


async def test_a_title_is_asked_for_until_there_is_an_answer_or_a_name(tmp_path: Path) -> None:
    db = connected()
    first = running(db)
    conversations.rename(db, first.conversation.id, "Mine")
    named = replace(first, conversation=conversations.get(db, first.conversation.id))
    assert b"[title]" not in (await launch(named, Codex(), tmp_path)).input
    finish(db, first)
    submit(db, first.conversation)
    (second,) = claimed(db)
    assert (await launch(second, Codex(), tmp_path)).input == b"Go\n\n[images en]"


@pytest.mark.parametrize(("interruptions", "words"), [(0, b"[carry on]"), (1, b"[interrupted]")])
async def test_a_session_that_has_the_words_is_not_told_them_again(
    tmp_path: Path, interruptions: int, words: bytes
) -> None:
    db = connected()
    work = running(db, text="secret plan")
    turns.progress(db, [step(work, offset=1)], now=NOW)
    session = SessionId("s-1")
    turn = turns.begin(db, work.prompt.id, new_agent(), session=session, carry_on=True, now=NOW)
    again = asking(replace(work, turn=turn), "secret plan", PICTURE, REPORT)
    again = replace(again, prompt=replace(again.prompt, interruptions=interruptions))
    made = await launch(again, Codex(), tmp_path)
    assert made.input == words + b"\n\n[images en]\n\n[title]"
    assert made.argv[-3:] == ("resume", "s-1", "-")
    assert "--image" not in made.argv


async def test_pictures_are_shown_where_the_engine_takes_them_and_other_files_named(
    tmp_path: Path, work: Work
) -> None:
    asked = asking(work, "Look", PICTURE, REPORT)
    codex, demo = [await launch(asked, engine, tmp_path) for engine in (Codex(), Demo())]
    assert codex.argv[-4:] == ("--image", PICTURE.path, "--", "-")
    assert codex.input.startswith(f"Look\n\n[files]\n{REPORT.path}\n\n".encode())
    assert "--image" not in demo.argv
    assert demo.input.startswith(f"Look\n\n[files]\n{PICTURE.path}\n{REPORT.path}\n\n".encode())


async def test_what_the_words_point_at_stands_right_behind_them(tmp_path: Path, work: Work) -> None:
    asked = asking(work, "Why?", REPORT)
    asked = replace(asked, prompt=replace(asked.prompt, beside="This replies to Bob:\n> {paths}"))
    made = await launch(asked, Codex(), tmp_path)
    begin = f"Why?\n\nThis replies to Bob:\n> {{paths}}\n\n[files]\n{REPORT.path}\n\n"
    assert made.input.startswith(begin.encode())


@pytest.mark.parametrize("ceiling", Access)
@pytest.mark.parametrize("own", [None, *Access])
async def test_a_conversation_lowers_its_access_and_never_raises_it(
    tmp_path: Path, work: Work, ceiling: Access, own: Access | None
) -> None:
    asked = replace(
        work,
        project=replace(work.project, access=ceiling),
        conversation=replace(work.conversation, access=own),
    )
    assert access(asked) is min(own or ceiling, ceiling, key=lambda one: one.rank)
    bypass = "--dangerously-bypass-approvals-and-sandbox" in (await launch(asked, Codex(), tmp_path)).argv
    assert bypass == (ceiling is Access.FULL and own in (None, Access.FULL))


async def test_model_and_effort_are_the_conversations(tmp_path: Path, work: Work) -> None:
    chosen = replace(work, conversation=replace(work.conversation, model="gpt-5", effort="high"))
    argv = (await launch(chosen, Codex(model="other"), tmp_path)).argv
    assert argv[1:5] == ("--model", "gpt-5", "--config", 'model_reasoning_effort="high"')


async def test_a_program_that_is_not_there_is_named(tmp_path: Path, work: Work) -> None:
    with pytest.raises(EngineMissing) as caught:
        await launch(work, Codex(), tmp_path, missing=True)
    assert caught.value.fields == {"program": "codex"}
