"""A conversation: one line of work in a project, with the engine's own session."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from core.model.ids import ConversationId, ProjectId, SessionId
from core.model.project import Access


class Approvals(StrEnum):
    """What an agent does before a step that its access does not cover: it leaves it, or asks a person."""

    NEVER = "never"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Baseline:
    """A conversation as its last compaction found it: exchanges, characters of all messages, and when."""

    turns: int
    characters: int
    at: float


@dataclass(frozen=True, slots=True)
class Conversation:
    """*title_by* says who named it: what a person set is never overwritten.

    Empty *engine*, *model*, *effort* and None for *access* mean: as the project or the settings say.
    """

    id: ConversationId
    project: ProjectId
    engine: str
    session: SessionId | None = None
    model: str = ""
    effort: str = ""
    access: Access | None = None
    title: str = ""
    title_by: Literal["", "agent", "person"] = ""
    language: str = ""
    archived: bool = False
    approvals: Approvals = Approvals.NEVER
    """Whether a person is asked before a step that the access does not cover."""
    auto_compact: bool = False
    """Whether its context is compacted by itself when it is nearly full."""
    baseline: Baseline | None = None
    parent: ConversationId | None = None
    """Which one it was forked from."""
    fork_of: SessionId | None = None
    """The engine's session that its first turn forks."""
    handed: str = ""
    """What was said before, for the first turn of a fork that the engine can't make by itself."""
    begun: bool = False
    """Whether it has taken a prompt, of any state."""
