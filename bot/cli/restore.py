"""`roost restore`: a backup takes the place of the database, which is kept beside it."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import click

from bot.cli.call import Call
from bot.cli.lazy import Command
from bot.cli.program import settings_of
from bot.cli.screen import say
from bot.replies.marks import code
from core.dispatch.locks import DISPATCH, SERVICE, FileLock
from core.errors import Refused, StoreError
from core.hosts.directory import any_alive
from core.store import copies
from core.store.database import FILE_NAME
from core.store.folder import made_private
from core.store.health import Health, health


@click.command(cls=Command)
@click.argument("file")
@click.pass_obj
def command(call: Call, file: str) -> int:
    """Errors: `Refused` while somebody works with the database, or where *file* is no sound backup."""
    data_dir = settings_of(call).data_dir
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    try:
        made_private(data_dir)
        kept = _alone(data_dir, Path(os.path.abspath(file)), stamp)
    except OSError as error:
        raise StoreError(why=error.strerror or "") from error
    say(call.texts.say("cli.restore.done", path=code(file, most=200)))
    if kept:
        say(call.texts.say("cli.restore.kept", path=code(str(kept), most=200)))
    return 0


def _alone(data_dir: Path, file: Path, stamp: str) -> Path | None:
    """Restore while we hold both locks, so that nobody begins to dispatch meanwhile."""
    locks = {FileLock(data_dir / SERVICE): "in_use", FileLock(data_dir / DISPATCH): "open"}
    try:
        for lock, why in locks.items():
            if not lock.acquire():
                raise Refused(f"cli.restore.{why}")
        # Nobody can take up, or stop, what runs for a database that is damaged.
        if any_alive(data_dir) and health(data_dir / FILE_NAME) is not Health.DAMAGED:
            raise Refused("cli.restore.agents")
        return copies.restore(file, data_dir / FILE_NAME, stamp=stamp)
    finally:
        for lock in locks:
            lock.release()
