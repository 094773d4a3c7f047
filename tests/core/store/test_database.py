"""The database file: locked, full, damaged, from another version, and never in the way of the loop."""

from __future__ import annotations

import asyncio
import stat
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from core.errors import DiskFull, StoreBusy, StoreCorrupt, StoreError, StoreFromFuture
from core.model.prompt import Source
from core.store import conversations, prompts
from core.store.database import FILE_NAME, SEEN_SECONDS, Database, Db
from core.store.health import Health, health
from tests.support.faults import full_disk, lock_held
from tests.support.store import NOW, a_project, connected, opened, submit

PATIENCE = 0.1


def broken(db: Db) -> None:
    a_project(db, "half")
    raise ZeroDivisionError


def grow(db: Db) -> None:
    db.execute("CREATE TABLE IF NOT EXISTS filling (data BLOB)")
    db.execute("INSERT INTO filling VALUES (zeroblob(200000))")


def names(db: Db) -> list[str]:
    return [row["name"] for row in db.execute("SELECT name FROM projects")]


async def test_files_are_nobody_elses_and_what_was_written_is_there_again(tmp_path: Path) -> None:
    store, here = await opened(tmp_path / "data")
    await store.write(submit, here, "kept")
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "data").iterdir()} == {0o600}
    await store.close()
    again = await Database.open(tmp_path / "data")
    assert [prompt.text for prompt in await again.read(prompts.every_open)] == ["kept"]
    await again.close()


async def test_a_verb_is_done_wholly_or_not_at_all(tmp_path: Path) -> None:
    store, _ = await opened(tmp_path)
    with pytest.raises(ZeroDivisionError):
        await store.write(broken)
    assert await store.read(names) == ["shop"]
    await store.close()


async def test_of_many_that_write_at_once_each_is_done_wholly_or_not_at_all(tmp_path: Path) -> None:
    store, _ = await opened(tmp_path)
    verbs = [
        store.write(broken if number % 3 == 1 else partial(a_project, name=f"p{number}"))
        for number in range(99)
    ]
    done = await asyncio.gather(*verbs, return_exceptions=True)
    assert [isinstance(one, ZeroDivisionError) for one in done] == [number % 3 == 1 for number in range(99)]
    assert set(await store.read(names)) == {
        "shop",
        *(f"p{number}" for number in range(99) if number % 3 != 1),
    }
    await store.close()


async def test_what_is_told_to_be_written_is_there_whoever_else_filled_the_disk(tmp_path: Path) -> None:
    store, _ = await opened(tmp_path)
    with full_disk(after=(tmp_path / f"{FILE_NAME}-wal").stat().st_size + 500_000):
        verbs = (
            store.write(grow if number % 2 else partial(a_project, name=f"p{number}")) for number in range(40)
        )
        done = await asyncio.gather(*verbs, return_exceptions=True)
    told = {
        f"p{number}" for number, one in enumerate(done) if number % 2 == 0 and not isinstance(one, Exception)
    }
    assert set(await store.read(names)) == {"shop", *told}
    assert all(isinstance(one, DiskFull | StoreBusy) for one in done if isinstance(one, Exception))
    assert any(isinstance(one, DiskFull) for one in done)
    await store.write(a_project, "later")
    await store.close()


async def test_a_reader_changes_nothing(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    await store.read(conversations.rename, here.id, "no")
    assert (await store.read(conversations.get, here.id)).title == ""
    await store.close()


async def test_a_verb_that_was_begun_ends_even_if_nobody_waits(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    writing = asyncio.create_task(store.write(submit, here, "kept"))
    await asyncio.sleep(0)
    writing.cancel()
    await store.close()
    again = await Database.open(tmp_path)
    assert len(await again.read(prompts.every_open)) <= 1
    await again.write(submit, here, "more")
    await again.close()


async def test_the_version_moves_with_every_write_of_any_program(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    seen = [store.version(), store.version()]
    await store.write(submit, here)
    seen.append(store.version())
    with closing(connected(tmp_path / FILE_NAME)) as other:
        submit(other, here)
    await asyncio.sleep(2 * SEEN_SECONDS)
    seen.append(store.version())
    assert seen[0] == seen[1]
    assert len(set(seen)) == 3
    await store.close()


async def test_however_many_ask_for_the_version_the_file_is_asked_once(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    asked: list[str] = []
    await store.glance(lambda db: db.set_trace_callback(asked.append))
    before = {store.version() for _ in range(200)}
    assert asked.count("PRAGMA data_version") <= 3
    await store.write(submit, here)
    assert before.isdisjoint({store.version() for _ in range(200)})
    assert asked.count("PRAGMA data_version") <= 5
    await store.close()


async def test_a_glance_sees_what_a_read_sees_also_where_the_file_is_locked(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    await store.write(submit, here, "kept")
    assert await store.glance(prompts.every_open) == await store.read(prompts.every_open)
    with lock_held(tmp_path / FILE_NAME):
        version = store.version()
        assert await store.glance(names) == ["shop"]
        assert store.version() == version
    await store.close()


async def test_a_locked_database_is_busy_for_writers_and_open_for_readers(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    await store.close()
    store = await Database.open(tmp_path, patience=PATIENCE)
    with lock_held(tmp_path / FILE_NAME):
        with pytest.raises(StoreBusy):
            await store.write(submit, here, "lost?")
        assert await store.read(names) == ["shop"]
        insisting = asyncio.create_task(store.insist(submit, here, "kept"))
        await asyncio.sleep(3 * PATIENCE)
        assert not insisting.done()
    assert (await insisting).text == "kept"
    assert [prompt.text for prompt in await store.read(prompts.every_open)] == ["kept"]
    await store.close()


async def test_a_full_disk_loses_nothing_and_half_writes_nothing(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    await store.write(submit, here, "before")
    with full_disk(after=(tmp_path / f"{FILE_NAME}-wal").stat().st_size):
        with pytest.raises(DiskFull):
            await store.write(submit, here, "x" * 100_000)
        assert [prompt.text for prompt in await store.read(prompts.every_open)] == ["before"]
        insisting = asyncio.create_task(store.insist(submit, here, "y" * 100_000))
        await asyncio.sleep(0.1)
        assert not insisting.done()
    await insisting
    await store.write(submit, here, "after")
    found = await store.read(prompts.every_open)
    assert [prompt.text[:6] for prompt in found] == ["before", "y" * 6, "after"]
    await store.close()
    assert health(tmp_path / FILE_NAME) is Health.SOUND


async def test_a_database_that_cannot_grow_is_a_full_disk_too(tmp_path: Path) -> None:
    store, _ = await opened(tmp_path)
    await store.write(lambda db: db.execute("PRAGMA max_page_count = 60").fetchone())
    with pytest.raises(DiskFull):
        await store.write(grow)
    await store.write(lambda db: db.execute("PRAGMA max_page_count = 100000").fetchone())
    await store.write(grow)
    await store.close()


async def test_no_room_at_the_first_start(tmp_path: Path) -> None:
    with full_disk(after=0), pytest.raises(DiskFull):
        await Database.open(tmp_path)
    store = await Database.open(tmp_path)
    await store.close()


async def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(b"shopping list\n" * 500)
    with pytest.raises(StoreCorrupt):
        await Database.open(tmp_path)
    assert path.read_bytes() == b"shopping list\n" * 500
    assert health(path) is Health.DAMAGED


async def test_damage_inside_is_found_when_it_is_met(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    await store.write(submit, here)
    await store.close()
    path = tmp_path / FILE_NAME
    with closing(connected(path)) as db:
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'prompts'").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)
    assert health(path) is Health.DAMAGED
    store = await Database.open(tmp_path)
    with pytest.raises(StoreCorrupt):
        await store.read(prompts.every_open)
    await store.close()


async def test_a_directory_in_its_place_is_a_fault_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(StoreError) as caught:
        await Database.open(tmp_path)
    assert caught.value.fields["why"]


async def test_a_database_from_the_future_is_refused_and_not_touched(tmp_path: Path) -> None:
    store, path = await Database.open(tmp_path), tmp_path / FILE_NAME
    await store.close()
    with closing(connected(path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StoreFromFuture) as caught:
        await Database.open(tmp_path)
    assert (caught.value.fields["found"], path.read_bytes()) == ("99", before)
    assert health(path) is Health.NEWER


async def test_an_update_is_stored_once_through_a_refusal_and_a_restart(tmp_path: Path) -> None:
    store, here = await opened(tmp_path)
    source = Source("telegram", "bot", "1")
    with full_disk(after=0), pytest.raises(DiskFull):
        await store.write(prompts.accept, source, here.id, "Go", now=NOW)
    assert not (await store.write(prompts.accept, source, here.id, "Go", now=NOW)).again
    await store.close()
    store = await Database.open(tmp_path)
    assert (await store.write(prompts.accept, source, here.id, "Go", now=NOW)).again
    await store.close()
