"""Case 11: a picture among a long text costs neither of them anything."""

from __future__ import annotations

import re
from pathlib import Path

from bot.chat import Text
from core.model.answer import Placed
from tests.bot.telegram.rig import telegram
from tests.telegram.client import picture
from tests.telegram.server import BotApi

SENTENCES = " ".join(f"Sentence number {n:03} of the report." for n in range(85))
ANSWER = f"{SENTENCES}\n\n![{'alt words ' * 150}](output/plot.png)\n\nEnd-11."


async def test_the_picture_and_all_of_the_text_arrive_in_order(tmp_path: Path) -> None:
    placed = (Placed("output/plot.png", "photo", "plot", "", "plot.png"),)
    async with BotApi() as api, telegram(api, tmp_path) as rig:
        rig.keep("plot", picture())
        for body in rig.adapter.cut(Text(ANSWER, placed=placed)):
            await rig.adapter.deliver(rig.room, body)
        said = rig.ann.chat.screen()
        assert not api.violations
    photos = [message for message in said if message.photo]
    assert len(photos) == 1
    assert 0 < len(photos[0].text) <= 1024
    words = "\n".join(message.text for message in said)
    assert re.findall(r"number (\d+) of", words) == [f"{n:03}" for n in range(85)]
    assert words.endswith("End-11.")
    assert rig.rings() == 1
