"""A token is judged before anything is asked, and never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.telegram.adapter import AlreadyPolled
from bot.telegram.token import MalformedToken, OnlyPoller, bot_id
from tests.bot.telegram.rig import Rig
from tests.telegram.server import TOKEN, BotApi


def test_a_token_begins_with_its_bot() -> None:
    assert bot_id(TOKEN) == 7000001


@pytest.mark.parametrize(
    "token",
    ["", "7000001", "7000001:short", f"bot{TOKEN}", f"{TOKEN}\n", f"Use this token:\n{TOKEN}", "é" * 40],
)
def test_what_no_bot_has_is_refused_without_being_repeated(token: str) -> None:
    with pytest.raises(MalformedToken) as failed:
        bot_id(token)
    assert str(failed.value) == ""


def test_one_process_of_a_machine_polls_for_a_bot() -> None:
    first, second, other = OnlyPoller(6999991), OnlyPoller(6999991), OnlyPoller(6999992)
    assert first.take()
    assert first.take()
    assert not second.take()
    assert other.take()
    first.release()
    assert second.take()
    for one in (second, other):
        one.release()


async def test_a_second_adapter_says_so_and_the_first_goes_on(api: BotApi, tmp_path: Path) -> None:
    first, second = Rig(api, tmp_path), Rig(api, tmp_path)
    first.adapter.open()
    with pytest.raises(AlreadyPolled):
        second.adapter.open()
    await second.adapter.close()
    await first.adapter.close()
    second.adapter.open()
    await second.adapter.close()
