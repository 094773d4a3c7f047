"""Case 81: an answer larger than an event, whose signs take more bytes than one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import Text
from tests.bot.matrix.rig import matrix
from tests.matrix.person import People

pytestmark = pytest.mark.synapse

TOO_LARGE = "SynapseError: 413"
LINES = [f"Zeile {number:05}: grüne Äpfel < 5 & > 3 — **fett** `code`" for number in range(2_000)]


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_all_of_it_arrives_in_order(everybody: People, tmp_path: Path, *, encrypted: bool) -> None:
    """No piece of it as a file, and no block of code without its edges."""
    before = everybody.server.complaints.count(TOO_LARGE)
    code = "```python\n" + "\n".join(f"print({number}, '<&ä')" for number in range(2_000)) + "\n```"
    async with matrix(everybody, tmp_path, encrypted=encrypted) as rig:
        for body in rig.adapter.cut(Text("\n\n".join(LINES) + "\n\n" + code)):
            await rig.adapter.deliver(rig.room, body)
        seen = rig.ann.seen(rig.chat)
        assert {one.kind for one in seen} == {"m.text", "m.notice"}
        said = "\n".join(one.body for one in seen)
        assert [line for line in said.splitlines() if line.startswith("Zeile")] == [
            line.replace("**", "").replace("`", "") for line in LINES
        ]
        assert said.count("<&ä") == 2_000
        of_code = [one for one in seen if "print(" in one.body]
        assert all('<pre><code class="language-python">' in one.html for one in of_code)
    assert everybody.server.complaints.count(TOO_LARGE) == before


async def test_an_edit_in_an_encrypted_room_holds_what_one_message_does(
    everybody: People, tmp_path: Path
) -> None:
    """Four copies of it, of which a third more is made."""
    text = "<&ä" * 3_600
    async with matrix(everybody, tmp_path, encrypted=True) as rig:
        while len(rig.adapter.cut(Text(text))) > 1:
            text = text[:-30]
        message = await rig.adapter.send(rig.room, Text("0:12", silent=True))
        await rig.adapter.edit(rig.room, message, Text(text))
        assert rig.reads() == [text]
