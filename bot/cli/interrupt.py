"""What Ctrl-C does before a command has begun, and from then on."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

Handler = Callable[[int, FrameType | None], object] | signal.Handlers


def at_once() -> None:
    """It ends us without a word: nothing is begun that could be left half done."""
    _change(signal.default_int_handler, signal.SIG_DFL)


def in_order() -> None:
    """It is `KeyboardInterrupt`, so that what has begun is closed."""
    _change(signal.SIG_DFL, signal.default_int_handler)


def _change(before: Handler, now: Handler) -> None:
    """Whoever started us to ignore it is obeyed."""
    if signal.getsignal(signal.SIGINT) == before:
        signal.signal(signal.SIGINT, now)
