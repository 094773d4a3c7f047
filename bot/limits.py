"""What a chat takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """*text* is in the platform's own units (Telegram: UTF-16), *edit_interval* in seconds.

    *buttons* is how many one message carries; 0 where people type the command instead. *once*: what is
    delivered again under the same name is there once. *burst*: how many messages a room takes at once,
    and then one a second; 0 where it takes any number. *hold*: seconds for which a sign waits, since each
    costs as much as a message, and an answer that comes sooner needs none.
    """

    text: int
    buttons: int
    edit_interval: float
    once: bool = False
    burst: int = 0
    hold: float = 0.0
    drafts: bool = False
    """What is being written can be shown as that, beside all messages."""
    rich: bool = False
    """There is a form for all mark-up that not every app knows."""
    rooted: bool = False
    """A thread begins with a message of ours that is seen in its room."""
    pins: bool = True
    """A message can stand out there, and be kept as things stand."""
    company: bool = True
    """More than one person can be there, and other rooms beside it."""
    drawn: bool = True
    """What we draw of words, as tables and diffs, says there more than the words do."""
    workbench: bool = True
    """A turn can be shown whole: its plan, every step, the size of the diff."""
