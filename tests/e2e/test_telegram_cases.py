"""Cases from the field, the whole way with the real service: 08 10 11 13 15 76."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.cases.test_08_edit_errors import BROKEN, FAULTS
from tests.cases.test_11_caption_limit import ANSWER as LONG_ANSWER
from tests.cases.test_13_attachments_told import ANSWER as FOUR_PICTURES
from tests.e2e.test_telegram import began, over, words
from tests.support.phone import Phone, phone
from tests.support.play_agent import Step
from tests.support.roost import Roost
from tests.support.whole import until
from tests.telegram.client import picture
from tests.telegram.server import Message, Rule


def busy(seconds: int) -> list[Step]:
    """A step each second."""
    each = [(began(f"step {n}", f"i{n}"), {"sleep": 1.0}, over(f"step {n}", f"i{n}")) for n in range(seconds)]
    return [step for steps in each for step in steps]


def progress(held: Phone) -> list[Message]:
    """Every message that ever showed a turn."""
    sent = [change.message for change in held.chat.log if change.kind == "sent" and change.message]
    return [message for message in sent if message.text.startswith("⏳")]


@pytest.mark.slow
async def test_case_08_edits_that_fail_end_no_progress(shop: Roost) -> None:
    shop.says("Hi.", *busy(20))
    async with phone(shop) as held:
        held.api.faults.load(FAULTS)
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("Hi.", seconds=40)
        await held.until("✓ 0:20 · 20 steps")
        assert held.api.violations == []
    (shown,) = progress(held)
    edits = held.api.called("editMessageText")
    (flood,) = [call for call in edits if call.status == 429]
    after = [call.at for call in held.api.called("editMessageText", "sendMessage", "sendChatAction")]
    assert min(at for at in after if at > flood.at) - flood.at >= 5
    assert len([c for c in held.seen(shown) if c.kind == "edited" and c.at > flood.at]) >= 3
    assert {call.status for call in edits} == {200, 429, 0, 400}
    assert all(later.at - before.at > 1.0 for before, later in pairwise(edits[:-1]))
    assert held.rung == ["Hi."]


async def test_case_10_no_message_says_that_it_works_when_nothing_does(shop: Roost) -> None:
    shop.says("Hi.", *busy(5))
    async with phone(shop) as held:
        held.api.faults.add(Rule("editMessageText", for_seconds=30, status=400, body=BROKEN))
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("Hi.")
        await held.api.until(lambda: not held.says("⏳"))
        assert len(progress(held)) == 1
        assert held.rung == ["Hi."]


async def test_case_11_a_picture_in_a_long_text_costs_neither(shop: Roost) -> None:
    (shop.shop / "output").mkdir()
    (shop.shop / "output/plot.png").write_bytes(picture())
    shop.says(LONG_ANSWER)
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("End-11.")
        assert held.api.violations == []
        said = held.chat.screen()
    (photo,) = [message for message in said if message.photo]
    assert 0 < len(photo.text) <= 1024
    told = "\n".join(message.text for message in said)
    assert re.findall(r"number (\d+) of", told) == [f"{n:03}" for n in range(85)]
    assert len(held.rung) == 1


async def test_case_13_what_cannot_be_sent_is_told(shop: Roost) -> None:
    (shop.shop / "output").mkdir()
    (shop.shop / "output/plot.png").write_bytes(picture())
    (shop.shop / "output/empty.png").touch()
    (shop.home / "secret.png").write_bytes(picture())
    shop.says(FOUR_PICTURES)
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("(../secret.png: ")
        told = "\n".join(held.chat.reads())
    assert [read for read in held.chat.reads() if read.startswith("[")] == ["[plot.jpg] good"]
    for name in ("output/missing.png", "output/empty.png", "../secret.png"):
        assert f"({name}: " in told
    assert str(shop.home) not in told
    assert [sign for sign in "ABCDE" if sign in told] == list("ABCDE")


async def test_case_15_killed_while_the_answer_is_on_its_way(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.api.faults.add(Rule("sendMessage", times=1, hang=10.0))
        held.ann.writes("do it")
        await until(lambda: len(held.api.called("sendMessage")) == 2)
        await held.restart()
        await held.until("Hi.")
        assert held.rung == ["(may be a repeat)\n\nHi."]
    assert len(shop.play.starts) == 1


async def test_case_76_a_name_of_which_one_address_leads_nowhere(shop: Roost) -> None:
    async with phone(shop) as held:
        shop.config.write_text(shop.config.read_text().replace("//127.0.0.1:", "//localhost:"))
        await held.start()
        await held.works_in_shop()
        held.ann.writes("What is this?", photo=picture())
        await held.until("Hi.")
    assert any(word.endswith(".jpg") for word in shop.play.starts[0].argv)


async def test_a_message_of_nothing_but_emoji_comes_back_whole(shop: Roost) -> None:
    emoji = "🫖" * 4096
    shop.says(emoji)
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes(emoji)
        await held.api.until(lambda: sum(read.count("🫖") for read in held.chat.reads()) == 4096)
        assert held.api.violations == []
        assert len(held.rung) == 1


async def test_a_button_from_last_year_says_what_became_of_it(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("⏳")
        old = held.one("⏳")
        go.touch()
        await held.until("✓ 0:0")
        press = held.ann.presses("Stop", old)
        await held.until("That had already ended.")
        await held.api.until(lambda: press.answered)
        assert words(held.seen(old)[-1])[0].startswith("✓")
