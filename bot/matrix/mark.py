"""A mark of our keys that the homeserver keeps as well: an older copy of them bears an older one."""

from __future__ import annotations

import secrets

from msgspec import Struct

from bot.chat import Refused, Why
from bot.matrix.api import PREFIX, Api, quoted
from bot.matrix.kept import Kept, Session
from bot.matrix.wire import Nothing

KIND = "org.roost.keys"


class _Content(Struct):
    mark: str = ""


class Mark:
    """Renewed at each start. Errors of every call: `ChatError`."""

    def __init__(self, api: Api, kept: Kept, session: Session) -> None:
        self._api = api
        self._kept = kept
        user, kind = quoted(session.user), quoted(f"{KIND}.{session.device}")
        self._path = f"{PREFIX}/user/{user}/account_data/{kind}"
        self._device = session.device

    async def holds(self) -> bool:
        """Whether our keys are those that worked last: where we died while the mark was renewed, either."""
        try:
            there = await self._api.call("GET", self._path, _Content)
        except Refused as refusal:
            if refusal.why is not Why.GONE:
                raise
            return True
        return there.mark in self._kept.marks(self._device)

    async def renew(self) -> None:
        new = secrets.token_hex(8)
        self._kept.keep_marks(self._device, [*self._kept.marks(self._device)[-1:], new])
        await self._api.call("PUT", self._path, Nothing, _Content(new))
        self._kept.keep_marks(self._device, [new])
