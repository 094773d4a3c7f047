"""What a message of ours says gives way to something else."""

from __future__ import annotations

import logging

from bot.chat import MessageRef, Refused, RoomAddress, Text, Why
from bot.gates import Gates

logger = logging.getLogger(__name__)


async def rewrite(gates: Gates, there: RoomAddress, message: str, markdown: str) -> bool:
    """Let *message* say that from now on, and nothing be pressed under it. Whether it does: it may be too old
    for that, or gone."""
    try:
        with gates.to(there) as chat:
            await chat.edit(there, MessageRef(message), Text(markdown, silent=True))
    except Refused as refusal:
        if refusal.why is Why.MOVED:
            raise
        logger.info("what was told stays: %s", refusal)
        return False
    return True


async def fold(gates: Gates, there: RoomAddress, shown: MessageRef, left: Text) -> None:
    """A message that can't be edited goes: none may say for ever that a turn is at work."""
    try:
        with gates.to(there) as chat:
            await chat.edit(there, shown, left)
    except Refused as refusal:
        if refusal.why in (Why.MOVED, Why.FORBIDDEN):
            raise
        with gates.to(there) as chat:
            await chat.delete(there, shown)
