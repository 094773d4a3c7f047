"""Rights are a project's: who is in one sees and does nothing in another, and looking on is only that."""

from __future__ import annotations

import re

import pytest

from bot.chat import Person, RoomAddress
from core.model.prompt import Status
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB

ANNS, BOBS = (RoomAddress("fake", "roost", one) for one in ("1001", "1002"))
SHOP, BLOG = (RoomAddress("fake", "roost", chat) for chat in ("-1", "-2"))
NO_BLOG = "There is no project called blog. /project lists them."
UNKNOWN = "There is no such message here. /queue shows what waits."
MAY_NOT = "Only a member or an owner can do that."


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    """A group for each of two projects."""
    await work.project("shop", room=SHOP)
    await work.project("blog", room=BLOG)
    return work


async def says(work: AtWork, words: str, room: RoomAddress, person: Person = BOB) -> list[str]:
    """What is read there in return."""
    before = len(work.chat.reads(room))
    work.chat.writes(words, room=room, person=person)
    await work.passes()
    return work.chat.reads(room)[before:]


async def lets_in(work: AtWork, role: str, room: RoomAddress = SHOP) -> None:
    await says(work, f"/allow 1002 {role}", room, ANN)


async def presses(work: AtWork, label: str, room: RoomAddress, person: Person) -> list[str]:
    before = len(work.chat.reads(room))
    work.chat.presses(label, room=room, person=person)
    await work.passes()
    return work.chat.reads(room)[before:]


async def open_words(work: AtWork) -> list[str]:
    return [one.text for one in await work.asked() if one.status is Status.QUEUED]


async def test_a_member_of_one_project_is_nobody_in_another(work: AtWork) -> None:
    said = await says(work, "/allow 1002", SHOP, ANN)
    assert said == ["1002 may work with me in shop from now on."]
    await says(work, "theirs", BLOG, ANN)
    (theirs,) = await work.asked()
    for words in ("Go", "/status", "/queue", "/help", "/cancel", f"/queue drop {theirs.id}", "/project shop"):
        assert await says(work, words, BLOG) == []
    assert await says(work, f"/queue drop {theirs.id}", SHOP) == [UNKNOWN]
    await says(work, "Go", SHOP)
    assert await open_words(work) == ["theirs", "Go"]


async def test_they_choose_among_their_own_projects(work: AtWork) -> None:
    await lets_in(work, "member")
    (shown,) = await says(work, "/project", BOBS)
    assert (shown.startswith("This room works in shop"), work.chat.buttons(BOBS)) == (True, [])
    assert await says(work, "/project blog", BOBS) == [NO_BLOG]
    await lets_in(work, "viewer", BLOG)
    assert await says(work, "/project blog", BOBS) == ["This room works in blog from now on."]
    assert await says(work, "Go", BOBS) == [MAY_NOT]
    assert await says(work, "/project blog", SHOP) == [
        "There is no project called blog. /project lists them."
    ]


async def test_a_viewer_reads_and_does_nothing(work: AtWork) -> None:
    await lets_in(work, "viewer")
    await says(work, "run", SHOP, ANN)
    (running,) = await work.starts()
    await says(work, "wait", SHOP, ANN)
    await work.passes(3)
    assert "wait" in (await says(work, "/queue", SHOP))[0]
    for words in ("Go", "/cancel", "/queue drop 2", "/approvals once", "/new", "/model gpt", "/project blog"):
        assert await says(work, words, SHOP) == [MAY_NOT], words
    for label in ("Stop", "Remove"):
        assert await presses(work, label, SHOP, BOB) == [], label
    assert work.chat.alerts == [MAY_NOT, MAY_NOT]
    assert [one.cancelling for one in await work.asked()] == [False, False]
    await work.ends(running)


async def test_a_viewer_is_shown_no_sign_that_they_were_heard(work: AtWork) -> None:
    """A long text is held for the rest of it: nobody is told meanwhile that it was taken."""
    await lets_in(work, "viewer")
    work.chat.writes("x" * 4_000, room=SHOP, person=BOB, joint="")
    await work.passes(3)
    assert (work.chat.reads(SHOP)[-1], work.chat.acknowledged) == (MAY_NOT, [])
    mine = work.chat.writes("y" * 4_000, room=SHOP, person=ANN, joint="")
    await work.passes(0.3)
    assert work.chat.acknowledged == [mine]


async def test_they_are_told_what_they_may_do_and_help_says_no_more(work: AtWork) -> None:
    await lets_in(work, "viewer")
    (welcome,) = work.chat.reads(BOBS)
    assert welcome == (
        "You may look on in shop of Roost on pi5: /status, /queue and /conversations show what goes on."
    )
    (told,) = await says(work, "/help", BOBS)
    commands = set(re.findall(r"(?m)^/(\w+)", told))
    assert {"status", "queue", "conversations"} <= commands
    assert commands.isdisjoint({"new", "cancel", "steer", "compact", "allow", "title"})
    await lets_in(work, "member")
    assert work.chat.reads(BOBS)[-1].startswith("You may work in shop")
    (told,) = await says(work, "/help", BOBS)
    assert {"new", "cancel"} <= (commands := set(re.findall(r"(?m)^/(\w+)", told)))
    assert "allow" not in commands


async def test_out_of_one_project_nothing_of_it_comes_any_more(work: AtWork) -> None:
    await lets_in(work, "member")
    await lets_in(work, "member", BLOG)
    await says(work, "one", BOBS)
    await says(work, "two", BOBS)
    (running,) = await work.starts()
    await work.passes(3)
    assert await says(work, "/allow 1002 none shop", ANNS, ANN) == ["1002 is out of shop."]
    first, second = await work.asked()
    assert (first.cancelling, second.status) == (True, Status.FAILED)
    before = len(work.chat.reads(BOBS))
    await work.ends(running)
    await work.passes(5)
    said = work.chat.reads(BOBS)
    assert len(said) == before
    assert not any("Done." in read or read.startswith("⏳") for read in said)
    assert await says(work, f"/queue again {first.id}", BOBS) == [UNKNOWN]
    assert await says(work, "/status", SHOP) == []
    (asked,) = await says(work, "three", BOBS)
    assert (asked[:14], work.chat.buttons(BOBS)) == ("Which project ", ["blog"])
    assert await presses(work, "blog", BOBS, BOB) == []
    assert work.chat.reads(BOBS)[-1] == "This room works in blog from now on."
    assert await open_words(work) == ["three"]


async def shows_none(work: AtWork, room: RoomAddress) -> None:
    """As a room that is called otherwise than the one in which its person was welcomed."""
    forget = "UPDATE rooms SET project = NULL WHERE chat = ?"
    await work.store.write(lambda db: db.execute(forget, (room.chat,)))


async def test_where_one_project_is_all_there_is_nobody_is_asked_which(work: AtWork) -> None:
    await lets_in(work, "member")
    await shows_none(work, BOBS)
    assert await says(work, "Go", BOBS) == ["This room works in shop from now on."]
    assert await open_words(work) == ["Go"]
    assert (await says(work, "/project", BOBS))[0].startswith("This room works in shop")


async def test_where_one_project_is_to_look_at_and_one_to_work_in_they_choose(work: AtWork) -> None:
    await lets_in(work, "member")
    await lets_in(work, "viewer", BLOG)
    await shows_none(work, BOBS)
    assert (await says(work, "Go", BOBS))[0].startswith("Which project ")
    assert await open_words(work) == []


async def test_who_may_add_projects_chooses_also_where_there_is_one(work: AtWork) -> None:
    await says(work, "/allow 1002 owner", SHOP, ANN)
    await work.store.write(lambda db: db.execute("UPDATE projects SET archived = 1 WHERE name = 'blog'"))
    await shows_none(work, BOBS)
    assert (await says(work, "Go", BOBS))[0].startswith("Which project ")
    assert work.chat.buttons(BOBS)[0] == "shop"


async def test_out_is_out_of_everything(work: AtWork) -> None:
    await lets_in(work, "member")
    await lets_in(work, "viewer", BLOG)
    assert await says(work, "/allow 1002 none", SHOP, ANN) == ["1002 is let out: I answer them no more."]
    for room in (SHOP, BLOG, BOBS):
        assert await says(work, "/status", room) == []


async def test_the_list_says_where_and_offers_links_and_ways_out(work: AtWork) -> None:
    await says(work, "Knock", BOBS)
    await lets_in(work, "member")
    await lets_in(work, "viewer", BLOG)
    (said,) = await says(work, "/allow", SHOP, ANN)
    assert said == "1001 · owner\n1002 · Bob · member of shop · viewer of blog"
    assert work.chat.buttons(SHOP) == [
        "Link for a member of shop",
        "Link for a viewer of shop",
        "Let out Bob",
    ]
    assert await presses(work, "Let out Bob", SHOP, BOB) == []
    assert work.chat.alerts == ["Only an owner can do that."]
    assert await presses(work, "Let out Bob", SHOP, ANN) == ["1002 is let out: I answer them no more."]


async def invited(work: AtWork, label: str) -> str:
    """The code that Ann is given; nobody else in the group reads it."""
    await says(work, "/allow", SHOP, ANN)
    assert await presses(work, label, SHOP, ANN) == ["The link is in your private chat with me."]
    found = re.search(r"/start (\w+)", work.chat.reads(ANNS)[-1])
    assert found is not None
    return found[1]


async def test_an_invitation_lets_one_person_into_one_project(work: AtWork) -> None:
    code = await invited(work, "Link for a member of shop")
    (welcome,) = await says(work, f"/start {code}", BOBS)
    assert welcome.startswith("You may work in shop with Roost on pi5.")
    await says(work, "Go", BOBS)
    assert await open_words(work) == ["Go"]
    assert await says(work, "/status", BLOG) == []
    carol = Person("1003", "Carol")
    assert await says(work, f"/start {code}", RoomAddress("fake", "roost", "1003"), carol) == []


async def test_nobody_becomes_less_by_an_invitation(work: AtWork) -> None:
    await lets_in(work, "member")
    await says(work, f"/start {await invited(work, 'Link for a viewer of shop')}", BOBS)
    await says(work, "Go", BOBS)
    assert await open_words(work) == ["Go"]


async def test_an_owner_is_one_everywhere(work: AtWork) -> None:
    await says(work, "/allow 1002 owner", SHOP, ANN)
    (said,) = await says(work, "/allow 1002 viewer", BLOG, ANN)
    assert said == "1002 is an owner, of every project. /allow 1002 member first."
    assert await says(work, "/allow 1002 none", BLOG, ANN) == ["1002 is let out: I answer them no more."]
