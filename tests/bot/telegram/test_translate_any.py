"""Updates of any shape: what comes of each is a value that can be kept, or nothing; never an error."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from telegram import Update

from bot.chat import Message, Press
from bot.kept import decoded, encoded
from bot.telegram.translate import MISSHAPEN, translate
from tests.bot.telegram.rig import Rig
from tests.bot.telegram.test_translate import (
    ANN,
    BOB,
    FORUM,
    GROUP,
    ME,
    US,
    change,
    kept,
    mention,
    message,
    press,
    raw,
)

Json = Any
NAME = "@demo_agent_bot"
REAL: tuple[dict[str, Json], ...] = (
    {"message": raw(text="hello")},
    {"message": raw(GROUP, reply_to_message=raw(GROUP, US, text="Done."), **mention(f"é🙂{NAME} x", NAME))},
    {"message": raw(GROUP, **mention("Bob look", "Bob", type="text_mention", user=BOB))},
    {"message": raw(FORUM, text="hi", message_thread_id=12, is_topic_message=True)},
    {"message": raw(caption="look", photo=[kept("s", width=90, height=60), kept("l", width=9, height=8)])},
    {"message": raw(document=kept("d", file_name="report.pdf", mime_type="application/pdf"))},
    {"message": raw(voice=kept("v", duration=3, mime_type="x/ogg"))},
    {"message": raw(text="/stop", forward_origin={"type": "user", "date": 1, "sender_user": ANN})},
    {"message": raw(GROUP, migrate_to_chat_id=-100500)},
    {"callback_query": press(raw(FORUM, US, text="0:12", message_thread_id=12, is_topic_message=True))},
    {"my_chat_member": change("left", "member")},
)
LOST = object()
ODD: tuple[Json, ...] = (
    LOST,
    None,
    True,
    -3,
    2**70,
    99999999999999,
    0.5,
    "",
    "x",
    "\ud83d",
    "😀",
    [],
    [1],
    {},
    {"id": 1},
    [{}],
)


def places(node: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Of everything inside *node*, how to get there."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def mutilated(update: Json, wounds: list[tuple[int, Json]]) -> Json:
    hurt = copy.deepcopy(update)
    for where, what in wounds:
        if found := [*places(hurt)]:
            *way, last = found[where % len(found)]
            node = hurt
            for step in way:
                node = node[step]
            if what is LOST:
                del node[last]
            else:
                node[last] = copy.deepcopy(what)
    return hurt


@settings(max_examples=1_500, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(REAL),
    st.lists(st.tuples(st.integers(0, 200), st.sampled_from(ODD)), min_size=1, max_size=3),
)
@example({"message": raw(photo=[kept("s", width=9, height="x"), kept("l", width=10**14, height="x")])}, [])
def test_nothing_but_what_can_be_kept_ever_comes_out(update: Json, wounds: list[tuple[int, Json]]) -> None:
    try:
        read = Update.de_json({**mutilated(update, wounds), "update_id": 5}, None)
    except MISSHAPEN:
        return  # the poller passes it over
    assert read is not None
    said = translate(read, ME)
    if isinstance(said, Message | Press):
        assert decoded(encoded(said)) == said
        int(said.room.chat), int(said.room.thread or 0), int(said.person.id)
        said.person.name.encode()


CUT = {"text": f"😀{NAME} x", "entities": [{"type": "mention", "offset": 1, "length": 15}]}
HALF = {"text": f"\ud83d {NAME} x", "entities": [{"type": "mention", "offset": 2, "length": 15}]}


@pytest.mark.parametrize("more", [CUT, HALF])
def test_a_mention_around_half_a_sign_is_heard_all_the_same(more: Json) -> None:
    assert message(**more).text == more["text"]


MALFORMED = (
    {"my_chat_member": {"chat": GROUP, "from": ANN, "date": 0}},
    {"message": raw(text=5)},
    {"message": raw(GROUP, text="hi", entities=[{"type": "mention", "offset": "x", "length": 2}])},
    {"message": "nonsense"},
    {"message": raw(text="far", date=99999999999999)},
)


@pytest.mark.parametrize("update", MALFORMED)
async def test_what_comes_after_it_is_heard_and_nothing_of_it_is_in_the_log(
    rig: Rig, update: Json, caplog: pytest.LogCaptureFixture
) -> None:
    updates = rig.api.bot.updates
    updates.deliver({"update_id": updates.last_id + 1, **update})
    await rig.writes("one")
    incoming = rig.adapter.incoming()
    heard = [await asyncio.wait_for(anext(incoming), timeout=20)]
    while getattr(heard[-1], "text", "") != "one":
        heard.append(await asyncio.wait_for(anext(incoming), timeout=20))
    assert [one.unreadable for one in heard[:-1] if isinstance(one, Message)] == [True] * (len(heard) - 1)
    (line,) = [record.getMessage() for record in caplog.records if "can't be read" in record.getMessage()]
    assert line.startswith(f"update {updates.last_id - 1} ({next(iter(update))}) can't be read: ")
    assert "nonsense" not in line


async def test_who_wrote_what_cannot_be_read_is_told_so(rig: Rig) -> None:
    updates = rig.api.bot.updates
    update = {"message": raw(rig.ann.chat.json(), ANN, text=5)}
    updates.deliver({"update_id": updates.last_id + 1, **update})
    incoming = await asyncio.wait_for(anext(aiter(rig.adapter.incoming())), timeout=20)
    assert isinstance(incoming, Message)
    assert (incoming.unreadable, incoming.text, incoming.id) == (True, "", "7")
