"""What is being written, shown as a draft, and given up where a server has no such thing."""

from __future__ import annotations

import logging

from bot.chat import Refused, RoomAddress, Text, Why
from bot.telegram.api import Api, Patience
from bot.telegram.cut import first
from bot.telegram.errors import calling
from bot.telegram.part import Part
from bot.telegram.sending import entities_of, thread_of

logger = logging.getLogger(__name__)


class Drafts:
    """*possible*: whether this server takes them. The first refusal is the last call: who goes on after one
    gets the chat closed (`telegram.md` §4)."""

    def __init__(self, api: Api, patience: Patience) -> None:
        self._api = api
        self._patience = patience
        self.possible = True

    async def show(self, room: RoomAddress, number: int, text: Text) -> None:
        part = first(text) or Part()
        asked = {
            "chat_id": int(room.chat),
            "message_thread_id": thread_of(room),
            "draft_id": number,
            "text": part.text,
            "entities": entities_of(part),
            "can_stop": True,
        }
        try:
            async with calling(self._patience.call):
                await self._api.newer("sendMessageDraft", asked)
        except Refused as refusal:
            if refusal.why not in (Why.MOVED, Why.FORBIDDEN, Why.THREAD):
                logger.info("no more drafts: %s", refusal)
                self.possible = False
            raise
