"""What went wrong, in one sentence, and the exit status for it."""

from __future__ import annotations

import logging
import os

from bot.cli.call import Call
from bot.cli.screen import say
from bot.replies import errors
from bot.replies.errors import About
from bot.replies.marks import code, literal
from bot.texts import Texts
from core.errors import ConfigError, CoreError, Refused, UnknownConversation, UnknownProject, UnknownPrompt

FAILED, MISTAKEN = 1, 2
HERE = {
    UnknownProject.key: "cli.unknown.project",
    UnknownConversation.key: "cli.unknown.conversation",
    UnknownPrompt.key: "cli.unknown.prompt",
}
"""Sentences that name a chat's command, and those that name ours."""

logger = logging.getLogger(__name__)


def told(error: Exception, call: Call) -> int:
    """Say *error* on stderr; the stack trace is for whoever asked for it with `--debug`."""
    logger.debug("the command failed", exc_info=error)
    about = About(os.uname().nodename, path=call.database)
    match error:
        case CoreError():
            error.key = HERE.get(error.key, error.key)
            say(errors.refused(error, about, call.texts).markdown)
        case UnicodeEncodeError():
            say(call.texts.say("cli.no_text"))
        case OSError():
            say(_system(error, call.texts))
        case _:
            say(call.texts.say("cli.unexpected", name=type(error).__name__))
    return MISTAKEN if isinstance(error, ConfigError | Refused | UnicodeEncodeError) else FAILED


def _system(error: OSError, texts: Texts) -> str:
    """Which file, if it is one, and the system's own words."""
    why = literal(error.strerror or str(error))
    if error.filename is None:
        return texts.say("cli.system", why=why)
    return texts.say("cli.system_file", path=code(str(error.filename), most=200), why=why)
