"""What is said to an agent: each word once in its life, whoever says it, whatever is killed meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from core.dispatch.clock import Clock
from core.engines.port import Dialogue, Engine
from core.errors import DiskFull
from core.hosts.port import Host
from core.model.ids import AgentId
from core.model.launch import Word

DISK_PAUSE = 1.0


class Speaker:
    """Writes what *dialogue* has to say. `recall` comes first: what stands in the agent's input, be it
    from before a restart, is not said again."""

    def __init__(self, host: Host, agent: AgentId, engine: Engine, dialogue: Dialogue, clock: Clock) -> None:
        self._host = host
        self._agent = agent
        self._engine = engine
        self._dialogue = dialogue
        self._clock = clock
        self._told: set[str] = set()
        self._cut = b""
        self._one_at_a_time = asyncio.Lock()

    async def recall(self) -> None:
        """Look up what the agent was told, and whether the last word was cut off half-way."""
        if self._engine.spoken:
            told = await self._host.told(self._agent)
            self._told = self._engine.keys(told)
            self._cut = told[told.rfind(b"\n") + 1 :]

    async def say(self) -> None:
        """Everything that is due by now. A full disk is waited out."""
        async with self._one_at_a_time:
            while words := self._dialogue.due():
                await self._tell(words)

    async def _tell(self, words: Sequence[Word]) -> None:
        while new := self._new(words):
            try:
                await self._host.write(self._agent, self._rest(b"".join(new.values())))
            except DiskFull:
                await self._clock.sleep(DISK_PAUSE)
                await self.recall()
            else:
                self._told.update(new)
                self._cut = b""

    def _new(self, words: Sequence[Word]) -> dict[str, bytes]:
        new: dict[str, bytes] = {}
        for word in words:
            if word.key not in self._told:
                new.setdefault(word.key, word.line)
        return new

    def _rest(self, lines: bytes) -> bytes:
        """What is missing of *lines*; what was begun and is none of them is ended first."""
        return lines.removeprefix(self._cut) if lines.startswith(self._cut) else b"\n" + lines
