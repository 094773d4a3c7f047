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


def code_in(said: str) -> str:
    found = re.search(r"/start (\w+)", said)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("words", "role"), [([], "owner"), (["--role", "viewer"], "viewer")])
def test_the_code_gives_the_role_once(tmp_path: Path, words: list[str], role: str) -> None:
    roost = Roost(tmp_path)
    ran = roost("pair", *words)
    assert (ran.status, ran.out.count("\n")) == (0, 1)
    assert "good once within 10 minutes" in ran.out
    code = code_in(ran.out)
    assert re.fullmatch(r"[a-z2-9]{8}", code)
    found = asyncio.run(_redeemed(roost.data_dir, code, code))
    assert found == [role, None]


def test_a_new_code_ends_the_one_before_and_the_link_says_it(tmp_path: Path) -> None:
    roost = Roost(tmp_path)
    old = code_in(roost("pair").out)
    asyncio.run(_named(roost.data_dir))
    ran = roost("pair")
    new = code_in(ran.out)
    assert f"https://t.me/roost_bot?start={new}" in ran.out
    assert asyncio.run(_redeemed(roost.data_dir, old, new)) == [None, "owner"]


async def _redeemed(data_dir: Path, *codes: str) -> list[str | None]:
    """The role that each gives."""
    store = await Database.open(data_dir)
    found = [await store.write(people.redeem, code, now=time.time()) for code in codes]
    await store.close()
    return [one.role if one else None for one in found]


async def _named(data_dir: Path) -> None:
    store = await Database.open(data_dir)
    await store.write(accounts.called, "telegram", "7", "old_name")
    await store.write(accounts.called, "telegram", "7", "roost_bot")
    await store.close()


def test_on_matrix_it_says_where_to_write_it(roost: Roost) -> None:
    roost.configure('[matrix]\nhomeserver = "http://127.0.0.1:9"\nuser = "@roost:x"\npassword = "secret"\n')
    ran = roost("pair")
    assert f"direct chat with @roost:x, and write there: !start {code_in(ran.out)}" in ran.out.replace(
        "`", ""
    )
