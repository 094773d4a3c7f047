"""An answer seen as a draft while it is written, and stopped there; and servers that have no such thing."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support.phone import Phone, phone
from tests.support.roost import Roost

SLOWLY = '[engines.demo]\nenv = { DEMO_PACE = "6" }\n'
WORDS = " ".join(f"word{n}" for n in range(300))


def rang(held: Phone, times: int) -> bool:
    return len(held.rung) == times


async def begins(held: Phone) -> None:
    await held.start()
    await held.works_in_shop()
    held.ann.writes("/settings drafts on")
    await held.until("Drafts: on.")
    held.ann.writes(f"echo {WORDS}")


async def test_a_draft_grows_goes_and_the_answer_comes_once(roost: Roost) -> None:
    roost.with_shop(engine="demo")
    async with phone(roost, more=SLOWLY) as held:
        await begins(held)
        await held.api.until(lambda: held.rung)
        await held.until("✓ 0:")
        assert held.api.violations == []
    texts = [draft.text for draft in held.chat.drafts]
    assert len(texts) >= 3, texts
    assert texts[-1] == "Thinking…"
    assert all(text.endswith("…") and text.startswith("word0 word1") for text in texts[:-1])
    assert sorted(map(len, texts[:-1])) == [len(text) for text in texts[:-1]]
    assert held.rung == [WORDS]
    shown = [change.message.text for change in held.seen(held.one("✓ 0:")) if change.message]
    assert not any("word0" in text for text in shown)


async def test_of_a_secret_that_is_still_being_written_nothing_is_seen(roost: Roost) -> None:
    """In code, which is closed where it is cut off."""
    roost.with_shop(engine="demo")
    secret = " ".join(f"part{n}of" for n in range(200))
    agent = f'[engines.demo]\nenv = {{ DEMO_PACE = "6", API_KEY = "{secret}" }}\n'
    async with phone(roost, more=agent) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/settings drafts on")
        await held.until("Drafts: on.")
        held.ann.writes(f"echo It is `{secret}` and no other.")
        await held.until("and no other.")
        await held.until("✓ 0:")
    drafts = [draft.text for draft in held.chat.drafts]
    assert any(text.startswith("It is") for text in drafts)
    assert [text for text in drafts if "part" in text] == []


async def test_who_stops_a_draft_stops_the_turn(roost: Roost) -> None:
    roost.with_shop(engine="demo")
    async with phone(roost, more=SLOWLY) as held:
        await begins(held)
        await held.api.until(lambda: held.chat.drafts)
        held.ann.stops()
        await held.until("Stopped after")
        assert not held.says("word299")


@pytest.mark.parametrize("lacks", ["sendmessagedraft", "sendrichmessage"])
async def test_a_server_that_has_no_such_call_is_asked_once(roost: Roost, lacks: str) -> None:
    roost.with_shop(engine="demo")
    async with phone(roost, more=SLOWLY) as held:
        held.api.bot.lacks = {lacks}
        await held.start()
        await held.works_in_shop()
        for wish in ("drafts on", "rich on"):
            held.ann.writes(f"/settings {wish}")
            await held.until(": on.")
        for turn in (1, 2):
            held.ann.writes(f"echo {WORDS}")
            await held.api.until(partial(rang, held, turn))
        asked = [call for call in held.api.called() if call.method.lower() == lacks]
        assert [call.status for call in asked] == [404]
        assert held.rung == [WORDS, WORDS]
