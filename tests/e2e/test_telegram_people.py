"""People on a phone: a link lets one into one project, and out of it again; a stranger gets nothing."""

from __future__ import annotations

import re
import signal

from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.telegram.client import picture
from tests.telegram.server import Chat, Person

BOB, CAROL = 2002, 2003


async def invited(held: Phone, label: str) -> str:
    """The code in the link that Ann is given."""
    held.ann.writes("/allow")
    await held.until("1001 · ")
    held.ann.presses(label)
    await held.until("once within 10 minutes")
    name = held.api.bot.user.username
    found = re.search(rf"https://t\.me/{name}\?start=(\w+)", held.one("once within 10 minutes").words)
    assert found is not None
    return found[1]


async def test_a_link_lets_one_person_into_one_project_and_out_it_stops(shop: Roost) -> None:
    (shop.home / "blog").mkdir()
    shop("project", "add", "blog", str(shop.home / "blog"))
    async with phone(shop) as held:
        bob, carol = held.api.person("Bob", BOB), held.api.person("Carol", CAROL)
        blog = held.api.group("blog", held.ann, bob)
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/project blog", blog)
        await held.until("This room works in blog", blog)
        code = await invited(held, "Link for a member of shop")
        bob.writes(f"/start {code}")
        await held.until("You may work in shop", bob.chat)
        carol.writes(f"/start {code}")
        bob.writes("/status", blog)
        held.ann.writes(f"/allow {BOB} viewer blog")
        await held.until("may look on in blog", held.chat)
        shop.holds()
        bob.writes("Go")
        await held.until("⏳", bob.chat)
        held.ann.writes(f"/allow {BOB} none shop")
        await held.until("is out of shop")
        await held.until("Someone I don’t know wrote to me (id 2003")
        await held.until("■", bob.chat)
        bob.writes("/project")
        await held.until("Which project?", bob.chat)
        said = [read.split()[:3] for read in bob.chat.reads()]
        assert said[:2] == [["You", "may", "work"], ["You", "may", "look"]]
        assert (said[2][0], len(said)) == ("■", 4)
        assert (carol.chat.reads(), blog.reads()) == ([], ["This room works in blog from now on."])


async def test_who_looks_on_may_press_nothing(shop: Roost) -> None:
    async with phone(shop) as held:
        bob = held.api.person("Bob", BOB)
        group = held.api.group("shop", held.ann, bob)
        await held.start()
        await held.works_in_shop(group)
        held.ann.writes(f"/allow {BOB} viewer", group)
        await held.until("may look on in shop", group)
        shop.holds()
        held.api.bot.reads_all = True
        held.ann.writes("@demo_agent_bot why?", group)
        await held.until("⏳", group)
        pressed = bob.presses("Stop", chat=group)
        await held.api.until(lambda: pressed.answered is not None)
        assert (pressed.text, pressed.alert) == ("Only a member or an owner can do that.", True)
        assert held.says("⏳", group)
        assert len(group.reads()) == 3


def everything(stranger: Person, held: Phone, group: Chat) -> None:
    """All that somebody can do with a bot."""
    message = stranger.writes("run")
    stranger.edits(message, "run rm")
    stranger.writes("see", photo=picture(8, 8))
    stranger.writes("read", document=("a.txt", b"words"))
    stranger.writes(sticker={"file_id": "s", "file_unique_id": "s", "width": 1, "height": 1})
    stranger.writes("/start")
    stranger.writes("/start nonsense")
    stranger.writes("/cancel", group)
    stranger.reacts(message, "👍")
    stranger.presses("Stop", chat=group)
    stranger.blocks()
    stranger.unblocks()


async def test_a_stranger_gets_nothing_by_any_kind_of_update(shop: Roost) -> None:
    """Also after a restart; the owner gets a line, and no second one that day."""
    async with phone(shop) as held:
        eve, mal = held.api.person("Eve", BOB), held.api.person("Mal", CAROL)
        group = held.api.group("shop", held.ann, eve, mal)
        await held.start()
        await held.works_in_shop(group)
        await held.works_in_shop()
        shop.holds()
        held.api.bot.reads_all = True
        held.ann.writes("@demo_agent_bot why?", group)
        await held.until("⏳", group)
        everything(eve, held, group)
        await held.until("Someone I don’t know wrote to me (id 2002")
        await held.restart(signal.SIGTERM)
        everything(eve, held, group)
        everything(mal, held, group)
        held.ann.writes("/queue")
        await held.until("Nothing waits here.")
        assert (eve.chat.reads(), mal.chat.reads()) == ([], [])
        assert sum("Someone" in read for read in held.chat.reads()) == 1
        assert held.says("⏳", group)
        assert not any("Only a member" in read for read in group.reads())
        (shop.home / "go").touch()


async def test_an_id_of_another_kind_of_chat_lets_nobody_in(shop: Roost) -> None:
    """And nothing that was to be told there keeps others from what they are told."""
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/allow @bob:example.org")
        await held.until("Nobody here has the id @bob:example.org")
        held.ann.writes("/allow @bob:example.org none")
        await held.until("@bob:example.org is let out")
        held.ann.writes("Go")
        await held.until("Hi.")


async def test_what_somebody_asked_who_was_taken_out_waits_for_an_owner(shop: Roost) -> None:
    shop.says("Fixed.")
    async with phone(shop, users=(1001, BOB)) as held:
        bob = held.api.person("Bob", BOB)
        group = held.api.group("shop", held.ann, bob)
        held.api.bot.reads_all = True
        await held.start(ROOST_CRASH_AT="before-ack")
        await held.works_in_shop(group)
        bob.writes("@demo_agent_bot Fix the tests", group)
        await held.ended(20)
        shop.config.write_text(shop.config.read_text().replace(f", {BOB}]", "]"))
        await held.start()
        await held.until("Bob may not have agents work in shop any more.", group)
        bob.presses("Run it", chat=group)
        assert shop.play.starts == []
        held.ann.presses("Run it", chat=group)
        await held.until("Fixed.", group)
        assert len(shop.play.starts) == 1
        assert held.api.violations == []
