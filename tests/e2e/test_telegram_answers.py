"""Answers as they come on a phone: growing while they are written, and files that they name."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from tests.support.phone import phone
from tests.support.play_agent import Step
from tests.support.roost import Roost
from tests.telegram.server import Rule

SLOWLY = '[engines.demo]\nenv = { DEMO_PACE = "5" }\n'
WORDS = " ".join(f"word{n}" for n in range(300))


async def test_an_answer_grows_in_the_progress_and_comes_once(roost: Roost) -> None:
    roost.with_shop(engine="demo")
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


async def test_of_an_answer_of_two_messages_the_newest_end_is_seen_as_it_grows(roost: Roost) -> None:
    roost.with_shop(engine="demo")
    words = " ".join(f"word{n}" for n in range(900))
    async with phone(roost, more='[engines.demo]\nenv = { DEMO_PACE = "3" }\n') as held:
        await held.start()
        await held.works_in_shop()
        held.ann.pastes(f"echo {words}")
        await held.until("✓ 0:", seconds=40)
        assert held.api.violations == []
    growing = [change.message.text for change in held.seen(held.one("✓ 0:")) if change.message][:-1]
    ends = [int(found[1]) for text in growing if (found := re.search(r"word(\d+)…\Z", text))]
    assert ends == sorted(set(ends))
    assert ends[-1] > 600
    assert re.search(r"\n\n…word\d+ word", growing[-1])
    assert len(held.rung) == 1
    assert " ".join(held.chat.reads()).count(words[:3_000]) == 1
    assert words.split() == [word for word in " ".join(held.chat.reads()).split() if "word" in word]


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


REFUSED = {"ok": False, "error_code": 400, "description": "Bad Request: PHOTO_INVALID_DIMENSIONS"}
SHOWN = "[a.jpg] one", "[b.jpg] two", "[c.jpg] three"
ALBUM = "Before.\n\n![one](a.png)\n\n![two](b.png)\n\n![three](c.png)\n\nAfter."


@pytest.mark.parametrize(
    ("fault", "reads"),
    [
        (None, ["Before.", *SHOWN, "After."]),
        (
            Rule("sendMediaGroup", times=1, status=400, body=REFUSED),
            ["Before.", *SHOWN, "After."],
        ),
        (
            Rule("sendMediaGroup", times=1, drop_connection=True, store_anyway=True),
            ["Before.", *SHOWN, "[a.jpg] (may be a repeat)\n\none", *SHOWN[1:], "After."],
        ),
    ],
    ids=["well", "refused", "lost"],
)
async def test_pictures_in_a_row_come_as_an_album_or_one_by_one(
    shop: Roost, fault: Rule | None, reads: list[str]
) -> None:
    for name, colour in (("a.png", "red"), ("b.png", "green"), ("c.png", "blue")):
        Image.new("RGB", (60, 40), colour).save(shop.shop / name)
    shop.says(ALBUM)
    async with phone(shop) as held:
        if fault:
            held.api.faults.add(fault)
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("After.")
        assert held.chat.reads()[1:] == reads
        assert held.rung == ["Before."]
        albums = {one.album for one in held.chat.screen() if one.photo}
        assert (albums == {""}) == bool(fault and fault.status)
        assert held.api.violations == []


async def test_a_very_long_answer_is_its_beginning_and_a_file_that_holds_all_of_it(shop: Roost) -> None:
    answer = "# Report\n\n" + "\n\n".join(f"Paragraph {n}. " + "word " * 80 for n in range(60))
    shop.says(answer)
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("[answer.md]")
        file = held.one("[answer.md]").document
        assert file
        assert file.data.decode().split() == answer.split()
        (head, _) = held.chat.reads()[1:]
        assert head.startswith("Report\n\nParagraph 0.")
        assert len(held.rung) == 1
        assert held.api.violations == []


async def test_a_wide_table_is_a_picture_in_the_colours_of_its_room(shop: Roost) -> None:
    head = "| Query | Where | Time |\n|---|---|---:|\n"
    shop.says(head + f"| {'SELECT ' * 12}| {'checkout/views.py ' * 3}| 1.9 s |\n")
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/settings theme dark")
        await held.until("Theme: dark")
        held.ann.writes("Go")
        await held.until("[table.jpg]")
        photo = held.one("[table.jpg]").photo
        assert photo
        shades = Image.open(io.BytesIO(photo[-1].data)).convert("L").histogram()
        ground = shades.index(max(shades))
        assert ground < 60
        assert any(shades[180:])  # the letters
        assert held.api.violations == []
