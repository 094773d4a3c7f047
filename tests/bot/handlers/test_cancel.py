"""Cancelling reaches what was meant: what runs, else what waits first, or one by its number."""

from __future__ import annotations

from core.model.prompt import Status
from tests.support.office import Office

NOTHING = ["Nothing is running here."]


async def test_what_runs_is_asked_to_stop_and_its_end_is_told_later(office: Office) -> None:
    await office.project()
    await office.says("one")
    await office.says("two")
    await office.starts()
    assert await office.says("/stop") == []
    assert ((await office.prompt(0)).cancelling, (await office.prompt(1)).cancelling) == (True, False)


async def test_with_nothing_running_what_waits_first_is_dropped(office: Office) -> None:
    await office.project()
    await office.says("fix the tests")
    await office.says("two")
    assert await office.says("/cancel") == ["Removed before it began: fix the tests."]
    assert (await office.prompt(0)).status is Status.CANCELLED
    assert (await office.prompt(1)).status is Status.QUEUED


async def test_all_means_everything_of_this_conversation(office: Office) -> None:
    await office.project()
    for words in ("one", "two", "three"):
        await office.says(words)
    await office.says("/new")
    await office.says("elsewhere")
    await office.says(f"/conversations {office.took[0].conversation}")
    await office.starts()
    assert await office.says("/cancel all") == ["2 waiting messages removed."]
    assert [(await office.prompt(nth)).status for nth in range(4)] == [
        Status.RUNNING,
        Status.CANCELLED,
        Status.CANCELLED,
        Status.QUEUED,
    ]


async def test_nothing_there_is_said(office: Office) -> None:
    assert await office.says("/cancel") == NOTHING
    await office.project()
    assert await office.says("/cancel all") == NOTHING


async def test_a_button_pressed_late_changes_nothing(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    await office.ends(work)
    await office.says("two")
    assert await office.says(f"/cancel {work.prompt.id}") == ["That had already ended."]
    assert (await office.prompt()).status is Status.QUEUED


async def test_in_french(bureau: Office) -> None:
    await bureau.project()
    await bureau.says("corrige les tests")
    assert await bureau.says("/cancel") == ["Retiré avant de commencer : corrige les tests."]
    assert await bureau.says("/cancel") == ["Rien ne tourne ici."]
