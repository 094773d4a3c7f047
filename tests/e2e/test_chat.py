"""`roost chat` behind a pipe: answers in order, commands, and what a kill leaves."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support.seat import begun, piped, service, statuses, tell, until


def test_each_line_is_answered_in_order(tmp_path: Path) -> None:
    done = piped(tmp_path, "echo one\n\necho **two**\n")
    assert (done.stdout, done.stderr, done.returncode) == ("one\ntwo\n", "", 0)
    assert statuses(tmp_path) == ["done", "done"]


def test_without_a_project_there_is_one_to_try_things_in(tmp_path: Path) -> None:
    done = piped(tmp_path, "What is in here?\n")
    assert done.returncode == 0
    assert "roost-demo holds 5 files" in done.stdout
    picture = next(line for line in done.stdout.splitlines() if line.endswith(".webp"))
    assert (tmp_path / "roost-demo" / picture).read_bytes()[8:12] == b"WEBP"
    assert (tmp_path / "roost-demo" / "README.md").is_file()


def test_what_is_in_the_sample_stays_as_somebody_left_it(tmp_path: Path) -> None:
    piped(tmp_path, "")
    (tmp_path / "roost-demo" / "mine.py").write_text("print()\n")
    (tmp_path / "roost-demo" / "teas.json").unlink()
    assert "roost-demo holds 5 files" in piped(tmp_path, "look\n").stdout


def test_a_folder_of_somebodys_own_is_not_taken_for_the_sample(tmp_path: Path) -> None:
    (tmp_path / "roost-demo").mkdir()
    (tmp_path / "roost-demo" / "mine.py").write_text("print()\n")
    assert "roost-demo-2 holds 5 files" in piped(tmp_path, "look\n").stdout
    assert [file.name for file in (tmp_path / "roost-demo").iterdir()] == ["mine.py"]


def test_the_conversation_is_carried_on_until_a_new_one_begins(tmp_path: Path) -> None:
    piped(tmp_path, "echo one\n")
    assert "This is turn 2 of our conversation" in piped(tmp_path, "look\n").stdout
    begun_again = piped(tmp_path, "/new\nlook\n").stdout
    assert "A new conversation in roost-demo. What is to be done?" in begun_again
    assert "of our conversation" not in begun_again


def test_in_french(tmp_path: Path) -> None:
    done = piped(tmp_path, "/queue\n/arret\n/goal\n", ROOST_LANGUAGE="fr")
    assert done.stdout.splitlines()[0] == "Rien n’attend ici."
    assert "/goal n’existe pas encore dans cette version." in done.stdout


def test_a_file_can_be_read_from_and_nothing_is_no_fault(tmp_path: Path) -> None:
    nothing = piped(tmp_path, " \n")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert nothing.stderr.startswith("Nothing came to be answered: roost chat takes a prompt a line")
    assert "roost ask PROJECT TEXT" in nothing.stderr
    assert piped(tmp_path, "echo last line without an end").stdout == "last line without an end\n"


def test_a_failure_is_told_and_the_next_line_is_answered(tmp_path: Path) -> None:
    done = piped(tmp_path, "fail\necho and on\n")
    assert (done.returncode, done.stderr) == (1, "")
    assert "Demo gave up. Its words:" in done.stdout
    assert done.stdout.splitlines()[-1] == "and on"
    assert statuses(tmp_path) == ["failed", "done"]


def test_what_runs_is_stopped_by_a_line(tmp_path: Path) -> None:
    with begun(tmp_path) as chat:
        tell(chat, "slow 600")
        until(lambda: statuses(tmp_path) == ["running"], "a turn")
        tell(chat, "/cancel")
        said, wrong = chat.communicate(timeout=30)
    assert "Nothing is left running; the conversation can go on." in said
    assert (wrong, chat.returncode, statuses(tmp_path)) == ("", 0, ["cancelled"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--project", "nix"), "There is no project called nix."),
        (("--engine", "claude"), "Claude Code isn’t on "),
        (("--engine", "nix"), "There is no engine called nix. There are: codex, claude, opencode,"),
        (("--engine", "codex"), f"Codex isn’t on {os.uname().nodename}."),
    ],
)
def test_what_there_is_not_is_said(tmp_path: Path, words: tuple[str, str], said: str) -> None:
    done = piped(tmp_path, "echo hi\n", *words)
    assert (done.stdout, done.returncode) == ("", 2)
    assert said in done.stderr
    assert not (tmp_path / "roost-demo").exists()


def test_a_folder_that_is_no_project_says_how_it_becomes_one(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    done = piped(tmp_path, "echo hi\n", "--project", str(shop))
    assert done.stderr.split() == f"{shop} is no project yet. Add it: roost project add shop {shop}.".split()


def test_killed_in_the_middle_the_next_one_shows_the_answer(tmp_path: Path) -> None:
    with begun(tmp_path) as chat:
        tell(chat, "slow 2")
        until(lambda: statuses(tmp_path) == ["running"], "a turn")
        chat.send_signal(signal.SIGKILL)
    done = piped(tmp_path, "")
    assert (done.returncode, statuses(tmp_path)) == (0, ["done"])
    assert done.stdout.count("2 s") == 1


def test_killed_before_anybody_is_told_nothing_is_lost(tmp_path: Path) -> None:
    killed = piped(tmp_path, "echo safe\n", ROOST_CRASH_AT="before-ack")
    assert killed.returncode == -signal.SIGKILL
    # The dispatcher of the same process may have claimed it before the kill; then the next one says so first.
    assert statuses(tmp_path) in (["queued"], ["running"])
    assert piped(tmp_path, "").stdout.splitlines()[-1] == "safe"
    assert statuses(tmp_path) == ["done"]


def test_interrupted_it_leaves_without_noise_and_what_runs_goes_on(tmp_path: Path) -> None:
    with begun(tmp_path) as chat:
        tell(chat, "slow 600")
        until(lambda: statuses(tmp_path) == ["running"], "a turn")
        chat.send_signal(signal.SIGINT)
        assert chat.wait(20) == 130
        assert chat.stderr is not None
        assert chat.stderr.read().strip() == ""
    assert statuses(tmp_path) == ["running"]
    assert "Stopped after" in piped(tmp_path, "/cancel\n").stdout


def test_a_running_service_does_the_work(tmp_path: Path) -> None:
    with service(tmp_path):
        assert piped(tmp_path, "slow 1\necho two\n").stdout.splitlines()[-1] == "two"
    assert statuses(tmp_path) == ["done", "done"]


def test_two_at_once_share_one_dispatcher(tmp_path: Path) -> None:
    piped(tmp_path, "")
    with begun(tmp_path) as one, begun(tmp_path) as other:
        tell(one, "echo one")
        tell(other, "echo other")
        assert "one" in one.communicate(timeout=40)[0]
        assert "other" in other.communicate(timeout=40)[0]
    assert statuses(tmp_path) == ["done", "done"]


def test_of_several_projects_words_wait_for_the_one_that_is_chosen(tmp_path: Path) -> None:
    for name in ("shop", "blog"):
        (tmp_path / name).mkdir()
    piped(tmp_path, "/project add shop ~/shop\n/project add blog ~/blog\n")
    waits = piped(tmp_path, "echo first\n")
    assert waits.returncode == 2
    assert "roost chat --project NAME" in waits.stderr
    assert waits.stdout.splitlines() == [
        "Which project is this for? Your message waits, and runs once one is chosen.",
        "1 blog · 2 roost-demo · 3 shop · New project: /project add",
    ]
    assert statuses(tmp_path) == []
    named = piped(tmp_path, "", "--project", "shop")
    assert (named.stdout, named.stderr, named.returncode) == ("first\n", "", 0)
    assert piped(tmp_path, "echo second\n1\n").stdout.splitlines()[-1] == "second"
    assert statuses(tmp_path) == ["done", "done"]
