"""Files that came with a prompt, and a project that can't take them: a word is said, nothing is blocked."""

from __future__ import annotations

import pytest

from bot.receiving import RETRY_SECONDS
from core.errors import CoreError, DiskFull, FileRefused, HostError, ProjectGone
from core.model.prompt import Status
from tests.support.at_work import AtWork

GONE = "The project’s folder is gone: /srv/shop. /project picks another. Your message is kept."
FULL = "The disk of pi5 is full. Nothing was lost; free some space, then this goes on by itself."


async def asks(work: AtWork) -> None:
    work.chat.writes("Look", files={"notes.txt": b"one"})
    work.chat.writes("two")
    await work.until(lambda: len(work.chat.acknowledged) == 2)


@pytest.mark.parametrize(
    ("fault", "said", "buttons"),
    [
        (ProjectGone(path="/srv/shop"), GONE, ["Try again"]),
        (
            HostError(why="Read-only file system"),
            "pi5 could not do that. Put it right there, then try again.\nRead-only file system",
            ["Try again"],
        ),
        (
            FileRefused("file.outside", name="notes.txt"),
            "The file that came with this did not arrive. Send it once more.",
            [],
        ),
    ],
)
async def test_it_ends_with_a_word_and_what_waits_behind_it_runs(
    work: AtWork, fault: CoreError, said: str, buttons: list[str]
) -> None:
    await work.project()
    work.host.fault = fault
    await asks(work)
    await work.passes(2)
    first, second = await work.asked()
    assert (first.status, second.status) == (Status.FAILED, Status.QUEUED)
    (told,) = [words for words in work.chat.reads() if "line" not in words]
    assert (" ".join(told.split()), work.chat.buttons()) == (" ".join(said.split()), buttons)
    assert work.chat.rung == [told]
    assert await work.runs_all() == ["two"]


async def test_tried_again_it_has_its_files(work: AtWork) -> None:
    await work.project()
    work.host.fault = ProjectGone(path="/srv/shop")
    work.chat.writes("Look", files={"notes.txt": b"one"})
    await work.until(lambda: work.chat.reads() == [GONE])
    assert work.chat.replies() == [(GONE, work.chat.acknowledged[0])]
    work.host.fault = None
    work.chat.presses("Try again")
    await work.until(lambda: bool(work.host.kept))
    (started,) = await work.starts()
    assert [one.name for one in started.prompt.attachments] == ["notes.txt"]


async def test_what_showed_that_it_waits_tells_its_end(work: AtWork) -> None:
    await work.project()
    work.host.fault = DiskFull()
    work.chat.writes("Look", files={"notes.txt": b"one"})
    await work.until(lambda: work.chat.reads() == [FULL, "Waits for its file to arrive."])
    work.host.fault = ProjectGone(path="/srv/shop")
    await work.passes(RETRY_SECONDS + 1)
    await work.until(lambda: work.chat.reads()[1:] == ["✗ 0:00 · failed", GONE])
