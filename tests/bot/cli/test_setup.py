"""Setting up, whichever chats there are: a second one is one entry more."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app import App
from bot.cli.dialog import Dialog
from bot.cli.setup import settle
from bot.cli.setups import CHATS, Account, Field, SetUp
from bot.matrix.library import LOCK, installing
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


async def _nobody(app: App) -> str:
    return ""


FIELDS = (Field("homeserver"), Field("user"), Field("password", secret=True))
BOTH = (CHATS[0], SetUp("matrix", "Other", FIELDS, _other, str, lambda name, code: "", _nobody))
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


async def _in(answers: Mapping[str, str], settings: Settings) -> Account:
    return Account(answers["user"], answers["user"])


def test_each_answer_is_looked_at_when_it_is_given() -> None:
    dialog = Asked("example.org", HOME, "roost", ROOST, "", "right", "ann", "")
    found = settle([replace(CHATS[1], tried=_in)], Settings(), dialog)
    assert dialog.asked == [
        *["setup.matrix.homeserver"] * 2,
        *["setup.matrix.user"] * 2,
        *["setup.matrix.password (hidden)"] * 2,
        *["setup.matrix.person"] * 2,
    ]
    assert dialog.told == [
        "setup.matrix.no_homeserver",
        "setup.matrix.no_user",
        "setup.matrix.no_password",
        "setup.works",
        "setup.matrix.no_person",
    ]
    assert (found.values["user"], found.owned) == (ROOST, False)


def test_what_a_chat_needs_is_looked_for_before_anything_is_asked() -> None:
    def needed() -> None:
        raise Refused("setup.matrix.no_library", command="pip")

    dialog = Asked()
    with pytest.raises(Refused, match="no_library"):
        settle([replace(CHATS[1], needed=needed)], Settings(), dialog)
    assert dialog.asked == []


async def test_a_homeserver_that_is_away_is_told(tmp_path: Path) -> None:
    matrix, answers = CHATS[1], {"homeserver": "http://127.0.0.1:9", "user": ROOST, "password": "right"}
    with pytest.raises(Refused, match=r"setup\.matrix\.unreachable"):
        await matrix.tried(answers, Settings(data_dir=tmp_path / "data"))
    with pytest.raises(ValueError):
        matrix.person("ann")
    assert matrix.person("@ann:example.org") == "@ann:example.org"


@pytest.mark.parametrize(
    ("prefix", "pip"),
    [("/src/roost/.venv", ".venv/bin/pip"), ("/usr/local/lib/roost", "/usr/local/lib/roost/bin/pip")],
)
def test_the_command_that_installs_is_this_installation_s(tmp_path: Path, prefix: str, pip: str) -> None:
    source = tmp_path / "roost"
    (source / LOCK).parent.mkdir(parents=True)
    (source / LOCK).touch()
    said = installing(prefix.replace("/src/roost", str(source)), source)
    assert said == f"{pip} install --require-hashes -r deploy/requirements-matrix.lock"


def test_without_a_terminal_a_line_is_an_answer_and_the_end_none() -> None:
    dialog = Dialog(Texts("en"), io.StringIO(" one \n"))
    assert dialog.ask("setup.telegram.token", secret=True) == "one"
    with pytest.raises(Refused, match="no_answers"):
        dialog.ask("setup.telegram.token")
