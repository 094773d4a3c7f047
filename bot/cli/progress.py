"""A prompt on its way as plain lines: each change once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from bot import told
from bot.live import Ended, Settled, Told, View, Waits, Works
from bot.replies import progress, queue
from bot.texts import Texts


class Teller:
    """Says of each view what the one before did not show."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._before: Counter[str] = Counter()

    def news(self, view: View) -> Iterator[str]:
        """The lines of *view* that are new; a clock's tick, up or down, is no news."""
        if isinstance(view, Told):
            yield told.said(view, None, self._texts).markdown
            return
        if isinstance(view, Settled):
            yield told.settled(view, self._texts).markdown
            return
        lines = Counter(self._lines(view))
        yield from (lines - self._before).elements()
        self._before = lines

    def _lines(self, view: Waits | Works | Ended) -> list[str]:
        match view:
            case Waits(_, reason):
                return [queue.reason(reason, self._texts)] if reason else []
            case Works(_, live):
                wait = live.turn.waiting
                still = replace(live, retry_in=wait.delay) if wait else live
                return progress.progress(still, self._texts).markdown.splitlines()[1:]
            case Ended():
                return []
