"""A question that is there twice, as nobody knew whether its first message came: both are that question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat import How, MessageRef, Pointed, Unknown
from core.model.events import Asked, AskKind, TurnStarted
from core.store import said, turns
from core.store.queue import Work
from tests.support.at_work import AtWork
from tests.support.fake_chat import Trouble

QUESTION = Asked("q", AskKind.QUESTION, "Which colour, `red` or *blue*?", (), free=True)


@pytest.fixture
async def asked(work: AtWork) -> Work:
    """A turn whose agent has just asked, and whose question is there twice."""
    await work.project()
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    work.chat.troubles.append(Trouble(Unknown(), "deliver", arrives=True))
    await work.tells(started, TurnStarted(), QUESTION)
    await work.passes(20, step=0.5)
    assert len(copies(work)) == 2
    return started


def copies(work: AtWork) -> list[MessageRef]:
    return [ref for ref, shown in work.chat.shown.items() if "Which colour" in shown.words]


def pointing(work: AtWork, at: MessageRef) -> Pointed:
    return Pointed(How.REPLY, work.chat.shown[at].words, "Roost", ours=True)


async def answer(work: AtWork, asked: Work) -> str | None:
    turn = (await work.store.read(turns.latest, asked.prompt.id)).id
    reply = await work.store.read(said.replied, turn, "q")
    return reply.text if reply else None


@pytest.mark.parametrize("which", [0, 1])
async def test_a_reply_to_either_answers_it(work: AtWork, asked: Work, which: int) -> None:
    ref = copies(work)[which]
    work.chat.writes("Red", reply_to=ref, points_at=(pointing(work, ref),))
    await work.passes(0.5)
    assert (await work.words(), await answer(work, asked)) == (["Go"], "Red")


async def test_a_quote_of_the_first_answers_it_too(work: AtWork, asked: Work) -> None:
    quoted = Pointed(How.QUOTE, "red or blue?", "Roost", ours=True)
    work.chat.writes("Red", reply_to=copies(work)[0], points_at=(quoted,))
    await work.passes(0.5)
    assert (await work.words(), await answer(work, asked)) == (["Go"], "Red")


async def test_a_reply_to_something_else_is_a_prompt(work: AtWork, asked: Work) -> None:
    first = copies(work)[0]
    theirs = replace(pointing(work, first), ours=False)
    other = Pointed(How.REPLY, "Something else that came twice.", "Roost", ours=True)
    for pointed in (theirs, other):
        work.chat.writes("Red", reply_to=first, points_at=(pointed,))
        await work.passes(0.5)
    assert (await work.words(), await answer(work, asked)) == (["Go", "Red", "Red"], None)


async def test_one_that_surely_came_once_is_answered_by_its_own_message(work: AtWork) -> None:
    await work.project()
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, TurnStarted(), QUESTION)
    await work.passes(1)
    (ref,) = copies(work)
    work.chat.writes("Red", reply_to=MessageRef("gone"), points_at=(pointing(work, ref),))
    await work.passes(0.5)
    assert (await work.words(), await answer(work, started)) == (["Go", "Red"], None)
