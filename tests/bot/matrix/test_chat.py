"""Matrix keeps to what every chat keeps to, in plain rooms and encrypted ones."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.chat_conformance import DeliveringConformance
from tests.bot.matrix.rig import Rig, matrix
from tests.matrix.person import People

pytestmark = pytest.mark.synapse


class TestMatrixChat(DeliveringConformance):
    @pytest.fixture(params=[False, True], ids=["plain", "encrypted"])
    async def rig(
        self, everybody: People, tmp_path: Path, request: pytest.FixtureRequest
    ) -> AsyncIterator[Rig]:
        async with matrix(everybody, tmp_path, encrypted=request.param) as rig:
            yield rig

    def test_a_room_is_sealed_where_its_words_come_encrypted(
        self, rig: Rig, request: pytest.FixtureRequest
    ) -> None:
        assert rig.adapter.sealed(rig.room) == request.node.callspec.params["rig"]
