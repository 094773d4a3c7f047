"""What a turn needs to run: the store, the hosts, the engines, and a few settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.dispatch.answers import Media
from core.dispatch.clock import Clock
from core.dispatch.news import News
from core.dispatch.progress import Book, Mask
from core.engines.port import Engine
from core.errors import HostError
from core.hosts.port import Host
from core.model.ids import AgentId
from core.model.slots import Caps
from core.store.database import Database


@dataclass(frozen=True, slots=True)
class Instructions:
    """What Roost adds for the agent, in the language of the conversation (behaviour §6.1, §6.4, §1.5).

    *files* holds `{paths}`, *handed* holds `{said}`: what was said before a fork."""

    images: str
    title: str
    carry_on: str
    interrupted: str
    files: str
    handed: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: *silence* in which nothing at all moves, *asking* an agent to end its turn before it is made
    to, *grace* between SIGTERM and SIGKILL, *linger* for a process to end by itself after its last word.
    *compacting*: how long a compaction may take, *warm*: how long an agent that is spoken to is kept.
    *answering*: how long one that was just started may say nothing before it has
    named its session. *unanswered*: how long a question of an agent that does nothing else may keep its
    place from others. *renewal*: a prompt waits for its account to be renewed, where the engine says when."""

    caps: Caps = field(default_factory=Caps)
    silence: float = 3600.0
    asking: float = 3.0
    compacting: float = 180.0
    grace: float = 5.0
    linger: float = 3.0
    warm: float = 300.0
    answering: float = 120.0
    unanswered: float = 600.0
    renewal: bool = True


@dataclass(frozen=True, slots=True)
class Means:
    """*engine* gives the engine of a name, `Refused` for one that this version cannot drive.
    *environ* is what an agent of that engine gets, whole."""

    store: Database
    hosts: Mapping[str, Host]
    engine: Callable[[str], Engine]
    environ: Callable[[Engine], Mapping[str, str]] = field(repr=False)
    instructions: Callable[[str], Instructions]
    media: Media
    book: Book
    clock: Clock
    mask: Mask
    new_agent: Callable[[], AgentId]
    limits: Limits = field(default_factory=Limits)
    news: News = field(default_factory=News)

    def host(self, name: str) -> Host:
        if name not in self.hosts:
            raise HostError("host.unknown", host=name)
        return self.hosts[name]
