"""What takes a while to be seen holds up nothing that is said meanwhile."""

from __future__ import annotations

import asyncio

from bot.chat import Picture
from tests.support.at_work import SECRET, AtWork
from tests.support.fake_chat import BOB

DIFF = "diff --git a/app.py b/app.py\n@@ -1 +1 @@\n-old\n+new\n"
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
