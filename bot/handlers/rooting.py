"""A request that begins a thread belongs into it, and what its sender changes of it later."""

from __future__ import annotations

from dataclasses import replace

from bot.chat import Edited, Incoming, Message, MessageRef, Redacted
from bot.handlers.desk import Desk
from bot.intents.values import Ask, Intent
from core.store import mirrors, threads


def may_sit_elsewhere(incoming: Incoming) -> bool:
    """Whether what is said in return may be due in another room than that where it was heard."""
    return isinstance(incoming, Edited | Redacted) or (isinstance(incoming, Message) and incoming.begins)


async def seated(incoming: Incoming, intent: Intent, desk: Desk) -> Incoming:
    """*incoming* as said where it is acted on: what is seen in other rooms too begins no thread."""
    match incoming:
        case Message(begins=True, room=room) if isinstance(intent, Ask):
            here = (room.platform, room.account, room.chat, room.thread)
            shared = await desk.store.glance(mirrors.is_together, *here)
            return incoming if shared else _in_thread(incoming, incoming.id)
        case Edited(room=room, message=message) | Redacted(room=room, message=message) if not room.thread:
            begun = await desk.store.glance(
                threads.begun, room.platform, room.account, room.chat, str(message)
            )
            return _in_thread(incoming, message) if message and begun else incoming
        case _:
            return incoming


def _in_thread(incoming: Incoming, root: MessageRef) -> Incoming:
    return replace(incoming, room=replace(incoming.room, thread=root))
