"""A room opens when the chat says, and what it shows takes turns."""

from __future__ import annotations

from bot.chat import Flood, Text
from bot.pacing import FIRST_FLOOD_PAUSE, LONGEST_FLOOD_PAUSE, LONGEST_PAUSE, Gate, Room
from core.model.ids import PromptId, RoomId
from tests.support.fake_chat import ROOM

ONE, TWO = PromptId(1), PromptId(2)


def a_room() -> Room:
    return Room(RoomId(1), ROOM)


def test_pauses_grow_up_to_a_minute_and_no_further_in_a_month_of_outage() -> None:
    room, pauses = a_room(), []
    for _ in range(50_000):
        room.pause(now=room.open_at)
        pauses.append(room.open_at)
    lengths = [later - earlier for earlier, later in zip([0.0, *pauses], pauses, strict=False)]
    assert lengths[:4] == [0.5, 1.0, 2.0, 4.0]
    assert lengths[-1] == max(lengths) == LONGEST_PAUSE


def test_a_flood_lasts_as_long_as_it_says_and_nothing_shortens_it() -> None:
    room = a_room()
    room.gate.close(Flood(300.0), now=10.0)
    room.pause(now=11.0)
    room.gate.close(Flood(2.0), now=12.0)
    assert room.open_at == 310.0


def test_a_flood_that_does_not_say_for_how_long_lasts_longer_each_time_until_something_passes() -> None:
    room, pauses = a_room(), []
    for _ in range(12):
        before = room.gate.open_at
        room.gate.close(Flood(0.0), now=before)
        pauses.append(room.gate.open_at - before)
    assert pauses[:3] == [FIRST_FLOOD_PAUSE, 2 * FIRST_FLOOD_PAUSE, 4 * FIRST_FLOOD_PAUSE]
    assert pauses[-1] == LONGEST_FLOOD_PAUSE
    room.came_through()
    before = room.gate.open_at
    room.gate.close(Flood(0.0), now=before)
    assert room.gate.open_at - before == FIRST_FLOOD_PAUSE


def test_what_was_on_its_way_when_a_chat_was_closed_is_no_new_flood() -> None:
    gate = Gate()
    gate.close(Flood(0.0), now=10.0)
    gate.close(Flood(0.0), now=10.1)
    assert gate.open_at == 10.0 + FIRST_FLOOD_PAUSE
    gate.close(Flood(30.0), now=11.0)
    assert gate.open_at == 41.0


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
    room.gate.edited[room.id] = 7.0
    assert room.next(3.0) == (TWO, 10.0)
    room.show(PromptId(3), Text("0:00"), 0.0)
    assert room.next(3.0) == (PromptId(3), float("-inf"))
