"""Who reads along in a room, as far as its chat tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Readers:
    """*count*: how many there are besides us. Of those who were asked for, *there* are some, and of others
    nobody is *sure*."""

    count: int
    there: frozenset[str]
    unsure: frozenset[str] = frozenset()
