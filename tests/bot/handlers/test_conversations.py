"""A room shows one conversation at a time; others are begun, named and carried on."""

from __future__ import annotations

from core.model.events import SessionStarted
from core.model.ids import SessionId
from core.model.prompt import Status
from core.store.turns import Ending
from tests.support.office import Office


async def test_a_new_one_is_begun(office: Office) -> None:
    await office.project()
    await office.says("one")
    assert await office.says("/new") == ["A new conversation in shop. What is to be done?"]
    await office.says("two")
    assert office.took[0].conversation != office.took[1].conversation


async def test_a_new_one_can_have_its_title_at_once(office: Office) -> None:
    await office.project()
    assert await office.says("/new checkout **is** slow 🐌") == [
        "checkout is slow\nA new conversation in shop. What is to be done?"
    ]
    here = await office.conversation()
    assert (here.title, here.title_by) == ("checkout is slow", "person")


async def test_an_empty_one_is_as_good_as_new(office: Office) -> None:
    await office.project()
    await office.says("/new")
    first = await office.conversation()
    await office.says("/new")
    assert await office.conversation() == first


async def test_the_last_ones_are_carried_on_by_their_buttons(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    await office.ends(work, Ending(Status.DONE, "Done.", title="checkout is slow"))
    await office.says("/new")
    await office.says("two")
    one, two = (prompt.conversation for prompt in office.took)
    assert await office.says("/conversations") == [
        f"The last ones in shop:\n{two} untitled {two}\n{one} checkout is slow"
    ]
    assert await office.presses("checkout is slow") == ["Carrying on: checkout is slow."]
    assert (await office.conversation()).id == one


async def test_none_yet(office: Office) -> None:
    assert await office.says("/conversations") == [
        "There is no project yet. An owner adds one: /project add NAME PATH."
    ]
    await office.project()
    assert await office.says("/conversations") == [
        "There is no conversation in shop yet. Write what is to be done."
    ]


async def test_those_of_another_project_are_unknown_here(office: Office) -> None:
    await office.project("shop")
    await office.says("one")
    await office.project("blog")
    assert await office.says(f"/conversations {office.took[0].conversation}") == [
        "There is no such conversation here. /conversations lists them."
    ]


async def test_a_title_that_was_set_stays(office: Office) -> None:
    await office.project()
    assert await office.says("/title the till") == ["This conversation is now called the till."]
    await office.says("one")
    (work,) = await office.starts()
    await office.ends(work, Ending(Status.DONE, "Done.", title="an agent's word"))
    assert (await office.conversation()).title == "the till"


async def test_a_title_without_a_letter_is_no_title(office: Office) -> None:
    await office.project()
    assert await office.says("/title \u2066\u2069") == ["It is written like this: /title WORDS"]


async def test_in_french(bureau: Office) -> None:
    await bureau.project()
    assert await bureau.says("/title la caisse") == ["Cette conversation s’appelle maintenant la caisse."]


async def test_two_that_are_called_the_same_are_told_apart(office: Office) -> None:
    await office.project()
    for _ in range(2):
        await office.says("/new fix the tests")
        await office.says("Go")
        office.clock.wall += 7_200
    await office.says("/new release")
    await office.says("Go")
    (said,) = await office.says("/conversations")
    lines = [line for line in said.splitlines() if line[:1].isdigit()]
    assert lines == ["3 release", "2 fix the tests · 2 h ago", "1 fix the tests · 4 h ago"]
    assert office.chat.buttons()[:3] == ["release", "fix the tests · 2", "fix the tests · 1"]


async def test_right_after_a_fork_there_is_something_that_was_said(office: Office) -> None:
    await office.project()
    await office.says("one")
    (work,) = await office.starts()
    await office.tells(work, SessionStarted(SessionId("S1")))
    await office.ends(work)
    assert (await office.says("/fork"))[0].endswith("What was said there is known here.")
    assert await office.says("/compact") == [
        "Nothing has been said here since the fork. Write something first, then compact."
    ]
