"""A stand-in for `cursor-agent -p --output-format stream-json`, written after its public documentation.

Cursor's own program could not be had: this one proves that our engine and the documented format fit, and
nothing about the program. It works in its directory as far as the prompt says, word by word:

    write NAME   shell COMMAND   todo   says “glued” remarks between; `reject` is refused a command;
    `fail` ends as a failed result, `login` and `trust` on stderr alone, `stop` in the middle of the turn.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOGIN = "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY."
TRUST = "Workspace Trust Required"


def say(**line: Any) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Turn:
    def __init__(self, session: str, users: int) -> None:
        self.session, self.users = session, users
        self.said = ""
        self.calls = 0

    def text(self, words: str) -> None:
        self.said += words
        part = {"type": "text", "text": words}
        say(type="assistant", message={"role": "assistant", "content": [part]}, session_id=self.session)

    def tool(self, name: str, args: dict[str, Any], work: Callable[[], dict[str, Any]]) -> None:
        self.calls += 1
        common = {"type": "tool_call", "call_id": f"toolu_{self.calls}", "session_id": self.session}
        say(**common, subtype="started", tool_call={name: {"args": args}})
        say(**common, subtype="completed", tool_call={name: {"args": args, "result": work()}})

    def write(self, name: str) -> None:
        def work() -> dict[str, Any]:
            Path(name).write_text("hello\n")
            return {"success": {"path": str(Path(name).absolute()), "linesCreated": 1, "fileSize": 6}}

        self.tool("writeToolCall", {"path": name, "fileText": "hello\n"}, work)

    def shell(self, command: str) -> None:
        def work() -> dict[str, Any]:
            ran = subprocess.run(command, shell=True, capture_output=True, text=True)
            outcome = {"stdout": ran.stdout, "stderr": ran.stderr, "exitCode": ran.returncode}
            return {"failure" if ran.returncode else "success": outcome}

        self.tool("shellToolCall", {"command": command}, work)

    def reject(self) -> None:
        refusal = {"rejected": {"command": "rm -rf x", "reason": "not in the allowlist"}}
        self.tool("shellToolCall", {"command": "rm -rf x"}, lambda: refusal)

    def todo(self) -> None:
        todos = [
            {"id": "1", "content": "write files", "status": "TODO_STATUS_IN_PROGRESS"},
            {"id": "2", "content": "check", "status": "TODO_STATUS_PENDING"},
        ]
        self.tool("updateTodosToolCall", {"todos": todos}, lambda: {"success": {"todos": todos}})

    def result(self, *, failed: str = "") -> None:
        about = {"duration_ms": 5, "duration_api_ms": 5, "session_id": self.session}
        kind = "error" if failed else "success"
        say(type="result", subtype=kind, is_error=bool(failed), result=failed or self.said, **about)

    def play(self, prompt: str) -> int:
        for line in filter(str.strip, prompt.splitlines()):
            word, _, rest = line.partition(" ")
            match word:
                case "write" | "shell":
                    self.text(f"I will {word}. ")
                    getattr(self, word)(rest)
                case "reject" | "todo":
                    getattr(self, word)()
                case "fail":
                    self.result(failed=rest)
                    return 1
                case "stop":
                    return 1
        self.text(f"ECHO users={self.users}: {prompt.splitlines()[0][:80]}")
        self.result()
        return 0


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("-p", "--print", action="store_true", required=True)
    parser.add_argument("--output-format", choices=["stream-json"], required=True)
    parser.add_argument("--model", default="auto")
    parser.add_argument("--resume", default="")
    parser.add_argument("--mode", choices=["plan", "ask"], default="")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--trust", action="store_true")
    return parser.parse_args()


def main() -> int:
    asked, prompt = options(), sys.stdin.buffer.read().decode()
    trouble = {"login": LOGIN, "trust": TRUST}.get(prompt.strip(), "" if asked.trust else TRUST)
    if trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    chats = Path(os.environ.get("CURSOR_CONFIG_DIR", ".cursor"))
    chats.mkdir(exist_ok=True)
    session = asked.resume or str(uuid.uuid4())
    chat = chats / session
    if asked.resume and not chat.exists():
        sys.stderr.write(f"Error: Chat {session} not found\n")
        return 1
    users = int(chat.read_text()) + 1 if chat.exists() else 1
    chat.write_text(str(users))
    mode = asked.mode or ("force" if asked.force else "default")
    about = {"apiKeySource": "env", "cwd": str(Path.cwd()), "permissionMode": mode}
    say(type="system", subtype="init", session_id=session, model=asked.model, **about)
    part = {"type": "text", "text": prompt}
    say(type="user", message={"role": "user", "content": [part]}, session_id=session)
    return Turn(session, users).play(prompt)


if __name__ == "__main__":
    sys.exit(main())
