"""Whether a turn leaves so little room in its session that the next thing to do is to make some."""

from __future__ import annotations

from core.dispatch.retry import COMPACTABLE
from core.engines.port import Engine
from core.model.prompt import Kind
from core.model.turn import Turn
from core.store.queue import Work
from core.store.turns import Ending

NEARLY_FULL = 0.85
"""Of the model's window. Engines that compact by themselves do so in mid-turn, at 0.9 and more."""


def fills(work: Work, engine: Engine, turn: Turn, ending: Ending) -> bool:
    """Never after a compaction: one that makes no room is not followed by another. A turn that failed counts
    only where it did so for want of room."""
    if work.prompt.kind is not Kind.WORDS or not engine.capabilities.compact:
        return False
    fullness = turn.usage.fullness if turn.usage else None
    nearly = fullness is not None and fullness >= NEARLY_FULL
    return ending.reason == COMPACTABLE or (nearly and not ending.reason)
