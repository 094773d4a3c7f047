"""An old database is copied, then upgraded; each step is done once, wholly or not at all."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from core.errors import StoreFromFuture
from core.model.ids import PromptId
from core.model.prompt import Status
from core.store import conversations, log, projects, prompts, queue, turns
from core.store.database import FILE_NAME, Database
from core.store.health import Health, health
from core.store.migrate import MIGRATIONS, NEWEST, upgrade
from tests.support.old_database import FOLDER, SAID

OLD = sorted(FOLDER.glob("roost-v*.db"), key=lambda path: int(path.stem.partition("-v")[2]))
SECOND = """
-- A trigger holds semicolons; they end no statement.
ALTER TABLE projects ADD COLUMN colour TEXT NOT NULL DEFAULT 'none';
CREATE TRIGGER painted AFTER INSERT ON projects BEGIN
    UPDATE projects SET colour = 'new' WHERE id = new.id;
END;
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of version 1 with a project in it."""
    path = tmp_path / FILE_NAME
    with closing(plain(path)) as db:
        db.row_factory = sqlite3.Row
        upgrade(db, path, migrations=MIGRATIONS[:1])
        db.execute(
            "INSERT INTO projects (name, path, engine, access, created_at)"
            " VALUES ('shop', '/srv/shop', 'codex', 'workspace', 0)"
        )
    return path


def with_second(path: Path, script: str = SECOND) -> list[Path]:
    second = path.parent / "0002.sql"
    second.write_text(script, encoding="utf-8")
    return [MIGRATIONS[0], second]


def plain(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def version(path: Path) -> int:
    with closing(plain(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def test_an_upgrade_keeps_what_was_there_and_a_copy_of_it(path: Path) -> None:
    with closing(plain(path)) as db:
        upgrade(db, path, migrations=with_second(path))
        assert db.execute("SELECT name, colour FROM projects").fetchall() == [("shop", "none")]
        upgrade(db, path, migrations=with_second(path))
    copy = path.with_name(f"{FILE_NAME}.version-1")
    assert (version(path), version(copy), stat.S_IMODE(copy.stat().st_mode)) == (2, 1, 0o600)
    with closing(plain(copy)) as db:
        assert db.execute("SELECT name FROM projects").fetchall() == [("shop",)]


def test_a_new_database_and_one_that_is_up_to_date_leave_no_copy(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(plain(tmp_path / FILE_NAME)) as db:
            upgrade(db, tmp_path / FILE_NAME)
            assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


def test_a_step_that_fails_changes_nothing_and_can_be_done_later(path: Path) -> None:
    failing = with_second(path, SECOND + "INSERT INTO nowhere VALUES (1);")
    with closing(plain(path)) as db:
        with pytest.raises(sqlite3.OperationalError):
            upgrade(db, path, migrations=failing)
        assert "colour" not in {row[1] for row in db.execute("PRAGMA table_info(projects)")}
        assert version(path) == 1
        upgrade(db, path, migrations=with_second(path))
    assert version(path) == 2


def test_a_statement_without_its_end_is_not_left_out(path: Path) -> None:
    with closing(plain(path)) as db:
        upgrade(db, path, migrations=with_second(path, "CREATE TABLE a (b);\nCREATE TABLE c (d)\n-- end"))
        assert db.execute("SELECT count(*) FROM c").fetchone() == (0,)


def test_two_programs_upgrade_at_once_and_the_copy_stays_the_old_one(path: Path) -> None:
    """The second one looked before the first began, and comes when it is done."""
    migrations = with_second(path)
    with closing(plain(path)) as first, closing(Late(path, first, migrations)) as second:
        upgrade(second, path, migrations=migrations)
    assert (version(path), version(path.with_name(f"{FILE_NAME}.version-1"))) == (2, 1)
    assert not list(path.parent.glob("*.part"))


class Late(sqlite3.Connection):
    """A connection whose program is overtaken right before its copy."""

    def __init__(self, path: Path, other: sqlite3.Connection, migrations: list[Path]) -> None:
        super().__init__(path, isolation_level=None)
        self._overtake = partial(upgrade, other, path, migrations=migrations)

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
        if sql.startswith("VACUUM"):
            self._overtake()
        return super().execute(sql, *args)  # type: ignore[arg-type]


def test_a_newer_one_is_refused(path: Path) -> None:
    with closing(plain(path)) as db:
        upgrade(db, path, migrations=with_second(path))
        with pytest.raises(StoreFromFuture) as caught:
            upgrade(db, path, migrations=MIGRATIONS[:1])
    assert (caught.value.fields["found"], caught.value.fields["known"]) == ("2", "1")


def test_every_version_so_far_is_kept_to_be_read() -> None:
    assert [file.name for file in OLD] == [f"roost-v{number}.db" for number in range(1, NEWEST + 1)]


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
async def test_an_old_database_is_read_for_ever(tmp_path: Path, old: Path) -> None:
    shutil.copy(old, tmp_path / FILE_NAME)
    store = await Database.open(tmp_path)
    shop, blog = [await store.read(projects.named, name) for name in ("shop", "blog")]
    assert (shop.groups, blog.engine) == (("salon", "tv"), "demo")
    (here,) = await store.read(conversations.latest, shop.id)
    (there,) = await store.read(conversations.latest, blog.id)
    assert (here.title, here.session) == ("Checkout", "session-1")
    asked, answer, *_ = (m for m in await store.read(conversations.messages, here.id) if m.prompt == 1)
    assert (asked.text, answer.text) == ("Où ? \u202e😀", "All. ![a](output/a.png)")
    assert answer.placed[0].original == "cd.png"
    states = [(await store.read(prompts.get, PromptId(number))).status for number in range(1, 6)]
    assert sorted(states) == sorted(Status)
    logged, _ = await store.read(log.read, here.id)
    assert tuple(entry.event for entry in logged)[2 : 2 + len(SAID)] == SAID
    (work,) = await store.read(queue.held)
    assert (work.conversation, work.prompt.attachments[0].name) == (there, "a.png")
    assert await store.read(turns.agents) == {work.turn.agent}
    await store.close()
    assert health(tmp_path / FILE_NAME) is Health.SOUND
