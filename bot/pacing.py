"""When a chat and a room of it may be sent to, and which of the turns that it shows comes next."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.chat import Flood, RoomAddress, Text
from core.model.ids import PromptId, RoomId

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0
"""Seconds between two tries to reach a room that could not be reached."""
FIRST_FLOOD_PAUSE = 5.0
LONGEST_FLOOD_PAUSE = 300.0
"""Seconds for which a chat is left alone that doesn't say for how long it is closed: who insists makes it
worse (`telegram.md` §1.10)."""
GIVING_WAY = 0.02
"""Seconds that a room leaves to each other of its chat that has waited longer for its turn."""
MINUTE = 61.0
"""A little more than one: what left evenly may arrive closer together."""
EVEN_SECONDS = 1.0
"""Between two messages to a chat, once it has had as many as it takes at once."""
LONGEST_MEMORY = 100
"""More than any chat takes in a minute."""
SPARE, SPARE_EACH = 10, 2
"""Of what a chat takes in a minute, so much at least is for replies and answers, and so much for each turn
that is shown there, to end with: progress doesn't use it."""
FREE = 6
"""So much of it is kept free for the next turns that end, whatever else was said in that minute."""
LEAST_SHOWN = 4
"""Whatever ends, so much of a minute is for showing that something is done."""
CALM_SECONDS = 60.0
"""A room that was held back goes on once it was not for so long: where a chat takes little, it is every few
seconds."""
BOARD_PAUSE = 20.0
"""Seconds between two edits of a board, whatever else is shown."""
LONGEST_BOARD_PAUSE = 3_600.0
UNSURE = Text("")
DOUBLINGS = 7
"""From the first pause to the longest."""


Kept: TypeAlias = PromptId
"""What a message is kept for: the turn of a prompt, or `BOARD`."""
BOARD: Kept = PromptId(0)
"""No prompt has this number."""


def growing(first: float, longest: float, failures: int) -> float:
    """The pause after so many failures one after another."""
    return min(first * (1 << min(failures, DOUBLINGS)), longest)


def again_in(trouble: Exception, first: float, longest: float, failures: int) -> float:
    """Seconds until the next try: longer each time, and no less than a flood says."""
    flood = trouble.seconds if isinstance(trouble, Flood) else 0.0
    return max(flood, growing(first, longest, failures))


@dataclass(slots=True)
class Shown:
    """What the message that shows a turn is to say, and what it *said* last. *edited*: when, monotonic.
    *slower*: the pace times this, once the room was closed to us. *lost*: there is no message to edit.
    *rest*: seconds between its own edits at least."""

    text: Text
    elapsed: float
    said: Text | None = None
    edited: float = float("-inf")
    slower: float = 1.0
    lost: bool = False
    rest: float = 0.0

    def refused(self) -> None:
        """There is nothing to edit, nor will there be; where that may change it is tried again, more and more
        rarely."""
        self.lost = not self.rest
        self.rest = min(2 * self.rest, LONGEST_BOARD_PAUSE)
        self.said = self.text

    def unsure(self) -> None:
        """Nobody knows which of two texts is read: it is said again, whichever it is to be."""
        self.said = self.said and UNSURE

    @property
    def new(self) -> bool:
        return self.text != self.said and not self.lost


@dataclass(slots=True)
class Gate:
    """Of one chat: a flood closes it for all of its rooms, topics too, until *open_at* (monotonic), and they
    share its pace. *most*: what it takes in a minute, all rooms together, *burst*: what it takes at once; 0
    where there is no limit. *left*: when that left, *shown*: what of it was progress. *even*: when the last
    of it would have, one every `EVEN_SECONDS`. *edited*: when progress last left for each room. *floods*: how
    many came since it last took something."""

    open_at: float = 0.0
    most: int = 0
    burst: int = 0
    even: float = float("-inf")
    left: deque[float] = field(default_factory=lambda: deque(maxlen=LONGEST_MEMORY))
    shown: deque[float] = field(default_factory=lambda: deque(maxlen=LONGEST_MEMORY))
    edited: dict[RoomId, float] = field(default_factory=dict)
    floods: int = 0

    def turn(self, room: RoomId, pace: float) -> float:
        """When *room* may edit: once the *pace* allows, and that one first which has waited longest."""
        last = self.edited.get(room, float("-inf"))
        before = sum(edited < last for edited in self.edited.values())
        return max(self.edited.values(), default=last) + pace + GIVING_WAY * before

    def leaves(self, now: float) -> None:
        """One more does."""
        self.left.append(now)
        self.even = max(self.even, now) + EVEN_SECONDS

    def comes_back(self) -> None:
        """What left last was refused, and is not there: what is said in its place may leave at once. Else
        that would wait, and what is refused would be tried anew before it, again and again."""
        self.left.pop()
        self.even -= EVEN_SECONDS

    def frees_at(self) -> float:
        """When one more may leave."""
        even = self.even - EVEN_SECONDS * (self.burst - 1) if self.burst else float("-inf")
        return max(_below(self.most, self.left), even)

    def shows_at(self, turns: int) -> float:
        """When progress may leave while so many turns are shown."""
        if not self.most:
            return self.frees_at()
        most, ends = self.most - LEAST_SHOWN, SPARE_EACH * turns
        evenly = _below(self.most - min(max(SPARE, ends), most), self.shown)
        room_at = min(_below(LEAST_SHOWN, self.shown), _below(self.most - min(ends, FREE), self.left))
        return max(self.frees_at(), evenly, room_at)

    def shows(self, room: RoomId, now: float) -> None:
        """Progress leaves for *room*."""
        self.edited[room] = now
        self.shown.append(now)

    def close(self, flood: Flood, now: float) -> None:
        """For as long as the chat says, else for a while that grows. What was on its way when it was closed
        is no new flood."""
        seconds, before = flood.seconds, self.open_at
        if now >= before:
            seconds = seconds or growing(FIRST_FLOOD_PAUSE, LONGEST_FLOOD_PAUSE, self.floods)
            self.floods += 1
        self.open_at = max(before, now + seconds)


def _below(most: int, times: Sequence[float]) -> float:
    """When fewer than *most* of *times* are less than a minute old; at any time where there is no limit."""
    return times[-most] + MINUTE if 0 < most <= len(times) else float("-inf")


@dataclass(slots=True)
class Room:
    """A room with something to send, behind its chat's *gate*. Nothing leaves before *open_at* (monotonic),
    whatever it is. *held*: when it was held back last (monotonic), until it goes on. *news* of what is to
    leave, *due*: perhaps in the store."""

    id: RoomId
    address: RoomAddress
    gate: Gate = field(default_factory=Gate)
    pause_until: float = 0.0
    failures: int = 0
    held: float | None = None
    progress: dict[Kept, Shown] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    due: bool = True

    @property
    def open_at(self) -> float:
        return max(self.pause_until, self.gate.open_at)

    def show(self, prompt: PromptId, text: Text, elapsed: float) -> None:
        """The newest text takes the place of one that still waits."""
        shown = self.progress.setdefault(prompt, Shown(text, elapsed))
        shown.text, shown.elapsed = text, elapsed

    def show_board(self, text: Text) -> None:
        """The same for the board of its chat, which gives way to every turn."""
        self.progress.setdefault(BOARD, Shown(text, 0.0, rest=BOARD_PAUSE)).text = text

    def next(self, pace: float, turns: int = 1) -> tuple[Kept | None, float]:
        """The message to bring up to date, and when: at once where it isn't shown yet, else all *turns* that
        the chat shows share its *pace*, and what has waited longest comes first."""
        due = [
            (self._due(shown, pace), shown.edited, kept) for kept, shown in self.progress.items() if shown.new
        ]
        at, _, kept = min(due, default=(float("inf"), 0.0, None))
        return kept, max(at, self.gate.shows_at(turns))

    def _due(self, shown: Shown, pace: float) -> float:
        if shown.said is None:
            return shown.edited
        return max(self.gate.turn(self.id, shown.slower * pace), shown.edited + shown.rest)

    def pause(self, now: float) -> None:
        """Nothing goes there for a while that grows: that one couldn't be reached is no news of others."""
        self.pause_until = now + growing(FIRST_PAUSE, LONGEST_PAUSE, self.failures)
        self.failures += 1

    def reached(self) -> None:
        """What kept it waiting is over, unless that is its gate."""
        self.pause_until, self.failures = 0.0, 0
        self.news.set()

    def holds_back(self, now: float) -> bool:
        """It is held back; whether that is news."""
        before, self.held = self.held, now
        return before is None or now - before >= CALM_SECONDS

    def goes_on(self, now: float) -> bool:
        """Whether it does again, which is news once."""
        if self.held is None or now - self.held < CALM_SECONDS:
            return False
        self.held = None
        return True

    def came_through(self) -> None:
        self.failures = self.gate.floods = 0

    def move(self, address: RoomAddress, gate: Gate) -> None:
        """It is called *address* now: what it shows is shown there anew."""
        self.address, self.gate = address, gate
        for shown in self.progress.values():
            shown.said, shown.lost = None, False
