"""An agent that speaks like `codex exec` and keeps a ledger of what it was told, and beside whom it ran.

    python agent.py LEDGER [codex's own words …]

Its prompts carry a tag `[conversation/number]`. LEDGER/sessions/ID holds the words that session ID took, one
JSON string a line; LEDGER/runs/ a file for each start; LEDGER/violations a line for each law that was broken.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
import uuid
from pathlib import Path

BUSY_SHARE = 0.03
"""How often a session is said to be held by another program, so that Roost waits and tries again."""
TAG = re.compile(r"\[(\d+)/(\d+)\]")


def say(**line: object) -> None:
    print(json.dumps(line), flush=True)


def start_ticks(pid: int) -> str | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def check_alone(ledger: Path, project: str) -> None:
    """Note every other agent that is alive in this project."""
    runs = ledger / "runs"
    for other in runs.glob("*.run"):
        pid, ticks, where = other.read_text().split("\n")
        if where == project and int(pid) != os.getpid() and start_ticks(int(pid)) == ticks:
            with open(ledger / "violations", "a") as violations:
                violations.write(f"two agents in {project}: {pid} and {os.getpid()}\n")
    mine = runs / f"{uuid.uuid4()}.new"
    mine.write_text(f"{os.getpid()}\n{start_ticks(os.getpid())}\n{project}")
    mine.rename(mine.with_suffix(".run"))


def last_words(session: Path, said: str) -> str | None:
    """What this session was last told: *said* if it is a prompt, else what it holds already."""
    if TAG.search(said):
        with open(session, "a") as file:
            file.write(json.dumps(said.partition("\n")[0]) + "\n")
            file.flush()
            os.fsync(file.fileno())
        return said
    lines = session.read_text().splitlines() if session.exists() else []
    return str(json.loads(lines[-1])) if lines else None


def main() -> int:
    ledger, argv = Path(sys.argv[1]), sys.argv[2:]
    said = sys.stdin.read()
    check_alone(ledger, os.getcwd())
    name = argv[argv.index("resume") + 1] if "resume" in argv else str(uuid.uuid4())
    if "resume" in argv and random.random() < BUSY_SHARE:
        print(f"Error: thread {name} already has an active writer (code -32600)", file=sys.stderr)
        return 1
    say(type="thread.started", thread_id=name)
    say(type="turn.started")  # as the real one does: said first, then the session takes the words
    words = last_words(ledger / "sessions" / name, said)
    if words is None:
        say(type="turn.failed", error={"message": "this session holds nothing to carry on"})
        return 1
    for step in range(random.randint(0, 4)):
        item: dict[str, object] = {
            "id": f"item_{step}",
            "type": "command_execution",
            "command": f"step {step}",
        }
        say(type="item.started", item={**item, "aggregated_output": "", "status": "in_progress"})
        time.sleep(random.uniform(0, 0.08))
        item |= {"aggregated_output": "ok", "exit_code": 0, "status": "completed"}
        say(type="item.completed", item=item)
    tag = TAG.search(words)
    assert tag
    say(type="item.completed", item={"id": "answer", "type": "agent_message", "text": f"answer to {tag[0]}"})
    say(type="turn.completed", usage={"input_tokens": 1, "cached_input_tokens": 0, "output_tokens": 1})
    return 0


if __name__ == "__main__":
    sys.exit(main())
