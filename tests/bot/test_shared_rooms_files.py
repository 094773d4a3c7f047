"""What comes with a prompt is in every room that shows it, once: a picture as one, what else as a file."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from bot.chat import File, FileRef, How, NotSent, Pointed, Refused, Why
from bot.chat import Picture as Photo
from core.dispatch.answers import Media
from tests.support.fake_chat import Trouble
from tests.support.hand_clock import HandClock
from tests.support.worlds import HERE, THERE, ZOE, Worlds, about_shop, chats, two_worlds

NOTES = b"queries: 12\n"


def picture() -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(data, "PNG")
    return data.getvalue()


@pytest.fixture
async def shared(tmp_path: Path, clock: HandClock) -> AsyncIterator[Worlds]:
    here, there = chats(clock)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        await worlds.shares()
        yield worlds


async def sends(shared: Worlds, files: dict[str, bytes], words: str = "Look") -> None:
    shared.here.writes(words, room=HERE, files=files)
    await shared.work.passes(0.5)


async def test_they_follow_its_words_and_come_before_its_answer(shared: Worlds) -> None:
    await sends(shared, {"cart.png": picture(), "notes.txt": NOTES})
    await shared.work.runs_all()
    assert shared.reads(there=True)[-4:] == [
        "Ann, from Telegram:\n\nLook\n📎 cart.png\n📎 notes.txt",
        "[cart.png]",
        "[notes.txt]",
        "Done.",
    ]
    assert shared.reads()[-1] == "Done."
    assert not [words for words in shared.reads() if "[" in words]


async def test_they_come_from_the_other_side_too(shared: Worlds) -> None:
    shared.there.writes("Look", room=THERE, person=ZOE, files={"cart.png": picture()})
    await shared.work.passes(0.5)
    assert shared.reads()[-1] == "[cart.png]"


async def test_a_picture_is_one_and_every_file_is_what_was_sent(shared: Worlds) -> None:
    await sends(shared, {"cart.png": picture(), "broken.png": b"\x89PNG\r\n\x1a\n", "notes.txt": NOTES})
    shown = [one.what for one in shared.there.shown.values() if isinstance(one.what, Photo | File)]
    assert [type(one) for one in shown] == [Photo, File, File]
    media = Media(shared.work.store.path.parent)
    assert [media.path(one.media).read_bytes() for one in shown] == [
        picture(),
        b"\x89PNG\r\n\x1a\n",
        NOTES,
    ]
    assert all(one.silent for one in shown)


async def test_a_chat_that_is_away_gets_each_once(shared: Worlds) -> None:
    shared.there.troubles = [Trouble(NotSent(), call="deliver") for _ in range(4)]
    await sends(shared, {"notes.txt": NOTES})
    await shared.work.runs_all()
    await shared.work.passes(30, step=1.0)
    assert shared.reads(there=True)[-2:] == ["[notes.txt]", "Done."]
    assert shared.reads(there=True).count("[notes.txt]") == 1


async def test_killed_before_it_was_sent_it_is_sent_once(tmp_path: Path, clock: HandClock) -> None:
    here, there = chats(clock)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        await worlds.shares()
        there.troubles = [Trouble(None, call="deliver")]
        await sends(worlds, {"notes.txt": NOTES})
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await worlds.work.passes(2)
        assert worlds.reads(there=True).count("[notes.txt]") == 1


async def test_one_that_the_other_chat_doesn_t_take_is_said_to_be_missing(shared: Worlds) -> None:
    shared.here.troubles = [Trouble(NotSent(), call="fetch")]
    await sends(shared, {"film.mp4": b"film"})
    shared.there.troubles = [Trouble(Refused(why=Why.TOO_LARGE), call="deliver")]
    await shared.work.passes(6, step=0.5)
    assert shared.reads(there=True)[-1] == "film.mp4 can’t be shown here."


async def test_what_was_spoken_is_read_by_the_others(shared: Worlds) -> None:
    async def hears(name: str, data: bytes) -> str:
        return "Why is checkout slow?"

    shared.work.hears = hears
    await sends(shared, {"voice.ogg": b"ogg"}, words="")
    assert "Ann, from Telegram:\n\nWhy is checkout slow?" in shared.reads(there=True)
    assert shared.reads(there=True)[-1] == "[voice.ogg]"


async def test_what_a_prompt_only_points_at_stays_where_it_was_sent(shared: Worlds) -> None:
    """It may be older than what an owner agreed to."""
    shared.here.files["old"], ref = picture(), FileRef("old", "old.png")
    shared.here.writes("Look", room=HERE, points_at=(Pointed(How.REPLY, files=(ref,)),))
    await shared.work.passes(0.5)
    assert not [words for words in shared.reads(there=True) if "old.png" in words]
    assert (await shared.work.asked())[0].attachments


async def test_where_rooms_have_parted_meanwhile_nothing_comes(shared: Worlds) -> None:
    shared.there.troubles = [Trouble(NotSent(), call="deliver") for _ in range(4)]
    await sends(shared, {"notes.txt": NOTES})
    await shared.says("/settings mirror off")
    await shared.work.passes(30, step=1.0)
    assert "[notes.txt]" not in shared.reads(there=True)
