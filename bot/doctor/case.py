"""Everything that the doctor is told before it looks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.engines.port import Engine
from core.hosts.port import Program
from core.model.project import Project
from core.store.record import Record


@dataclass(frozen=True, slots=True)
class Agent:
    """An engine that may be here. *env* is the environment that its agents get; *configured*: named in
    the configuration, so that it has to be here."""

    engine: Engine
    env: Mapping[str, str] = field(repr=False)
    configured: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """*programs* is the host's. *config* is the file that was read, if there is one; *secret*: the
    configuration holds a secret. *chats* are the names of those that are
    configured. *missing* are the
    engines that have no program here, *found* those that have one. *records*: how each engine fared lately.

    *built* and *now* are seconds since 1970: when this Roost was put here, and the clock.
    """

    data_dir: Path
    programs: Callable[[Sequence[str]], Awaitable[Program | None]]
    now: float
    built: float
    config: Path | None = None
    secret: bool = False
    agents: Sequence[Agent] = ()
    projects: Sequence[Project] = ()
    chats: Sequence[str] = ()
    missing: Collection[str] = ()
    found: Collection[str] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    service: bool = False
    language: str = "en"
