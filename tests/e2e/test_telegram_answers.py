"""Answers as they come on a phone: growing while they are written, and files that they name."""

from __future__ import annotations

import re

from tests.support.phone import phone
from tests.support.play_agent import Step
from tests.support.roost import Roost

SLOWLY = '[engines.demo]\nenv = { DEMO_PACE = "5" }\n'
WORDS = " ".join(f"word{n}" for n in range(300))


async def test_an_answer_grows_in_the_progress_and_comes_once(roost: Roost) -> None:
    roost.with_shop("--engine", "demo")
    async with phone(roost, more=SLOWLY) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes(f"echo {WORDS}")
        await held.api.until(lambda: held.rung)
        await held.until("✓ 0:")
        assert held.api.violations == []
    (answer,) = [read for read in held.chat.reads() if read.endswith("word299")]
    assert answer == WORDS
    assert held.rung == [WORDS]
    folded = held.one("✓ 0:")
    growing = [change.message.text for change in held.seen(folded) if change.message][:-1]
    ends = [int(found[1]) for text in growing if (found := re.search(r"word(\d+)…\Z", text))]
    assert len(ends) >= 2
    assert ends == sorted(ends)
    assert all(text.startswith("⏳ Demo") for text in growing)


async def test_files_that_an_answer_names_are_sent_or_a_button_away(shop: Roost) -> None:
    (shop.shop / "app.py").write_text("print()\n")
    (shop.shop / ".env").write_text("TOKEN=1\n")
    (shop.shop / "output").mkdir()
    made: Step = {"write_file": {"path": "output/report.pdf", "text": "%PDF-1.7"}}
    shop.says("See [the report](output/report.pdf), [app.py](app.py:1) and [.env](.env).", made)
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("[report.pdf]")
        assert held.rung == ["See the report (output/report.pdf), app.py (app.py:1) and .env."]
        assert held.one("[report.pdf]").silent
        held.ann.presses("app.py")
        await held.until("[app.py]")
        sent = held.one("[app.py]")
        assert sent.document
        assert sent.document.data == b"print()\n"
        assert held.api.violations == []
