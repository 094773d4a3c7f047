"""What running turns say, kept in the store for all of them together, at most every quarter second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from core.errors import StoreError
from core.model.events import (
    HEAD_KEPT,
    KIND_KEPT,
    OUTPUT_KEPT,
    Asked,
    Denied,
    Event,
    Malformed,
    Message,
    MessageDelta,
    Notice,
    PlanUpdated,
    Reasoning,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    Unrecognised,
)
from core.store import turns
from core.store.database import Database
from core.store.turns import Step

EVERY_SECONDS = 0.25
FAILED_SECONDS = 2.0
CLOSING_SECONDS = 1.0
WAITING_MOST = 5_000
"""Events that may wait to be stored before their turns stop reading (a full disk, a locked database)."""

Mask = Callable[[str], str]

logger = logging.getLogger(__name__)


class Book:
    """Collects steps and writes them in one transaction. `run` is its task; who ends a turn takes that
    turn's steps along (`taking`), so that events and ending are one transaction, in order."""

    def __init__(self, store: Database, *, now: Callable[[], float], mask: Mask) -> None:
        self._store = store
        self._now = now
        self._mask = mask
        self._steps: list[Step] = []
        self._events = 0
        self._writing = asyncio.Lock()
        self._some = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def add(self, step: Step) -> None:
        """Keep *step* soon. Waits while too much has not been stored yet."""
        await self._room.wait()
        self._steps.append(self._masked(step))
        self._some.set()
        self._events += len(step.events)
        if self._events > WAITING_MOST:
            self._room.clear()

    async def taking(self, step: Step) -> list[Step]:
        """Everything of *step*'s turn that is not stored yet, *step* last: now the caller's to store."""
        async with self._writing:
            taken = [waiting for waiting in self._steps if waiting.turn == step.turn]
            self._steps = [waiting for waiting in self._steps if waiting.turn != step.turn]
        return [*taken, self._masked(step)]

    async def run(self) -> None:
        """Write what comes, until cancelled: the first of it at once, for somebody waits for a sign; what
        could not be written is tried again."""
        while True:
            await self._some.wait()
            try:
                await self.flush()
            except StoreError as error:
                logger.error("cannot keep progress: %s", error)
                await asyncio.sleep(FAILED_SECONDS)
            await asyncio.sleep(EVERY_SECONDS)

    async def flush(self) -> None:
        """Write everything that waits. If this is cancelled or fails nothing is lost: the same steps are
        offered again, and the store passes over what it has."""
        async with self._writing:
            steps = list(self._steps)
            if steps:
                await self._store.insist(turns.progress, steps, now=self._now())
            del self._steps[: len(steps)]
            self._events = sum(len(waiting.events) for waiting in self._steps)
            if not self._steps:
                self._some.clear()
            self._room.set()

    async def close(self) -> None:
        """Write what can be written soon, and forget the rest: the spools have it."""
        with suppress(TimeoutError, StoreError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self.flush()
        self._steps.clear()

    def _masked(self, step: Step) -> Step:
        return replace(step, events=tuple(masked(step.events, self._mask)))


def masked(events: Iterable[Event], mask: Mask) -> Iterable[Event]:
    """*events* with every known secret in what the agent said made unreadable."""
    for event in events:
        match event:
            case Message() | MessageDelta() | Reasoning() | Notice() | TurnFailed():
                yield _changed(event, text=mask(event.text))
            case ToolCall():
                paths = tuple(map(mask, event.paths))
                output = mask(event.output)[-OUTPUT_KEPT:]
                yield _changed(event, title=mask(event.title), output=output, paths=paths)
            case PlanUpdated(entries):
                yield PlanUpdated(tuple(replace(entry, text=mask(entry.text)) for entry in entries))
            case Unrecognised(kind):
                yield Unrecognised(mask(kind)[:KIND_KEPT])
            case Malformed():
                yield replace(event, head=mask(event.head)[:HEAD_KEPT], why=mask(event.why))
            case TurnCompleted(answer) if answer is not None:
                yield TurnCompleted(mask(answer))
            case _:
                yield _masked_question(event, mask)


def _masked_question(event: Event, mask: Mask) -> Event:
    match event:
        case Asked():
            title, reason, detail = map(mask, (event.title, event.reason, event.detail))
            choices = tuple(replace(choice, label=mask(choice.label)) for choice in event.choices)
            return replace(event, title=title, reason=reason, detail=detail[-OUTPUT_KEPT:], choices=choices)
        case Denied(title, why):
            return Denied(mask(title), mask(why))
        case _:
            return event


def _changed(event: Event, **fields: Any) -> Event:
    """*event* with these fields; itself where they are as they were, for hardly anything is secret."""
    same = all(getattr(event, name) == value for name, value in fields.items())
    return event if same else replace(event, **fields)
