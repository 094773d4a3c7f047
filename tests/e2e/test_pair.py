"""`roost pair`: a code that is good once, and a link where the bot's name is known."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest

from core.store import accounts, people
from core.store.database import Database
from tests.support.roost import Roost
from tests.telegram.server import BotApi, own_token

TOKEN = "7000001:abcdefghijklmnop"
AWAY = f'[telegram]\ntoken = "{TOKEN}"\nbase_url = "http://127.0.0.1:9"\n'


def code_in(said: str) -> str:
    found = re.search(r"[/!]start (\w+)", said)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("words", "role"), [([], "owner"), (["--role", "viewer"], "viewer")])
def test_the_code_gives_the_role_once(tmp_path: Path, words: list[str], role: str) -> None:
    roost = Roost(tmp_path, config=AWAY)
    ran = roost("pair", *words)
    assert (ran.status, ran.out.count("\n")) == (0, 2)
    assert "good once within 10 minutes" in ran.out
    code = code_in(ran.out)
    assert re.fullmatch(r"[a-z2-9]{8}", code)
    found = asyncio.run(_redeemed(roost.data_dir, code, code))
    assert found == [role, None]


def test_without_a_chat_there_is_no_code_but_what_to_do(roost: Roost) -> None:
    ran = roost("pair")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("No chat is configured yet")
    assert "roost setup" in ran.err


async def test_a_new_code_ends_the_one_before_and_the_link_says_it(tmp_path: Path) -> None:
    async with BotApi(token=own_token()) as api:
        roost = Roost(tmp_path, config=f'[telegram]\ntoken = "{api.token}"\nbase_url = "{api.url}"\n')
        first = await asyncio.to_thread(roost, "pair")
    ran = await asyncio.to_thread(roost, "pair")
    old, new = code_in(first.out), code_in(ran.out)
    bot = api.bot.user.username
    assert f"https://t.me/{bot}?start={old}, or writes to {bot}: /start {old}" in first.out
    assert f"https://t.me/{bot}?start={new}" in ran.out, "what it is called is known from then on"
    assert await _redeemed(roost.data_dir, old, new) == [None, "owner"]


@pytest.mark.parametrize("token", ["7:abcdefgh", "nonsense"])
def test_a_bot_whose_name_nobody_says_has_no_link(tmp_path: Path, token: str) -> None:
    """That another bot was here before counts for nothing."""
    roost = Roost(tmp_path, config=AWAY.replace(TOKEN, token))
    asyncio.run(_named(roost.data_dir))
    ran = roost("pair")
    assert ran.status == 0
    assert "t.me" not in ran.out
    assert f"/start {code_in(ran.out)}. There is no link" in ran.out


async def _redeemed(data_dir: Path, *codes: str) -> list[str | None]:
    """The role that each gives."""
    store = await Database.open(data_dir)
    found = [await store.write(people.redeem, code, now=time.time()) for code in codes]
    await store.close()
    return [one.role if one else None for one in found]


async def _named(data_dir: Path) -> None:
    store = await Database.open(data_dir)
    await store.write(accounts.called, "telegram", "8", "old_bot")
    await store.close()


def test_on_matrix_it_says_where_to_write_it(roost: Roost) -> None:
    roost.configure('[matrix]\nhomeserver = "http://127.0.0.1:9"\nuser = "@roost:x"\npassword = "secret"\n')
    ran = roost("pair")
    assert f"direct chat with @roost:x, and write there: !start {code_in(ran.out)}" in ran.out.replace(
        "`", ""
    )
