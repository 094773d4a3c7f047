"""Everything that we send, of every kind, is read by a client that nobody here wrote."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from bot.chat import Button, File, MessageRef, Outgoing, Picture, Text
from bot.telegram.profile import signs
from bot.texts import Texts
from core.model.answer import Placed
from tests.bot.telegram.rig import Rig, telegram
from tests.telegram.client import Client
from tests.telegram.second import unread
from tests.telegram.server import BotApi, Person

BUTTONS = (Button("Stop", "/cancel 7"), Button("A long label of a button", "/queue"))
EVERYTHING = """# Head

**bold** *it* ~~gone~~ `code` [link](https://a.example) 🙂 <b>& "no" tag</b>

> quoted **bold**

> [!note]- Why
> folded

- [x] one
  1. two

| a | b |
|--|--|
| 1 | 2 |

```py title="a.py"
print("<x>")
```
"""
WIDE = (
    "| " + " | ".join(f"column number {n}" for n in range(5)) + " |\n" + "|--" * 5 + "|\n" + "| x " * 5 + "|"
)


@pytest.fixture
async def rig(api: BotApi, tmp_path: Path) -> AsyncIterator[Rig]:
    async with telegram(api, tmp_path) as rig:
        yield rig


def png() -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (30, 20), "teal").save(held, "PNG")
    return held.getvalue()


PHOTOS = tuple(Placed(f"{n}.png", "photo", f"kept{n}.png", "", f"{n}.png") for n in range(3))
SAID: dict[str, Outgoing] = {
    "text": Text(EVERYTHING, BUTTONS, reply_to=MessageRef("1")),
    "long": Text("word " * 5_000),
    "code": Text("```py\n" + "x = 1\n" * 900 + "```"),
    "table": Text(WIDE, BUTTONS),
    "picture": Picture("kept0.png", "0.png", "**one**", BUTTONS),
    "file": File("kept0.png", "0.png", "`one`", silent=True),
    "rich": Text(EVERYTHING, BUTTONS, rich=True, reply_to=MessageRef("1")),
    "album": Text("Look:\n\n" + "\n\n".join(f"![{n}]({n}.png)" for n in range(3)), BUTTONS, placed=PHOTOS),
}


@pytest.mark.parametrize("kind", SAID)
async def test_all_that_is_sent_is_read(rig: Rig, kind: str) -> None:
    for one in PHOTOS:
        rig.keep(one.media, png())
    for body in rig.adapter.cut(SAID[kind]):
        await rig.adapter.deliver(rig.room, body, mark="(may be a repeat)")
    assert rig.ann.chat.reads()
    assert unread(rig.api) == []


async def test_all_that_changes_a_message_is_read(rig: Rig) -> None:
    message = await rig.adapter.send(rig.room, Text("0:12", BUTTONS, silent=True))
    await rig.adapter.edit(rig.room, message, Text(EVERYTHING))
    await rig.adapter.typing(rig.room)
    await rig.adapter.acknowledge(rig.room, MessageRef(str(rig.ann.writes("Go").id)))
    await rig.adapter.delete(rig.room, message)
    for sign in signs(Texts("en"), [str(rig.ann.user.id)]):
        await rig.adapter.put_up(sign)
    await rig.adapter.pin(rig.room, await rig.adapter.send(rig.room, Text("shop", silent=True)))
    await rig.adapter.draft(rig.room, 7, Text(EVERYTHING))
    assert {call.status for call in rig.api.called()} == {200}
    assert unread(rig.api) == []


async def test_what_is_wrong_is_told(api: BotApi, bot: Client, ann: Person) -> None:
    await bot.call("sendMessage", chat_id=ann.chat.id, text="x", colour="red")
    await bot.call("sendMessage", chat_id=ann.chat.id, text="x", entities=[{"type": "bold", "offset": "a"}])
    wrong = unread(api)
    assert wrong[0] == "sendMessage: no parameter colour"
    assert "entities" in wrong[1]
