"""The log: one line each on stderr, no secret in it, and no stack trace unless somebody looks for a fault."""

from __future__ import annotations

import logging
from collections.abc import Callable

from core.answers.secrets import Masker
from core.settings import Settings

QUIET = logging.CRITICAL + 1
"""A command's own sentences say what there is to say."""


def log_to_stderr(settings: Settings, *, debug: bool = False, service: bool = False) -> None:
    """From now on what is logged goes to stderr: what a *service* does, everything with *debug*."""
    handler = logging.StreamHandler()
    handler.setFormatter(Line(Masker(settings.secrets()).mask, whole=debug))
    logging.basicConfig(level=logging.WARNING if service or debug else QUIET, handlers=[handler], force=True)
    for own in ("bot", "core"):
        logging.getLogger(own).setLevel(logging.DEBUG if debug else logging.INFO if service else QUIET)


class Line(logging.Formatter):
    """One line for each record, masked; the *whole* of it with its stack trace."""

    def __init__(self, mask: Callable[[str], str], *, whole: bool) -> None:
        super().__init__("%(levelname)s %(message)s")
        self._mask = mask
        self._whole = whole

    def format(self, record: logging.LogRecord) -> str:
        if self._whole:
            return self._mask(super().format(record))
        cause = f": {type(record.exc_info[1]).__name__}" if record.exc_info and record.exc_info[1] else ""
        line = f"{record.levelname.lower()}: {record.getMessage()}{cause}"
        return self._mask(" ".join(line.split()))
