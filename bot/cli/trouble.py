"""What went wrong, in one sentence, and the exit status for it."""

from __future__ import annotations

import logging
import os

from bot.cli.call import Call
from bot.cli.screen import say
from bot.replies import errors
from bot.replies.errors import About
from core.errors import ConfigError, CoreError, Refused

FAILED, MISTAKEN = 1, 2

logger = logging.getLogger(__name__)


def told(error: Exception, call: Call) -> int:
    """Say *error* on stderr; the stack trace is for whoever asked for it with `--debug`."""
    logger.debug("the command failed", exc_info=error)
    if isinstance(error, ConfigError):
        first = call.texts.count(error.key, len(error.faults))
        faults = (errors.sentence(one.key, one.fields, ABOUT, call.texts) for one in error.faults)
        say("\n".join([first, *(f"- {fault}" for fault in faults)]))
    elif isinstance(error, CoreError):
        say(errors.refused(error, ABOUT, call.texts).markdown)
    else:
        say(call.texts.say("cli.unexpected", name=type(error).__name__))
    return MISTAKEN if isinstance(error, ConfigError | Refused) else FAILED


ABOUT = About(os.uname().nodename)
