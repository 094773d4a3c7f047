"""Files that are none: pipes that nobody writes to, devices without an end, and what only looks like ours."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.roost import Ran, Roost


def told(ran: Ran, status: int, said: str) -> None:
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert "no word for" not in ran.err


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return str(path)


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(shop: Roost, pipe: str) -> None:
    told(shop("ask", "shop", "Look", "--image", pipe), 2, "Nothing was sent")
    told(shop("status", "--config", pipe), 2, "can’t be read")
    told(shop("status", ROOST_TELEGRAM__TOKEN_FILE=pipe), 2, "telegram.token_file")
    told(shop("backup", pipe), 2, "is there already, and is no copy")
    told(shop("restore", pipe), 2, "is no sound backup of Roost")


def test_a_device_without_an_end_fills_no_memory(shop: Roost) -> None:
    told(shop("status", "--config", "/dev/zero"), 2, "can’t be read")
    told(shop("status", ROOST_TELEGRAM__TOKEN_FILE="/dev/zero"), 2, "telegram.token_file")
    told(shop("ask", "shop", "Look", "--image", "/dev/zero"), 2, "Nothing was sent")
    told(shop("backup", "/dev/zero"), 2, "is there already, and is no copy")
    told(shop("restore", "/dev/zero"), 2, "is no sound backup of Roost")
    assert shop("project", "show", "shop").status == 0


@pytest.mark.parametrize("command", [("status",), ("check",)])
def test_a_pipe_in_the_place_of_the_database_is_told(roost: Roost, command: tuple[str, ...]) -> None:
    roost.data_dir.mkdir(mode=0o700)
    os.mkfifo(roost.data_dir / "roost.db")
    ran = roost(*command)
    assert ran.status == 1
    assert "Traceback" not in ran.err


def test_only_a_database_of_ours_is_restored(shop: Roost) -> None:
    empty, others = shop.home / "empty.db", shop.home / "others.db"
    empty.touch()
    with closing(sqlite3.connect(others)) as db:
        db.execute("CREATE TABLE songs (id)")
        db.execute("PRAGMA user_version = 1")
        db.commit()
    for file in (empty, others):
        told(shop("restore", str(file)), 2, "is no sound backup of Roost")
    assert shop("project", "show", "shop").status == 0
