"""How the built-in agent speaks: one JSON object a line, each flushed (`core/wire/demo.py` reads them)."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO


class Step:
    """A step under way; what its block leaves in *output* and *paths* is told with its end."""

    def __init__(self, speech: Speech, number: int, kind: str, title: str) -> None:
        self._speech, self._fields = speech, {"id": f"step-{number}", "kind": kind, "title": title}
        self.output = ""
        self.paths: tuple[str, ...] = ()
        self.exit_code: int | None = None

    def tell(self, state: str) -> None:
        more = {"output": self.output, "paths": self.paths, "exit_code": self.exit_code}
        self._speech.say("step", **self._fields, state=state, **more)


class Speech:
    """*pace* stretches every pause: 1 lets a person watch, 0 leaves them out."""

    def __init__(self, out: TextIO, pace: float) -> None:
        self._out, self._pace = out, pace
        self._numbers = itertools.count(1)

    def say(self, event: str, **fields: object) -> None:
        self._out.write(json.dumps({"type": event, **fields}) + "\n")
        self._out.flush()

    def pause(self, seconds: float) -> None:
        time.sleep(seconds * self._pace)

    def plan(self, entries: Sequence[str], done: int) -> None:
        """*done* of the *entries* are behind us, the next one is under way."""
        states = ["completed"] * done + ["in_progress"] + ["pending"] * len(entries)
        told = [{"text": text, "state": state} for text, state in zip(entries, states, strict=False)]
        self.say("plan", entries=told)

    @contextmanager
    def step(self, kind: str, title: str) -> Iterator[Step]:
        step = Step(self, next(self._numbers), kind, title)
        step.tell("in_progress")
        try:
            yield step
        except BaseException:
            step.tell("failed")
            raise
        step.tell("completed")

    def answer(self, text: str) -> None:
        """Word by word, then whole."""
        for words in re.findall(r"(?:\S+\s*){1,6}|\s+", text):
            self.say("delta", id="answer", text=words)
            self.pause(0.02)
        self.say("message", id="answer", text=text)
        self.say("done")
