"""What people say is acted on once and in order, through kills, outages and files that do not come."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.access import Role
from bot.chat import NotSent, Refused, RoomAddress, TooLarge
from bot.handlers.inviting import invite
from bot.kept import decoded, encoded
from bot.receiving import POLL_SECONDS, RETRY_SECONDS
from core.model.prompt import Status
from core.store import projects
from core.store.database import Db
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, BOB, FakeChat, Trouble
from tests.support.faults import full_disk
from tests.support.hand_clock import HandClock

BOBS = RoomAddress("fake", "roost", "1002")
GROUP = RoomAddress("fake", "roost", "-5")
HOUR = 3_600.0
FULL = "The disk of pi5 is full. Nothing was lost; free some space, then this goes on by itself."


async def test_what_is_written_is_a_prompt_and_is_acknowledged(work: AtWork) -> None:
    await work.project()
    message = work.chat.writes("Why does checkout take 3 s?")
    await work.passes(0)
    assert await work.words() == ["Why does checkout take 3 s?"]
    assert (work.chat.acknowledged, work.chat.reads()) == ([message], [])


async def test_the_same_update_seen_twice_is_one_prompt(work: AtWork) -> None:
    await work.project()
    for _ in range(2):
        work.chat.writes("Go", update="77")
        await work.passes()
    work.chat.writes("Go", update="5")
    await work.passes()
    assert await work.words() == ["Go", "Go"]


async def test_a_command_is_answered_in_reply_to_it_and_only_once(work: AtWork) -> None:
    await work.project()
    message = work.chat.writes("/queue")
    await work.passes()
    assert work.chat.replies() == [("Nothing waits here.", message)]
    assert work.chat.acknowledged == []


async def test_what_was_said_while_a_project_was_put_away_runs_once_it_is_brought_back(work: AtWork) -> None:
    shop = await work.project()
    await work.store.write(projects.change, replace(shop, archived=True))
    work.chat.writes("Go")
    await work.passes()
    assert await work.words() == []
    assert work.chat.reads()[-1].splitlines()[0] == (
        "The project shop is put away. In the terminal, roost project unarchive shop brings it back."
    )
    work.chat.writes("/diff")
    await work.passes()
    assert "no project yet" not in work.chat.reads()[-1]
    await work.store.write(projects.change, shop)  # another process does: nobody is told
    await work.passes(POLL_SECONDS)
    assert await work.words() == ["Go"]


async def test_words_that_came_before_a_kill_are_acted_on_once(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    """Killed when it is stored and the platform knows so, and nothing was done about it."""
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        await work.store.write(_refusing_prompts)
        chat.writes("Go")
        await work.passes()
        assert (await work.words(), chat.acknowledged) == ([], [])
        await work.store.write(lambda db: db.execute("DROP TRIGGER refusing"))
    for _ in range(2):
        async with at_work(tmp_path, chat, clock) as work:
            await work.passes()
            assert await work.words() == ["Go"]


async def test_what_a_full_disk_keeps_from_being_a_prompt_becomes_one_later(
    work: AtWork, caplog: pytest.LogCaptureFixture
) -> None:
    await work.project()
    with full_disk(after=work.store.path.with_name("roost.db-wal").stat().st_size + 100_000):
        work.chat.writes("x" * 50_000)
        await work.until(lambda: "waits in the inbox: error.disk_full" in caplog.text)
        assert (work.chat.waiting, await work.words()) == ([], [])
    await work.passes(RETRY_SECONDS + 1)
    assert (await work.words(), work.chat.reads()) == (["x" * 50_000], [FULL])


async def test_what_can_never_be_acted_on_holds_up_nothing_after_it(work: AtWork) -> None:
    await work.project()
    await work.store.write(_refusing_prompts)
    work.chat.writes("Go")
    work.chat.writes("/queue")
    await work.passes(10)
    assert work.chat.reads() == [
        "Something went wrong that Roost has no word for (error.unexpected). The log has the details.",
        "Nothing waits here.",
    ]


def _refusing_prompts(db: Db) -> None:
    db.execute("CREATE TRIGGER refusing BEFORE INSERT ON prompts BEGIN SELECT RAISE(ABORT, 'killed'); END")


@pytest.mark.parametrize("text", ["half \ud83d of a pair", "\0 and \x1b", "é 😀 \u202e"])
def test_anything_can_be_kept(text: str) -> None:
    chat = FakeChat()
    chat.writes(text, files={"a.png": b"x"}, at=5.0)
    incoming = chat.waiting[0]
    assert decoded(encoded(incoming)) == incoming


# --- files ------------------------------------------------------------------------------------------------


async def test_a_prompt_waits_for_its_files_and_then_runs_with_them(work: AtWork) -> None:
    await work.project()
    work.chat.troubles = [Trouble(NotSent(), call="fetch") for _ in range(3)]
    work.chat.writes("Look", files={"notes.txt": b"one"})
    await work.passes()
    assert await work.starts() == []
    await work.passes(2 * RETRY_SECONDS)
    assert work.chat.reads() == ["Waits for its file to arrive."]
    await work.passes(RETRY_SECONDS)
    await work.until(lambda: bool(work.host.kept))
    (started,) = await work.starts()
    assert [one.name for one in started.prompt.attachments] == ["notes.txt"]
    assert [*work.host.kept.values()] == [b"one"]
    assert len(work.chat.reads()) == 1


async def test_a_file_that_comes_quickly_is_not_worth_a_word(work: AtWork) -> None:
    await work.project()
    work.chat.writes("Look", files={"notes.txt": b"one"})
    await work.until(lambda: bool(work.host.kept))
    await work.runs_all()
    assert work.chat.reads() == ["Done."]


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (TooLarge(20_000_000), "big.bin is left out: this chat hands out no file over 20 MB."),
        (Refused("file expired"), "big.bin is left out: it couldn’t be fetched."),
    ],
)
async def test_without_a_file_that_cannot_be_had_the_prompt_runs(
    work: AtWork, refusal: Refused, said: str
) -> None:
    await work.project()
    work.chat.troubles = [Trouble(refusal, call="fetch")]
    work.chat.writes("Look", files={"big.bin": b"one", "small.txt": b"two"})
    await work.until(lambda: bool(work.chat.reads()))
    assert work.chat.reads() == [f"{said} The rest of your message runs."]
    (started,) = await work.starts()
    assert [one.name for one in started.prompt.attachments] == ["small.txt"]


async def test_of_a_message_that_was_only_such_a_file_nothing_is_left_to_run(work: AtWork) -> None:
    await work.project()
    work.chat.troubles = [Trouble(TooLarge(20_000_000), call="fetch")]
    work.chat.writes("", files={"big.bin": b"one"})
    await work.passes()
    assert work.chat.reads() == ["big.bin is left out: this chat hands out no file over 20 MB."]
    assert [prompt.status for prompt in await work.asked()] == [Status.CANCELLED]


async def test_a_prompt_whose_files_are_on_their_way_can_be_cancelled(work: AtWork) -> None:
    await work.project()
    work.chat.troubles = [Trouble(NotSent(), call="fetch") for _ in range(100)]
    work.chat.writes("Look", files={"notes.txt": b"one"})
    await work.passes(2)
    work.chat.writes("/cancel")
    await work.passes(2)
    assert work.chat.reads() == ["Removed before it began: Look."] * 2
    tries = len(work.chat.calls("(fetch)"))
    await work.passes(5 * RETRY_SECONDS)
    assert len(work.chat.calls("(fetch)")) == tries
    assert await work.runs_all() == []


async def test_files_that_were_on_their_way_at_a_kill_are_fetched_afterwards(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    chat.troubles = [Trouble(None, call="fetch")]
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        chat.writes("Look", files={"notes.txt": b"one"})
        await work.passes()
        assert await work.starts() == []
    async with at_work(tmp_path, chat, clock) as work:
        await work.until(lambda: bool(work.host.kept))
        (started,) = await work.starts()
        assert [one.name for one in started.prompt.attachments] == ["notes.txt"]


# --- before a project is chosen -----------------------------------------------------------------------------


async def test_what_comes_before_a_project_is_chosen_waits_and_runs_in_order(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project("shop", room=None)
        await work.project("blog", room=None)
        chat.writes("one")
        chat.writes("two")
        await work.passes()
        assert await work.words() == []
        assert chat.buttons() == ["blog", "shop", "New project"]
    async with at_work(tmp_path, chat, clock) as work:
        chat.presses("blog")
        chat.writes("three")
        await work.passes()
        assert await work.runs_all() == ["one", "two", "three"]
        (place, *_) = [words for words in chat.reads() if words.startswith("This room works in")]
        assert place == "This room works in blog from now on."
    assert [press.text for press in chat.rested] == ["/project blog"]


# --- after an outage ----------------------------------------------------------------------------------------


async def test_a_backlog_is_told_in_one_word_and_runs_in_order(work: AtWork) -> None:
    await work.project()
    then = work.clock.now() - HOUR
    for word in ("one", "two", "/status", "three"):
        work.chat.writes(word, at=then)
    await work.passes(1)
    assert work.chat.reads()[0] == "3 messages came while I was away. They run now, in order."
    assert [words for words in work.chat.reads() if "while I was away" in words] == work.chat.reads()[:1]
    assert await work.runs_all() == ["one", "two", "three"]


async def test_what_is_only_a_little_late_is_no_backlog(work: AtWork) -> None:
    await work.project()
    for word in ("one", "two"):
        work.chat.writes(word, at=work.clock.now() - 300)
    await work.passes(1)
    assert await work.runs_all() == ["one", "two"]
    assert not [words for words in work.chat.reads() if "while I was away" in words]


@pytest.mark.parametrize(
    ("said", "runs"),
    [
        (["one", "two", "/cancel"], ["two"]),
        (["one", "two", "/cancel all"], []),
        (["one", "/stop", "two"], ["two"]),
        (["/cancel", "one"], ["one"]),
    ],
)
async def test_a_cancel_acts_before_the_older_messages_of_its_batch_start(
    work: AtWork, said: list[str], runs: list[str]
) -> None:
    await work.project()
    ran = []
    for words in said:
        work.chat.writes(words, at=work.clock.now() - 60)
    for _ in range(10):
        await work.passes(0.1, step=0.02)
        ran += [one.prompt.text for one in await work.starts()]
    ran += await work.runs_all()
    assert ran == runs[:1] or ran == runs
    assert [prompt.text for prompt in await work.asked() if prompt.started_at] == runs[: len(ran)]


async def test_a_cancel_in_a_batch_stops_what_runs_already(work: AtWork) -> None:
    await work.project()
    work.chat.writes("running")
    await work.passes()
    await work.starts()
    for words in ("one", "/cancel"):
        work.chat.writes(words, at=work.clock.now() - 60)
    await work.passes(1)
    running, waiting = await work.asked()
    assert (running.cancelling, waiting.status) == (True, Status.QUEUED)


async def test_a_room_in_which_people_go_on_writing_after_an_outage_is_heard(work: AtWork) -> None:
    await work.project()
    work.chat.writes("first", at=work.clock.now() - HOUR)
    for number in range(150):
        work.chat.writes(f"{number}", at=work.clock.now())
        await work.passes(0.1)
    assert (await work.words())[:2] == ["first", "0"]


# --- neither words nor a file -----------------------------------------------------------------------------

UNREADABLE = "I can read words, pictures and files, and nothing of this. Write what it is about."


async def test_a_sticker_is_no_prompt_and_gets_a_word(work: AtWork) -> None:
    await work.project()
    sticker = work.chat.writes("", unreadable=True)
    await work.passes()
    assert (work.chat.replies(), work.chat.rung, await work.words()) == ([(UNREADABLE, sticker)], [], [])


async def test_one_that_is_not_for_us_or_from_a_stranger_gets_none(work: AtWork) -> None:
    await work.project(room=GROUP)
    work.chat.writes("", unreadable=True, room=GROUP, alone=False)
    work.chat.writes("", unreadable=True, room=BOBS, person=BOB)
    await work.passes()
    assert (work.chat.reads(GROUP), work.chat.reads(BOBS)) == ([], [])


# --- strangers ----------------------------------------------------------------------------------------------


async def test_strangers_get_nothing_whatever_they_do(work: AtWork) -> None:
    await work.project()
    work.chat.writes("/project")
    await work.passes()
    for at, words in enumerate(
        ("Go", "/start", "/start abc", "/help", "/cancel", "/allow 1002", "/nonsense")
    ):
        work.chat.writes(words, room=BOBS, person=BOB, files={"a.txt": b"x"}, at=work.clock.now() - HOUR * at)
    work.chat.writes("Go", room=GROUP, person=BOB, alone=False)
    await work.passes(1)
    assert (work.chat.reads(BOBS), work.chat.reads(GROUP), await work.words()) == ([], [], [])
    assert not [line for line in work.chat.lines if line.call in ("acknowledge", "typing", "fetch")]


async def test_owners_are_told_of_strangers_once_a_day_at_most(work: AtWork) -> None:
    for _ in range(3):
        work.chat.writes("Go", room=BOBS, person=BOB)
    await work.passes()
    line = "Someone I don’t know wrote to me (id 1002, called Bob). /allow 1002 lets them in."
    assert (work.chat.reads(), work.chat.rung) == ([line], [])
    work.clock.move(23 * HOUR)
    work.chat.writes("Go", person=type(BOB)("1003", "Eve"), room=RoomAddress("fake", "roost", "1003"))
    await work.passes()
    assert work.chat.reads() == [line]
    work.clock.move(2 * HOUR)
    work.chat.writes("Go", person=type(BOB)("1003", "Eve"), room=RoomAddress("fake", "roost", "1003"))
    work.chat.writes("Go", room=BOBS, person=BOB)
    await work.passes()
    assert [words.partition(",")[0] for words in work.chat.reads()[1:]] == [
        "Someone I don’t know wrote to me (id 1003"
    ]


async def test_a_stranger_cannot_press_what_was_said_to_others(work: AtWork) -> None:
    await work.project("shop", room=None)
    work.chat.writes("/project", room=GROUP)
    await work.passes()
    work.chat.presses("shop", room=GROUP, person=BOB)
    await work.passes()
    assert len(work.chat.reads(GROUP)) == 1
    work.chat.presses("shop", room=GROUP, person=ANN)
    await work.passes()
    assert work.chat.reads(GROUP) == ["This room works in shop from now on."]


async def test_while_nobody_owns_it_only_a_private_chat_is_told(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock, owners=()) as work:
        chat.writes("/start")
        chat.writes("Hello", room=GROUP, alone=False)
        await work.passes()
        assert chat.reads() == ["Roost runs on pi5 and has no owner yet. There: roost pair."]
        assert chat.reads(GROUP) == []


async def test_while_a_code_is_good_a_chat_without_an_owner_is_told_of_it(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock, owners=()) as work:
        await work.store.write(invite, Role.OWNER, None, now=clock.now())
        chat.writes("Hello")
        await work.passes()
        (said,) = chat.reads()
        assert said.endswith("no owner yet. Use the code that roost setup gave, or run roost pair on pi5.")
