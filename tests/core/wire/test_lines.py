"""Chunks in, whole lines out: nothing is shortened, glued or kept for longer than needed."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.wire.lines import LINE_LIMIT, Line, Lines, Overlong


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(place, len(data)) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


def read(chunks: list[bytes], limit: int = LINE_LIMIT) -> tuple[list[Line], int]:
    lines = Lines(limit)
    found = [line for chunk in chunks for line in lines.feed(chunk)]
    return [*found, *lines.finish()], lines.consumed


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\r\nb", [b"a", b"b"]),
        (b"\n\r\n  \na\n", [b"a"]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", [b"a", b"b"]),
        (b"a\0b\n\xff\n", [b"a\0b", b"\xff"]),
        (b"", []),
    ],
)
def test_lines_are_cut_at_line_feeds(data: bytes, expected: list[bytes]) -> None:
    assert read([data]) == (expected, len(data))


@given(
    st.lists(st.sampled_from([b"a", b"bc" * 4, b"\n", b"\r\n", b"\xef\xbb\xbf", b"\0", b"x" * 30])).map(
        b"".join
    ),
    st.lists(st.integers(0, 200)),
)
def test_the_cuts_of_the_chunks_make_no_difference(data: bytes, places: list[int]) -> None:
    assert read(cut(data, places), limit=20) == read([data], limit=20)


def test_what_is_consumed_ends_with_a_whole_line() -> None:
    lines = Lines()
    assert list(lines.feed(b"one\ntwo\nthr")) == [b"one", b"two"]
    assert lines.consumed == 8
    assert list(lines.feed(b"ee\n")) == [b"three"]
    assert lines.consumed == 14


def test_a_line_that_is_too_long_is_dropped_whole_and_named() -> None:
    found, consumed = read([b"x" * 15 + b"y" * 15, b"z" * 300, b"\nnext\n"], limit=20)
    assert found == [Overlong(b"x" * 15 + b"y" * 15 + b"z" * 300, 330), b"next"]
    assert consumed == 336


@pytest.mark.parametrize("size", [20, 21])
def test_the_limit_is_the_longest_line_that_is_read(size: int) -> None:
    (line,), _ = read([b"x" * size], limit=20)
    assert line == (b"x" * size if size == 20 else Overlong(b"x" * size, size))


def test_the_longest_line_arrives_in_small_chunks_and_is_read_at_once() -> None:
    chunk = b"x" * 4096
    found, consumed = read([chunk] * (LINE_LIMIT // 4096) + [b"\n"])
    assert [len(line) for line in found if isinstance(line, bytes)] == [LINE_LIMIT]
    assert consumed == LINE_LIMIT + 1


def test_a_line_without_end_takes_no_memory() -> None:
    lines, chunk = Lines(limit=100_000), b"x" * 65_536
    tracemalloc.start()
    for _ in range(200):
        assert not list(lines.feed(chunk))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400_000
