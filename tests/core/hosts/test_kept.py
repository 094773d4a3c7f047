"""Files that a program keeps for itself: the newest, nothing but files, long ones by their ends."""

from __future__ import annotations

import os
from pathlib import Path

from core.hosts.kept import END_READ, newest


def test_the_newest_come_first(tmp_path: Path) -> None:
    for at, name in enumerate(("b.jsonl", "c.jsonl", "a.jsonl", "d.txt")):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (at, at))
    found = newest(str(tmp_path), "*.jsonl", most=2)
    assert [(file.name, file.data) for file in found] == [("a.jsonl", b"a.jsonl"), ("c.jsonl", b"c.jsonl")]


def test_nothing_but_files_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "secret")
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert newest(str(tmp_path), "*.jsonl", most=9) == ()
    assert newest(str(tmp_path / "gone"), "*", most=9) == ()


def test_a_long_one_is_read_by_its_ends_in_whole_lines(tmp_path: Path) -> None:
    lines = [f"{n:07d}" for n in range(END_READ // 2)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    (file,) = newest(str(tmp_path), "a.jsonl", most=1)
    read = file.data.decode().splitlines()
    assert len(file.data) <= 2 * END_READ
    assert (read[0], read[-1]) == (lines[0], lines[-1])
    assert set(read) < set(lines)


def test_one_of_middling_length_is_read_whole(tmp_path: Path) -> None:
    data = os.urandom(END_READ + END_READ // 2)
    (tmp_path / "a").write_bytes(data)
    (file,) = newest(str(tmp_path), "a", most=1)
    assert file.data == data
