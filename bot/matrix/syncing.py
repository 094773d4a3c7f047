"""What happens in our rooms, batch by batch, through any trouble: nothing twice, no gap, no tight loop."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar
from urllib.parse import urlencode

import msgspec
from nio import (
    BadEvent,
    EncryptionError,
    Event,
    InviteMemberEvent,
    MegolmEvent,
    RoomInfo,
    RoomKeyEvent,
    RoomMessagesResponse,
    SyncResponse,
    Timeline,
    UnknownBadEvent,
)

from bot.chat import ChatError, NotSent, Refused, Unknown
from bot.matrix.api import PREFIX, Api, in_room
from bot.matrix.client import Client
from bot.matrix.errors import LoggedOut, pausing
from bot.matrix.trouble import Trouble
from bot.matrix.wire import Json, RoomEvent, room_event, shallow
from core.dispatch.clock import Clock

POLL_SECONDS = 25
GRACE_SECONDS = 15.0
FIRST_SYNC_SECONDS = 180.0
LASTING = 3
"""Failures one after another, until it is told."""
MOST_MISSED = 2_000
"""Events of one room that are fetched after an outage; what is older was said to nobody."""
PAGE = 100
PAGE_SECONDS = 10.0
TRIES = 3
"""For a page of what was missed."""
GAPS_SECONDS = 60.0
"""All that was missed in all rooms has so long; then each page is tried once."""
SEEN_AT_ONCE = 50
FILTER = {
    "presence": {"types": []},
    "account_data": {"types": []},
    "room": {
        "timeline": {"limit": SEEN_AT_ONCE},
        "ephemeral": {"types": []},
        "account_data": {"types": []},
    },
}
"""Of everybody in a room we hear, also of those who never spoke: who is there decides what is meant for us,
and who gets our keys."""

logger = logging.getLogger(__name__)

T = TypeVar("T")
Anything = Event | BadEvent | UnknownBadEvent
Chance = Callable[[], float]
Tell = Callable[[Trouble, str], None]
pause_after = pausing(1.0, 60.0)


@dataclass(frozen=True, slots=True)
class Sealed:
    """An event that we have no key for, yet."""

    room: str
    event: str
    sender: str
    session: str
    source: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class Invite:
    """*direct*: into a room that is to be just theirs and ours."""

    room: str
    inviter: str
    direct: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Up to *token* we have heard everything now. *keys*: sessions that can be read from now on, each with
    its room."""

    token: str
    events: list[tuple[str, RoomEvent | Sealed]]
    invites: list[Invite]
    keys: list[tuple[str, str]]
    missed: list[tuple[str, str]] = field(default_factory=list)
    """The rooms of which something can't be had, each with what it was said after."""


class Syncing:
    """*chance* gives numbers from 0 to 1; *tell* hears of each trouble once, and of its end. *poll*: seconds
    for which the homeserver holds a question open."""

    def __init__(
        self,
        client: Client,
        api: Api,
        clock: Clock,
        chance: Chance,
        tell: Tell,
        *,
        since: str,
        poll: int = POLL_SECONDS,
    ) -> None:
        self._client = client
        self._api = api
        self._clock = clock
        self._chance = chance
        self._tell = tell
        self._since = since
        self._poll = poll
        self._whole = True
        self._answer: SyncResponse | None = None
        self._asked_at = 0.0
        self._trouble: Trouble | None = None
        self.since = 0.0
        """Whatever comes was said later than this (seconds since the epoch); 0 before we heard everything."""
        self.heard_at: float | None = None

    @property
    def trouble(self) -> Trouble | None:
        return self._trouble

    def confirm(self, batch: Batch) -> None:
        """It is stored: the next is asked for, and the homeserver hears of it with that."""
        self._since, self.since, self._answer = batch.token, self._asked_at, None

    async def insist(self, call: Callable[[], Awaitable[T]], *, tries: float = math.inf) -> T:
        """What *call* gives in the end. Errors: `LoggedOut`, `Refused`; after so many *tries* also the last
        one's."""
        failures = 0
        while True:
            try:
                result = await call()
            except (LoggedOut, Refused):
                raise
            except (NotSent, Unknown) as error:
                failures += 1
                if failures >= tries:
                    raise
                if failures >= LASTING and self._trouble is None:
                    self._trouble = Trouble.UNREACHABLE
                    self._tell(Trouble.UNREACHABLE, str(error))
                await self._clock.sleep(pause_after(error, failures, self._chance()))
            else:
                self.heard_at = self._clock.monotonic()
                if self._trouble:
                    self._trouble = None
                    self._tell(Trouble.BACK, "")
                return result

    async def batch(self) -> Batch:
        """The same one until it is confirmed. The first tells of every room who is in it and whether it is
        encrypted; where nothing was heard before, what was said so far was said to nobody. Errors:
        `LoggedOut`."""
        if self._answer is None:
            self._asked_at = self._clock.now()
            answer = await self.insist(self._ask)
            await self._client.receive_response(answer)
            self._answer, self._whole = answer, False
        answer, fresh, until = self._answer, not self._since, self._clock.monotonic() + GAPS_SECONDS
        events: list[tuple[str, RoomEvent | Sealed]] = []
        missed: list[tuple[str, str]] = []
        for room, joined in answer.rooms.join.items() if not fresh else ():
            heard, whole = await self._heard_in(room, joined, until)
            events += [(room, event) for event in heard]
            missed += [] if whole else [(room, self._since)]
        for room, left in answer.rooms.leave.items() if not fresh else ():
            events += [
                (room, event) for event in _read(room, left.timeline.events) if _ends(event, self._user)
            ]
            self._client.rooms.pop(room, None)
        return Batch(str(answer.next_batch), events, list(self._invites(answer)), list(_keys(answer)), missed)

    async def _ask(self) -> SyncResponse:
        quick = self._whole or self._trouble is not None
        asked = {
            "filter": msgspec.json.encode(FILTER).decode(),
            "timeout": 0 if quick else self._poll * 1000,
        }
        if self._since:
            asked["since"] = self._since
        if self._whole:
            asked["full_state"] = "true"
        seconds = FIRST_SYNC_SECONDS if self._whole else self._poll + GRACE_SECONDS
        found = await self._api.call("GET", f"{PREFIX}/sync?{urlencode(asked)}", dict, seconds=seconds)
        answer = SyncResponse.from_dict(shallow(found))
        if not isinstance(answer, SyncResponse):
            raise Unknown("what came is no sync")
        return answer

    async def _heard_in(
        self, room: str, joined: RoomInfo, until: float
    ) -> tuple[list[RoomEvent | Sealed], bool]:
        """What was said there to us, and whether that is all of it."""
        timeline, whole = await self._filled(room, joined.timeline, until)
        came = () if whole else self._came(room, joined.state)
        return [*came, *_since_invited(timeline, self._user)], whole

    async def _filled(
        self, room: str, timeline: Timeline, until: float
    ) -> tuple[list[RoomEvent | Sealed], bool]:
        """The timeline, with what it left out since we last heard of the room, or since we were invited, and
        whether that is all of it: a room whose past does not come holds up the others no longer than
        *until*."""
        events = list(_read(room, timeline.events))
        start, missed = timeline.prev_batch if timeline.limited else "", 0
        joins = any(_own(event, self._user, "join") for event in events)
        while start and not any(_own(e, self._user, "invite") for e in events):
            page = await self._had(room, start, "" if joins else self._since, until)
            if page is None or missed >= MOST_MISSED:
                return events, False
            events = [*_read(room, reversed(page.chunk)), *events]
            missed += len(page.chunk)
            start = page.end if page.chunk else ""
        return events, True

    def _came(self, room: str, state: Iterable[Anything]) -> Iterator[RoomEvent | Sealed]:
        """Who is there by now, of whom what was missed may have told; whom we know we hear of once more."""
        for event in _read(room, state):
            if isinstance(event, RoomEvent) and event.joins and event.state_key != self._user:
                yield event

    async def _had(self, room: str, start: str, end: str, until: float) -> RoomMessagesResponse | None:
        """None for a page that does not come."""
        tries = TRIES if self._clock.monotonic() < until else 1
        try:
            return await self.insist(partial(self._page, room, start, end), tries=tries)
        except LoggedOut:
            raise
        except ChatError as error:
            logger.warning("matrix: what was missed in a room can't be had: %s", error)
            return None

    async def _page(self, room: str, start: str, end: str) -> RoomMessagesResponse:
        asked = {"from": start, "dir": "b", "limit": PAGE} | ({"to": end} if end else {})
        path = f"{in_room(room, 'messages')}?{urlencode(asked)}"
        found = await self._api.call("GET", path, dict, seconds=PAGE_SECONDS)
        page = RoomMessagesResponse.from_dict(shallow(found), room)
        if not isinstance(page, RoomMessagesResponse):
            raise Unknown("what came is no page of messages")
        await self._client.receive_response(page)
        return page

    @property
    def _user(self) -> str:
        return str(self._client.user_id)

    def _invites(self, answer: SyncResponse) -> Iterator[Invite]:
        for room, invited in answer.rooms.invite.items():
            for event in invited.invite_state:
                source = event.source
                if source.get("type") == "m.room.member" and source.get("state_key") == self._user:
                    content = event.content if isinstance(event, InviteMemberEvent) else {}
                    direct = content.get("is_direct") is True
                    yield Invite(room, str(source.get("sender", "")), direct)


def unsealed(client: Client, room: str, source: Json) -> RoomEvent | None:
    """A sealed event, if we can read it by now."""
    event = MegolmEvent.from_dict({**source, "room_id": room})
    if not isinstance(event, MegolmEvent):
        return None
    try:
        opened = client.decrypt_event(event)
    except (EncryptionError, RecursionError):
        return None
    return room_event(opened.source, str(opened.sender_key or ""))


def _read(room: str, events: Iterable[Anything]) -> Iterator[RoomEvent | Sealed]:
    for event in events:
        if isinstance(event, MegolmEvent):
            yield Sealed(room, event.event_id, event.sender, event.session_id or "", event.source)
        else:
            sealed_by = event.sender_key if isinstance(event, Event) and event.decrypted else ""
            if found := room_event(event.source, str(sealed_by or "")):
                yield found


def _own(event: RoomEvent | Sealed, user: str, membership: str) -> bool:
    return isinstance(event, RoomEvent) and event.state_key == user and event.membership == membership


def _ends(event: RoomEvent | Sealed, user: str) -> bool:
    """Whether we are in the room no more by it."""
    return any(_own(event, user, membership) for membership in ("leave", "ban"))


def _since_invited(events: Sequence[RoomEvent | Sealed], user: str) -> Sequence[RoomEvent | Sealed]:
    """Whatever was said before we were there was not said to us."""
    for membership in ("invite", "join"):
        places = [at for at, event in enumerate(events) if _own(event, user, membership)]
        if places:
            return events[places[-1] :]
    return events


def _keys(answer: SyncResponse) -> Iterator[tuple[str, str]]:
    for event in answer.to_device_events:
        if isinstance(event, RoomKeyEvent):
            yield str(event.room_id), str(event.session_id)
