"""Setting up, whichever chats there are: a second one is one entry more."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.cli.dialog import Dialog
from bot.cli.setup import settle
from bot.cli.setups import CHATS, Account, Field, SetUp
from bot.texts import Texts
from core.errors import Refused
from core.settings import Settings


class Asked(Dialog):
    """What a person is asked, with the answers to it ready."""

    def __init__(self, *answers: str) -> None:
        super().__init__(Texts("en"))
        self.answers, self.asked, self.told = list(answers), list[str](), list[str]()

    def tell(self, key: str, **fields: object) -> None:
        self.told.append(key)

    def ask(self, key: str, *, secret: bool = False, **fields: object) -> str:
        self.asked.append(f"{key} (hidden)" if secret else key)
        return self.answers.pop(0)


async def _other(answers: Mapping[str, str], settings: Settings) -> Account:
    if answers["password"] != "right":
        raise Refused("setup.other.wrong")
    return Account(answers["user"], answers["user"])


FIELDS = (Field("homeserver"), Field("user"), Field("password", secret=True))
BOTH = (CHATS[0], SetUp("matrix", "Other", FIELDS, _other, str, lambda name, code: ""))
HOME, ROOST = "https://example.org", "@roost:example.org"


def test_which_one_is_asked_where_there_are_several() -> None:
    dialog = Asked("icq", "2", HOME, ROOST, "wrong", "", "", "right", "@ann:example.org")
    found = settle(BOTH, Settings(), dialog)
    assert dialog.asked[:2] == ["setup.which", "setup.which"]
    assert dialog.asked[2:5] == [
        "setup.matrix.homeserver",
        "setup.matrix.user",
        "setup.matrix.password (hidden)",
    ]
    assert dialog.told == ["setup.which_number", "setup.other.wrong", "setup.works"]
    assert (found.chat.chat, found.account.id) == ("matrix", ROOST)
    assert found.values == {
        "homeserver": HOME,
        "user": ROOST,
        "password": "right",
        "allowed_users": ["@ann:example.org"],
    }


@pytest.mark.parametrize(
    ("homeserver", "user", "why"),
    [
        ("example.org", "@roost:example.org", "malformed"),
        ("https://example.org", "roost", "malformed"),
        ("", "", "malformed"),
        ("http://127.0.0.1:9", "@roost:example.org", "unreachable"),
    ],
)
async def test_what_no_matrix_account_can_be(tmp_path: Path, homeserver: str, user: str, why: str) -> None:
    matrix = CHATS[1]
    answers = {"homeserver": homeserver, "user": user, "password": "right"}
    with pytest.raises(Refused, match=f"setup.matrix.{why}"):
        await matrix.tried(answers, Settings(data_dir=tmp_path / "data"))
    with pytest.raises(ValueError):
        matrix.person("ann")
    assert matrix.person("@ann:example.org") == "@ann:example.org"


def test_without_a_terminal_a_line_is_an_answer_and_the_end_none() -> None:
    dialog = Dialog(Texts("en"), io.StringIO(" one \n"))
    assert dialog.ask("setup.telegram.token", secret=True) == "one"
    with pytest.raises(Refused, match="no_answers"):
        dialog.ask("setup.telegram.token")
