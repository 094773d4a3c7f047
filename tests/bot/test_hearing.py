"""What people speak becomes their prompt's words, is shown, and can be taken back or changed."""

from __future__ import annotations

import pytest

from bot.chat import How, NotSent, Pointed
from bot.fetching import RETRY_SECONDS
from core.model.prompt import Status
from tests.support.at_work import AtWork
from tests.support.fake_chat import Trouble

OGG = {"voice-1.ogg": b"OggS"}


async def heard(name: str, data: bytes) -> str:
    return f"Fix *{data.decode()}*."


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    await work.project()
    work.hears = heard
    return work


async def test_it_is_shown_in_reply_and_runs_at_once(work: AtWork) -> None:
    message = work.chat.writes("", files=OGG)
    await work.passes()
    assert work.chat.replies() == [("I heard:\n\nFix *OggS*.", message)]
    assert (work.chat.buttons(), work.chat.rung) == (["Wrong"], [])
    assert await work.runs_all() == ["Fix *OggS*."]
    assert work.host.kept == {}


async def test_it_stands_behind_what_was_written_with_it_whatever_becomes_of_that(work: AtWork) -> None:
    message = work.chat.writes("Please", files=OGG)
    await work.passes()
    assert await work.words() == ["Please\n\nFix *OggS*."]
    work.chat.edits(message, "Now")
    await work.passes()
    assert await work.words() == ["Now\n\nFix *OggS*."]


async def test_wrong_drops_what_waits_and_gives_the_words_back(work: AtWork) -> None:
    work.chat.writes("", files=OGG)
    await work.passes()
    work.chat.presses("Wrong")
    await work.passes()
    assert "Taken back. Copy this, put it right, and send it:\n\nFix *OggS*." in work.chat.reads()
    assert [prompt.status for prompt in await work.asked()] == [Status.CANCELLED]
    work.chat.presses("Wrong")
    await work.passes()
    assert work.chat.reads()[-1] == "That had already ended."


async def test_what_is_spoken_as_a_command_is_none(work: AtWork) -> None:
    async def cancel(name: str, data: bytes) -> str:
        return "/cancel"

    work.hears = cancel
    work.chat.writes("", files=OGG)
    await work.passes()
    assert await work.runs_all() == ["/cancel"]


async def test_where_it_is_not_heard_the_recording_comes_with_a_word(work: AtWork) -> None:
    work.hears = None
    message = work.chat.writes("", files=OGG)
    await work.until(lambda: bool(work.host.kept))
    said = "voice-1.ogg couldn’t be made into words: I heard no words in it. The agent gets the recording."
    assert work.chat.replies() == [(said, message)]
    (started,) = await work.starts()
    assert [one.name for one in started.prompt.attachments] == ["voice-1.ogg"]


async def test_a_recording_that_is_only_replied_to_stays_one(work: AtWork) -> None:
    (file,) = [work.chat._upload(name, data) for name, data in OGG.items()]
    work.chat.writes("What does he say?", points_at=(Pointed(How.REPLY, author="Bob", files=(file,)),))
    await work.until(lambda: bool(work.host.kept))
    (prompt,) = await work.asked()
    assert (prompt.text, len(prompt.attachments)) == ("What does he say?", 1)


async def test_it_is_heard_once_it_could_be_fetched(work: AtWork) -> None:
    work.chat.troubles = [Trouble(NotSent(), call="fetch")]
    work.chat.writes("", files=OGG)
    await work.passes(RETRY_SECONDS + 1)
    assert await work.words() == ["Fix *OggS*."]
