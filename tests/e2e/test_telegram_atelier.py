"""View atelier on a phone: one message grows with the turn, and keeps plan, steps and changes after it."""

from __future__ import annotations

import subprocess

from tests.e2e.test_telegram import over
from tests.support.phone import phone
from tests.support.play_agent import Step
from tests.support.roost import Roost

PLAN: Step = {
    "json": {
        "type": "item.updated",
        "item": {
            "id": "p",
            "type": "todo_list",
            "items": [{"text": "measure", "completed": True}, {"text": "fix", "completed": False}],
        },
    }
}


def a_repository(shop: Roost) -> None:
    git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-C", str(shop.shop)]
    (shop.shop / "shop.py").write_text("slow\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "One"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (shop.shop / "shop.py").write_text("quick\nsure\n")


async def test_the_whole_bench_is_shown_and_stays(shop: Roost) -> None:
    a_repository(shop)
    steps = [over(f"make part-{n}", f"i{n}") for n in range(6)]
    failing = over("pytest -q", "t", 1)
    failing["json"]["item"]["aggregated_output"] = "..F\n1 failed"
    go = shop.home / "go"
    shop.says("Hi.", PLAN, *steps, failing, {"wait_for": str(go)})
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/settings view atelier")
        await held.until("View: atelier.")
        held.ann.writes("Go")
        await held.until("1 file changed: +2 −1")
        shown = held.one("⏳")
        for words in ("☑ measure\n☐ fix", "✓ Ran make part-0\n", "✓ Ran pytest -q · exit 1\n\n..F\n1 failed"):
            assert words in shown.words
        assert shown.buttons == [["Stop"]]
        go.touch()
        await held.until("✓ 0:0")
        left = held.chat.messages[shown.id]
        assert "☑ measure\n☐ fix" in left.words
        assert left.words.endswith("1 file changed: +2 −1")
        assert left.buttons == []
        assert held.rung == ["Hi."]
        assert held.api.violations == []
