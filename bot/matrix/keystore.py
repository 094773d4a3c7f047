"""The library's keys on the disk."""

from __future__ import annotations

from nio.crypto.sessions import InboundGroupSession
from nio.store.database import SqliteStore
from peewee import DatabaseError  # type: ignore[import-untyped]

from core.crash import crash_point

UNREADABLE = (ValueError, DatabaseError)
"""What it is opened with in vain where another password closed it, or where it is damaged."""


class KeyStore(SqliteStore):
    """The library commits the ratchet of a to-device message before the key that came in it; whoever takes
    both in one transaction is safe from what `crash_point` does between them."""

    def save_inbound_group_session(self, session: InboundGroupSession) -> None:
        crash_point("room_key")
        super().save_inbound_group_session(session)
