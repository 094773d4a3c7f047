"""What was sent is edited or deleted: it changes while it waits, is offered as a correction, or told off."""

from __future__ import annotations

from pathlib import Path

from bot.chat import MessageRef, RoomAddress
from core.model.prompt import Status
from core.store import said
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import BOB, FakeChat
from tests.support.hand_clock import HandClock

GROUP = RoomAddress("fake", "roost", "-5")
AT_WORK = "That is at work already, with the words that it had."
NO_COMMAND = "A changed message runs no command. Send it as a new one."
OTHER_FILE = "The file that came first counts. Send another one as a new message."
HAS_RUN = "That has run already, with the words that it had. Write it as a new message to run it again."


async def asked(work: AtWork, *words: str, running: bool = False) -> list[MessageRef]:
    """What Ann writes in the shop; the first of it runs already if *running*."""
    await work.project()
    messages = []
    for each in words:
        messages.append(work.chat.writes(each))
        await work.passes()
    if running:
        await work.starts()
    return messages


async def test_what_waits_changes(work: AtWork) -> None:
    _, second = await asked(work, "one", "two", running=True)
    work.chat.edits(second, "2")
    await work.passes()
    assert work.chat.replies()[-1] == ("Changed: 2.", second)
    assert [prompt.text for prompt in await work.asked()] == ["one", "2"]
    assert work.chat.rung == []


async def test_an_edit_that_changes_no_word_is_not_answered(work: AtWork) -> None:
    (message,) = await asked(work, "one")
    for text in ("one", "  "):
        work.chat.edits(message, text)
    await work.passes()
    assert work.chat.reads() == []
    assert await work.words() == ["one"]


async def test_of_what_was_sent_in_pieces_one_changes(work: AtWork) -> None:
    await work.project()
    first = work.chat.writes("a" * 4096, joint="")
    work.chat.writes("b")
    await work.passes(1)
    work.chat.edits(first, "A")
    await work.passes()
    assert await work.words() == ["Ab"]


async def test_before_a_project_is_chosen_it_changes_where_it_waits(work: AtWork) -> None:
    await work.project("shop", room=None)
    message, other = work.chat.writes("one"), work.chat.writes("two")
    await work.passes()
    work.chat.edits(message, "1")
    work.chat.redacts(other)
    await work.passes()
    work.chat.presses("shop")
    await work.passes()
    assert await work.words() == ["1"]


async def test_after_it_has_run_an_edit_gets_a_word_and_runs_nothing(work: AtWork) -> None:
    (message,) = await asked(work, "one")
    await work.runs_all()
    work.chat.edits(message, "1")
    await work.passes()
    assert work.chat.replies()[-1] == (HAS_RUN, message)
    assert await work.words() == ["one"]


async def test_of_what_was_dropped_before_it_began_no_edit_says_that_it_ran(work: AtWork) -> None:
    _, second = await asked(work, "one", "two", running=True)
    work.chat.writes("/queue drop 2")
    await work.passes()
    work.chat.edits(second, "2")
    await work.passes()
    never = "That never ran, and a change doesn’t run it. Write it as a new message."
    assert work.chat.replies()[-1] == (never, second)
    assert await work.words() == ["one", "two"]


async def test_at_work_it_is_offered_as_a_correction_and_told_once(work: AtWork) -> None:
    (message,) = await asked(work, "one", running=True)
    work.chat.edits(message, "1")
    await work.passes()
    assert (work.chat.replies()[-1], work.chat.buttons()) == ((AT_WORK, message), ["Send as correction"])
    for _ in range(2):
        work.chat.presses("Send as correction")
        await work.passes()
    first, correction = await work.asked()
    assert (first.text, correction.text, correction.steers) == ("one", "1", await can_be_told(work))
    assert correction.beside == "This corrects an earlier message, which read otherwise when you got it."
    assert work.chat.reads()[-1] == "That was sent already."


async def test_what_was_told_to_a_running_turn_can_be_corrected_too(work: AtWork) -> None:
    _, message = await asked(work, "one", "two", running=True)
    second = (await work.asked())[1]
    await work.store.write(said.steer, second.id)
    await work.store.write(said.steered, second.id, now=work.clock.now())
    await work.passes()
    work.chat.edits(message, "2")
    await work.passes()
    assert work.chat.replies()[-1] == (AT_WORK, message)
    work.chat.presses("Send as correction")
    await work.passes()
    assert [(one.text, one.steers) for one in (await work.asked())[2:]] == [("2", await can_be_told(work))]


async def can_be_told(work: AtWork) -> bool:
    return work.service._desk.catalogue.engine("codex").capabilities.steer


async def test_the_newest_of_several_edits_is_what_is_sent(work: AtWork) -> None:
    (message,) = await asked(work, "one", running=True)
    for text in ("1", "I"):
        work.chat.edits(message, text)
        await work.passes()
    work.chat.presses("Send as correction")
    await work.passes()
    assert await work.words() == ["one", "I"]


async def test_the_offer_is_good_after_a_kill(tmp_path: Path, chat: FakeChat, clock: HandClock) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        (message,) = await asked(work, "one", running=True)
        chat.edits(message, "1")
        await work.passes()
    async with at_work(tmp_path, chat, clock) as work:
        chat.presses("Send as correction")
        await work.passes()
        assert await work.words() == ["one", "1"]


async def test_nobody_changes_what_somebody_else_sent(work: AtWork) -> None:
    work.chat.writes("/allow 1002")
    await work.passes()
    await work.project(room=GROUP)
    message = work.chat.writes("one", room=GROUP)
    await work.passes()
    work.chat.edits(message, "2", room=GROUP, person=BOB)
    work.chat.redacts(message, room=GROUP, person=BOB)
    await work.passes()
    (prompt,) = await work.asked()
    assert (prompt.text, prompt.status, work.chat.reads(GROUP)) == ("one", Status.QUEUED, [])


async def test_what_is_changed_of_no_prompt_is_nothing(work: AtWork) -> None:
    await work.project()
    message = work.chat.writes("/queue")
    await work.passes()
    work.chat.edits(message, "/cancel")
    work.chat.edits(MessageRef("never"), "Go")
    await work.passes()
    assert (work.chat.reads(), await work.words()) == (["Nothing waits here.", NO_COMMAND], [])


# --- deleted ----------------------------------------------------------------------------------------------


async def test_what_waits_and_is_deleted_is_dropped_and_its_words_are_not_repeated(work: AtWork) -> None:
    _, second = await asked(work, "one", "secret", running=True)
    await work.passes(2)
    work.chat.redacts(second)
    await work.passes(2)
    dropped = (await work.asked())[1]
    assert (dropped.status, dropped.text) == (Status.CANCELLED, "")
    assert "What you deleted will not run." in work.chat.reads()
    assert not [read for read in work.chat.reads() if "secret" in read]


async def test_what_runs_and_is_deleted_can_be_stopped(work: AtWork) -> None:
    (message,) = await asked(work, "one", running=True)
    work.chat.redacts(message)
    await work.passes()
    assert (work.chat.reads()[-1], work.chat.buttons()) == ("What you deleted is at work already.", ["Stop"])
    work.chat.presses("Stop")
    await work.passes()
    assert (await work.asked())[0].cancelling


async def test_what_has_run_and_is_deleted_gets_no_word(work: AtWork) -> None:
    (message,) = await asked(work, "one")
    await work.runs_all()
    work.chat.redacts(message)
    await work.passes()
    assert work.chat.reads() == ["Done."]


# --- replies ----------------------------------------------------------------------------------------------


async def test_a_reply_to_an_older_answer_carries_on_its_conversation(work: AtWork) -> None:
    await asked(work, "one")
    (first,) = await work.starts()
    await work.ends(first)
    answer = next(ref for ref, shown in work.chat.shown.items() if shown.words == "Done.")
    work.chat.writes("/new")
    work.chat.writes("elsewhere")
    work.chat.writes("and now?", reply_to=answer)
    await work.passes()
    one, elsewhere, now = await work.asked()
    assert (now.conversation == one.conversation, elsewhere.conversation == one.conversation) == (True, False)


async def test_a_reply_to_ones_own_prompt_stays_in_its_conversation(work: AtWork) -> None:
    (message,) = await asked(work, "one")
    work.chat.writes("/new")
    work.chat.writes("more", reply_to=message)
    await work.passes()
    one, more = await work.asked()
    assert more.conversation == one.conversation


async def test_what_a_room_left_behind_is_known_no_more(work: AtWork) -> None:
    await work.project(room=GROUP)
    message = work.chat.writes("one", room=GROUP)
    await work.passes()
    work.chat.moves("-5", "-6")
    await work.passes()
    work.chat.edits(message, "2", room=RoomAddress("fake", "roost", "-6"))
    await work.passes()
    assert await work.words() == ["one"]


# --- what an edit never does ------------------------------------------------------------------------------


async def test_a_command_that_a_message_was_changed_to_is_not_done(work: AtWork) -> None:
    """Neither where it was a prompt, nor where it was a command: what runs goes on."""
    first, second = await asked(work, "one", "two", running=True)
    status = work.chat.writes("/status")
    await work.passes()
    for message in (first, second, status):
        work.chat.edits(message, "/cancel all")
        await work.passes()
        assert work.chat.replies()[-1] == (NO_COMMAND, message)
    assert [(one.text, one.status, one.cancelling) for one in await work.asked()] == [
        ("one", Status.RUNNING, False),
        ("two", Status.QUEUED, False),
    ]
    assert work.chat.rung == []


async def test_a_command_for_another_bot_is_its_own_affair_when_it_changes_too(work: AtWork) -> None:
    (message,) = await asked(work, "one")
    work.chat.edits(message, "/cancel@other_bot")
    await work.passes()
    assert work.chat.reads() == []
    assert await work.words() == ["one"]


async def test_words_that_only_look_like_a_command_change_as_any_do(work: AtWork) -> None:
    (message,) = await asked(work, "one")
    work.chat.edits(message, "/etc/hosts is wrong")
    await work.passes()
    assert await work.words() == ["/etc/hosts is wrong"]


async def test_a_file_that_is_put_in_the_place_of_another_is_answered_and_taken_nowhere(work: AtWork) -> None:
    await work.project()
    message = work.chat.writes("Look", files={"a.png": b"1"})
    await work.until(lambda: bool(work.host.kept))
    work.chat.edits(message, "Look", media=True)
    await work.passes()
    assert work.chat.replies()[-1] == (OTHER_FILE, message)
    assert (await work.words(), len(work.host.kept)) == (["Look"], 1)
    work.chat.edits(message, "Look here", media=True)
    await work.passes()
    assert work.chat.replies()[-1] == ("Changed: Look here.", message)
