"""A Bot API server on this machine names files by their paths: read only where the settings say so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import Message, Refused, TooLarge, Why
from bot.telegram.files import LARGEST_DOWNLOAD
from tests.bot.telegram.rig import Rig
from tests.support.fake_chat import take
from tests.telegram.server import BotApi

LARGE = bytes(LARGEST_DOWNLOAD + 1)


@pytest.fixture
async def local(api: BotApi, tmp_path: Path) -> AsyncIterator[Rig]:
    api.bot.folder = tmp_path / "server"
    rig = Rig(api, tmp_path, local=True)
    yield rig
    await rig.adapter.close()


async def sent(rig: Rig, data: bytes) -> Message:
    await rig.attaches("notes.bin", data)
    message = await take(rig.adapter.incoming())
    assert isinstance(message, Message)
    return message


async def test_a_file_of_any_size_is_read_where_it_is(local: Rig) -> None:
    message = await sent(local, LARGE)
    assert await local.adapter.fetch(message.files[0]) == LARGE
    assert not local.api.called("file")


async def test_a_server_elsewhere_may_name_no_file_of_ours(api: BotApi, tmp_path: Path) -> None:
    api.bot.folder = tmp_path / "server"
    rig = Rig(api, tmp_path)
    message = await sent(rig, b"secret")
    with pytest.raises(Refused) as failed:
        await rig.adapter.fetch(message.files[0])
    assert (failed.value.why, str(tmp_path) in str(failed.value)) == (Why.GONE, False)
    await rig.adapter.close()


async def test_what_memory_has_no_room_for_is_left_there(local: Rig) -> None:
    message = await sent(local, b"notes")
    with pytest.raises(TooLarge):
        await local.adapter.fetch(replace(message.files[0], size=10**10))
