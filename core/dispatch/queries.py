"""What an engine keeps or offers, asked of it outside any turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

from core.dispatch.progress import Mask
from core.engines.port import Engine, Kept, Query
from core.errors import EngineError, EngineMissing, HostError
from core.hosts.port import Host
from core.model.ids import AgentId
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest

BOUND = 20.0
"""Seconds for a question, its program's start included: OpenCode takes 3, on a small machine more."""
GRACE = 2.0
FILES_READ = 20

T = TypeVar("T")


class Unanswered(EngineError):
    """The program was asked and gave no answer: *why* in its own words, which may be none."""

    key = "engine.unanswered"


@dataclass(frozen=True, slots=True)
class Asker:
    """*engine*, *host* and *environ* as in `Means`. *bound*: seconds for one question."""

    engine: Callable[[str], Engine]
    host: Callable[[str], Host]
    environ: Callable[[Engine], Mapping[str, str]] = field(repr=False)
    mask: Mask
    new_agent: Callable[[], AgentId]
    bound: float = BOUND

    async def ask(self, engine: str, host: str, source: Query[T] | Kept[T]) -> tuple[T, ...]:
        """The answer of a throw-away agent, or what stands in its files. Whatever comes, the agent is ended;
        one that a crash leaves behind goes with the next sweep. Errors: `CoreError`."""
        if not isinstance(source, Kept):
            return await self._asked(self.engine(engine), self.host(host), source)
        files = await self.host(host).newest(source.folder, source.pattern, most=FILES_READ)
        return tuple(value for file in files for value in source.read(file.data.splitlines()))

    async def _asked(self, engine: Engine, host: Host, query: Query[T]) -> tuple[T, ...]:
        program = await host.find(engine.command)
        if program is None:
            raise EngineMissing(program=engine.command[0])
        agent = self.new_agent()
        try:
            async with asyncio.timeout(self.bound):
                await host.start(agent, _launch(engine, program, self.environ(engine), query))
                await _heard_out(host, agent, query)
        except TimeoutError:
            raise Unanswered(why=f"{self.bound:.0f} s") from None
        finally:
            with suppress(HostError):
                await host.stop(agent, grace=GRACE)
                await host.discard(agent)
        if query.failed:
            raise Unanswered(why=self.mask(query.failed))
        return query.found


def _launch(engine: Engine, program: tuple[str, ...], env: Mapping[str, str], query: Query[T]) -> Launch:
    """In a folder of its own: no project has a say in what is started, and nothing is to be written."""
    launch = engine.launch(program, TurnRequest("", "", Access.READ_ONLY, env))
    return replace(launch, input=b"".join(word.line for word in query.due()))


async def _heard_out(host: Host, agent: AgentId, query: Query[T]) -> None:
    position = 0
    while not query.over:
        chunk = await host.read(agent, position)
        position += len(chunk.data)
        query.feed(chunk.data)
        for word in query.due():
            await host.write(agent, word.line)
        if chunk.end and not query.over:
            raise Unanswered(why=(await host.errors(agent)).strip()[-200:])
