"""Sleeps that an agent leaves running, so long that they are told from everybody else's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from core.model.events import Leftovers
from core.model.ids import PromptId
from tests.support.whole import Whole, until


def sleepers(seconds: str) -> list[psutil.Process]:
    """Each process whose very words these are."""
    return [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == ["sleep", seconds]]


@contextmanager
def ended_after(seconds: str) -> Iterator[None]:
    """None of them is left to the next test."""
    yield
    for one in sleepers(seconds):
        one.kill()


async def left_by(whole: Whole, prompt: PromptId) -> Leftovers:
    """What the turn of *prompt* is told to have left running."""

    async def told() -> bool:
        return any(isinstance(event, Leftovers) for event in await whole.events(prompt))

    await until(told)
    (left,) = [event for event in await whole.events(prompt) if isinstance(event, Leftovers)]
    return left
