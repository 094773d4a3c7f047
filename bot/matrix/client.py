"""The library's client: what it keeps is whole at every moment, and it says nothing by itself."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nio import Event, MatrixRoom, RoomMessagesResponse, SyncResponse, ToDeviceEvent
from nio.client.async_client import AsyncClient, AsyncClientConfig
from nio.crypto import ENCRYPTION_ENABLED
from nio.events.misc import BadEventType

from bot.matrix.errors import KeysLost

if TYPE_CHECKING:
    from nio.store.database import MatrixStore

CALL_SECONDS = 30.0
TOLD_TOO_MUCH = ("nio", "peewee")
"""Loggers that write what people said, keys, and an error for every event that this version doesn't know."""

__all__ = ["CALL_SECONDS", "ENCRYPTION_ENABLED", "Client", "client_for"]


class Client(AsyncClient):
    """Asked for no sync loop and no retry: it encrypts, and knows who is in which room."""

    async def _handle_to_device(self, response: SyncResponse) -> None:
        """Redelivered after a crash in between, a message would not decrypt again, and its key would be lost
        for ever."""
        if self.store is None:
            await super()._handle_to_device(response)
            return
        with self.store.database.atomic():
            await super()._handle_to_device(response)

    def _handle_timeline_event(
        self, event: Event | BadEventType, room_id: str, room: MatrixRoom, encrypted_rooms: set[str]
    ) -> Event | BadEventType | None:
        """What was nested too deep before it was encrypted stays so, and takes no other down with it."""
        try:
            return super()._handle_timeline_event(event, room_id, room, encrypted_rooms)
        except RecursionError:
            return None

    def _handle_messages_response(self, response: RoomMessagesResponse) -> None:
        with suppress(RecursionError):
            super()._handle_messages_response(response)

    def _handle_decrypt_to_device(self, to_device_event: ToDeviceEvent) -> ToDeviceEvent | None:
        try:
            return super()._handle_decrypt_to_device(to_device_event)
        except RecursionError:
            return None

    async def close(self) -> None:
        await super().close()  # type: ignore[no-untyped-call]


def client_for(
    homeserver: str, user: str, device: str, token: str, *, keys: Path | None, pickle: str
) -> Client:
    """*keys* is the folder of what it keeps, closed by *pickle*; without it nothing is encrypted. Errors:
    `KeysLost` where that can't be opened."""
    for name in TOLD_TOO_MUCH:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    config = AsyncClientConfig(
        store=_store(keys),
        store_sync_tokens=False,
        encryption_enabled=keys is not None,
        pickle_key=pickle,
        max_limit_exceeded=0,
        max_timeouts=0,
        request_timeout=CALL_SECONDS,
    )
    client = Client(homeserver, user, device, str(keys or ""), config=config)
    client.user_id, client.access_token = user, token
    if keys:
        _load(client)
    return client


def _load(client: Client) -> None:
    from bot.matrix.keystore import UNREADABLE

    try:
        client.load_store()  # type: ignore[no-untyped-call]
    except UNREADABLE:
        raise KeysLost("the keys of this device can't be opened") from None


def _store(keys: Path | None) -> type[MatrixStore] | None:
    """Its library is not there where nothing can be encrypted."""
    if keys is None:
        return None
    from bot.matrix.keystore import KeyStore

    return KeyStore
