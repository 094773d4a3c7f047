"""What engines offer to choose from, remembered: nobody in a chat waits long for a program to start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from core.dispatch.clock import Clock
from core.dispatch.queries import Asker
from core.engines.port import Asking, Kept, Query
from core.errors import CoreError
from core.model.ids import SessionId
from core.model.offers import Model
from core.model.sessions import Said, SessionInfo

PATIENCE = 2.0
"""Seconds that a person waits for an answer; what comes later is remembered."""
MODELS_FRESH = 3600.0
SESSIONS_FRESH = 10.0
UNABLE_FRESH = 60.0
"""Seconds before a program that gave no answer is asked again."""

SAID_MOST = 40
"""Messages that are kept of a session that was looked at."""

T = TypeVar("T")
Find = Callable[[Asking, Mapping[str, str]], Query[T] | Kept[T] | None]


@dataclass(frozen=True, slots=True)
class Known(Generic[T]):
    """It was asked, and this is all."""

    values: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """It is being asked, and has not answered yet."""


@dataclass(frozen=True, slots=True)
class Unable:
    """It can't be asked, or gave no answer: no such engine, no program, no login, no such question."""


Answer = Known[T] | Pending | Unable
Asked = Coroutine[Any, Any, Known[T] | Unable]

logger = logging.getLogger(__name__)


class _Shelf(Generic[T]):
    """Answers of one kind, each for *fresh* seconds. An older one is given *while_asking* again, or once the
    program has had its time."""

    def __init__(self, clock: Clock, *, fresh: float, patience: float, while_asking: bool = False) -> None:
        self._clock, self._fresh, self._patience = clock, fresh, patience
        self._while_asking = while_asking
        self._kept: dict[tuple[str, ...], tuple[Known[T] | Unable, float]] = {}
        self._tasks: dict[tuple[str, ...], asyncio.Task[Known[T] | Unable]] = {}

    async def get(self, key: tuple[str, ...], ask: Callable[[], Asked[T]]) -> Answer[T]:
        kept = self._kept.get(key)
        if kept and self._is_fresh(*kept):
            return kept[0]
        task = self._tasks.get(key) or self._begun(key, ask())
        if not (kept and isinstance(kept[0], Known) and self._while_asking):
            await asyncio.wait({task}, timeout=self._patience)
        if task.done():
            return task.result()
        return kept[0] if kept else Pending()

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _is_fresh(self, answer: Known[T] | Unable, since: float) -> bool:
        lasting = self._fresh if isinstance(answer, Known) else UNABLE_FRESH
        return self._clock.monotonic() - since < lasting

    def _begun(self, key: tuple[str, ...], asked: Asked[T]) -> asyncio.Task[Known[T] | Unable]:
        task = self._tasks[key] = asyncio.create_task(asked, name=f"ask {key}")
        task.add_done_callback(lambda done: self._ended(key, done))
        return task

    def _ended(self, key: tuple[str, ...], task: asyncio.Task[Known[T] | Unable]) -> None:
        del self._tasks[key]
        if not task.cancelled() and task.exception() is None:
            self._kept[key] = (task.result(), self._clock.monotonic())


class Offers:
    """Asked by the names of an engine and of a host. Whoever makes one closes it: a question that is under
    way has a program running."""

    def __init__(self, asker: Asker, clock: Clock, *, patience: float = PATIENCE) -> None:
        self._asker = asker
        self._models: _Shelf[Model] = _Shelf(clock, fresh=MODELS_FRESH, patience=patience, while_asking=True)
        self._sessions: _Shelf[SessionInfo] = _Shelf(clock, fresh=SESSIONS_FRESH, patience=patience)
        self._said: _Shelf[Said] = _Shelf(clock, fresh=SESSIONS_FRESH, patience=patience)

    async def models(self, engine: str, host: str) -> Answer[Model]:
        """Those that it offers, best first."""
        return await self._models.get(
            (host, engine), lambda: self._ask(engine, host, lambda asking, env: asking.models(env))
        )

    async def sessions(self, engine: str, host: str, cwd: str) -> Answer[SessionInfo]:
        """Those that were begun in the directory *cwd*, by whomever; without secrets."""

        async def ask() -> Known[SessionInfo] | Unable:
            found = await self._ask(engine, host, lambda asking, env: asking.sessions(cwd, env))
            return _each(found, lambda one: replace(one, title=self._asker.mask(one.title)))

        return await self._sessions.get((host, engine, cwd), ask)

    async def history(self, engine: str, host: str, cwd: str, session: SessionId) -> Answer[Said]:
        """The last `SAID_MOST` messages of *session*, oldest first; without secrets."""

        async def ask() -> Known[Said] | Unable:
            found = await self._ask(engine, host, lambda asking, env: asking.history(session, cwd, env))
            kept = Known(found.values[-SAID_MOST:]) if isinstance(found, Known) else found
            return _each(kept, lambda said: (said[0], self._asker.mask(said[1])))

        return await self._said.get((host, engine, cwd, session), ask)

    async def close(self) -> None:
        """End every program that is being asked."""
        for shelf in (self._models, self._sessions, self._said):
            await shelf.close()

    async def _ask(self, engine: str, host: str, source: Find[T]) -> Known[T] | Unable:
        try:
            made = self._asker.engine(engine)
            asked = source(made.asking, self._asker.environ(made)) if made.asking else None
            if asked is None:
                return Unable()
            return Known(await self._asker.ask(engine, host, asked))
        except CoreError as error:
            logger.info("%s on %s can't be asked: %s", engine, host, error)
            return Unable()


def _each(answer: Known[T] | Unable, change: Callable[[T], T]) -> Known[T] | Unable:
    return Known(tuple(map(change, answer.values))) if isinstance(answer, Known) else answer
