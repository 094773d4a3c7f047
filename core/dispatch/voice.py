"""What people say to a turn while it runs, as far as its dispatcher knows of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Voice:
    """*cancel* is set for good when somebody asked to stop. *news*: there may be answers to the agent's
    questions, words for the running turn, or a place for it, in the store. `look` tells the dispatcher that
    others may start, or that this one wants its place again."""

    def __init__(self, look: Callable[[], None]) -> None:
        self.cancel = asyncio.Event()
        self.news = asyncio.Event()
        self.look = look

    async def stirs(self) -> None:
        """Until there is news, or somebody asks to stop."""
        await first_of(self.news.wait(), self.cancel.wait())
        self.news.clear()


async def first_of(*waits: Coroutine[Any, Any, object]) -> None:
    """Until one of *waits* is over; the others are given up."""
    tasks = [asyncio.create_task(wait, name="wait for the first") for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
