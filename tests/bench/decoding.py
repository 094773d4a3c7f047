"""How fast an agent's stream is decoded, and in how much memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator

from core.wire.codex_exec import CodexExecDecoder
from tests.bench.table import Row, middle

MEGABYTES = 100
CHUNK = 65_536
LEAST = 0.4
"""Our speed as a part of that of `json.loads` on each line."""
MOST = 1.0
"""Megabytes, however long the stream."""


def turn(number: int) -> Iterator[dict[str, object]]:
    """The lines of a turn as they come in real ones: steps with output between short messages."""
    command = {
        "id": f"item_{number}",
        "type": "command_execution",
        "command": "/bin/bash -lc 'pytest -q tests'",
    }
    ended = {
        "aggregated_output": "tests/test_a.py ....\n" * (number % 60),
        "exit_code": 0,
        "status": "completed",
    }
    changes = [{"path": f"/home/pi/projects/a/src/module_{number}.py", "kind": "update"}]
    todo = [{"text": "look at the tests", "completed": True}, {"text": 'mend "them"', "completed": False}]
    usage = {"input_tokens": 9800, "cached_input_tokens": 4800, "output_tokens": 236}
    yield {"type": "turn.started"}
    yield item("started", **command, aggregated_output="", exit_code=None, status="in_progress")
    yield item("completed", **command, **ended)
    yield item("completed", id="f", type="file_change", changes=changes, status="completed")
    yield item("updated", id="t", type="todo_list", items=todo)
    yield item("completed", id="r", type="reasoning", text="**Looking** at what is there " * 4)
    yield item("completed", id="m", type="agent_message", text="Die Prüfung läuft, é ü — fertig.\n" * 8)
    yield {"type": "turn.completed", "usage": usage}


def item(phase: str, **fields: object) -> dict[str, object]:
    return {"type": f"item.{phase}", "item": fields}


def stream(size: int) -> bytes:
    block = b"".join(
        json.dumps(line, ensure_ascii=False).encode() + b"\n" for n in range(500) for line in turn(n)
    )
    return block * (size // len(block) + 1)


def chunks(data: bytes) -> Iterator[bytes]:
    return (data[start : start + CHUNK] for start in range(0, len(data), CHUNK))


def decoded(data: bytes) -> float:
    """Seconds."""
    decoder, started = CodexExecDecoder(), time.perf_counter()
    for chunk in chunks(data):
        decoder.feed(chunk)
    return time.perf_counter() - started


def loaded(data: bytes) -> float:
    """Seconds that `json.loads` takes for each line."""
    started = time.perf_counter()
    for line in data.splitlines():
        json.loads(line)
    return time.perf_counter() - started


def peak(data: bytes) -> int:
    """Bytes that decoding takes at most."""
    tracemalloc.start()
    try:
        decoded(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def rows() -> list[Row]:
    data = stream(MEGABYTES * 1_000_000)
    pairs = [(loaded(data), decoded(data)) for _ in range(3)]  # in turns, so that both see the same machine
    ours = middle([mine for _, mine in pairs])
    conditions = f"{MEGABYTES} MB of Codex turns in chunks of 64 kB; {MEGABYTES / ours:.0f} MB/s"
    speed = middle([theirs / mine for theirs, mine in pairs])
    return [
        Row("decoding, speed against json.loads", speed, LEAST, "×", conditions, more=True),
        Row("decoding, memory", peak(data[: len(data) // 10]) / 1e6, MOST, "MB", "a tenth of that"),
    ]
