"""Sessions of the built-in agent are kept for their owner only, and not for ever."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from core.demo import memory
from core.demo.memory import Memory, Session


def test_a_session_is_recalled_as_it_was_kept(tmp_path: Path) -> None:
    kept = Session().heard("first").heard("x" * 500)
    Memory(tmp_path).keep(kept)
    assert Memory(tmp_path).recall(kept.id) == kept
    assert (kept.turns, kept.said) == (2, ("first", "x" * 200))


def test_only_the_last_words_are_kept() -> None:
    session = Session()
    for number in range(30):
        session = session.heard(str(number))
    assert (session.turns, len(session.said), session.said[-1]) == (30, memory.SAID_KEPT, "29")


@pytest.mark.parametrize("name", ["", "nosuch", "../x", "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_session_is_none(tmp_path: Path, name: str) -> None:
    assert Memory(tmp_path).recall(name) is None


@pytest.mark.parametrize("text", ["", "[]", '{"turns": "x", "said": []}', '{"turns": 1}', "\xff"])
def test_a_damaged_file_is_no_session(tmp_path: Path, text: str) -> None:
    name = Session().id
    (tmp_path / f"{name}.json").write_text(text, "latin-1")
    assert Memory(tmp_path).recall(name) is None


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    place = tmp_path / "state"
    kept = Session()
    Memory(place).keep(kept)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in place.iterdir()] == [0o600]


def test_the_oldest_are_forgotten(tmp_path: Path) -> None:
    sessions = [Session() for _ in range(memory.SESSIONS_KEPT + 5)]
    for session in sessions:
        Memory(tmp_path).keep(session)
    assert len(list(tmp_path.iterdir())) == memory.SESSIONS_KEPT
    assert Memory(tmp_path).recall(sessions[-1].id)


@pytest.mark.parametrize(
    ("env", "place"),
    [
        ({"HOME": "/h", "XDG_STATE_HOME": "/s"}, "/s/roost-demo"),
        ({"HOME": "/h"}, "/h/.local/state/roost-demo"),
    ],
)
def test_it_lies_where_programs_keep_their_state(env: dict[str, str], place: str) -> None:
    assert Memory.of(env)._directory == Path(place)
