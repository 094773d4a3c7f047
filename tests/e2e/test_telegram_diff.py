"""What an agent changed, seen from a phone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.phone import phone
from tests.support.roost import Roost
from tests.telegram.server import Chat

GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org")


def committed(folder: Path) -> None:
    """A repository with one file in it."""
    (folder / "app.py").write_text("print('old')\n")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        subprocess.run((*GIT, *words), cwd=folder, check=True, capture_output=True)


def photos(chat: Chat) -> int:
    return sum(bool(message.photo) for message in chat.messages.values())


async def test_what_changed_is_text_and_a_picture_and_a_file_where_it_is_long(shop: Roost) -> None:
    committed(shop.shop)
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/diff")
        await held.until("Nothing has changed in shop")
        (shop.shop / "app.py").write_text("print('new')\n")
        (shop.shop / ".env").write_text("TOKEN=hidden\n")
        held.ann.writes("/diff")
        await held.until("shop: 1 file changed, +1 −1")
        said = held.one("shop: 1 file changed, +1 −1")
        assert "-print('old')\n+print('new')" in said.words
        assert [(one.type, one.language) for one in said.entities if one.type == "pre"] == [("pre", "diff")]
        await held.api.until(lambda: photos(held.chat) == 1)
        (shop.shop / "long.txt").write_text("a line\n" * 2_000)
        held.ann.writes("/diff")
        await held.until("shop: 2 files changed, +2001 −1")
        await held.api.until(lambda: photos(held.chat) == 2)
        await held.api.until(lambda: any(one.document for one in held.chat.messages.values()))
        assert held.rung == []
        assert not held.says("hidden")
