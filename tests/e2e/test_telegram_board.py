"""The pinned board of a forum group: quiet, one message for ever, and gone when nobody wants it."""

from __future__ import annotations

import signal

from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.telegram.server import Chat

NOTHING = "shop\nNothing runs or waits."


async def a_board(held: Phone, *, admin: bool = True) -> Chat:
    """A forum in which Ann's shop is, and its board."""
    held.api.bot.reads_all = True
    group = held.api.group("Shop", held.ann, forum=True)
    if admin:
        group.bot = "administrator"
    await held.start()
    await held.works_in_shop(group)
    held.ann.writes("/settings dashboard on", group)
    await held.until(NOTHING, group)
    return group


async def test_it_says_what_runs_and_goes_on_after_a_restart(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        group = await a_board(held)
        await held.api.until(lambda: group.pinned)
        board = group.messages[group.pinned]
        assert (board.words, board.silent) == (NOTHING, True)
        held.ann.writes("@demo_agent_bot why?", group)
        await held.until("▸ untitled 1 · Codex at work since", group, seconds=30)
        await held.restart(signal.SIGTERM)
        go.touch()
        await held.until(NOTHING, group, seconds=40)
        assert group.messages[group.pinned].id == board.id
        assert len(held.api.called("pinChatMessage")) == 1
        assert [call.params["disable_notification"] for call in held.api.called("pinChatMessage")] == [True]
        assert [change.message.words for change in group.rung if change.message] == ["Hi."]
        assert held.api.violations == []
        held.ann.writes("/settings dashboard off", group)
        await held.api.until(lambda: not held.says(NOTHING, group))
        assert not group.pinned


async def test_without_the_right_to_pin_it_is_said_in_one_sentence(shop: Roost) -> None:
    async with phone(shop) as held:
        group = await a_board(held, admin=False)
        await held.until("I may not pin messages here", group)
        assert not group.pinned
        assert held.says(NOTHING, group)
