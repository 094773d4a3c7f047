"""Somebody who was let in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody of a platform: *person* is their id there, *name* what they call themselves, *role* a word of
    `bot.access.Role`."""

    person: str
    name: str
    role: str
