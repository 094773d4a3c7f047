"""One turn as it is asked of an engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.model.ids import SessionId
from core.model.project import Access


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One turn to run. *text* is complete: the person's own words first, then our instruction.

    *images* are absolute paths on the host. *env* is the whole environment that the agent gets.
    """

    cwd: str
    text: str
    access: Access
    env: Mapping[str, str] = field(repr=False)
    session: SessionId | None = None
    model: str = ""
    effort: str = ""
    images: tuple[str, ...] = ()
    pictures: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Those of *images* that are given in the words themselves, by path, in base64."""
    language: str = ""
    """The conversation's language ("en", "fr"), for an agent that answers in it by itself."""
    fork: SessionId | None = None
    """Without a *session*: the one that the new session is forked from."""
    compact: bool = False
    """Compact the session's context; there are no words."""
    approvals: bool = False
    """Whether a person is asked before a step that the access does not cover; else it is refused."""
    real: str = ""
    """Where *cwd* leads, every link followed, as far as that is known."""
