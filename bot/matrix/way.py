"""How the settings let us into an account."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Way:
    """What is not said is empty."""

    homeserver: str
    user: str = ""
    password: str = ""
    token: str = ""
    device: str = ""
    recovery_key: str = ""
