"""What people say to a turn while it runs, as far as its dispatcher knows of it."""

from __future__ import annotations

import asyncio


class Voice:
    """*cancel* is set for good when somebody asked to stop. *news*: there may be answers to the agent's
    questions, or words for the running turn, in the store."""

    def __init__(self) -> None:
        self.cancel = asyncio.Event()
        self.news = asyncio.Event()
