"""The command line: one word, one module, loaded when the word is said."""

from __future__ import annotations

from collections.abc import Sequence

from bot.cli.interrupt import at_once


def main(arguments: Sequence[str] | None = None) -> int:
    """One call of `roost`; its exit status."""
    at_once()
    # Only now: loading takes a while, in which somebody may change their mind.
    from bot.cli.commands import main as commanded

    return commanded(arguments)
