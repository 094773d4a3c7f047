"""Case 77: a key that comes seconds later, or never; in what order things are heard then."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import Seal
from tests.bot.matrix.rig import matrix, texts
from tests.matrix.person import People

pytestmark = pytest.mark.synapse


async def test_a_key_that_comes_late_opens_what_it_belongs_to_once(everybody: People, tmp_path: Path) -> None:
    """Also where we were started anew meanwhile; what came after it is not held up."""
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        rig.ann.keeps_the_key(rig.chat)
        rig.ann.says(rig.chat, "one")
        await rig.keeps_sealed(1)
        await rig.closes()
        await rig.opens()
        rig.ann.tells_the_key()
        rig.ann.says(rig.chat, "two")
        assert sorted(texts(await rig.hears("one", "two"))) == ["one", "two"]
        rig.ann.says(rig.chat, "three")
        assert texts(await rig.hears("three")) == ["three"]


async def test_a_key_that_never_comes_is_told_of_once(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        rig.ann.keeps_the_key(rig.chat)
        for text in ("one", "two"):
            rig.ann.says(rig.chat, text)
        await rig.keeps_sealed(2)
        rig.clock.at += 31.0
        (told,) = await rig.hears("")
        assert (told.seal, told.person.id, told.text) == (Seal.LOCKED, rig.ann.id, "")
        rig.ann.tells_the_key()
        rig.ann.says(rig.chat, "three")
        assert texts(await rig.hears("three")) == ["three"]
