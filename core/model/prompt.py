"""A prompt: what a person wrote, as it waits, runs and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.model.ids import ConversationId, PromptId, RoomId


class Status(StrEnum):
    """The five states of a prompt; the last three are for ever."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self in (Status.DONE, Status.FAILED, Status.CANCELLED)


class Kind(StrEnum):
    """What a prompt asks for: that its words are worked on, or that the session's context is compacted."""

    WORDS = "words"
    COMPACT = "compact"


COMPACT = "/compact"
"""What a compaction is called in line."""


class Slot(StrEnum):
    """What a running prompt has of its right to run: it was given to others as long as there is nothing to
    do, and is wanted again once there is."""

    HELD = "held"
    GIVEN = "given"
    WANTED = "wanted"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a prompt: *path* is where the agent finds it on its host."""

    name: str
    path: str
    image: bool


@dataclass(frozen=True, slots=True)
class Source:
    """Where an update came from; the three together are unique for ever (behaviour §1.4)."""

    platform: str
    account: str
    update: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the messages that a prompt was made of, by the chat's own name for it; its words are only told
    where there are several, and *joint* stands behind them then."""

    message: str
    text: str = ""
    joint: str = ""


def joined(made_of: Sequence[Piece]) -> str:
    """The words of several messages as those of one; what stands behind the last of them is nothing."""
    worded = [one for one in made_of if one.text]
    return "".join(one.text + (one.joint if one is not worded[-1] else "") for one in worded)


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Where a prompt was written and is answered: *message* is the chat's own name for it, *pieces* are all
    that it was made of. *files* are still on their way, each in its platform's words; nobody claims the
    prompt before `fetched`."""

    room: RoomId
    message: str
    files: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """*text* is exactly what the person sent. Times are seconds since the epoch, for reading only:
    order is by *position*, waits are by the monotonic clock."""

    id: PromptId
    conversation: ConversationId
    text: str
    status: Status
    position: float
    created_at: float
    started_at: float | None = None
    ended_at: float | None = None
    attachments: tuple[Attachment, ...] = ()
    author: str = ""
    """Who wrote it, as they are called there."""
    cancelling: bool = False
    interruptions: int = 0
    """How often the machine went down with it (behaviour §1.5)."""
    reason: str = ""
    """For failed and cancelled: a key into the locales."""
    detail: str = ""
    """For failed: the engine's own words, secrets masked."""
    retry_of: PromptId | None = None
    kind: Kind = Kind.WORDS
    person: str = ""
    """Who wrote it: the platform's own id, which never changes."""
    steers: bool = False
    """Whether it is to be told to the turn that runs before it."""
    slot: Slot = Slot.HELD
    beside: str = ""
    """What the agent is told behind its words: what they reply to, say."""
