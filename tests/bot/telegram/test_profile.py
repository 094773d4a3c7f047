"""Menus and words of the bot: for each scope and language, within the limits, and told once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.replies.help import LISTED
from bot.telegram.profile import LONGEST, Painter, Sign, signs
from bot.texts import Texts
from core.store.database import Database
from tests.bot.telegram.rig import Rig
from tests.telegram.server import Rule
from tests.telegram.server.about import menu

ALL = signs(Texts("en"), ["1001"])
FLOOD = {"ok": False, "error_code": 429, "description": "…", "parameters": {"retry_after": 33}}


@pytest.fixture
async def painter(rig: Rig, tmp_path: Path) -> AsyncIterator[Painter]:
    store = await Database.open(tmp_path / "data")
    yield Painter(rig.adapter, store, rig.clock, "telegram")
    await store.close()


def told(rig: Rig) -> list[str]:
    return [call.method for call in rig.api.called() if call.method.startswith("setMy")]


async def test_each_person_is_offered_what_they_may_use(rig: Rig, painter: Painter) -> None:
    await painter.paint(ALL)
    bob, zoe = rig.api.person("Bob", 2002), rig.api.person("Zoé", 2003, language="fr")
    group = rig.api.group("Shop", rig.ann, bob)
    bot = rig.api.bot
    everybody = ["help", *(name for name in LISTED if name != "allow")]
    assert menu(bot, rig.ann.chat, rig.ann.user) == ["help", *LISTED]
    assert menu(bot, bob.chat, bob.user) == menu(bot, group, rig.ann.user) == everybody
    assert menu(bot, zoe.chat, zoe.user) == everybody
    french = bot.commands[json.dumps({"type": "all_private_chats"}), "fr"]
    assert {"command": "queue", "description": "ce qui attend, dans l’ordre"} in french


async def test_its_words_are_there_and_its_name_is_left_alone(rig: Rig, painter: Painter) -> None:
    await painter.paint(ALL)
    assert rig.api.bot.about["description", ""].startswith("Your coding agents in a chat.")
    assert rig.api.bot.about["short_description", "fr"].startswith("Des agents de code")
    assert "setMyName" not in told(rig)


async def test_what_was_told_is_not_told_again(rig: Rig, painter: Painter) -> None:
    await painter.paint(ALL)
    before = told(rig)
    await painter.paint(ALL)
    assert told(rig) == before
    assert "deleteMyCommands" not in [call.method for call in rig.api.called()]
    await painter.paint([*ALL, *signs(Texts("en"), ["2002"])])
    assert told(rig)[len(before) :] == ["setMyCommands"] * 2


async def test_words_that_somebody_else_wrote_are_theirs(rig: Rig, painter: Painter) -> None:
    rig.api.bot.about["description", ""] = "Ann's own bot."
    await painter.paint(ALL)
    assert rig.api.bot.about["description", ""] == "Ann's own bot."
    assert rig.api.bot.about["short_description", ""].startswith("Coding agents")


async def test_it_is_tried_until_it_is_there(rig: Rig, painter: Painter) -> None:
    rig.api.faults.add(Rule("setMyCommands", times=1, status=429, body=FLOOD))
    rig.api.faults.add(Rule("setMyCommands", nth=2, times=2, drop_connection=True))
    await painter.paint([Sign("", "default", (("stop", "Stop it."),))])
    assert [one["command"] for menu in rig.api.bot.commands.values() for one in menu] == ["stop"]
    assert rig.clock.rests == [33.0, 10.0, 20.0]


async def test_what_is_refused_holds_up_nothing(rig: Rig, painter: Painter) -> None:
    await painter.paint([Sign("", "default", (("STOP!", "Stop it."),)), *ALL])
    assert rig.clock.rests == []
    assert len(rig.api.bot.commands) == 8


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_is_within_the_limits(language: str) -> None:
    for sign in signs(Texts(language, strict=True), ["1001"]):
        if sign.words:
            assert 0 < len(sign.text) < LONGEST[sign.words]
        else:
            assert len(sign.menu) >= len(LISTED)
            assert sum(len((name + said).encode()) for name, said in sign.menu) <= 3_500
