"""What is wrong before anything runs: each has a sentence, a status, and no stack trace."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from core.dispatch.locks import DISPATCH, FileLock
from tests.support.faults import lock_held
from tests.support.roost import Ran, Roost, stop, until

COMMANDS = [("ask", "shop", "Go"), ("run",), ("project", "list")]
SECRET = "12345678:abcdefghijklmnopqrstuvwxyz"


def fault(ran: Ran, status: int, *said: str) -> None:
    assert (ran.status, ran.out) == (status, "")
    assert [sentence for sentence in said if sentence not in ran.err] == []
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("words", COMMANDS)
def test_every_fault_of_the_configuration_is_told_at_once(roost: Roost, words: tuple[str, ...]) -> None:
    roost.configure(f'[telegram]\ntokn = "{SECRET}"\n')
    ran = roost(*words, ROOST_MAX_CONCURRENT_AGENTS="none")
    fault(ran, 2, "telegram.tokn", "telegram.token", "max_concurrent_agents", "none", "1 or more")
    assert SECRET not in ran.err
    assert not roost.data_dir.exists()


def test_the_configuration_may_be_named_before_or_after_the_command(roost: Roost) -> None:
    missing = str(roost.home / "none.toml")
    for words in (("--config", missing, "status"), ("status", "--config", missing)):
        fault(roost(*words), 2, "There is no configuration file", missing)
    other = roost.home / "other.toml"
    other.write_text(f'data_dir = "{roost.home / "elsewhere"}"\n')
    assert roost("project", "list", "--config", str(other)).status == 0
    assert roost("--config", str(other), "project", "list").status == 0
    assert (roost.home / "elsewhere" / "roost.db").exists()
    assert not roost.data_dir.exists()


@pytest.mark.parametrize(
    "words",
    [
        *[
            ("project", "list", "--json"),
            ("status", "--json"),
            ("check", "--json"),
            ("ask", "shop", "Go", "--json"),
        ],
        *[("project", "list"), ("cancel", "--all"), ("chat",), ("backup", "copy.db")],
    ],
)
def test_a_language_without_words_is_told_once_and_never_in_the_way(
    roost: Roost, words: tuple[str, ...]
) -> None:
    roost.says("Hi.")
    assert roost("project", "add", "shop", str(roost.shop)).status == 0
    ran = roost(*words, ROOST_LANGUAGE="xx")
    assert ran.err.count("There are no words in xx yet; English is used.") == 1
    if "--json" in words:
        assert ran.json is not None


@pytest.mark.parametrize("words", COMMANDS)
def test_a_damaged_database_is_named_and_left_alone(roost: Roost, words: tuple[str, ...]) -> None:
    roost.data_dir.mkdir(mode=0o700)
    database = roost.data_dir / "roost.db"
    database.write_bytes(b"no database at all " * 100)
    before = database.read_bytes()
    fault(roost(*words), 1, "The database is damaged", str(database), "roost restore")
    assert database.read_bytes() == before


@pytest.mark.parametrize("words", [("ask", "shop", "Go"), ("run",)])
def test_a_database_of_a_newer_roost_is_refused(shop: Roost, words: tuple[str, ...]) -> None:
    with closing(sqlite3.connect(shop.data_dir / "roost.db")) as db:
        db.execute("PRAGMA user_version = 99")
    fault(shop(*words), 1, "made by a newer Roost")


def test_a_database_that_another_program_holds_is_waited_for(shop: Roost) -> None:
    with lock_held(shop.data_dir / "roost.db", seconds=0.5):
        assert shop("ask", "shop", "Go").out == "Hi.\n"


@pytest.mark.parametrize("words", [("status",), ("run",)])
def test_a_data_directory_that_cannot_be_made_is_said(roost: Roost, words: tuple[str, ...]) -> None:
    roost.data_dir.write_text("a file")
    fault(roost(*words), 1, f"{roost.data_dir} can’t be the folder that Roost keeps its data in.", "data_dir")


def test_check_tells_a_person_and_a_script(shop: Roost) -> None:
    shop.config.chmod(0o600)
    ran = shop("check", "--json")
    assert ran.status == 0, ran.out
    assert all(line.keys() == {"name", "state", "message", "remedy"} for line in ran.json)
    states = {line["name"]: line["state"] for line in ran.json}
    assert states["configuration"] == states["database"] == states["projects"] == states["service"] == "ok"
    shown = shop("check")
    assert "ok projects: Fine: shop." in shown.out
    assert "warning separation: As long as agents run as the same OS user as Roost" in shown.out


def test_check_finds_what_is_wrong_and_changes_nothing(shop: Roost) -> None:
    shop.shop.rmdir()
    ran = shop("check")
    assert ran.status == 1
    assert f"fault project shop: There is nothing at {shop.shop}" in ran.out
    shop.configure("[engines.claude]\nmodel = 'opus'\n", command=["/no/such/codex"])
    lines = {line["name"]: line for line in shop("check", "--json").json}
    assert lines["codex"]["state"] == "fault"
    assert (lines["claude"]["state"], "demo" in lines) == ("fault", False)


def test_check_tells_faults_of_the_configuration_like_any_other(roost: Roost) -> None:
    roost.configure("colour = 1\n")
    ran = roost("check", "--json")
    assert ran.status == 1
    (line,) = ran.json
    assert (line["name"], line["state"]) == ("configuration", "fault")
    assert "colour" in line["message"]
    assert not roost.data_dir.exists()


def test_a_language_without_words_is_warned_of_and_stops_nothing(roost: Roost) -> None:
    said = roost("check", ROOST_LANGUAGE="de").out
    assert "warning language: There are no words in de yet; English is used." in said
    with roost.started("run", ROOST_LANGUAGE="de") as service:
        assert service.stderr
        lines = [service.stderr.readline() for _ in range(2)]
        stop(service)
    assert "Roost runs on" in lines[1]
    assert "There are no words in" in lines[0]


def test_check_makes_nothing_where_nothing_is_yet(roost: Roost) -> None:
    roost.says("")
    assert roost("check").status == 0
    assert not roost.data_dir.exists()


def test_a_backup_brings_everything_back(shop: Roost) -> None:
    shop("ask", "shop", "Go")
    copy = shop.home / "copy.db"
    with shop.service():
        assert shop("backup", str(copy)).status == 0
        fault(shop("backup", str(copy)), 2, "is there already, and was left as it is", "--replace")
        assert shop("backup", str(copy), "--replace").status == 0
        refused = shop("restore", str(copy))
        assert refused.status == 2
        assert "Roost’s service is at work on this database." in refused.err
    assert copy.stat().st_mode & 0o777 == 0o600
    shop("ask", "shop", "More")
    restored = shop("restore", str(copy))
    assert restored.status == 0
    assert shop("ask", "shop", "Go", "--json").json["prompt"] == 2
    (kept,) = (path for path in shop.data_dir.glob("roost.db.*") if path.suffix not in (".db-wal", ".db-shm"))
    with closing(sqlite3.connect(kept)) as db:
        assert db.execute("SELECT text FROM prompts ORDER BY id").fetchall() == [("Go",), ("More",)]


def test_an_open_chat_keeps_its_database_and_is_named(shop: Roost) -> None:
    copy = shop.home / "copy.db"
    shop("backup", str(copy))
    database = str(shop.data_dir / "roost.db")
    fault(shop("restore", database), 2, "is the database itself", "Give the file of a backup.")
    fault(shop("backup", database, "--replace"), 2, "is the database itself", "Choose another name.")
    chat = FileLock(shop.data_dir / DISPATCH)
    assert chat.acquire()
    fault(shop("restore", str(copy)), 2, "A roost chat or another command is open", "Close it")
    chat.release()
    assert shop("restore", str(copy)).status == 0


def test_nothing_is_restored_under_an_agent_that_outlived_everybody(shop: Roost) -> None:
    copy = shop.home / "copy.db"
    shop("backup", str(copy))
    shop.holds()
    with shop.started("ask", "shop", "One"):
        until(lambda: shop.agents)
    fault(shop("restore", str(copy)), 2, "An agent is still at work for this database.", "roost cancel")
    assert shop("status", "--json").json["running"][0]["prompt"] == 1
    assert shop("cancel", "1").status == 0
    assert shop("restore", str(copy)).status == 0


def test_a_damaged_database_gives_way_even_under_an_agent(shop: Roost) -> None:
    copy = shop.home / "copy.db"
    shop("backup", str(copy))
    shop.holds()
    with shop.started("ask", "shop", "One"):
        until(lambda: shop.agents)
    for name in ("roost.db", "roost.db-wal"):
        (shop.data_dir / name).write_bytes(b"no database at all " * 100)
    assert shop("restore", str(copy)).status == 0


def test_what_is_no_backup_is_not_restored_and_nothing_else_is_written_over(shop: Roost) -> None:
    other = shop.home / "notes.txt"
    other.write_text("my notes")
    fault(shop("restore", str(other)), 2, "is no sound backup of Roost", "Nothing was changed")
    fault(shop("restore", str(shop.home / "none")), 2, "There is no file", "Give that of the backup.")
    fault(shop("backup", str(other)), 2, "is there already, and is no copy")
    fault(shop("backup", str(shop.home / "no" / "such" / "folder")), 2, "can’t be written")
    assert other.read_text() == "my notes"
    assert shop("project", "list", "--json").json
