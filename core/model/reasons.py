"""Why a prompt ended as it did, where something else depends on it: each is a sentence in `locales/`."""

from __future__ import annotations

STOPPED = "prompt.stopped"
DROPPED = "prompt.dropped"
DROPPED_ELSEWHERE = "prompt.dropped_elsewhere"
"""Its own room knows nothing of it yet."""
TOLD = "prompt.told"
"""Its words were told to a turn at work, whose answer is its own."""
NO_RIGHT = "prompt.no_right"
"""Whoever asked may not any more: an owner decides."""
SET_ASIDE = "prompt.set_aside"
"""It went wrong twice: a person decides."""
ATTACHMENT = "prompt.attachment"
"""A file that belongs to it could not be had."""
