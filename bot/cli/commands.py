"""Every command by its word, and how a call of it ends."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from bot.cli import streams
from bot.cli.call import call_of
from bot.cli.lazy import LazyGroup, version_option
from bot.cli.usage import misuse

MODULES = {
    "chat": "bot.cli.talk",
    "run": "bot.cli.run",
    "setup": "bot.cli.setup",
    "pair": "bot.cli.pair",
    "check": "bot.cli.check",
    "project": "bot.cli.project",
    "ask": "bot.cli.ask",
    "status": "bot.cli.status",
    "cancel": "bot.cli.cancel",
    "compact": "bot.cli.compact",
    "events": "bot.cli.events",
    "backup": "bot.cli.backup",
    "restore": "bot.cli.restore",
    "worker": "bot.cli.later",
    "host-agent": "bot.cli.later",
}
USAGE, STOPPED = 2, 130

roost = LazyGroup("roost", modules=MODULES, later="bot.cli.later", params=[version_option()])


def main(arguments: Sequence[str] | None = None) -> int:
    """One call of `roost`; its exit status: 0 well, 1 failed, 2 usage or configuration, 75 another service
    runs, 130 cancelled."""
    streams.made_whole()
    call = call_of(os.environ)
    try:
        status = roost.main(arguments, prog_name="roost", standalone_mode=False, obj=call)
    except click.UsageError as error:
        from bot.cli.screen import say

        say(misuse(error, call.texts))
        return USAGE
    except click.Abort:
        return STOPPED
    except Exception as error:  # noqa: BLE001 (the last resort: a person is told in a sentence)
        # Only here, so that what goes well pays nothing for the words of what goes wrong.
        from bot.cli.trouble import told

        return told(error, call)
    finally:
        streams.let_go()
    return status if isinstance(status, int) else 0
