"""Case 86: the keys are lost, or put back from an older copy, while the homeserver knows the device."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.chat import Text
from bot.matrix.errors import KeysLost
from bot.matrix.login import another_device
from bot.matrix.trouble import Trouble
from tests.bot.matrix.rig import matrix, vouched_for
from tests.matrix.person import People

pytestmark = pytest.mark.synapse


@pytest.mark.parametrize("lost", ["all", "older", "garbled", "closed"])
async def test_lost_keys_make_it_another_device_that_is_signed_too(
    everybody: People, tmp_path: Path, *, lost: str
) -> None:
    """Gone, put back as they were before others used some of them, damaged, or without what opens them."""
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        keys, before = rig.kept.keys, rig.adapter.device.session.device
        shutil.copytree(keys, tmp_path / "older")
        rig.ann.says(rig.chat, "one")
        await rig.hears("one")
        await rig.adapter.send(rig.room, Text("Done."))
        await rig.closes()
        _lose(tmp_path / "matrix", lost)
        if lost == "older":
            shutil.copytree(tmp_path / "older", keys)
            rig.ann.takes_a_key_of(rig.member.id)
        if lost != "older":
            await rig.opens()
            assert rig.adapter.device.troubles == (Trouble.NEW_DEVICE,)
        else:
            with pytest.raises(KeysLost):
                await rig.opens()
            await rig.closes()
            await rig.opens(await another_device(rig.way(), rig.kept))
        assert rig.adapter.device.session.device != before
        assert vouched_for(rig)
        rig.ann.says(rig.chat, "two")
        assert [message.text for message in await rig.hears("two")] == ["two"]
        await rig.adapter.send(rig.room, Text("Done too."))
        assert rig.reads()[-1:] == ["Done too."]


def _lose(folder: Path, lost: str) -> None:
    match lost:
        case "garbled":
            for path in (folder / "keys").glob("*.db"):
                path.write_bytes(b"no database " * 1_000)
        case "closed":
            (folder / "pickle.key").unlink()
        case _:
            shutil.rmtree(folder / "keys")


async def test_a_copy_from_before_the_last_start_is_known_as_that(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        keys, before = rig.kept.keys, rig.adapter.device.session.device
        await rig.closes()
        shutil.copytree(keys, tmp_path / "older")
        await rig.opens()
        await rig.closes()
        shutil.rmtree(keys)
        shutil.copytree(tmp_path / "older", keys)
        await rig.opens()
        assert rig.adapter.device.troubles == (Trouble.NEW_DEVICE,)
        assert rig.adapter.device.session.device != before
