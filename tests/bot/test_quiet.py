"""In somebody's quiet hours nothing rings for them; for others it does, in the same group too."""

from __future__ import annotations

import time

import pytest

from bot.chat import RoomAddress, Toward
from core.model.preferences import Quiet
from core.store import preferences
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB

GROUP = RoomAddress("fake", "roost", "-5")


def now(work: AtWork) -> int:
    """The minute of the day."""
    at = time.localtime(work.clock.now())
    return at.tm_hour * 60 + at.tm_min


async def answered(work: AtWork) -> list[str]:
    """What rang for an answer to Ann."""
    work.chat.rung.clear()
    work.chat.writes("Go")
    await work.passes(0.2)
    assert await work.runs_all() == ["Go"]
    await work.passes(1)
    return work.chat.rung


async def test_an_answer_is_there_and_calls_nobody(work: AtWork) -> None:
    await work.project()
    assert await answered(work) == ["Done."]
    work.chat.writes("/settings notifications off")
    await work.passes(0.2)
    assert await answered(work) == []
    assert work.chat.reads()[-1] == "Done."
    work.chat.writes("/settings notifications on")
    await work.passes(0.2)
    assert await answered(work) == ["Done."]


@pytest.mark.parametrize(("begins", "ends", "rings"), [(-5, 5, 0), (5, 10, 1), (-10, -5, 1)])
async def test_the_hours_are_those_of_this_machine(work: AtWork, begins: int, ends: int, rings: int) -> None:
    await work.project()
    day = 24 * 60
    quiet = Quiet((now(work) + begins) % day, (now(work) + ends) % day)
    await work.store.write(preferences.set_quiet, "fake", ANN.id, quiet)
    assert len(await answered(work)) == rings


async def test_in_a_group_they_are_those_of_whoever_asked(work: AtWork) -> None:
    await work.project(room=GROUP)
    await work.store.write(preferences.set_quiet, "fake", ANN.id, Quiet(0, 0))
    work.chat.writes(f"/allow {BOB.id} member")
    await work.passes(0.2)
    work.chat.rung.clear()
    for person, rung in ((ANN, []), (BOB, ["Done."])):
        work.chat.writes("Go", room=GROUP, person=person, toward=Toward.US, alone=False)
        await work.passes(0.2)
        assert await work.runs_all() == ["Go"]
        await work.passes(1)
        assert work.chat.rung == rung
