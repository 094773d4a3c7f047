"""A request that begins a thread is asked, answered and changed in it; commands stay where they were said."""

from __future__ import annotations

from dataclasses import replace

from bot.chat import RoomAddress
from core.model.prompt import Status
from tests.support.at_work import AtWork

GROUP = RoomAddress("fake", "roost", "-1")


async def test_a_request_begins_a_thread(work: AtWork) -> None:
    await work.project(room=GROUP)
    one = work.chat.writes("Why?", room=GROUP, begins=True)
    await work.passes()
    (running,) = await work.starts()
    two = work.chat.writes("Fix it", room=GROUP, begins=True)
    await work.passes(1)
    there = replace(GROUP, thread=str(two))
    work.chat.edits(two, "Fix the docs", room=GROUP)
    await work.passes(1)
    assert "Changed: Fix the docs." in work.chat.reads(there)
    work.chat.writes("/cancel", room=GROUP, begins=True)
    await work.passes()
    assert work.chat.reads(GROUP) == ["Nothing is running here."]
    work.chat.redacts(two, room=GROUP)
    await work.ends(running)
    await work.passes()
    assert work.chat.reads(replace(GROUP, thread=str(one))) == ["✓ 0:02", "Done."]
    assert [prompt.status for prompt in await work.asked()] == [Status.DONE, Status.CANCELLED]


async def test_where_no_project_is_chosen_it_changes_as_it_waits(work: AtWork) -> None:
    await work.project(room=None)
    one = work.chat.writes("Why?", room=GROUP, begins=True)
    await work.passes()
    work.chat.edits(one, "Why now?", room=GROUP)
    await work.passes()
    work.chat.writes("/project shop", room=GROUP)
    await work.passes()
    assert await work.words() == ["Why now?"]
    (running,) = await work.starts()
    await work.ends(running)
    await work.passes()
    assert work.chat.reads(replace(GROUP, thread=str(one)))[-1] == "Done."
