"""A token is judged before anything is asked, and never repeated."""

from __future__ import annotations

import pytest

from bot.telegram.token import MalformedToken, bot_id
from tests.telegram.server import TOKEN


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
