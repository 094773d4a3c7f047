"""Somebody who was let in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.model.ids import ProjectId


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody of a platform: *person* is their id there, *name* what they call themselves, *role* what they
    are in every project but those that *projects* names. Roles are words of `bot.access.Role`."""

    person: str
    name: str
    role: str
    projects: Mapping[ProjectId, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Admission:
    """What a code gives: a *role*, in one *project* or in every one."""

    role: str
    project: ProjectId | None = None
