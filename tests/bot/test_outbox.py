"""Everything that is said arrives, whatever the network does: in order, marked where it may be a repeat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.bodies import sendable
from bot.chat import Flood, MessageRef, NotSent, Refused, RoomAddress, Text, Unknown, Why
from bot.pacing import FIRST_FLOOD_PAUSE
from core.model.ids import RoomId
from core.store import deliveries
from core.store.database import Db
from tests.support.fake_chat import ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock
from tests.support.post import ASTRAY, OTHER, REPEAT, TOPIC, Post, posting


@pytest.fixture
async def post(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[Post]:
    async with posting(tmp_path, chat, clock) as post:
        yield post
    assert chat.intruded == []


async def test_what_is_said_leaves_at_once_and_in_order(post: Post) -> None:
    await post.says("one", "two")
    await post.passes(0)
    assert post.chat.reads() == ["one", "two"]


async def test_an_end_is_its_messages_and_nothing_is_left_of_a_progress_that_never_was(post: Post) -> None:
    prompt = await post.prompt()
    await post.ends(prompt, "All green.", "And a note.")
    await post.passes(0)
    assert post.chat.reads() == ["All green.", "And a note."]
    assert post.chat.calls("edit") == []


FAULTS = st.sampled_from(["not sent", "unknown", "unknown but there", "flood", "fine"])


def trouble(kind: str) -> Trouble:
    match kind:
        case "not sent":
            return Trouble(NotSent("no route"))
        case "flood":
            return Trouble(Flood(7.0))
        case "fine":
            return Trouble(None, call="nothing of the kind")
        case _:
            return Trouble(Unknown("timed out"), arrives=kind.endswith("there"))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FAULTS, max_size=8))
async def test_every_message_arrives_whatever_happens_on_its_way(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str]
) -> None:
    clock = HandClock()
    chat = FakeChat(clock=clock, troubles=[trouble(kind) for kind in kinds if kind != "fine"])
    said = ["one", "two", "three"]
    async with posting(tmp_path_factory.mktemp("post"), chat, clock) as post:
        await post.says(*said)
        await post.passes(300, step=5)
    read = [words.removeprefix("(waited").split("\n")[-1] for words in chat.reads()]
    assert list(dict.fromkeys(read)) == said
    doubtful = sum(kind.startswith("unknown") for kind in kinds)
    assert sum(REPEAT in words for words in chat.reads()) <= doubtful
    for words in said:
        copies = [read for read in chat.reads() if read.split("\n")[-1] == words]
        assert all(REPEAT in copy for copy in copies[1:])
    assert chat.intruded == []


async def test_only_what_may_be_there_already_says_so(post: Post) -> None:
    post.chat.troubles = [Trouble(NotSent()), Trouble(Unknown(), arrives=True), Trouble(NotSent())]
    await post.says("one", "two")
    await post.passes(10)
    assert post.chat.reads() == ["one", f"{REPEAT}\n\none", "two"]


async def test_nothing_goes_into_a_closed_room_and_no_other_waits(post: Post) -> None:
    post.chat.troubles = [Trouble(Flood(30.0), room=ROOM)]
    prompt = await post.prompt()
    await post.says("one")
    await post.passes(0)
    post.shows(prompt, "0:02")
    await post.says("elsewhere", room=OTHER)
    await post.passes(29.9)
    assert (post.chat.reads(), post.chat.reads(OTHER)) == ([], ["elsewhere"])
    await post.passes(0.2)
    assert post.chat.reads() == ["one", "0:02"]


async def test_a_sign_never_goes_into_a_closed_room_and_its_own_flood_closes_it(post: Post) -> None:
    room = await post.room()
    post.chat.troubles = [Trouble(Flood(30.0))]
    for _ in range(3):
        await post.outbox.sign(room, ROOM, post.chat.typing)
    await post.says("one")
    await post.passes(29)
    assert post.chat.calls("typing", "deliver") == []
    await post.passes(1)
    assert post.chat.reads() == ["one"]


async def test_a_flood_closes_every_topic_of_its_chat_and_no_other_chat(post: Post) -> None:
    prompt = await post.prompt()
    post.chat.troubles = [Trouble(Flood(30.0), room=TOPIC)]
    await post.says("in the topic", room=TOPIC)
    await post.passes(0)
    await post.says("one")
    post.shows(prompt, "0:02")
    await post.outbox.sign(await post.room(), ROOM, post.chat.typing)
    await post.says("elsewhere", room=OTHER)
    await post.passes(29.9)
    assert (post.chat.reads(), post.chat.reads(TOPIC)) == ([], [])
    assert (post.chat.reads(OTHER), post.chat.calls("typing")) == (["elsewhere"], [])
    await post.passes(0.2)
    assert (post.chat.reads(), post.chat.reads(TOPIC)) == (["one", "0:02"], ["in the topic"])


async def test_a_flood_that_comes_while_another_topic_makes_ready_to_send_stops_that(post: Post) -> None:
    post.chat.troubles = [Trouble(Flood(30.0), room=TOPIC)]
    for number in range(5):
        await post.says("one", room=replace(TOPIC, thread=str(number)))
    await post.says("in the topic", room=TOPIC)
    await post.says("two")
    await post.passes(31)
    assert (post.chat.reads(), post.chat.reads(TOPIC)) == (["two"], ["in the topic"])


async def test_a_flood_that_does_not_say_for_how_long_is_waited_out_and_sent_once(post: Post) -> None:
    post.chat.troubles = [Trouble(Flood(0.0)) for _ in range(3)]
    await post.says("one")
    await post.passes(FIRST_FLOOD_PAUSE * 7 - 0.5)
    assert (post.chat.reads(), len(post.chat.calls("(deliver)"))) == ([], 3)
    await post.passes(1)
    assert post.chat.reads() == ["one"]


@pytest.mark.parametrize("jump", [0.0, -10_000.0])
async def test_a_flood_outlives_a_restart_and_no_clock_makes_it_longer(
    tmp_path: Path, chat: FakeChat, clock: HandClock, jump: float
) -> None:
    chat.troubles = [Trouble(Flood(300.0))]
    async with posting(tmp_path, chat, clock) as post:
        await post.says("one")
        await post.passes(0)
    clock.wall += jump
    async with posting(tmp_path, chat, clock) as post:
        await post.says("in the topic", room=TOPIC)
        await post.passes(299, step=13)
        assert (chat.reads(), chat.reads(TOPIC)) == ([], [])
        await post.passes(2)
        assert [words[-3:] for words in chat.reads()] == ["one"]
    assert chat.intruded == []


async def test_half_an_hour_without_a_network_is_survived(post: Post) -> None:
    post.chat.troubles = [Trouble(NotSent()) for _ in range(35)]
    await post.says("one")
    await post.passes(1_800, step=30)
    assert post.chat.reads() == []
    await post.passes(120, step=30)
    assert post.chat.reads()[0].endswith("one")
    assert REPEAT not in post.chat.reads()[0]


async def test_what_waited_long_says_since_when_also_if_it_waited_to_be_cut(post: Post) -> None:
    post.chat.troubles = [Trouble(Flood(600.0))]
    prompt = await post.prompt()
    await post.says("one")
    await post.passes(0)
    await post.ends(prompt, "two", "three")
    await post.passes(601, step=60)
    assert post.chat.reads() == ["(waited 600 s)\n\none", "(waited 600 s)\n\ntwo", "three"]


@pytest.mark.parametrize("arrives", [True, False])
async def test_killed_between_sending_and_sent_it_comes_again_with_its_mark(
    tmp_path: Path, chat: FakeChat, clock: HandClock, arrives: bool
) -> None:
    chat.troubles = [Trouble(None, arrives=arrives)]
    async with posting(tmp_path, chat, clock) as post:
        await post.says("one", "two")
        await post.passes(0)
    async with posting(tmp_path, chat, clock) as post:
        await post.passes(1)
    assert chat.reads() == ["one"] * arrives + [f"{REPEAT}\n\none", "two"]


async def test_killed_between_cut_and_send_it_comes_once(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with posting(tmp_path, chat, clock) as post:
        prompt = await post.prompt()
        await post.store.write(deliveries.announce, prompt, now=clock.now())
        ended = await post.store.read(deliveries.next_due, await post.room())
        assert ended is not None
        bodies = sendable(chat, [Text("Done.")])
        for _ in range(2):
            await post.store.write(deliveries.cut, ended, bodies)
    async with posting(tmp_path, chat, clock) as post:
        await post.passes(1)
    assert chat.reads() == ["Done."]


async def test_what_a_chat_will_never_take_is_told_in_its_place(post: Post) -> None:
    prompt = await post.prompt()
    post.chat.troubles = [Trouble(Refused("bad entity", Why.TEXT), call="deliver")]
    await post.ends(prompt, "one", "two")
    await post.passes(1)
    assert post.chat.reads() == ["Not taken here.", "two"]


@pytest.mark.parametrize("shut_out", [False, True])
async def test_what_may_be_there_says_so_whatever_takes_its_place(post: Post, shut_out: bool) -> None:
    post.chat.troubles = [
        Trouble(Unknown(), arrives=True),
        Trouble(Refused(why=Why.FORBIDDEN if shut_out else Why.TEXT)),
    ]
    await post.says("one")
    await post.passes(2)
    if shut_out:
        await post.store.write(deliveries.owe, await post.room())
        post.outbox.wake()
        await post.passes(1)
    assert post.chat.reads() == ["one", f"{REPEAT}\n\n{'one' if shut_out else 'Not taken here.'}"]


async def test_what_stands_above_a_message_and_in_its_place_is_in_the_language_of_its_room(
    post: Post,
) -> None:
    await post.store.write(_speaks, await post.room(), "fr")
    post.chat.troubles = [Trouble(Unknown()), Trouble(Refused(why=Why.TEXT))]
    await post.says("one")
    await post.passes(2)
    assert post.worded == ["fr", "fr", "fr"]


def _speaks(db: Db, room: RoomId, language: str) -> None:
    db.execute("UPDATE rooms SET language = ? WHERE id = ?", (language, room))


async def test_a_room_that_is_closed_to_us_holds_nothing_up(post: Post) -> None:
    refusal = Refused("blocked by the user", Why.FORBIDDEN)
    post.chat.troubles = [Trouble(refusal, room=ROOM) for _ in range(2)]
    await post.says("one", "two")
    await post.says("elsewhere", room=OTHER)
    await post.passes(1)
    assert (post.chat.reads(), post.chat.reads(OTHER)) == ([], ["elsewhere"])
    assert len(post.chat.calls("(deliver)")) == 2
    await post.says("three")
    await post.passes(1)
    assert post.chat.reads() == ["three"]


async def test_a_room_that_moved_gets_everything_where_it_is_now(post: Post) -> None:
    post.chat.troubles = [Trouble(Refused(why=Why.MOVED, to=OTHER.chat))]
    await post.says("one", "two")
    await post.passes(1)
    assert (post.chat.reads(), post.chat.reads(OTHER)) == ([], ["one", "two"])
    assert await post.room(OTHER) == post.rooms[ROOM]


async def test_a_chat_that_moved_takes_all_of_its_topics_along(post: Post) -> None:
    post.chat.moves(ROOM.chat, OTHER.chat)
    there = replace(TOPIC, chat=OTHER.chat)
    await post.says("one")
    await post.says("in the topic", room=TOPIC)
    await post.passes(1)
    assert (post.chat.reads(OTHER), post.chat.reads(there)) == (["one"], ["in the topic"])
    refused = len(post.chat.calls("(deliver)", "deliver"))
    await post.outbox.moved(ROOM.chat, OTHER.chat)
    await post.says("two")
    await post.passes(1)
    assert post.chat.reads(OTHER) == ["one", "two"]
    assert refused == 2


async def test_what_was_cut_before_a_move_replies_to_nobody_elses_message(post: Post) -> None:
    post.chat.moves(ROOM.chat, OTHER.chat)  # also where it is tried before we know of the move
    said = sendable(post.chat, [Text("one", reply_to=MessageRef("in1"))])
    await post.store.write(deliveries.add, await post.room(), said, now=post.clock.now())
    await post.outbox.moved(ROOM.chat, OTHER.chat)
    await post.store.write(deliveries.add, await post.room(), said, now=post.clock.now())
    post.outbox.wake()
    await post.passes(1)
    assert post.chat.replies(OTHER) == [("one", None), ("one", "in1")]


async def test_a_turn_that_is_shown_in_a_chat_that_moves_is_shown_there_and_ends_in_both(post: Post) -> None:
    prompt = await post.prompt()
    post.shows(prompt, "0:02")
    await post.passes(1)
    post.chat.moves(ROOM.chat, OTHER.chat)
    await post.outbox.moved(ROOM.chat, OTHER.chat)
    post.shows(prompt, "0:04")
    await post.passes(2)
    await post.ends(prompt, "Done.")
    await post.passes(1)
    assert post.chat.reads(OTHER) == ["✓ 0:04", "Done.", "✓ 0:04 Ended."]


# --- topics that are gone -----------------------------------------------------------------------------------


def gone(room: RoomAddress, times: int = 20) -> list[Trouble]:
    return [Trouble(Refused(why=Why.THREAD), call="deliver", room=room) for _ in range(times)]


async def test_what_is_for_a_topic_that_is_gone_comes_in_the_main_part_of_the_chat(post: Post) -> None:
    await post.room(TOPIC)
    prompt = await post.prompt(TOPIC)
    post.chat.troubles = gone(TOPIC)
    await post.ends(prompt, "the answer")
    await post.passes(1)
    await post.says("and a word", room=TOPIC)
    await post.passes(2)
    assert post.chat.reads(TOPIC) == []
    assert post.chat.reads() == [f"{ASTRAY}\n\nthe answer", f"{ASTRAY}\n\nand a word"]
    assert [reply for _, reply in post.chat.replies()] == [None, None]


async def test_where_the_main_part_is_closed_too_it_waits_until_the_room_is_heard_from(post: Post) -> None:
    room = await post.room(TOPIC)
    post.chat.troubles = [*gone(TOPIC, 1), *gone(ROOM, 1)]
    await post.says("a word", room=TOPIC)
    await post.passes(2)
    assert (post.chat.reads(), post.chat.reads(TOPIC)) == ([], [])
    assert await post.store.write(deliveries.owe, room) == 1
    post.outbox.wake()
    await post.passes(2)
    assert post.chat.reads(TOPIC) == ["a word"]


async def test_what_a_room_said_before_it_became_one_with_another_is_no_repeat(post: Post) -> None:
    await post.room(OTHER)
    post.chat.moves(ROOM.chat, OTHER.chat)
    await post.says("one")
    await post.passes(2)
    assert post.chat.reads(OTHER) == ["one"]


async def test_what_is_on_its_way_when_its_room_becomes_one_with_another_is_no_repeat(
    tmp_path: Path, clock: HandClock
) -> None:
    chat = SlowChat(clock=clock)
    async with posting(tmp_path, chat, clock) as post:
        await post.room(OTHER)
        await post.says("one")
        await post.passes(1)
        chat.moves(ROOM.chat, OTHER.chat)
        await post.outbox.moved(ROOM.chat, OTHER.chat)
        await post.passes(2)
        chat.goes_on.set()
        await post.passes(2)
        assert post.chat.reads(OTHER) == ["one"]


@dataclass
class SlowChat(FakeChat):
    """Nothing that is delivered goes through before it *goes on*."""

    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def deliver(
        self,
        room: RoomAddress,
        body: str,
        *,
        mark: str = "",
        replies: bool = True,
        once: str = "",
        hush: bool = False,
    ) -> MessageRef:
        await self.goes_on.wait()
        return await super().deliver(room, body, mark=mark, replies=replies, once=once, hush=hush)
