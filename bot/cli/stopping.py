"""Ctrl-C while a prompt is on its way."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.app import App
from core.dispatch.bell import ring
from core.model.ids import PromptId
from core.store import prompts

STOPPED = 130


@asynccontextmanager
async def stopped_by_interrupt(app: App, prompt: PromptId) -> AsyncIterator[None]:
    """While inside, the first Ctrl-C cancels *prompt*, and the second one leaves at once: what was stored
    is on the disk, and an agent that still runs is found by the next dispatcher."""
    asked = asyncio.Event()

    def interrupted() -> None:
        if asked.is_set():
            os._exit(STOPPED)
        asked.set()

    async def cancel_when_asked() -> None:
        await asked.wait()
        await app.store.insist(prompts.cancel, prompt, now=app.means.clock.now())
        ring(app.data_dir)

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, interrupted)
    task = asyncio.create_task(cancel_when_asked(), name="cancel when asked")
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
