"""How fast an agent's stream is decoded: `python -m tests.bench.decoding` prints a row of a table."""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from collections.abc import Iterator

from core.wire.codex_exec import CodexExecDecoder

MEGABYTES = 100
CHUNK = 65_536
LEAST = 0.4
"""Our speed as a part of that of `json.loads` on each line."""


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


def decoded(data: bytes) -> int:
    decoder = CodexExecDecoder()
    return sum(len(decoder.feed(chunk)) for chunk in chunks(data)) + len(decoder.finish())


def seconds_of_json(data: bytes) -> float:
    started = time.perf_counter()
    for line in data.splitlines():
        json.loads(line)
    return time.perf_counter() - started


def main() -> int:
    data = stream(MEGABYTES * 1_000_000)
    baseline = seconds_of_json(data)
    started = time.perf_counter()
    events = decoded(data)
    ours = time.perf_counter() - started
    tenth = data[: len(data) // 10]
    tracemalloc.start()
    decoded(tenth)
    peak = tracemalloc.get_traced_memory()[1]
    ratio = baseline / ours
    print("| stream | events | decoded | json.loads | ratio (least) | peak memory |")
    print("| --- | --- | --- | --- | --- | --- |")
    speeds = f"{len(data) / ours / 1e6:.0f} MB/s | {len(data) / baseline / 1e6:.0f} MB/s"
    print(f"| {len(data) / 1e6:.0f} MB | {events} | {speeds} | {ratio:.2f} ({LEAST}) | {peak / 1e6:.2f} MB |")
    return 0 if ratio >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
