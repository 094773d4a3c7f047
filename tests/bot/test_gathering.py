"""What was sent as one is one prompt, in order and acknowledged at once, whatever is killed meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.chat import How, Message, MessageRef, Pointed, RoomAddress, Toward
from bot.gathering import (
    ALBUM_SECONDS,
    COMMENT_SECONDS,
    FORWARD_SECONDS,
    LONGEST_SECONDS,
    REST_SECONDS,
    gathered,
    together,
)
from core.model.prompt import Source
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, BOB, ROOM, FakeChat
from tests.support.hand_clock import HandClock

GROUP = RoomAddress("fake", "roost", "-5")
PASSED_ON: dict[str, Any] = {"points_at": (Pointed(How.ITSELF, author="Eve"),), "foreign": True}
COMMENT: dict[str, Any] = {"heads": True}


def said(number: int, text: str, **facts: Any) -> Message:
    message = Message(Source("fake", "roost", str(number)), ROOM, ANN, MessageRef(f"m{number}"), text)
    return replace(message, **facts)


def grouped(*messages: Message) -> list[str]:
    """The words of each prompt that *messages* make, once nothing more comes."""
    left, prompts = list(messages), []
    while left:
        places = together(left, lambda message: message.text.startswith("/")).places
        prompts.append(gathered([left[place] for place in places]).text)
        left = [one for place, one in enumerate(left) if place not in places]
    return prompts


def numbered(*facts: tuple[str, dict[str, Any]]) -> list[Message]:
    return [said(number, text, **more) for number, (text, more) in enumerate(facts)]


@pytest.mark.parametrize(
    ("heard", "prompts"),
    [
        ([("one", {}), ("two", {})], ["one", "two"]),
        ([("one", COMMENT), ("two", COMMENT)], ["one", "two"]),
        ([("a", {"album": "A"}), ("", {"album": "A"}), ("b", {"album": "A"})], ["a\n\nb"]),
        ([("a", {"album": "A"}), ("b", {"album": "B"})], ["a", "b"]),
        ([("a", {"joint": "\n"}), ("b", {"joint": ""}), ("c", COMMENT), ("d", COMMENT)], ["a\nbc", "d"]),
        ([("a", {"joint": ""}), ("/cancel", COMMENT)], ["a", "/cancel"]),
        ([("a", {"joint": ""}), ("b", {"reply_to": "m9"})], ["a", "b"]),
        ([("a", {"joint": "", "at": 10.0}), ("b", {"at": 13.0})], ["a", "b"]),
        ([("why?", COMMENT), ("x", PASSED_ON), ("y", PASSED_ON)], ["why?"]),
        ([("x", PASSED_ON), ("y", PASSED_ON), ("why?", COMMENT), ("next", COMMENT)], ["why?", "next"]),
        ([("x", PASSED_ON), ("y", PASSED_ON)], ["x\n\ny"]),
        ([("x", PASSED_ON), ("/status", COMMENT)], ["x", "/status"]),
        ([("one", {}), ("x", PASSED_ON)], ["one", "x"]),
    ],
)
def test_what_belongs_together(heard: list[tuple[str, dict[str, Any]]], prompts: list[str]) -> None:
    assert grouped(*numbered(*heard)) == prompts


def test_what_others_say_meanwhile_ends_nothing() -> None:
    first, last = numbered(("a", {"joint": ""}), ("b", {}))
    assert together([first, said(9, "hello", person=BOB), last], lambda _: False).places == (0, 2)


def test_a_forward_is_marked_as_one_whatever_its_place() -> None:
    comment, forward = numbered(("why?", COMMENT), ("KeyError", PASSED_ON))
    for parts in ([comment, forward], [forward, comment]):
        whole = gathered(parts)
        assert (whole.text, whole.foreign, whole.id) == ("why?", False, comment.id)
        assert whole.points_at == (Pointed(How.FORWARD, "KeyError", "Eve"),)
    assert gathered([forward]).points_at == forward.points_at


# --- with the whole of a chat's work ------------------------------------------------------------------------


async def test_an_album_is_one_prompt_with_all_its_captions(work: AtWork) -> None:
    await work.project()
    first = work.chat.writes("left", files={"a.txt": b"a"}, album="A")
    await work.passes(0)
    assert work.chat.acknowledged == [first]
    await work.passes(0.5)
    work.chat.writes("", files={"b.txt": b"b"}, album="A")
    await work.passes(ALBUM_SECONDS - 0.2)
    work.chat.writes("right", files={"c.txt": b"c"}, album="A")
    await work.passes(ALBUM_SECONDS - 0.2)
    assert await work.words() == []
    await work.until(lambda: len(work.host.kept) == 3)
    assert await work.words() == ["left\n\nright"]
    (started,) = await work.starts()
    assert [one.name for one in started.prompt.attachments] == ["a.txt", "b.txt", "c.txt"]
    await work.ends(started)
    assert work.chat.replies()[-1] == ("Done.", first)
    assert work.chat.acknowledged == [first]


@pytest.mark.parametrize("seconds", [0.0, REST_SECONDS - 0.3])
async def test_a_long_paste_is_one_prompt(work: AtWork, seconds: float) -> None:
    await work.project()
    for piece in ("a" * 4096, "b" * 4096):
        work.chat.writes(piece, joint="", heads=True)
        await work.passes(seconds)
    work.chat.writes("c", heads=True)
    await work.passes(COMMENT_SECONDS + 0.2)
    assert await work.runs_all() == ["a" * 4096 + "b" * 4096 + "c"]


async def test_a_long_text_that_was_whole_runs_soon(work: AtWork) -> None:
    await work.project()
    work.chat.writes("a" * 4000, joint="\n")
    await work.passes(REST_SECONDS + 0.2)
    assert await work.words() == ["a" * 4000]


async def test_a_command_does_not_wait_and_nothing_of_it_is_lost(work: AtWork) -> None:
    await work.project()
    work.chat.writes("a" * 4096, joint="")
    work.chat.writes("/queue", heads=True)
    await work.passes(0.1)
    assert (await work.words(), work.chat.reads()) == (["a" * 4096], [f"1 {'a' * 39}…"])


async def test_what_somebody_else_commands_meanwhile_does_not_wait(work: AtWork) -> None:
    await work.project(room=GROUP)
    work.chat.writes("/allow 1002")
    await work.passes()
    work.chat.writes("a" * 4096, joint="", room=GROUP)
    work.chat.writes("/queue", room=GROUP, person=BOB)
    await work.passes(0.1)
    assert (await work.words(), work.chat.reads(GROUP)) == ([], ["Nothing waits here."])
    await work.passes(REST_SECONDS)
    assert await work.words() == ["a" * 4096]


async def test_who_goes_on_for_ever_is_heard(work: AtWork) -> None:
    await work.project()
    for _ in range(int(LONGEST_SECONDS) + 3):
        work.chat.writes("a", joint="")
        await work.passes(1.0)
    assert await work.words()


@pytest.mark.parametrize("forward_first", [False, True])
async def test_case_23_a_comment_and_what_it_forwards_are_one_prompt(
    work: AtWork, forward_first: bool
) -> None:
    await work.project()
    sent: list[tuple[str, dict[str, Any]]] = [("what does this mean?", COMMENT), ("KeyError 'x'", PASSED_ON)]
    for text, facts in reversed(sent) if forward_first else sent:
        work.chat.writes(text, **facts)
        await work.passes(0.04, step=0.02)
    await work.passes(FORWARD_SECONDS + 0.3)
    (prompt,) = await work.asked()
    assert prompt.text == "what does this mean?"
    assert prompt.beside == "Forwarded along with this, from Eve:\n> KeyError 'x'"


@pytest.mark.parametrize("caption_last", [False, True])
async def test_in_a_group_one_caption_that_speaks_to_us_brings_the_whole_album(
    work: AtWork, caption_last: bool
) -> None:
    await work.project(room=GROUP)
    captions = ["", "", "@roost_bot look"]
    for number, caption in enumerate(captions if caption_last else reversed(captions)):
        toward = Toward.US if caption else Toward.NOBODY
        files = {f"{number}.txt": b"x"}
        work.chat.writes(caption, files=files, album="A", toward=toward, room=GROUP, alone=False)
        await work.passes(0.3)
    await work.until(lambda: len(work.host.kept) == 3)
    assert await work.words() == ["@roost_bot look"]


async def test_in_a_group_an_album_for_others_is_nothing(work: AtWork) -> None:
    await work.project(room=GROUP)
    for name in ("a.txt", "b.txt"):
        work.chat.writes("", files={name: b"x"}, album="A", room=GROUP, alone=False)
    await work.passes(ALBUM_SECONDS + 0.3)
    assert (await work.words(), work.chat.acknowledged, work.chat.reads(GROUP)) == ([], [], [])


async def test_in_a_group_what_a_comment_to_us_forwards_comes_with_it(work: AtWork) -> None:
    await work.project(room=GROUP)
    group: dict[str, Any] = {"room": GROUP, "alone": False}
    work.chat.writes("@roost_bot why?", toward=Toward.US, **COMMENT, **group)
    work.chat.writes("KeyError", **PASSED_ON, **group)
    await work.passes(FORWARD_SECONDS + 0.3)
    (prompt,) = await work.asked()
    assert prompt.beside == "Forwarded along with this, from Eve:\n> KeyError"


async def test_plain_words_wait_for_no_second(work: AtWork) -> None:
    await work.project()
    work.chat.writes("one", heads=True)
    work.chat.writes("two", heads=True)
    await work.passes(COMMENT_SECONDS + 0.1)
    assert await work.words() == ["one", "two"]


async def test_a_kill_while_gathering_loses_nothing_and_makes_one_prompt(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        chat.writes("left", files={"a.txt": b"a"}, album="A")
        await work.passes(0.3)
    clock.move(30.0)
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(0.3)
        chat.writes("right", files={"b.txt": b"b"}, album="A")
        await work.until(lambda: len(work.host.kept) == 2)
        assert await work.words() == ["left\n\nright"]


async def test_a_kill_after_they_were_joined_keeps_them_so(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        refusing = "CREATE TRIGGER refusing BEFORE INSERT ON prompts BEGIN SELECT RAISE(ABORT, 'no'); END"
        await work.store.write(lambda db: db.execute(refusing))
        chat.writes("a" * 4096, joint="")
        chat.writes("b")
        await work.passes(0.5)
        await work.store.write(lambda db: db.execute("DROP TRIGGER refusing"))
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(REST_SECONDS + 0.5)
        assert await work.words() == ["a" * 4096 + "b"]
