"""What the queue decides on: who waits, who holds, and what may run at once."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.ids import ConversationId, ProjectId, PromptId
from core.model.project import Project
from core.model.prompt import Slot


@dataclass(frozen=True, slots=True)
class Waiting:
    """The first waiting prompt of a conversation, or a running one that wants back what it gave to others:
    *keys* are those that it hasn't got. *claimable* is False while an attachment still downloads, *host_up*
    while its host is away."""

    prompt: PromptId
    conversation: ConversationId
    project: ProjectId
    keys: frozenset[str]
    engine: str
    host: str
    claimable: bool = True
    host_up: bool = True


@dataclass(frozen=True, slots=True)
class Holder:
    """A prompt that holds keys: it runs, or its process has not gone yet. It takes a place under the caps
    unless its *slot* is others' for now; then it may keep its keys for days."""

    prompt: PromptId
    conversation: ConversationId
    project: ProjectId
    keys: frozenset[str]
    engine: str
    host: str
    slot: Slot = Slot.HELD

    @property
    def seated(self) -> bool:
        return self.slot is Slot.HELD


@dataclass(frozen=True, slots=True)
class Caps:
    """How many agents may run at once: of one engine on one host, and of all together (0: no limit)."""

    per_engine: int = 3
    total: int = 0


@dataclass(frozen=True, slots=True)
class Start:
    """It may start now."""


@dataclass(frozen=True, slots=True)
class BlockedByKey:
    """*key* is held by prompt *by*, or reserved for it because it has waited longer."""

    key: str
    by: PromptId
    reserved: bool = False


@dataclass(frozen=True, slots=True)
class BlockedByCap:
    """All *cap* places are taken; *engine* is empty where the cap is over all engines."""

    cap: int
    engine: str
    by: tuple[PromptId, ...]


@dataclass(frozen=True, slots=True)
class NotReady:
    """An attachment still downloads."""


@dataclass(frozen=True, slots=True)
class HostAway:
    """Its host is not connected."""

    host: str


Verdict = Start | BlockedByKey | BlockedByCap | NotReady | HostAway


def keys_of(conversation: ConversationId, project: Project) -> frozenset[str]:
    """The keys that a run of *conversation* in *project* holds: itself, its project, its groups."""
    groups = (f"g:{group}" for group in project.excluding_groups)
    return frozenset({conversation_key(conversation), project_key(project), *groups})


def conversation_key(conversation: ConversationId) -> str:
    return f"c:{conversation}"


def project_key(project: Project) -> str:
    return f"p:{project.id}"
