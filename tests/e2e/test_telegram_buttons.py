"""Buttons on a phone: they mean something once, also after a restart, and nothing a year later."""

from __future__ import annotations

import re
import signal
import time

import pytest

from core.store import buttons
from core.store.database import Database
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.telegram.server import Message, Rule

YEAR = 366 * 86_400.0
TOO_OLD = Rule(
    "editMessageText",
    status=400,
    body={"ok": False, "error_code": 400, "description": "Bad Request: message can't be edited"},
)


def data(message: Message) -> list[str]:
    return [button.data for row in message.keyboard for button in row]


async def answered(held: Phone, label: str, message: Message) -> str:
    """What Ann is shown who presses it."""
    pressed = held.ann.presses(label, message)
    await held.api.until(lambda: pressed.answered is not None)
    assert (pressed.answered or 0.0) - pressed.at < 1
    return pressed.text


async def test_pressed_twice_it_counts_once_also_after_a_restart(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        held.ann.writes("Go")
        await held.until("Which project is this for?")
        asked = held.one("Which project is this for?")
        token, _ = data(asked)  # the other one makes a new project
        assert re.fullmatch(r"[\w-]{16}", token)
        await held.restart(signal.SIGTERM)  # or the question may come twice
        assert await answered(held, "shop", asked) == ""
        await held.until("This room works in shop")
        decided = held.chat.messages[asked.id]
        assert (decided.words, decided.keyboard) == ("This room works in shop from now on.", ())
        await held.until("Hi.")
        assert (await answered(held, "shop", asked)).startswith("Ann pressed here already, ")
        await held.restart()
        assert (await answered(held, "shop", asked)).startswith("Ann pressed here already, ")
        assert held.chat.reads()[:2] == ["This room works in shop from now on.", "Hi."]
        assert sum("This room works" in read for read in held.chat.reads()) == 1
    assert len(shop.play.starts) == 1


async def test_whoever_presses_another_of_them_second_is_told_who_chose(shop: Roost) -> None:
    (shop.home / "blog").mkdir()
    shop("project", "add", "blog", str(shop.home / "blog"))
    async with phone(shop) as held:
        group = held.api.group("Team", held.ann, held.api.person("Bob", 2002))
        await held.start()
        held.ann.writes("/allow 2002 member")
        await held.until("2002 ")
        held.ann.writes("/project@demo_agent_bot", group)
        await held.until("Which project?", group)
        asked = held.one("Which project?", group)
        held.ann.presses("blog", asked)
        late = held.api.person("Bob", 2002).presses("shop", asked)
        await held.api.until(lambda: late.answered is not None)
        assert late.text.startswith("Ann pressed here already, ")
        await held.until("This room works in blog", group)
        assert group.reads() == ["This room works in blog from now on."]


@pytest.mark.parametrize("rule", [None, TOO_OLD])
async def test_killed_between_the_choice_and_its_edit_it_is_decided_once(
    shop: Roost, rule: Rule | None
) -> None:
    async with phone(shop) as held:
        await held.start()
        held.ann.writes("/project")
        await held.until("Which project?")
        asked = held.one("Which project?")
        await held.end(signal.SIGTERM)
        await held.start(ROOST_CRASH_AT="delivering")
        if rule:
            held.api.faults.add(rule)
        held.ann.presses("shop", asked)
        await held.ended(20)
        assert held.chat.reads() == ["Which project?"]
        await held.start()
        await held.until("This room works in shop")
        assert (await answered(held, "shop", asked)).startswith("Ann pressed here already, ")
        reads = held.chat.reads()
    here = "This room works in shop from now on."
    assert reads == (["Which project?", f"(may be a repeat)\n\n{here}"] if rule else [here])


async def test_a_choice_that_is_too_old_to_be_edited_is_answered_beneath(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        held.ann.writes("/project")
        await held.until("Which project?")
        held.api.faults.add(TOO_OLD)
        assert await answered(held, "shop", held.one("Which project?")) == ""
        await held.until("This room works in shop")
        assert held.chat.reads() == ["Which project?", "This room works in shop from now on."]


async def test_a_message_that_is_edited_keeps_its_button(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("⏳")
        shown = held.one("⏳")
        await held.api.until(lambda: len(held.seen(shown)) > 2)
        carried = {tuple(data(change.message)) for change in held.seen(shown)[1:] if change.message}
        assert len(carried) == 1
        await held.restart()
        before = len(held.seen(shown))
        await held.api.until(lambda: len(held.seen(shown)) > before)
        assert await answered(held, "Stop", shown) == ""
        await held.until("■")
        go.touch()


async def test_a_year_later_it_is_one_sentence(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        held.ann.writes("/project")
        await held.until("Which project?")
        store = await Database.open(shop.data_dir)
        await store.write(buttons.keep, "telegram", "1", {}, now=time.time() + YEAR)
        await store.close()
        assert (await answered(held, "shop", held.one("Which project?"))).startswith(
            "This button is too old."
        )
        held.ann.writes("/status")
        await held.api.until(lambda: len(held.chat.reads()) == 2)
        assert not held.says("This room works")


async def test_a_name_that_no_button_could_carry_is_one(shop: Roost) -> None:
    (shop.home / "long").mkdir()
    name = "é" * 40
    shop("project", "add", name, str(shop.home / "long"))
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/allow")
        await held.until("1001 · ")
        held.ann.writes("/project")
        await held.until("This room works in shop:")
        held.ann.presses(name)
        await held.until(f"This room works in {name}")
