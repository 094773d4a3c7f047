"""More than an agent can do at once, on a phone: one message says what waits, and each is answered once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.support.phone import Phone, phone
from tests.support.roost import Roost

MANY = 30
SHORT = {"sleep": 0.05}
DOWN = "The machine went down"
"""Where a kill met the start of a turn."""
DROPPED = "Removed before it began: "
"""Of one that somebody dropped elsewhere."""


async def piles_up(held: Phone, shop: Roost) -> Path:
    """«first» runs, *MANY* wait behind it. The file that lets it end."""
    go = shop.holds()
    await held.start()
    await held.works_in_shop()
    held.ann.writes("first")
    await held.until("⏳")
    for number in range(MANY):
        held.ann.writes(f"number {number}")
    await held.api.until(lambda: len(held.api.called("setMessageReaction")) == MANY + 1)
    await held.until(f"{MANY} wait, after first.")
    return go


def silent(held: Phone) -> list[str]:
    """What the bot says beside the answers, as it stands."""
    return [read for read in held.chat.reads()[1:] if not read.endswith("Hi.")]


def answers(held: Phone) -> int:
    """How many were answered; an answer that a kill left in doubt may be there twice, and says so."""
    told = [message for message in held.chat.screen() if message.words.endswith("Hi.")]
    return len({message.reply_to.id for message in told if message.reply_to})


async def all_answered(held: Phone) -> None:
    await held.api.until(lambda: answers(held) >= MANY + 1, seconds=90)
    await held.api.until(lambda: all(read.startswith(("✓ 0:", DOWN, DROPPED)) for read in silent(held)))


@pytest.mark.slow
@pytest.mark.timeout(150)
async def test_thirty_that_wait_are_one_card_and_each_is_answered(shop: Roost) -> None:
    async with phone(shop) as held:
        go = await piles_up(held, shop)
        sent = Counter(call.method for call in held.api.called())
        assert sent["sendMessage"] == len(["shop", "⏳", "the card"])
        assert held.chat.reads()[-1].splitlines()[1] == "2 number 0"
        assert held.chat.reads()[-1].splitlines()[-1] == f"… and {MANY - 6} more"
        assert held.chat.buttons()[-1] == "Remove the rest"
        shop.says("Hi.", SHORT)
        go.touch()
        await all_answered(held)
        calls = Counter(call.method for call in held.api.called())
        assert calls["sendMessage"] <= MANY + 1 + 3 + long_turns(held)
        assert held.rung == ["Hi."] * (MANY + 1)
        assert held.api.violations == []
    assert len(shop.play.starts) == MANY + 1


def long_turns(held: Phone) -> int:
    """How many messages beside the answers there came to be; each shows a turn of more than a second."""
    more = silent(held)[2:]
    assert not [read for read in more if re.match(r"✓ 0:00", read)]
    return len(more)


@pytest.mark.slow
@pytest.mark.timeout(150)
async def test_killed_while_thirty_wait_the_card_is_found_again(shop: Roost) -> None:
    async with phone(shop) as held:
        go = await piles_up(held, shop)
        card = held.one(f"{MANY} wait")
        await held.restart()
        held.ann.writes("one more")
        await held.until(f"{MANY + 1} wait, after first.")
        assert held.one(f"{MANY + 1} wait").id == card.id
        shop("cancel", "2")
        await held.until(f"{MANY} wait, after first.")
        assert held.one(f"{MANY} wait").id == card.id
        shop.says("Hi.", SHORT)
        go.touch()
        await held.api.until(lambda: answers(held) >= 5, seconds=30)
        await held.restart()
        await all_answered(held)
        assert held.chat.messages[card.id].words.startswith("✓")
