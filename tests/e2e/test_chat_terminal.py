"""`roost chat` at a terminal: what somebody sees who sits there, and how they stop and leave."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.seat import Terminal, begun, service, statuses, tell, until

CTRL_C, CTRL_D, ENTER = "\x03", "\x04", "\r"
READY = "For example: what is in this folder?"
"""In the empty line, once it can be typed in."""
Open = Callable[..., Terminal]


@pytest.fixture
def open_chat(tmp_path: Path) -> Iterator[Open]:
    opened: list[Terminal] = []

    def opening(*words: str, **more: str) -> Terminal:
        opened.append(Terminal(tmp_path, *words, **more))
        return opened[-1]

    yield opening
    for terminal in opened:
        terminal.close()


def test_a_greeting_an_answer_with_its_picture_and_a_way_out(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees("What you write goes to Demo, which works in roost-demo.")
    chat.sees(READY)
    chat.types(f"What is in here?{ENTER}")
    chat.sees("roost-demo holds 5 files")
    chat.sees("▀▀▀▀")
    chat.sees("\noutput/project-1.webp")
    chat.sees("built-in agent")
    chat.types(CTRL_D)
    assert chat.leaves() == 0
    assert statuses(tmp_path) == ["done"]


def test_an_agent_that_only_lacks_its_login_is_named(open_chat: Open, tmp_path: Path) -> None:
    codex = tmp_path / "bin" / "codex"
    codex.parent.mkdir()
    codex.write_text("#!/bin/sh\necho codex-cli 1.0\n")
    codex.chmod(0o755)
    chat = open_chat(PATH=f"{codex.parent}:{os.defpath}")
    chat.sees("Codex is here, and isn’t logged in: codex login. Demo answers meanwhile.")
    chat.sees(READY)
    chat.types(CTRL_D)
    assert chat.leaves() == 0


def test_progress_is_drawn_and_the_next_prompt_waits_in_line(open_chat: Open) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"slow 600{ENTER}")
    chat.sees("⏳ Demo · roost-demo · 0:0")
    chat.sees("▸ Running sleep 600")
    chat.types(f"echo two{ENTER}")
    chat.sees("Second in line, after slow 600.")
    chat.types(f"/queue{ENTER}")
    chat.sees("▸ slow 600 · 0:0")
    chat.types(CTRL_C)
    chat.sees("Nothing is left running; the conversation can")
    chat.sees("Next: echo two.")
    chat.types(CTRL_D)
    assert chat.leaves() == 0


def test_what_runs_is_stopped_first_and_left_after_that(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"slow 600{ENTER}")
    chat.sees("▸ Running sleep 600")
    chat.types(CTRL_C)
    chat.sees("Stopped after 0:0")
    chat.types(CTRL_C)
    assert chat.leaves() == 0
    assert statuses(tmp_path) == ["cancelled"]


def test_left_in_the_middle_it_goes_on_and_its_answer_is_there_later(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"slow 3{ENTER}")
    chat.sees("▸ Running sleep 3")
    chat.types(CTRL_D)
    chat.sees("Demo goes on, and its answer is kept.")
    assert chat.leaves() == 0
    assert statuses(tmp_path) == ["running"]
    later = open_chat()
    later.sees("Carrying on:")
    later.sees("› slow 3")
    until(lambda: statuses(tmp_path) == ["done"], "its end")
    later.sees("3 s")
    later.sees(READY)
    later.types(CTRL_D)
    assert later.leaves() == 0


def test_every_answer_that_came_while_it_was_closed_is_shown_once(open_chat: Open, tmp_path: Path) -> None:
    with service(tmp_path):
        chat = open_chat()
        chat.sees(READY)
        for words in ("slow 1", "echo aa", "echo bb"):
            chat.types(f"{words}{ENTER}")
            chat.sees(f"› {words}")
        chat.types(f"/quit{ENTER}")
        assert chat.leaves() == 0
        until(lambda: statuses(tmp_path) == ["done"] * 3, "their ends")
        later = open_chat()
        later.sees(READY)
        order = [later.seen.index(f"› {words}\n") for words in ("slow 1", "echo aa", "echo bb")]
        assert order == sorted(order)
        later.types(f"/quit{ENTER}")
        assert later.leaves() == 0
        again = open_chat()
        again.sees(READY)
        assert "› echo aa" not in again.seen
        again.types(f"/quit{ENTER}")
        assert again.leaves() == 0


def test_a_conversation_that_is_picked_shows_what_was_said_last(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"echo first one{ENTER}")
    until(lambda: statuses(tmp_path) == ["done"], "its end")
    chat.types(f"/new zebra{ENTER}")
    chat.sees("A new conversation")
    chat.types(f"/conversations 1{ENTER}")
    chat.sees("Carrying on: ")
    chat.sees("› echo first one\n", times=2)
    chat.types(f"/fork{ENTER}")
    chat.sees("This goes on from")
    chat.types(f"/quit{ENTER}")
    assert chat.leaves() == 0
    later = open_chat()
    later.sees("Carrying on: ")


def test_where_another_terminal_turns_to_this_one_is_told(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"echo first one{ENTER}")
    until(lambda: statuses(tmp_path) == ["done"], "its end")
    other = open_chat()
    other.sees(READY)
    other.types(f"/new zebra{ENTER}")
    chat.sees("Elsewhere another conversation was chosen, and this chat goes on in it: zebra.")
    chat.sees("zebra", times=2)
    assert "Elsewhere" not in other.seen


def test_left_while_another_one_is_open_what_waits_runs_there(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    other = open_chat()
    other.sees(READY)
    chat.types(f"slow 2{ENTER}")
    chat.sees("▸ Running sleep 2")
    chat.types(f"echo behind it{ENTER}")
    chat.sees("Second in line")
    chat.types(f"/quit{ENTER}")
    chat.sees("Demo goes on, and its answer is kept.")
    assert chat.leaves() == 0
    assert "What waits runs at" not in chat.seen
    until(lambda: statuses(tmp_path) == ["done", "done"], "their ends")


def test_a_slip_of_the_way_out_takes_yes(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"/qiut{ENTER}")
    chat.sees("yes: /quit")
    chat.types(f"yes{ENTER}")
    assert chat.leaves() == 0
    assert statuses(tmp_path) == []


def test_left_in_a_hurry_what_was_stopped_has_stopped(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"slow 600{ENTER}")
    chat.sees("▸ Running sleep 600")
    chat.types(CTRL_C + CTRL_C)
    chat.sees("Leaving once it has stopped.")
    chat.sees("Stopped after 0:0")
    assert chat.leaves() == 0
    assert statuses(tmp_path) == ["cancelled"]
    later = open_chat()
    later.sees("› slow 600\n")
    later.sees("■ 0:0")
    later.sees(READY)
    assert later.seen.index("Carrying on:") < later.seen.index("› slow 600")
    later.types(f"/quit{ENTER}")
    assert later.leaves() == 0


def test_left_right_after_a_prompt_it_is_kept_and_nobody_waits_for_it(
    open_chat: Open, tmp_path: Path
) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"slow 600{ENTER}{CTRL_D}")
    assert chat.leaves() == 0
    assert statuses(tmp_path)[0] in ("queued", "running")
    later = open_chat()
    later.sees("▸ Running sleep 600")
    later.types(CTRL_C)
    later.sees("Nothing is left running")


def test_left_with_a_line_behind_it_says_when_that_runs(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"slow 600{ENTER}")
    chat.sees("▸ Running sleep 600")
    chat.types(f"echo exit{ENTER}")
    chat.sees("Second in line")
    chat.types(f"/exit{ENTER}")
    chat.sees("Demo goes on, and its answer is kept.")
    chat.sees("What waits runs at the next roost chat or roost run.")
    assert chat.leaves() == 0
    assert statuses(tmp_path) == ["running", "queued"]
    later = open_chat()
    later.sees("▸ Running sleep 600")
    later.types(CTRL_C)
    later.sees("Nothing is left running")


def test_what_was_said_last_is_shown_again(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat(ROOST_LANGUAGE="fr")
    chat.sees("Par exemple")
    chat.types(f"echo la dernière réponse{ENTER}")
    until(lambda: statuses(tmp_path) == ["done"], "its end")
    chat.types(CTRL_D)
    chat.leaves()
    again = open_chat(ROOST_LANGUAGE="fr")
    again.sees("› echo la dernière réponse\n")
    again.sees("/new en commence une autre")
    again.sees("Par exemple")
    again.types(CTRL_D)
    assert again.leaves() == 0


def test_ended_from_outside_it_leaves_as_a_person_would(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    chat.types(f"slow 600{ENTER}")
    chat.sees("▸ Running sleep 600")
    chat.program.terminate()
    assert chat.leaves() == 0
    assert statuses(tmp_path) == ["running"]
    later = open_chat()
    later.sees(READY)
    later.sees("▸ Running sleep 600")
    later.types(CTRL_C)
    later.sees("Nothing is left running; the conversation can")


def test_what_another_program_asked_for_here_is_shown_too(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    with begun(tmp_path) as other:
        tell(other, "slow 600")
        until(lambda: statuses(tmp_path) == ["running"], "a turn")
        chat.types(f"/title here{ENTER}")
        chat.sees("▸ Running sleep 600")
        chat.types(CTRL_C)
        chat.sees("Nothing is left running; the conversation can")


def test_of_several_projects_one_is_picked(open_chat: Open, tmp_path: Path) -> None:
    chat = open_chat()
    chat.sees(READY)
    for name in ("shop", "blog"):
        (tmp_path / name).mkdir()
        chat.types(f"/project add {name} ~/{name}{ENTER}")
        chat.sees(f"{name} is there, and this room works in it.")
    chat.types(CTRL_D)
    assert chat.leaves() == 0
    again = open_chat()
    again.sees("Pick a project, then write what is to be done there.")
    again.sees("1 blog · 2 roost-demo · 3 shop · New project: /project add")
    again.sees("Write what is to be done")
    again.types(f"echo here{ENTER}")
    again.sees("Your message waits, and runs once one is chosen.")
    again.types(CTRL_D)
    assert again.leaves() == 0
    assert statuses(tmp_path) == []
    third = open_chat()
    third.sees("› echo here")
    third.sees("Your message waits, and runs once one is chosen.")
    third.sees("Write what is to be done")
    third.types(f"3{ENTER}")
    third.sees("This room works in shop from now on.")
    until(lambda: statuses(tmp_path) == ["done"], "its end")
    third.sees("here", times=2)
