"""Files that came with a prompt, and a project that can't take them: a word is said, nothing is blocked."""

from __future__ import annotations

from itertools import pairwise
from pathlib import PurePath

import pytest

from bot.chat import ChatError, Flood, NotSent, Unknown
from bot.fetching import FETCHING_SECONDS, LONGEST_RETRY_SECONDS, RETRY_SECONDS
from core.errors import CoreError, DiskFull, FileRefused, HostError, ProjectGone
from core.model.prompt import Status
from tests.support.at_work import AtWork
from tests.support.fake_chat import Trouble
from tests.telegram.client import picture

KEPT = "Your message is kept."
GONE = f"The project’s folder is gone: /srv/shop. /project picks another. {KEPT}"
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
            f"pi5 could not do that. Put it right there, then try again. {KEPT}\nRead-only file system",
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


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/..", " ", "\0", "\u202egnp.exe", "x" * 300])
async def test_whatever_a_picture_is_called_it_comes(work: AtWork, name: str) -> None:
    await work.project()
    work.chat.writes("Look", files={name: picture(8, 8)})
    await work.until(lambda: bool(work.host.kept))
    (started,) = await work.starts()
    (kept,) = started.prompt.attachments
    assert (kept.image, PurePath(kept.path).suffix, work.chat.reads()) == (True, ".png", [])


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


def never_comes(work: AtWork, trouble: ChatError) -> None:
    work.chat.troubles = [Trouble(trouble, call="fetch") for _ in range(1_000)]
    work.chat.writes("Look", files={"notes.txt": b"one"})


def gaps(work: AtWork) -> list[float]:
    """Seconds between the tries."""
    at = [line.at for line in work.chat.lines if line.call == "(fetch)"]
    return [round(later - sooner, 1) for sooner, later in pairwise(at)]


async def test_it_is_asked_for_less_and_less_often(work: AtWork) -> None:
    await work.project()
    never_comes(work, Unknown())
    await work.passes(920, step=5)
    asked = [RETRY_SECONDS * 2**n for n in range(6)]
    assert gaps(work) == pytest.approx([*asked, LONGEST_RETRY_SECONDS, LONGEST_RETRY_SECONDS], abs=3)


async def test_a_flood_is_waited_out(work: AtWork) -> None:
    await work.project()
    never_comes(work, Flood(40.0))
    await work.passes(90, step=2.5)
    assert gaps(work) == pytest.approx([40.0, 40.0], abs=3)


async def test_after_a_day_it_is_left_out_and_the_rest_runs(work: AtWork) -> None:
    await work.project()
    never_comes(work, NotSent())
    work.chat.writes("two")
    await work.passes(1)
    work.clock.move(FETCHING_SECONDS)
    await work.until(lambda: len(work.chat.reads()) > 1)
    said = "notes.txt is left out: it couldn’t be fetched. The rest of your message runs."
    assert said in work.chat.reads()
    assert await work.runs_all() == ["Look", "two"]
