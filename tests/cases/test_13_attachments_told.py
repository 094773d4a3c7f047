"""Case 13, at the adapter: whatever can't be sent is said aloud, and no path of this machine is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import Refused, Text, Why
from bot.replies.answer import answer
from bot.texts import Texts
from core.model.answer import Placed, StoredMessage
from core.model.ids import ConversationId, MessageId
from tests.bot.telegram.rig import telegram
from tests.telegram.client import picture
from tests.telegram.server import BotApi

ANSWER = (
    "A ![good](output/plot.png) B ![gone](output/missing.png) C ![empty](output/empty.png)"
    " D ![bad](../secret.png) E"
)
PLACED = (
    Placed("output/plot.png", "photo", "plot", "", "plot.png"),
    Placed("output/missing.png", "refused", reason="picture.missing"),
    Placed("output/empty.png", "refused", reason="picture.empty"),
    Placed("../secret.png", "refused", reason="picture.outside"),
)


async def test_one_picture_and_a_note_for_each_of_the_others(tmp_path: Path) -> None:
    stored = StoredMessage(MessageId(1), ConversationId(1), None, "assistant", ANSWER, PLACED)
    async with BotApi() as api, telegram(api, tmp_path) as rig:
        rig.keep("plot", picture())
        said = answer(stored, Texts("en"))
        for body in rig.adapter.cut(said):
            await rig.adapter.deliver(rig.room, body)
        read = rig.reads()
        assert not api.violations
    assert [words for words in read if words.startswith("[")] == ["[plot.jpg] good"]
    told = "\n".join(read)
    for refused in ("output/missing.png", "output/empty.png", "../secret.png"):
        assert any(refused in line for line in told.splitlines()[-5:])
    assert [sign for sign in "ABCDE" if sign in told] == list("ABCDE")
    assert str(tmp_path) not in told


async def test_a_picture_that_is_gone_when_its_turn_comes_is_refused(tmp_path: Path) -> None:
    async with BotApi() as api, telegram(api, tmp_path) as rig:
        bodies = rig.adapter.cut(Text(ANSWER, placed=PLACED[:1]))
        with pytest.raises(Refused) as failed:
            for body in bodies:
                await rig.adapter.deliver(rig.room, body)
    assert failed.value.why is Why.MEDIA
    assert str(tmp_path) not in str(failed.value)
