"""Our device: who vouches for it, and what becomes of it where its keys or its session are gone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.chat import NotSent, Refused, Text
from bot.matrix.client import client_for
from bot.matrix.errors import KeysLost, LoggedOut
from bot.matrix.login import BadLogin, logged_in
from bot.matrix.trouble import Trouble
from tests.bot.matrix.rig import matrix, vouched_for
from tests.matrix.gateway import gateway
from tests.matrix.person import People

pytestmark = pytest.mark.synapse


async def test_the_first_start_makes_an_identity_that_later_ones_keep(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        assert vouched_for(rig)
        first = rig.ann.keys_of(rig.member.id)["master_keys"]
        device = rig.adapter.device.session.device
        await rig.closes()
        await rig.opens()
        assert rig.adapter.device.session.device == device
        assert rig.ann.keys_of(rig.member.id)["master_keys"] == first
        assert rig.adapter.device.troubles == ()
        for path in (tmp_path / "matrix").rglob("*"):
            assert path.stat().st_mode & 0o077 == 0 or path.suffix == ".db", path
        session = rig.adapter.device.session
        with pytest.raises(KeysLost):  # what is known to everybody opens none of its keys
            client_for("", session.user, session.device, "", keys=rig.kept.keys, pickle="DEFAULT_KEY")


async def test_a_token_of_another_programs_device_works_in_the_open_only(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        plain = rig.ann.room(rig.member.id)
        async with rig.listening():
            await rig.ann.until(lambda: rig.ann.members(plain)[rig.member.id] == "join")
        await rig.closes()
        client = everybody.person(member=rig.member)
        await rig.opens(await logged_in(rig.way(token=client.token, password=""), rig.kept))
        assert rig.adapter.device.troubles == (Trouble.FOREIGN_DEVICE,)
        rig.ann.says(plain, "one")
        assert [message.text for message in await rig.hears("one")] == ["one"]
        with pytest.raises(Refused):
            await rig.adapter.send(rig.room, Text("In the open."))
        assert "In the open." not in rig.reads()


async def test_a_session_that_was_revoked_is_over_without_a_storm(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig, gateway(everybody.server.url) as before:
        await rig.closes()
        await rig.opens(url=before.url)
        everybody.server.revoke(rig.adapter.device.session.token)
        asked = len(before.calls)
        async with rig.listening():
            await rig.ann.until(rig.adapter.over.done)
        assert len(before.calls) - asked < 4
        with pytest.raises(NotSent):
            await rig.adapter.send(rig.room, Text("Done."))
        await rig.closes()
        await rig.opens()
        assert await rig.adapter.send(rig.room, Text("Done."))


async def test_without_a_password_a_revoked_session_is_told(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        everybody.server.revoke(rig.adapter.device.session.token)
        with pytest.raises(LoggedOut):
            await logged_in(rig.way(password=""), rig.kept)
        await rig.closes()
        shutil.rmtree(tmp_path / "matrix")
        with pytest.raises(BadLogin):
            await logged_in(rig.way(password="wrong"), rig.kept)


async def test_an_identity_that_a_client_made_is_ours_by_its_recovery_key(
    everybody: People, tmp_path: Path
) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        await rig.closes()
        seeds = rig.kept.seeds()
        assert seeds
        owner = everybody.person(member=rig.member)
        key = owner.keeps_secrets(
            {"master": seeds.master, "self_signing": seeds.self_signing, "user_signing": seeds.user_signing}
        )
        shutil.rmtree(tmp_path / "matrix")
        await rig.opens(await logged_in(rig.way(), rig.kept))
        assert rig.adapter.device.troubles == (Trouble.FOREIGN,)
        assert not vouched_for(rig)
        await rig.closes()
        for wrong in ("EsT", key[:-2] + "aa"):
            device = await logged_in(rig.way(recovery_key=wrong), rig.kept)
            assert device.troubles == (Trouble.BAD_RECOVERY_KEY,)
            await device.client.close()
        await rig.opens(await logged_in(rig.way(recovery_key=key), rig.kept))
        assert not rig.adapter.device.troubles
        assert vouched_for(rig)
        assert rig.kept.seeds() == seeds
