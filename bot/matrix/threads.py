"""Which requests begin a thread."""

from __future__ import annotations

from enum import StrEnum


class Threads(StrEnum):
    """A thread that is there is a conversation of its own in any case."""

    AUTO = "auto"
    """Those in rooms with several people."""
    ON = "on"
    OFF = "off"
