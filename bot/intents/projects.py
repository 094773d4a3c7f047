"""What a person can want of the projects: see, pick or make one."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.ids import ProjectId


@dataclass(frozen=True, slots=True)
class ShowProject:
    pass


@dataclass(frozen=True, slots=True)
class PickProject:
    name: str


@dataclass(frozen=True, slots=True)
class OpenProject:
    """Pick this one, whose name is too long for a button."""

    project: ProjectId


@dataclass(frozen=True, slots=True)
class NewProject:
    """Which folder might be one."""


@dataclass(frozen=True, slots=True)
class AddProject:
    """*name* is one word, *path* as it was typed; empty: a folder of that name, where the others are."""

    name: str
    path: str = ""
