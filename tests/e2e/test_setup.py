"""`roost setup` before our Bot API server: asked line by line, tried, written, and then paired with."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

from tests.e2e.test_pair import code_in
from tests.support.phone import Phone
from tests.support.roost import Ran, Roost
from tests.telegram.server import BotApi, own_token

OWNER = "You are the owner of Roost"
NOBODYS = "7000009:nobody-has-this-one-here"


async def set_up(roost: Roost, *answers: str, env: dict[str, str] | None = None) -> Ran:
    words = "".join(f"{answer}\n" for answer in answers).encode()
    return await asyncio.to_thread(lambda: roost("setup", stdin=words, cwd=None, **env or {}))


def bare(home: Path, api: BotApi) -> Roost:
    return Roost(home, config=f'[telegram]\nbase_url = "{api.url}"\n')


async def test_from_a_token_to_an_owner(tmp_path: Path) -> None:
    async with BotApi(token=own_token()) as api:
        roost = bare(tmp_path, api)
        before = roost.config.read_text()
        ran = await set_up(roost, "1", api.token, "")
        assert ran.status == 0, ran.err
        assert f"Telegram answers: this is {api.bot.user.username}." in ran.err
        assert api.token not in ran.out + ran.err
        assert roost.config.read_text() == before + f'token = "{api.token}"\n'
        assert stat.S_IMODE(roost.config.stat().st_mode) == 0o600
        code = code_in(ran.out)
        assert f"https://t.me/{api.bot.user.username}?start={code}" in ran.out
        held = Phone(roost, api)
        await held.start()
        try:
            held.ann.writes(f"/start {code}")
            await held.until(OWNER)
            stranger = api.person(user_id=2002)
            stranger.writes(f"/start {code}")
            held.ann.writes("/allow")
            await held.until("1001 · ")
            assert stranger.chat.reads() == []
        finally:
            await held.end()


async def test_what_does_not_work_is_said_and_asked_again(tmp_path: Path) -> None:
    async with BotApi(token=own_token()) as api:
        roost = bare(tmp_path, api)
        ran = await set_up(roost, "1", "my bot", NOBODYS, api.token, "ann", "1001")
    assert ran.status == 0, ran.err
    said = [line for line in ran.err.splitlines() if line.startswith(("That is", "Telegram"))]
    assert [line[:24] for line in said] == [
        "That is no bot’s token: ",
        "Telegram knows no bot of",
        "Telegram answers: this i",
        "That is no id: a number,",
    ]
    assert "allowed_users = [1001]" in roost.config.read_text()
    assert NOBODYS not in ran.out + ran.err + roost.config.read_text()


async def test_nobody_there_and_no_more_answers_changes_nothing(tmp_path: Path) -> None:
    roost = Roost(tmp_path, config='[telegram]\nbase_url = "http://127.0.0.1:9"\n')
    before = roost.config.read_text()
    ran = await set_up(roost, "1", "7000001:abcdefghijklmnop", "")
    assert ran.status == 2
    assert ran.err.count("can’t be reached from here") == 2
    assert ran.err.endswith("Nothing was changed.\n")
    assert (roost.config.read_text(), ran.out) == (before, "")


async def test_a_file_of_which_nothing_came_is_not_left(tmp_path: Path) -> None:
    roost = Roost(tmp_path)
    roost.config.unlink()
    assert (await set_up(roost, "1", "my bot")).status == 2
    assert not roost.config.exists()


async def test_again_it_keeps_what_is_there(tmp_path: Path) -> None:
    async with BotApi(token=own_token()) as api:
        roost = bare(tmp_path, api)
        await set_up(roost, "1", api.token, "1001")
        before = roost.config.read_text()
        ran = await set_up(roost, "1", "")
        assert (ran.status, roost.config.read_text()) == (0, before)
        assert ran.out == ""  # somebody owns it: nobody needs a code
        assert f"Then write to {api.bot.user.username}." in ran.err


async def test_what_the_environment_says_otherwise_is_told(tmp_path: Path) -> None:
    async with BotApi(token=own_token()) as api:
        roost = bare(tmp_path, api)
        env = {"ROOST_TELEGRAM__TOKEN": NOBODYS}
        ran = await set_up(roost, "1", api.token, "", env=env)
    assert ran.status == 0
    assert "The environment sets telegram.token too" in ran.err


async def test_a_file_that_is_not_there_yet_is_made(tmp_path: Path) -> None:
    async with BotApi(token=own_token()) as api:
        roost = Roost(tmp_path)
        roost.config.unlink()
        env = {"ROOST_TELEGRAM__BASE_URL": api.url, "ROOST_DATA_DIR": str(roost.data_dir)}
        ran = await set_up(roost, "1", api.token, "", env=env)
    assert ran.status == 0, ran.err
    assert roost.config.read_text() == f'[telegram]\ntoken = "{api.token}"\n'
