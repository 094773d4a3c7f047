"""What takes a while to be seen holds up nothing that is said meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.chat import Picture
from tests.support.at_work import SECRET, AtWork, at_work
from tests.support.fake_chat import BOB, FakeChat
from tests.support.hand_clock import HandClock

DIFF = "diff --git a/app.py b/app.py\n@@ -1 +1 @@\n-old\n+new\n"
NO_GIT = "This project’s folder is in no git repository"
CHANGED = "shop: 1 file changed, +1 −1"


def told(work: AtWork, head: str = CHANGED) -> int:
    return sum(read.startswith(head) for read in work.chat.reads())


async def test_a_room_goes_on_while_what_changed_is_looked_for(work: AtWork) -> None:
    await work.project()
    work.host.diff_of, work.host.seen = DIFF, asyncio.Event()
    asked = work.chat.writes("/diff")
    await work.passes()
    work.chat.writes("/diff")
    work.chat.writes("/queue")
    await work.passes()
    assert work.chat.reads() == ["Nothing waits here."]
    work.host.seen.set()
    await work.until(lambda: told(work) > 0)
    assert told(work) == 1  # asked twice meanwhile, it is said once
    pictures = [one for one in work.chat.shown.values() if isinstance(one.what, Picture)]
    assert len(pictures) == 1
    assert asked in [message for _, message in work.chat.replies()]
    work.chat.writes("/diff")
    await work.until(lambda: told(work) == 2)


@pytest.mark.parametrize("asks", [1, 2])
async def test_what_was_looked_for_when_roost_died_is_looked_for_anew(
    tmp_path: Path, chat: FakeChat, clock: HandClock, asks: int
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        work.host.diff_of, work.host.seen = DIFF, asyncio.Event()
        asked = [chat.writes("/diff") for _ in range(asks)]
        await work.passes()
    async with at_work(tmp_path, chat, clock) as work:
        chat.writes("/queue")
        await work.until(lambda: told(work, NO_GIT) > 0)
    assert asked[0] in [message for _, message in chat.replies()]
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(5)
        assert told(work, NO_GIT) == asks
        assert chat.reads().count("Nothing waits here.") == 1


async def test_what_waits_behind_it_runs_meanwhile(work: AtWork) -> None:
    await work.project()
    work.host.diff_of, work.host.seen = DIFF, asyncio.Event()
    work.chat.writes("/diff")
    work.chat.writes("Go")
    await work.passes()
    assert await work.runs_all() == ["Go"]


async def test_what_can_never_be_seen_is_told_as_trouble(work: AtWork) -> None:
    await work.project()
    work.host.diff_of = DIFF + "\ud800"  # no file can hold that
    work.chat.writes("/diff")
    await work.passes(20)
    (said,) = work.chat.reads()
    assert said.startswith("Something went wrong that Roost has no word for")


async def test_what_a_prompt_changed_is_seen_where_the_room_shows_another_project_by_now(
    work: AtWork,
) -> None:
    await work.project()
    work.host.diff_of = DIFF
    work.chat.writes("Go")
    await work.passes()
    (prompt,) = await work.asked()
    await work.project("blog")
    work.chat.writes(f"/diff {prompt.id}")
    await work.until(lambda: told(work) == 1)
    work.chat.writes("/diff")
    await work.until(lambda: told(work, "blog: 1 file changed") == 1)


async def test_no_known_secret_is_told(work: AtWork) -> None:
    await work.project()
    work.host.diff_of = f"{DIFF}+TOKEN={SECRET}\n"
    work.chat.writes("/diff")
    await work.until(lambda: any("+TOKEN=" in read for read in work.chat.reads()))
    assert SECRET not in "".join(work.chat.reads())


async def test_a_stranger_is_told_nothing(work: AtWork) -> None:
    await work.project()
    work.host.diff_of = DIFF
    work.chat.writes("/diff", person=BOB)
    await work.passes(1)
    assert told(work) == 0


@pytest.mark.parametrize("role", ["viewer", "none"])
async def test_who_lost_the_right_meanwhile_is_shown_nothing(work: AtWork, role: str) -> None:
    await work.project()
    work.chat.writes(f"/allow {BOB.id}")
    await work.passes()
    work.host.diff_of, work.host.seen = DIFF, asyncio.Event()
    work.chat.writes("/diff", person=BOB)
    await work.passes()
    work.chat.writes(f"/allow {BOB.id} {role}")
    await work.passes()
    work.host.seen.set()
    await work.passes(5)
    assert told(work) == 0
    work.chat.writes("/diff")
    await work.until(lambda: told(work) == 1)
