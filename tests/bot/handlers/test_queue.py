"""What waits can be seen, dropped and moved, and a late word about it changes nothing."""

from __future__ import annotations

from core.model.prompt import Status
from core.store.turns import Ending
from tests.support.office import Office

BEGUN = ["That is at work already. /cancel stops it."]


async def test_the_queue_is_one_card(office: Office) -> None:
    await office.project()
    assert await office.says("/queue") == ["Nothing waits here."]
    for words in ("profile checkout", "fix the tests"):
        await office.says(words)
    await office.starts()
    office.clock.wall += 65
    waiting = office.took[1].id
    assert await office.says("/queue") == [f"▸ profile checkout · 1:05\n{waiting} fix the tests"]
    assert office.chat.buttons() == ["Tell it now", f"Remove {waiting}"]


async def test_what_failed_last_is_kept_and_waits_for_a_word(office: Office) -> None:
    await office.project()
    await office.says("fix the tests")
    (work,) = await office.starts()
    await office.ends(work, Ending(Status.FAILED, reason="engine.missing"))
    kept = "fix the tests failed, and is kept."
    assert await office.says("/queue") == [f"Nothing waits here.\n{kept}"]
    assert office.chat.buttons() == ["Try again"]
    assert kept in (await office.says("/status"))[0]
    assert office.chat.buttons() == ["Try again"]
    await office.says(f"/queue again {work.prompt.id}")
    assert kept not in "".join(await office.says("/queue") + await office.says("/status"))


async def test_what_a_person_stopped_is_not_kept(office: Office) -> None:
    await office.project()
    await office.says("fix the tests")
    (work,) = await office.starts()
    await office.ends(work, Ending(Status.CANCELLED, reason="prompt.stopped"))
    assert await office.says("/queue") == ["Nothing waits here."]


async def test_it_offers_what_the_standing_message_offers(office: Office) -> None:
    await office.project()
    for words in ("one", "two", "three"):
        await office.says(words)
    await office.starts()
    await office.says("/queue")
    two, three = office.took[1].id, office.took[2].id
    removes = [f"Remove {two}", f"Remove {three}"]
    assert office.chat.buttons() == ["Tell it now", f"Move up {three}", *removes]


async def test_one_that_has_ended_can_be_told_to_nobody(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    tell = f"/queue now {work.prompt.id}"
    assert await office.says(tell) == BEGUN
    await office.ends(work, Ending(Status.DONE))
    assert await office.says(tell) == ["That had already ended."]
    await office.says("/engine demo")  # which can't be told anything while it works
    assert await office.says(tell) == ["That had already ended."]


async def test_a_clock_that_was_set_shows_no_days(office: Office) -> None:
    await office.project()
    await office.says("profile checkout")
    await office.starts()
    office.clock.wall += 90 * 86_400
    assert await office.says("/queue") == ["▸ profile checkout · 1:00:00"]


async def test_one_that_waits_is_removed_by_its_button(office: Office) -> None:
    await office.project()
    await office.says("one")
    await office.says("/queue")
    assert await office.presses(f"Remove {office.took[0].id}") == ["Removed: one."]
    assert (await office.prompt()).status is Status.CANCELLED
    assert await office.presses(f"Remove {office.took[0].id}") == ["That had already ended."]


async def test_one_that_began_meanwhile_is_not_stopped_by_it(office: Office) -> None:
    await office.project()
    await office.says("one")
    await office.says("/queue")
    await office.starts()
    assert await office.presses(f"Remove {office.took[0].id}") == BEGUN
    assert await office.says(f"/queue up {office.took[0].id}") == BEGUN
    assert not (await office.prompt()).cancelling


async def test_what_was_set_aside_is_dropped_for_good(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    await office.ends(work, Ending(Status.FAILED, reason="prompt.set_aside"))
    assert await office.says(f"/queue drop {work.prompt.id}") == ["Removed: one."]
    assert (await office.prompt()).status is Status.FAILED


async def test_moved_up_it_is_next(office: Office) -> None:
    await office.project()
    for words in ("one", "two", "three"):
        await office.says(words)
    await office.starts()
    assert await office.says(f"/queue up {office.took[2].id}") == ["Moved up: three is next."]
    assert (await office.says("/queue"))[0].splitlines()[1:] == [
        f"{office.took[2].id} three",
        f"{office.took[1].id} two",
    ]


async def test_the_rest_is_removed_and_what_runs_goes_on(office: Office) -> None:
    await office.project()
    for words in ("one", "two", "three"):
        await office.says(words)
    await office.starts()
    assert await office.says("/queue clear") == ["2 waiting messages removed."]
    assert (await office.prompt(0)).status is Status.RUNNING
    assert await office.says("/queue clear") == ["Nothing waits here."]


async def test_in_french(bureau: Office) -> None:
    await bureau.project()
    await bureau.says("un")
    await bureau.starts()
    assert await bureau.says(f"/queue drop {bureau.took[0].id}") == ["C’est déjà en cours. /cancel l’arrête."]


async def test_a_long_queue_is_told_by_its_beginning(office: Office) -> None:
    await office.project()
    for number in range(25):
        await office.says(f"step {number}")
    (card,) = await office.says("/queue")
    lines = card.splitlines()
    assert (len(lines), lines[0].endswith("step 0"), lines[-1]) == (21, True, "… and 5 more")
