"""Several messages that were sent as one: which they are, how long more may come, what they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bot.chat import Edited, Happened, How, Incoming, Message, Pointed, Press, Redacted, Toward
from bot.intents.parse import Here, parse
from bot.intents.values import Ask, NotForUs, Unreadable
from core.model.prompt import Piece, joined

REST_SECONDS = 1.5
"""An app sends the pieces of a long text one after the other, each once the one before has arrived."""
ALBUM_SECONDS = 1.0
FORWARD_SECONDS = 1.0
COMMENT_SECONDS = 0.25
"""A comment and what is forwarded with it leave the app together."""
LONGEST_SECONDS = 10.0
"""Whatever comes after so long is no part of it any more."""
MOST = 100
CLOCK_SECONDS = 1.0
"""Platforms tell whole seconds."""
BLANK = "\n\n"


def hold(last: Message) -> float:
    """Seconds within which more may belong to *last*, 0 where nothing can."""
    if last.joint is not None:
        return REST_SECONDS
    if last.album:
        return ALBUM_SECONDS
    if _forwarded(last):
        return FORWARD_SECONDS
    return COMMENT_SECONDS if last.heads else 0.0


@dataclass(frozen=True, slots=True)
class Together:
    """Which of what was heard was sent as one with the first, by their places, and how many seconds after the
    last of them more of it may still come."""

    places: tuple[int, ...]
    hold: float


def together(heard: Sequence[Incoming | Happened], commands: Callable[[Message], bool]) -> Together:
    """*heard* in one room, in order; *commands*: what is one and no part of anything. What the same
    person says else ends it, what others say meanwhile does not."""
    first = heard[0]
    if not isinstance(first, Message):
        return Together((0,), 0.0)
    places, parts = [0], [first]
    for place, one in enumerate(heard[1:], 1):
        if not isinstance(one, Message | Edited | Redacted) or one.person.id != first.person.id:
            continue
        if not isinstance(one, Message) or not _belongs(parts, one) or commands(one):
            return Together(tuple(places), 0.0)
        places.append(place)
        parts.append(one)
    return Together(tuple(places), 0.0 if commands(first) or len(parts) >= MOST else hold(parts[-1]))


def passing(
    heard: Sequence[Incoming | Happened], places: Sequence[int], asks: Callable[[Message], bool]
) -> int | None:
    """The place of the first that need not wait for more to come of what stands in *places*: a press, or a
    command of somebody else who has said nothing before it."""
    spoken = {one.person.id for one in map(heard.__getitem__, places) if isinstance(one, Message)}
    for place, one in enumerate(heard):
        if place in places or not isinstance(one, Incoming):
            continue
        if isinstance(one, Press):
            return place
        if isinstance(one, Message) and one.person.id not in spoken and not asks(one):
            return place
        spoken.add(one.person.id)
    return None


def _belongs(so_far: Sequence[Message], following: Message) -> bool:
    last = so_far[-1]
    if following.album and following.album == last.album:
        return True
    if len(so_far) >= MOST or following.at - last.at > hold(last) + CLOCK_SECONDS:
        return False
    if _forwarded(following):
        return _forwarded(last) or last.heads
    if last.joint is not None:
        return not (following.files or following.reply_to)
    return following.heads and all(map(_forwarded, so_far))


def orders(here: Here, message: Message) -> bool:
    """Whether it is a command, or may be meant as one."""
    return not isinstance(parse(message, here), Ask | NotForUs | Unreadable)


def may_come_to_us(first: Message) -> bool:
    """Whether something that was sent with it may say that it is meant for us: a caption, a comment."""
    return bool(first.album) or _forwarded(first)


def gathered(parts: Sequence[Message]) -> Message:
    """*parts* as the one message that the sender meant: their words, and what they passed on with them."""
    if len(parts) == 1:
        return _closed(parts[0])
    passed_on = list(filter(_forwarded, parts))
    own = [one for one in parts if one not in passed_on]
    if not own:
        return _joined(parts, parts)
    whole = _joined(parts, own)
    return replace(whole, points_at=(*whole.points_at, *map(_passed_on, passed_on)))


def _joined(parts: Sequence[Message], worded: Sequence[Message]) -> Message:
    """All of *parts* as one, whose words are those of some of them."""
    made_of = tuple(map(_piece, worded))
    return replace(
        _closed(worded[0]),
        source=parts[0].source,
        text=joined(made_of),
        files=tuple(chain.from_iterable(one.files for one in parts)),
        toward=_toward(parts),
        unreadable=all(one.unreadable for one in parts),
        points_at=tuple(dict.fromkeys(chain.from_iterable(one.points_at for one in worded))),
        pieces=made_of,
    )


def _closed(message: Message) -> Message:
    """Nothing more comes of it."""
    return replace(message, album="", joint=None, heads=False)


def _forwarded(message: Message) -> bool:
    return any(one.how is How.ITSELF for one in message.points_at)


def _piece(message: Message) -> Piece:
    return Piece(message.id, message.text, BLANK if message.joint is None else message.joint)


def _passed_on(message: Message) -> Pointed:
    """A message that was forwarded along with a comment, as what the comment points at."""
    author = next(one.author for one in message.points_at if one.how is How.ITSELF)
    return Pointed(How.FORWARD, message.text, author)


def _toward(parts: Iterable[Message]) -> Toward:
    """A mention of us anywhere wins, then one of somebody else."""
    spoken_to = {one.toward for one in parts}
    return next((one for one in (Toward.US, Toward.OTHERS) if one in spoken_to), Toward.NOBODY)
