"""A configuration changed in place keeps everything else, and is closed to others."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from core.errors import ConfigFault
from core.settings import load
from core.settings.writing import put_into

KEPT = """\
# mine
language = "fr"          # at home

[engines.codex]
command = "codex"

[telegram]
token_file = "/run/token"   # elsewhere
allowed_users = [
    7,  # Ann
]
"""


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_what_else_it_says_stays_word_for_word(tmp_path: Path) -> None:
    file = tmp_path / "roost.toml"
    file.write_text(KEPT)
    put_into(file, "telegram", {"token": "1:abcdefgh", "allowed_users": [7, 8]})
    said = file.read_text()
    assert said.startswith(KEPT[: KEPT.index("token_file")])
    assert "# Ann" in said
    settings = load({"HOME": str(tmp_path)}, file).telegram
    assert settings.token
    assert (settings.token.get_secret_value(), settings.allowed_users) == ("1:abcdefgh", (7, 8))


def test_a_new_one_is_made_where_there_is_none(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "roost.toml"
    put_into(file, "telegram", {"token": "1:abcdefgh"})
    assert file.read_text() == '[telegram]\ntoken = "1:abcdefgh"\n'
    assert mode(file) == 0o600
    assert os.listdir(file.parent) == ["roost.toml"]


def test_one_that_others_could_read_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "roost.toml"
    file.write_text("")
    file.chmod(0o644)
    put_into(file, "telegram", {"token": "1:abcdefgh"})
    assert mode(file) == 0o600


def test_a_link_goes_on_leading_where_it_led(tmp_path: Path) -> None:
    real, link = tmp_path / "kept" / "roost.toml", tmp_path / "roost.toml"
    real.parent.mkdir()
    real.write_text("")
    link.symlink_to(real)
    put_into(link, "telegram", {"token": "1:abcdefgh"})
    assert link.is_symlink()
    assert "abcdefgh" in real.read_text()


@pytest.mark.parametrize("bad", [b"token = ", b"\xff\xfe", b"telegram = 3\n"])
def test_what_is_no_toml_is_left_alone(tmp_path: Path, bad: bytes) -> None:
    file = tmp_path / "roost.toml"
    file.write_bytes(bad)
    with pytest.raises(ConfigFault):
        put_into(file, "telegram", {"token": "1:abcdefgh"})
    assert file.read_bytes() == bad
