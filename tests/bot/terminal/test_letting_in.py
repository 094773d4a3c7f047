"""In a terminal, who owns the machine reads who is in everywhere, and is told where somebody is let in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.model.ids import ProjectId
from core.model.people import Known
from tests.support.office import Office, open_office

IN = {
    "telegram": [Known("1001", "Ann", "owner"), Known("1002", "Bob", "stranger", {ProjectId(1): "viewer"})],
    "matrix": [],
}
OR = ", or let them in by a code, which roost pair --role {} makes here."


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    async with open_office(tmp_path / "data") as opened:
        await opened.project("shop")
        chats_are(opened, IN)
        yield opened


def chats_are(office: Office, known: Mapping[str, Sequence[Known]]) -> None:
    async def chats() -> Mapping[str, Sequence[Known]]:
        return known

    office.desk = replace(office.desk, chats=chats)


async def test_who_is_in_is_told_chat_by_chat(office: Office) -> None:
    (said,) = await office.says("/allow")
    assert said.splitlines() == [
        "Telegram",
        "1001 · Ann · owner",
        "1002 · Bob · viewer of shop",
        "Matrix",
        "Nobody yet.",
        "roost pair --role member makes a code that lets somebody in.",
    ]


async def test_without_any_chat_nobody_else_is_in(office: Office) -> None:
    chats_are(office, {})
    for words in ("/allow", "/allow invite member"):
        assert await office.says(words) == [
            "No chat is set up, so nobody but you is in. roost setup asks what one needs."
        ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "/allow 1003",
            ("Say /allow 1003 member in your own chat with me on Telegram" + OR.format("member")),
        ),
        (
            "/allow @bob:example.org owner",
            ("Say !allow @bob:example.org owner in your own chat with me on Matrix" + OR.format("owner")),
        ),
        ("/allow 1002 none", "Say /allow 1002 none in your own chat with me on Telegram."),
        (
            "/allow invite viewer",
            "roost pair --role viewer --project shop makes a code that lets somebody in.",
        ),
        ("/allow invite member *", "roost pair --role member makes a code that lets somebody in."),
        ("/allow invite owner", "roost pair --role owner makes a code that lets somebody in."),
        ("/allow invite member nix", "There is no project called nix. /project lists them."),
        ("/start 1234", "You are an owner of Roost on pi5 already: you need no code."),
    ],
)
async def test_where_somebody_is_let_in_is_said(office: Office, words: str, told: str) -> None:
    assert await office.says(words) == [told]


async def test_an_id_of_a_chat_that_is_not_set_up_is_nobodys(office: Office) -> None:
    chats_are(office, {"telegram": []})
    assert await office.says("/allow @bob:example.org") == [
        "No chat is set up in which somebody could be @bob:example.org. roost setup asks what one needs."
    ]
