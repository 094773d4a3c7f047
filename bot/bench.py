"""How a turn at work is shown in one room: as a card, or as the whole workbench, with what changed."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from bot.chat import Text
from bot.endings import folded, is_compacted
from bot.handlers.desk import Desk
from bot.live import Ended
from bot.replies import atelier, progress, streaming
from bot.replies.progress import Live
from bot.texts import Texts
from core.answers.diffs import DiffSize, size_of
from core.errors import CoreError
from core.model.project import Project
from core.model.reasons import TOLD

MEASURE_SECONDS = 10.0
"""Between two looks at what changed; more where a look takes long: it is a tenth of the time at most."""
LAST_LOOK_SECONDS = 1.0
"""An answer waits no longer than that for what is only shown beside it."""

logger = logging.getLogger(__name__)


class Card:
    """At most eight lines, and one in the end."""

    async def measure(self) -> None:
        """Nothing beside the turn."""

    def draw(self, live: Live, texts: Texts) -> Text:
        return streaming.with_words(progress.progress(live, texts), live.turn.streamed)

    async def left(self, ended: Ended, texts: Texts) -> Text:
        return folded(ended, texts)


class Bench:
    """Everything that has room in *most* units; what changed in the project is measured now and then."""

    def __init__(self, project: Project, desk: Desk, *, most: int) -> None:
        self._project = project
        self._desk = desk
        self._most = most
        self._changed = DiffSize()

    async def measure(self) -> None:
        """Until cancelled."""
        clock = self._desk.clock
        while True:
            began = clock.monotonic()
            await self._look()
            took = clock.monotonic() - began
            await clock.sleep(max(MEASURE_SECONDS, took * 9))

    def draw(self, live: Live, texts: Texts) -> Text:
        """The bench gives way to the words of an answer, but for a third of the room."""
        words = len(streaming.grown(live.turn.streamed))
        most = max(self._most - words, self._most // 3)
        return streaming.with_words(atelier.bench(live, self._changed, texts, most=most), live.turn.streamed)

    async def left(self, ended: Ended, texts: Texts) -> Text:
        """Of what was no turn at work there is no more than of any other."""
        if ended.prompt.started_at is None or ended.prompt.reason == TOLD or is_compacted(ended):
            return folded(ended, texts)
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_LOOK_SECONDS):
                await self._look()
        over = (ended.turn, ended.prompt.status, ended.elapsed, self._changed, texts)
        return atelier.cleared(*over, most=self._most)

    async def _look(self) -> None:
        try:
            host = self._desk.host(self._project.host)
            self._changed = size_of(await host.diff(self._project.path, real=self._project.real))
        except CoreError as error:
            logger.info("what changed in %s can't be seen: %s", self._project.name, error.key)
