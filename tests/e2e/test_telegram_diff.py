"""What an agent changed, seen from a phone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.test_telegram_buttons import answered
from tests.e2e.test_telegram_twice import counted
from tests.support.agents import runs
from tests.support.claude_lines import INIT_FIELDS
from tests.support.phone import STOPPED_SECONDS, Phone, phone
from tests.support.roost import Roost
from tests.telegram.client import picture
from tests.telegram.server import Chat, Message, Person, Press

GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org")


def committed(folder: Path) -> None:
    """A repository with one file in it."""
    (folder / "app.py").write_text("print('old')\n")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        subprocess.run((*GIT, *words), cwd=folder, check=True, capture_output=True)


def photos(chat: Chat) -> int:
    return sum(bool(message.photo) for message in chat.messages.values())


async def test_what_changed_is_text_and_a_picture_and_a_file_where_it_is_long(shop: Roost) -> None:
    committed(shop.shop)
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("/diff")
        await held.until("Nothing has changed in shop")
        (shop.shop / "app.py").write_text("print('new')\n")
        (shop.shop / ".env").write_text("TOKEN=hidden\n")
        held.ann.writes("/diff")
        await held.until("shop: 2 files changed, +1 −1 · 1 of them looks like a secret and isn’t shown")
        said = held.one("shop: 2 files changed, +1 −1")
        assert "-print('old')\n+print('new')" in said.words
        assert [(one.type, one.language) for one in said.entities if one.type == "pre"] == [("pre", "diff")]
        await held.api.until(lambda: photos(held.chat) == 1)
        (shop.shop / "long.txt").write_text("a line\n" * 2_000)
        held.ann.writes("/diff")
        await held.until("shop: 3 files changed, +2001 −1")
        await held.api.until(lambda: photos(held.chat) == 2)
        await held.api.until(lambda: any(one.document for one in held.chat.messages.values()))
        assert held.rung == []
        assert not held.says("hidden")


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
async def test_a_slow_git_holds_up_no_stop_and_nobody_asks_in_vain(
    shop: Roost, tmp_path: Path, by: signal.Signals
) -> None:
    committed(shop.shop)
    asked, slow = tmp_path / "asked", tmp_path / "slow"
    slow.mkdir()
    (slow / "git").write_text(f"#!/bin/sh\necho $$ > {asked}\nexec sleep 600\n")
    (slow / "git").chmod(0o755)
    async with phone(shop) as held:
        await held.start(PATH=f"{slow}:{os.environ['PATH']}")
        await held.works_in_shop()
        held.ann.writes("/diff")
        await held.api.until(lambda: asked.exists() and bool(asked.read_text()))
        git = int(asked.read_text())
        began = time.monotonic()
        await held.end(by)
        assert time.monotonic() - began < STOPPED_SECONDS
        assert not held.says("Nothing has changed")
        if by is signal.SIGTERM:
            assert not runs(git)
        else:
            os.kill(git, signal.SIGKILL)
        await held.start()
        await held.until("Nothing has changed in shop")


ROW = [["Diff", "Ask again", "Fork"]]
EDIT = {"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": "app.py"}}
EDITED = {"type": "tool_result", "tool_use_id": "t1", "content": "done"}
LINES: list[dict[str, object]] = [
    {**INIT_FIELDS},
    {"type": "assistant", "message": {"id": "m1", "content": [EDIT], "model": "opus"}},
    {"type": "user", "message": {"content": [EDITED]}},
    {"type": "assistant", "message": {"id": "m2", "content": [{"type": "text", "text": "Changed."}]}},
    {"type": "result", "subtype": "success", "session_id": "s1", "result": "Changed."},
]
"""What an agent writes whose engine can fork, and that changes a file."""


@pytest.fixture
def pen(tmp_path: Path) -> Roost:
    """A Roost with one project, `shop`, for such an agent."""
    roost = Roost(tmp_path / "home").with_shop(engine="claude")
    committed(roost.shop)
    (roost.shop / "app.py").write_text("print('new')\n")
    roost.play.steps({"read_stdin": "eof"}, *({"json": line} for line in LINES))
    return roost


def claude(roost: Roost) -> str:
    return f'[engines.claude]\ntransport = "exec"\ncommand = {json.dumps(roost.play.command)}\n'


def row(held: Phone, words: str, chat: Chat | None = None) -> list[list[str]]:
    """The buttons under the newest message that says that."""
    found = [one for one in (chat or held.chat).screen() if one.sender.is_bot and words in one.words]
    return found[-1].buttons


def asked(roost: Roost) -> list[str]:
    """The first line of what each agent was asked."""
    return [start.stdin.decode().split("\n")[0] for start in roost.play.starts]


async def shown(held: Phone, person: Person, label: str, message: Message) -> str:
    """What a person alone is shown who presses it."""
    pressed = person.presses(label, message)
    await held.api.until(lambda: pressed.answered is not None)
    assert pressed.alert
    return pressed.text


async def test_each_button_under_an_answer_does_what_it_says_also_after_a_restart(pen: Roost) -> None:
    async with phone(pen, more=claude(pen)) as held:
        await held.start()
        await held.works_in_shop()
        before = len(held.api.called("sendMessage", "editMessageText", "editMessageReplyMarkup"))
        held.ann.writes("Go")
        await held.until("Changed.")
        assert row(held, "Changed.") == ROW
        assert len(held.api.called("sendMessage", "editMessageText", "editMessageReplyMarkup")) == before + 1
        await held.restart(signal.SIGTERM)  # or the answer may come twice
        answer = held.one("Changed.")
        assert await answered(held, "Diff", answer) == ""
        await held.until("shop: 1 file changed, +1 −1")
        assert await answered(held, "Ask again", answer) == ""
        await held.api.until(lambda: asked(pen) == ["Go", "Go"])
        await held.api.until(lambda: sum(read == "Changed." for read in held.chat.reads()) == 2)
        assert await answered(held, "Fork", answer) == ""
        await held.until("What was said there is known here.")
        assert (await answered(held, "Fork", answer)).startswith("Ann forked this answer already, ")
        assert asked(pen) == ["Go", "Go"]


@pytest.mark.parametrize("at", ["kept", "acted"])
@pytest.mark.parametrize(
    ("label", "said", "starts", "talks"),
    [
        ("Diff", "shop: 1 file changed, +1 −1", 1, 1),
        ("Ask again", "Changed.", 2, 1),
        ("Fork", "What was said there is known here.", 1, 2),
    ],
)
async def test_killed_over_a_press_it_is_done_once(
    pen: Roost, label: str, said: str, starts: int, talks: int, at: str
) -> None:
    async with phone(pen, more=claude(pen)) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("Changed.")
        await held.end(signal.SIGTERM)
        await held.start(ROOST_CRASH_AT=at)
        before = sum(said in read for read in held.chat.reads())
        held.ann.presses(label, held.one("Changed."))
        await held.ended(20)
        await held.start()
        await held.api.until(lambda: sum(said in read for read in held.chat.reads()) > before)
        held.ann.writes("/queue")
        await held.until("Nothing waits here.")
        assert sum(said in read for read in held.chat.reads()) == before + 1
    assert (len(pen.play.starts), await counted(pen, "conversations")) == (starts, talks)


async def both(held: Phone, bob: Person, label: str, message: Message) -> Press:
    """What the second of them is shown."""
    first, second = held.ann.presses(label, message), bob.presses(label, message)
    await held.api.until(lambda: None not in (first.answered, second.answered))
    return second


async def test_of_two_who_press_at_once_the_first_counts(pen: Roost) -> None:
    async with phone(pen, more=claude(pen)) as held:
        bob = held.api.person("Bob", 2002)
        group = held.api.group("shop", held.ann, bob)
        held.api.bot.reads_all = True
        await held.start()
        await held.works_in_shop(group)
        held.ann.writes("/allow 2002", group)
        await held.until("may work with me in shop", group)
        held.ann.writes("@demo_agent_bot go", group)
        await held.until("Changed.", group)
        answer = held.one("Changed.", group)
        await both(held, bob, "Ask again", answer)
        await held.until("at work already", group)
        await held.api.until(lambda: sum(read == "Changed." for read in group.reads()) == 2)
        late = await both(held, bob, "Fork", answer)
        assert late.text.startswith("Ann forked this answer already")
    assert (len(pen.play.starts), await counted(pen, "conversations")) == (2, 2)


async def test_a_fork_of_a_session_that_is_gone_knows_what_was_said(pen: Roost) -> None:
    why = {"is_error": True, "errors": ["No conversation found with session ID: s1"]}
    gone = {"type": "result", "subtype": "error_during_execution", "session_id": "s1", **why}
    pen.play.steps({"read_stdin": "eof"}, {"json": gone}, {"exit": 1}, start=2)
    async with phone(pen, more=claude(pen)) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("Changed.")
        held.ann.presses("Fork", held.one("Changed."))
        await held.until("What was said there is known here.")
        held.ann.writes("Next")
        await held.api.until(lambda: sum(read == "Changed." for read in held.chat.reads()) == 2)
        assert held.says("no longer has this session")
    _, forks, anew = pen.play.starts
    assert "--fork-session" in forks.argv
    assert "--resume" not in anew.argv
    assert b"assistant: Changed." in anew.stdin


async def test_who_looks_on_presses_none_of_them_and_a_stranger_is_told_nothing(pen: Roost) -> None:
    async with phone(pen, more=claude(pen)) as held:
        bob, carol = held.api.person("Bob", 2002), held.api.person("Carol", 2003)
        group = held.api.group("shop", held.ann, bob, carol)
        await held.start()
        await held.works_in_shop(group)
        held.ann.writes("/allow 2002 viewer", group)
        await held.until("may look on in shop", group)
        held.api.bot.reads_all = True
        held.ann.writes("@demo_agent_bot go", group)
        await held.until("Changed.", group)
        answer, reads = held.one("Changed.", group), group.reads()
        assert answer.buttons == ROW
        for label in ROW[0]:
            unseen = carol.presses(label, answer)
            assert await shown(held, bob, label, answer) == "Only a member or an owner can do that."
            assert (unseen.answered, unseen.text) == (None, "")
        assert group.reads() == reads
    assert len(pen.play.starts) == 1


async def test_where_nothing_changed_and_the_last_part_is_a_picture_the_row_stands_beneath_it(
    shop: Roost,
) -> None:
    for name in ("a.png", "b.png"):
        (shop.shop / name).write_bytes(picture())
    shop.says("Look.\n\n![a](a.png)\n\n![b](b.png)")
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("Look.")
        await held.api.until(lambda: photos(held.chat) == 2)
        rows = [one.buttons for one in held.chat.screen() if one.sender.is_bot and one.keyboard]
        assert rows == [[["Ask again"]]]
