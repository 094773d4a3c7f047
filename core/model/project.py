"""A project: a directory that agents work in, with its policy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.model.ids import ProjectId

LOCAL = "local"
HOST_AGENT_GROUP = "__global_agent__"
"""Marks a whole-host agent; two projects that carry it do not exclude each other through it."""


class Access(StrEnum):
    """What an agent may do, from least to most."""

    READ_ONLY = "read-only"
    WORKSPACE = "workspace"
    FULL = "full"

    @property
    def rank(self) -> int:
        return list(Access).index(self)

    def at_most(self, ceiling: Access) -> Access:
        """The lower of the two: a chat can lower a project's access and never raise it."""
        return self if self.rank <= ceiling.rank else ceiling


@dataclass(frozen=True, slots=True)
class Project:
    """*path* is absolute, on *host*; *access* is the ceiling that was set in the terminal."""

    id: ProjectId
    name: str
    path: str
    engine: str
    access: Access = Access.WORKSPACE
    groups: tuple[str, ...] = ()
    host: str = LOCAL
    archived: bool = False
    background: bool = False
    """Whether what a turn leaves running may go on running."""
    real: str = ""
    """Where *path* led when somebody chose it, every link followed: an agent is started there or nowhere.
    Empty: it was chosen before this was kept."""

    @property
    def excluding_groups(self) -> frozenset[str]:
        """The groups through which this project and another never run together."""
        return frozenset(self.groups) - {HOST_AGENT_GROUP}
