"""Groups, with the real service: taken in, raised, lowered, made public, thrown out, moved."""

from __future__ import annotations

import pytest

from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.telegram.server import Chat

DEAF = "I only get commands, replies and mentions here."
LINK = "https://t.me/demo_agent_bot?startgroup&admin=manage_topics+pin_messages"


def a_group(held: Phone, *, forum: bool = False) -> Chat:
    """Of Ann and Bob, in which the bot is not yet."""
    group = held.api.group("Shop talk", held.ann, held.api.person("Bob", 2002), forum=forum)
    group.bot, held.chat.bot = "left", "member"
    return group


async def test_taken_in_it_asks_what_the_group_is_about_and_how_to_hear_more(shop: Roost) -> None:
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        await held.start()
        ann.sets_bot("member", group)
        await held.until("What is this group about?", group)
        await held.until(DEAF, group)
        asked, deaf = held.one("What is this group about?", group), held.one(DEAF, group)
        assert (asked.silent, deaf.silent) == (True, True)
        assert [one.url for row in deaf.keyboard for one in row] == [LINK]
        ann.presses("shop", asked)
        await held.until("This room works in shop from now on.", group)
        assert group.reads() == ["This room works in shop from now on.", deaf.words]
        ann.sets_bot("administrator", group)
        await held.until("I get everything that is said here now.", group)
        ann.writes("@demo_agent_bot why?", group)
        await held.until("Hi.", group)
        ann.sets_bot("member", group)
        await held.api.until(lambda: group.reads()[-1].startswith(DEAF))
        assert held.chat.reads() == []
        assert held.api.violations == []


async def test_taken_in_anew_after_privacy_mode_was_switched_off_it_asks_for_no_more(shop: Roost) -> None:
    """As it told Ann to do."""
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        await held.start()
        ann.sets_bot("member", group)
        await held.until(DEAF, group)
        ann.presses("shop", held.one("What is this group about?", group))
        await held.until("This room works in shop", group)
        ann.sets_bot("kicked", group)
        held.api.bot.reads_all = True
        before = len(group.reads())
        ann.sets_bot("member", group)
        await held.api.until(lambda: len(group.reads()) > before)
        assert group.reads()[before:] == ["This room works in shop from now on."]


async def test_a_project_of_the_group_s_own_name_is_made_at_a_tap(shop: Roost) -> None:
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        await held.start()
        ann.sets_bot("member", group)
        await held.until("What is this group about?", group)
        ann.presses("New: Shop-talk", held.one("What is this group about?", group))
        await held.until("This room works in Shop-talk", group)
        assert (shop.shop.parent / "Shop-talk").is_dir()
        ann.sets_bot("administrator", group)
        await held.until("I get everything that is said here now.", group)
        ann.writes("@demo_agent_bot why?", group)
        await held.until("Hi.", group)


async def test_a_stranger_who_takes_it_in_gets_nothing(shop: Roost) -> None:
    async with phone(shop) as held:
        group = a_group(held)
        held.ann.writes("/status")
        await held.start()
        held.api.person("Bob", 2002).sets_bot("member", group)
        await held.until("Someone who may not work with me took me into Shop talk (id 2002, called Bob).")
        held.api.person("Bob", 2002).sets_bot("kicked", group)
        held.api.person("Bob", 2002).sets_bot("member", group)
        held.ann.writes("/status")
        await held.api.until(lambda: len(held.chat.reads()) == 3)
        assert group.reads() == []


async def test_what_runs_when_it_is_thrown_out_is_answered_when_it_is_back(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        group.bot = "member"
        await held.start()
        await held.works_in_shop(group)
        ann.sets_bot("administrator", group)
        ann.writes("@demo_agent_bot why?", group)
        await held.until("⏳", group)
        ann.sets_bot("kicked", group)
        await held.until("I was taken out of Shop talk, which works in shop")
        go.touch()
        await held.api.until(lambda: any(c.status == 403 for c in held.api.called("sendMessage")))
        ann.sets_bot("member", group)
        await held.until("Hi.", group)
        assert group.reads().count("Hi.") == 1


async def test_who_reads_along_is_told_to_the_owner_and_once_each(shop: Roost) -> None:
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        await held.start()
        ann.sets_bot("administrator", group)
        await held.works_in_shop(group)
        held.api.person("Eve", 3003).joins(group)
        await held.until("Someone I don’t know reads along in Shop talk, which works in shop")
        ann.makes_public(group, "shop_talk")
        ann.writes("/status", group)
        await held.until("is public: anybody can read along there.")
        ann.writes("/status", group)
        await held.api.until(lambda: sum("of 3 agents" in said for said in group.reads()) == 2)
        assert len(held.chat.reads()) == 2
        assert sum("With several people here" in said for said in group.reads()) == 1


async def test_an_admin_who_hides_is_told_how_to_be_heard(shop: Roost) -> None:
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        group.bot = "administrator"
        await held.start()
        await held.works_in_shop(group)
        for text in ("@demo_agent_bot why?", "/status", "small talk"):
            ann.writes(text, group, hidden=True)
        await held.until("You write as the group, so I can’t see who you are.", group)
        ann.writes("/status", group)
        await held.until("of 3 agents", group)
        assert len(group.reads()) == 3
    assert shop.play.starts == []


@pytest.mark.parametrize(
    ("listen", "answered"), [("auto", ["mention"]), ("all", ["plain", "mention"]), ("mention", ["mention"])]
)
async def test_pitfall_25_an_admin_answers_what_the_room_says(
    shop: Roost, listen: str, answered: list[str]
) -> None:
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        group.bot = "administrator"
        await held.start()
        await held.works_in_shop(group)
        ann.writes(f"/settings listen {listen}", group)
        await held.api.until(lambda: len(group.reads()) == 2)
        said = {"plain": ann.writes("nice weather", group)}
        ann.writes("@bob nice weather", group)
        said["mention"] = ann.writes("@demo_agent_bot why?", group)
        await held.api.until(lambda: group.reads().count("Hi.") == len(answered))
        ann.writes("/queue", group)
        await held.until("Nothing waits here.", group)
        answers = [m for m in group.screen() if m.text == "Hi." and m.reply_to]
        assert [m.reply_to.id for m in answers if m.reply_to] == [said[kind].id for kind in answered]


async def test_pitfall_plus_2_a_forum_that_was_a_group_keeps_its_project_and_its_rules(shop: Roost) -> None:
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        group.bot = "administrator"
        await held.start()
        await held.works_in_shop(group)
        ann.writes("/settings listen all", group)
        await held.until("Everything that is said here is for the agent", group)
        new = ann.migrates(group)
        new.is_forum = True
        ann.writes("why?", new)
        await held.until("Hi.", new)
        topic = ann.opens_topic(new, "Checkout")
        ann.writes("and here?", new, thread=topic)
        await held.api.until(lambda: new.reads().count("Hi.") == 2)
        assert held.api.violations == []


async def test_a_group_of_one_person_is_a_private_chat_until_another_comes(shop: Roost) -> None:
    async with phone(shop) as held:
        group, ann, bob = a_group(held), held.ann, held.api.person("Bob", 2002)
        group.bot = "administrator"
        bob.leaves(group)
        await held.start()
        await held.works_in_shop(group)
        ann.writes("why?", group)
        await held.until("Hi.", group)
        bob.joins(group)
        await held.until("With several people here, I act on what mentions me or replies to me.", group)
        ann.writes("nice weather", group)
        ann.writes("/queue", group)
        await held.until("Nothing waits here.", group)
    assert len(shop.play.starts) == 1
