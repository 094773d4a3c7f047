"""What a conversation, a room and its people wish: shown, chosen from, and kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from bot.access import Role
from bot.chat import Outgoing, Text
from bot.handlers import mirroring
from bot.handlers.desk import Desk, Place
from bot.handlers.listening import hearing
from bot.handlers.room import conversation_here, project_of
from bot.intents.values import Listen
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish, ShowWish, ShowWishes, Wish
from bot.intents.wishing import AS_USUAL, LISTEN
from bot.replies import wishes as reply
from bot.replies.context import no_compaction
from bot.texts import Texts, languages
from core.errors import Refused
from core.model.ids import RoomId
from core.model.preferences import Quiet, RoomWishes, Theme, View
from core.store import boards, conversations, mirrors, preferences
from core.store.database import Db

Wished: TypeAlias = ShowWishes | ShowWish | SetWish | AgreeMirror | RefuseMirror


async def wishes(intent: Wished, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject` for what takes one, `Refused` for an engine that this version can't drive."""
    if isinstance(intent, AgreeMirror | RefuseMirror):
        return await mirroring.settle(intent, place, desk)
    texts, here = desk.texts(place), _here(desk)
    if isinstance(intent, ShowWish | SetWish) and intent.wish in desk.lacks:
        return [reply.lacking(intent.wish, texts)]
    if isinstance(intent, SetWish):
        return await _set(intent, here, place, desk)
    now = await desk.store.read(_all, place)
    if isinstance(intent, ShowWish):
        return [reply.shown(intent.wish, now[intent.wish], here, texts)]
    told = await hearing(desk.store, place.address)
    there = {wish: value for wish, value in now.items() if wish not in desk.lacks}
    listen = None if LISTEN in desk.lacks else Listen(told.listen or Listen.AUTO)
    return [reply.everything(there, listen, here, texts)]


def _here(desk: Desk) -> reply.Here:
    spoken = {name: Texts(name).say("language.name") for name in languages()}
    return reply.Here(spoken, desk.machine, time.localtime(desk.clock.now()).tm_zone)


async def _set(intent: SetWish, here: reply.Here, place: Place, desk: Desk) -> list[Outgoing]:
    if refusal := _refused(intent, here, place, desk):
        return [refusal]
    if intent.wish is Wish.MIRROR:
        return await mirroring.mirror(intent.value == ON, place, desk)
    now = desk.clock.now()

    def said(value: str) -> list[Outgoing]:
        language = value if intent.wish is Wish.LANGUAGE else place.room.language
        return [reply.now(intent.wish, value, here, desk.words(language.replace(AS_USUAL, "")))]

    return await desk.once(place, lambda db: _keep(db, intent, place, desk, now=now), said)


def _refused(intent: SetWish, here: reply.Here, place: Place, desk: Desk) -> Text | None:
    """Why it can't be so here."""
    texts = desk.texts(place)
    match intent:
        case SetWish(Wish.LANGUAGE, value) if value not in (AS_USUAL, *here.spoken):
            return reply.unspoken(value, here, texts)
        case SetWish(Wish.AUTO_COMPACT, value) if value == ON:
            engine = desk.catalogue.engine(desk.engine_for(project_of(place), place.conversation))
            return None if engine.capabilities.compact else no_compaction(engine.label, texts)
        case _:
            return None


def _keep(db: Db, intent: SetWish, place: Place, desk: Desk, *, now: float) -> str:
    """The wish as it is from now on."""
    value = intent.value
    match intent.wish:
        case Wish.AUTO_COMPACT:
            here = conversation_here(db, place, desk, now=now)
            conversations.set_auto_compact(db, here.id, on=value == ON)
            return value
        case Wish.DASHBOARD:
            _board(db, place, wanted=value == ON)
        case Wish.NOTIFICATIONS:
            quiet = QUIET[value] if value in QUIET else _hours(value)
            preferences.set_quiet(db, place.address.platform, place.person.id, quiet)
        case wish:
            OF_A_ROOM[wish](db, place.room.id, value)
    return _all(db, place)[intent.wish]


ON = "on"
OF_A_ROOM: dict[Wish, Callable[[Db, RoomId, str], None]] = {
    Wish.VIEW: lambda db, room, value: preferences.set_view(db, room, View(value)),
    Wish.THEME: lambda db, room, value: preferences.set_theme(db, room, Theme(value)),
    Wish.LANGUAGE: lambda db, room, value: preferences.set_language(
        db, room, "" if value == AS_USUAL else value
    ),
    Wish.DRAFTS: lambda db, room, value: preferences.set_drafts(db, room, wanted=value == ON),
    Wish.RICH: lambda db, room, value: preferences.set_rich(db, room, wanted=value == ON),
}


def _board(db: Db, place: Place, *, wanted: bool) -> None:
    """It stands in the main part of the chat, which is in this project if it was in none. Errors: `Refused`
    where that is in one in which who is there may not work."""
    platform, account, chat, _ = conversations.address_of(db, place.room.id)[0]
    main = conversations.room(db, platform, account, chat)
    if main.project is not None and not place.rights.within(main.project).at_least(Role.MEMBER):
        raise Refused(f"access.{Role.MEMBER}")
    if wanted and main.project is None:
        conversations.bind(db, main.id, project_of(place).id)
    boards.want(db, main.id, wanted=wanted)


def _all(db: Db, place: Place) -> dict[Wish, str]:
    here = preferences.of_room(db, place.room.id)
    quiet = preferences.quiet_of(db, place.address.platform, place.person.id)
    compacts = place.conversation is not None and place.conversation.auto_compact
    own = {Wish.AUTO_COMPACT: ON if compacts else "off"}
    mirror = "off" if mirrors.lead(db, place.room.id) is None else ON
    return {**own, **_of_room(here), Wish.MIRROR: mirror, Wish.NOTIFICATIONS: _worded(quiet)}


def _of_room(here: RoomWishes) -> dict[Wish, str]:
    return {
        Wish.VIEW: here.view,
        Wish.DASHBOARD: "on" if here.board else "off",
        Wish.THEME: here.theme,
        Wish.LANGUAGE: here.language or AS_USUAL,
        Wish.DRAFTS: "on" if here.drafts else "off",
        Wish.RICH: "on" if here.rich else "off",
    }


QUIET: dict[str, Quiet | None] = {"on": None, "off": Quiet(0, 0)}
"""What is not said in hours: called at any time, or never."""


def _hours(value: str) -> Quiet:
    """`22-7` and `22:00-07:00`."""
    return Quiet(*(_minute(hour) for hour in value.split("-")))


def _minute(hour: str) -> int:
    hours, _, minutes = hour.partition(":")
    return int(hours) * 60 + int(minutes or 0)


def _worded(quiet: Quiet | None) -> str:
    """As it is written: `on`, `off`, `22:00-07:00`."""
    fixed = next((word for word, means in QUIET.items() if means == quiet), "")
    if fixed or quiet is None:
        return fixed
    return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in (quiet.begins, quiet.ends))
