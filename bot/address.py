"""The names that a room, a person and a message have on their platform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

MessageRef = NewType("MessageRef", str)
"""The platform's own name for one message; unique within its room."""


@dataclass(frozen=True, slots=True)
class RoomAddress:
    """Where people write. *account* is our own there; *thread* is empty outside topics and threads."""

    platform: str
    account: str
    chat: str
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """*id* never changes, empty where the platform hides it; *name* is as they like: never trusted."""

    id: str
    name: str
