"""By what others can tell that it is us."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OurDevice:
    """What we encrypt with; *fingerprint* as apps show it. *signed*: our account vouches for it."""

    name: str
    fingerprint: str
    signed: bool
