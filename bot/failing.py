"""How a call to a chat fails: what is known of the message, and what the platform has against it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto


class ChatError(RuntimeError):
    """A call to a platform failed; its kind says what is known about the message."""


class NotSent(ChatError):
    """Surely not there: the same call can be made again."""


class Unknown(ChatError):
    """It may be there or not: a repeat says that it may be one."""


class Flood(NotSent):
    """Surely not there, and nothing more goes to any room of this chat for *seconds*; 0 where the platform
    doesn't say for how long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too much was sent, {seconds:.0f} s to wait" if seconds else "too much was sent")
        self.seconds = seconds


class Why(Enum):
    """What a platform has against a call. `OTHER`: known by its words alone."""

    OTHER = auto()
    SAME = auto()
    """The message says so already."""
    GONE = auto()
    """The message that the call is about is not there, or not to be changed."""
    FORBIDDEN = auto()
    """Nothing of ours may come there."""
    THREAD = auto()
    """The room is there, its thread is not."""
    MOVED = auto()
    """The room has another name now: `Refused.to`."""
    UNKNOWN = auto()
    """The platform, or this server of it, has no such call."""
    TEXT = auto()
    MEDIA = auto()
    TOO_LARGE = auto()


class Refused(ChatError):
    """The platform will never take it: the same call would fail again. *to* is where a room moved."""

    def __init__(self, words: str = "", why: Why = Why.OTHER, *, to: str = "") -> None:
        super().__init__(words or why.name.lower())
        self.why = why
        self.to = to

    def moves(self, chat: str) -> bool:
        """Whether the platform has only given *chat* another name."""
        return self.why is Why.MOVED and self.to not in ("", chat)


class Divided(Refused):
    """Nothing of it is there, and the platform takes it only as several: *bodies*, delivered in turn."""

    def __init__(self, bodies: Sequence[str], words: str = "") -> None:
        super().__init__(words, Why.MEDIA)
        self.bodies = tuple(bodies)


class TooLarge(Refused):
    """A file that the platform does not hand out; *most* bytes is its limit."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most} bytes")
        self.most = most
