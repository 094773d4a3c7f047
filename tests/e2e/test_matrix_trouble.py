"""Matrix and what can go wrong with it: nothing is lost, nothing comes twice, and nobody is left alone."""

from __future__ import annotations

import json
import shutil
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.matrix.gateway import gateway
from tests.matrix.person import People
from tests.matrix.service import Served, served
from tests.support.phone import ACCESS as TELEGRAM
from tests.support.phone import OWNER
from tests.support.roost import Roost
from tests.support.tree import ROOT
from tests.telegram.server import BotApi, own_token

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
MANY = 130


def answered(held: Served, room: str) -> Counter[str]:
    """How often each message of Ann's was answered."""
    answers = [seen for seen in held.ann.seen(room) if seen.body == "Hi."]
    return Counter(seen.content["m.relates_to"]["m.in_reply_to"]["event_id"] for seen in answers)


@asynccontextmanager
async def away(shop: Roost, everybody: People, *, encrypted: bool) -> AsyncIterator[tuple[Served, str]]:
    """A service that has come into a room of Ann's, and does not run now."""
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=encrypted)
        held.end(signal.SIGTERM)
        yield held, room


@pytest.mark.slow
@pytest.mark.timeout(300)
@ENCRYPTED
async def test_many_prompts_and_two_kills(shop: Roost, everybody: People, *, encrypted: bool) -> None:
    """What came while nobody was there is answered once each, whoever dies in the middle of it."""
    async with away(shop, everybody, encrypted=encrypted) as (held, room):
        asked = [held.ann.says(room, f"number {number}") for number in range(MANY)]
        for share in (MANY // 3, 2 * MANY // 3, MANY):
            held.start()
            await held.until(lambda share=share: len(answered(held, room)) >= share, seconds=250)
            held.end()
        assert answered(held, room) == Counter(asked)
        assert held.ann.timeline(room).unreadable == []


async def test_killed_between_the_two_commits_of_a_key_it_can_read_what_follows(
    shop: Roost, everybody: People
) -> None:
    async with away(shop, everybody, encrypted=True) as (held, room):
        held.ann.begins_anew(room)
        held.start(ROOST_CRASH_AT="room_key")
        asked = held.ann.says(room, "Why is checkout slow?")
        assert await held.died() == -signal.SIGKILL
        held.start()
        await held.answers(room, "Hi.")
        assert answered(held, room) == {asked: 1}


async def test_killed_between_a_batch_and_the_word_that_it_was_heard_it_hears_each_once(
    shop: Roost, everybody: People
) -> None:
    """A batch of three, which came with the key that they need."""
    async with away(shop, everybody, encrypted=True) as (held, room):
        held.ann.begins_anew(room)
        asked = [held.ann.says(room, f"number {number}") for number in range(3)]
        for place in ("kept", "kept:3", "kept-all"):
            held.start(ROOST_CRASH_AT=place)
            assert await held.died() == -signal.SIGKILL, place
        held.start()
        await held.until(lambda: len(answered(held, room)) == 3)
        assert answered(held, room) == Counter(asked)
        held.restart()
        last = held.ann.says(room, "and one more")
        await held.until(lambda: len(answered(held, room)) == 4)
        assert answered(held, room) == Counter([*asked, last])
    assert len(shop.play.starts) == 4


async def test_killed_before_an_answer_leaves_it_comes_once_and_unmarked(
    shop: Roost, everybody: People
) -> None:
    async with away(shop, everybody, encrypted=True) as (held, room):
        held.start(ROOST_CRASH_AT="delivering")
        asked = held.ann.says(room, "Why is checkout slow?")
        assert await held.died() == -signal.SIGKILL
        held.start()
        await held.answers(room, "Hi.")
        assert answered(held, room) == {asked: 1}


async def test_a_session_that_is_revoked_is_told_and_made_anew_by_the_password(
    shop: Roost, everybody: People
) -> None:
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room()
        kept = shop.data_dir / "matrix" / "session.json"
        token = json.loads(kept.read_text())["token"]
        assert kept.stat().st_mode & 0o777 == 0o600
        everybody.server.revoke(token)
        await held.until(lambda: "no longer takes my session" in held.log)
        asked = held.ann.says(room, "Why is checkout slow?")
        await held.until(lambda: answered(held, room), seconds=5.0)
        assert answered(held, room) == {asked: 1}
        assert token not in held.log


async def test_a_token_of_a_server_that_knows_no_passwords(shop: Roost, everybody: People) -> None:
    """Once that is over, its owner hears of it, by the other chat and no more than once."""
    async with (
        served(shop, everybody) as held,
        gateway(everybody.server.url) as before,
        BotApi(token=own_token()) as telegram,
    ):
        before.refusing["/login"] = (403, {"errcode": "M_FORBIDDEN", "error": "Use the web page."})
        token, phone = everybody.server.log_in(held.bot), telegram.person(user_id=OWNER)
        bot = {"token": json.dumps(telegram.token), "url": json.dumps(telegram.url), "users": [OWNER]}
        held.configure(before.url, TELEGRAM.format(**bot), token=token)
        held.start()
        room = await held.room(encrypted=True)
        held.ann.says(room, "Why is checkout slow?")
        assert (await held.answers(room, "Hi.")).secret
        phone.writes("/status")
        await telegram.until(phone.chat.reads)
        counted = len(before.calls)
        everybody.server.revoke(token)
        await held.until(lambda: held.log.count("no longer takes my session") == 3)
        _, told = phone.chat.reads()
        assert told.startswith("The Matrix homeserver no longer takes my session.")
        assert len(before.calls) - counted < 20
        assert token not in held.log + told


async def test_pages_of_a_gateway_are_borne_without_a_storm(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held, gateway(everybody.server.url) as before:
        held.configure(before.url)
        held.start()
        room = await held.room()
        before.failing = "/"
        asked, counted = held.ann.says(room, "Why is checkout slow?"), len(before.calls)
        await held.settles(4.0)
        assert len(before.calls) - counted < 10
        before.failing = None
        await held.answers(room, "Hi.")
        assert answered(held, room) == {asked: 1}
        assert "can’t be reached" in held.log


async def test_a_room_that_takes_nothing_holds_up_no_other(shop: Roost, everybody: People) -> None:
    """Its own answer comes once it does."""
    async with served(shop, everybody) as held, gateway(everybody.server.url) as before:
        held.configure(before.url)
        held.start()
        slow, quick = await held.room(encrypted=True), await held.room(encrypted=True)
        before.hanging = f"{slow}/send"
        asked = held.ann.says(slow, "Why is checkout slow?")
        for _ in range(3):
            also = held.ann.says(quick, "And the cart?")
            await held.until(lambda also=also: answered(held, quick)[also], seconds=4.0)
        assert answered(held, slow) == {}
        before.hanging = None
        await held.until(lambda: answered(held, slow))
        assert answered(held, slow) == {asked: 1}


async def test_keys_that_are_lost_make_a_new_device_of_which_owners_hear(
    shop: Roost, everybody: People
) -> None:
    async with away(shop, everybody, encrypted=True) as (held, room):
        shutil.rmtree(shop.data_dir / "matrix" / "keys")
        held.start()
        await held.answers(room, "The keys of my Matrix device were lost")
        asked = held.ann.says(room, "Why is checkout slow?")
        await held.until(lambda: answered(held, room))
        assert answered(held, room) == {asked: 1}


async def test_check_says_how_the_device_stands(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        found = {line["name"]: line for line in shop("check", "--json").json}
        assert "has not logged in yet" in found["matrix"]["message"]
        held.start()
        await held.room(project="")
        lines = {line["name"]: line for line in shop("check", "--json").json}
        assert (lines["matrix"]["state"], lines["matrix"]["message"]) == ("ok", f"{held.bot.id} answers.")
        keys = held.ann.keys_of(held.bot.id)["device_keys"][held.bot.id]
        ((device, known),) = keys.items()
        assert lines["encryption"]["state"] == "ok"
        assert device in lines["encryption"]["message"]
        fingerprint = known["keys"][f"ed25519:{device}"]
        assert fingerprint in lines["encryption"]["message"].replace(" ", "")
        assert held.bot.password not in held.log
        room = await held.room(encrypted=True)
        held.ann.says(room, "!status")
        shown = await held.answers(room, f"Device {device} is signed by its account.")
        assert fingerprint in shown.body.replace(" ", "")


async def test_without_its_library_for_encryption_it_works_in_the_open_only(
    shop: Roost, everybody: People, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['vodozemac'] = None\n")
    bare = {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    async with served(shop, everybody) as held:
        shop.forks = False
        held.start(**bare)
        room = await held.room()
        asked = held.ann.says(room, "Why is checkout slow?")
        await held.answers(room, "Hi.")
        assert answered(held, room) == {asked: 1}
        secret = await held.room(encrypted=True, project="")
        held.ann.says_openly(secret, "/status")
        assert held.ann.reads(secret) == []
        lines = {
            line["name"]: line
            for line in json.loads(shop("check", "--json", PYTHONPATH=bare["PYTHONPATH"]).out)
        }
        assert lines["encryption"]["message"].startswith("There is no library for Matrix encryption")
