"""What was said in our rooms lately, for messages that point at it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from bot.chat import ChatError
from bot.matrix.api import Api, in_room
from bot.matrix.client import Client
from bot.matrix.syncing import unsealed
from bot.matrix.translate import Here, Words, words
from bot.matrix.wire import Json, RoomEvent, room_event

MOST = 1_000
SECONDS = 10.0
"""For one that is not known: all hearing waits meanwhile."""
ENCRYPTED = "m.room.encrypted"


@dataclass(frozen=True, slots=True)
class Said:
    """A message, as somebody points at it."""

    sender: str
    words: Words


class Recall:
    """Messages by their names; ours too, since we hear them like everybody else's."""

    def __init__(self, client: Client, api: Api) -> None:
        self._client = client
        self._api = api
        self._said: OrderedDict[str, Said] = OrderedDict()

    def keep(self, event: RoomEvent) -> None:
        said = words(event)
        if said is None:
            return
        self._said[event.event_id] = Said(event.sender, said)
        while len(self._said) > MOST:
            self._said.popitem(last=False)

    def forget(self, message: str) -> None:
        """It was taken back."""
        self._said.pop(message, None)

    def thread_of(self, message: str) -> str:
        """Empty also where nobody knows any more."""
        return self._said[message].words.thread if message in self._said else ""

    async def find(self, here: Here, message: str) -> Said | None:
        """What *message* says, if it can be had and read."""
        if message not in self._said and (event := await self._fetched(here, message)):
            self.keep(event)
        return self._said.get(message)

    async def _fetched(self, here: Here, message: str) -> RoomEvent | None:
        try:
            path = in_room(here.room, "event", message)
            source: Json = await self._api.call("GET", path, dict, seconds=SECONDS)
        except ChatError:
            return None
        if source.get("type") == ENCRYPTED:
            return unsealed(self._client, here.room, source)
        return None if here.encrypted else room_event(source, "")
