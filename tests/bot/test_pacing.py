"""A room opens when the chat says, and what it shows takes turns."""

from __future__ import annotations

from bot.chat import Flood, NotSent, Text, Unknown
from bot.pacing import LONGEST_PAUSE, Room
from core.model.ids import PromptId, RoomId
from tests.support.fake_chat import ROOM

ONE, TWO = PromptId(1), PromptId(2)


def a_room() -> Room:
    return Room(RoomId(1), ROOM)


def test_pauses_grow_up_to_a_minute_and_no_further_in_a_month_of_outage() -> None:
    room, pauses = a_room(), []
    for _ in range(50_000):
        room.close(NotSent(), now=room.open_at)
        pauses.append(room.open_at)
    lengths = [later - earlier for earlier, later in zip([0.0, *pauses], pauses, strict=False)]
    assert lengths[:4] == [0.5, 1.0, 2.0, 4.0]
    assert lengths[-1] == max(lengths) == LONGEST_PAUSE


def test_a_flood_lasts_as_long_as_it_says_and_nothing_shortens_it() -> None:
    room = a_room()
    room.close(Flood(300.0), now=10.0)
    room.close(Unknown(), now=11.0)
    assert room.open_at == 310.0


def test_nothing_new_is_nothing_to_show() -> None:
    room = a_room()
    assert room.next(1.0) == (None, float("inf"))
    room.show(ONE, Text("0:02"), 2.0)
    room.progress[ONE].said = Text("0:02")
    assert room.next(1.0)[0] is None


def test_what_is_not_shown_yet_comes_first_and_then_what_waited_longest() -> None:
    room = a_room()
    for prompt, edited in ((ONE, 7.0), (TWO, 5.0)):
        room.show(prompt, Text("0:02"), 2.0)
        room.progress[prompt].said, room.progress[prompt].edited = Text("0:01"), edited
    room.edited = 7.0
    assert room.next(3.0) == (TWO, 10.0)
    room.show(PromptId(3), Text("0:00"), 0.0)
    assert room.next(3.0) == (PromptId(3), float("-inf"))
