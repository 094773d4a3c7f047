"""`roost ask` as a shell sees it: what goes in, what comes out, how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
from pathlib import Path

from PIL import Image

from tests.support.agents import runs
from tests.support.roost import COMMAND, Roost, stop, until

STEP = {
    "json": {
        "type": "item.completed",
        "item": {
            "id": "item_0",
            "type": "command_execution",
            "command": "pytest",
            "aggregated_output": "",
            "exit_code": 4,
            "status": "failed",
        },
    }
}


def picture() -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(data, "PNG")
    return data.getvalue()


def test_the_answer_is_on_stdout_and_its_progress_on_stderr(shop: Roost) -> None:
    shop.says("All **green**.", STEP)
    ran = shop("ask", "shop", "Run the tests")
    assert (ran.status, ran.out) == (0, "All **green**.\n")
    assert "✗ Ran pytest · exit 4" in ran.err or "✓ 0:00 · 1 step" in ran.err
    assert "green" not in ran.err


def test_json_tells_a_script_everything(shop: Roost) -> None:
    (shop.shop / "output").mkdir()
    (shop.shop / "output" / "a.png").write_bytes(picture())
    shop.says("Here: ![a](output/a.png)")
    told = shop("ask", "shop", "Draw", "--json").json
    assert told.keys() == {"prompt", "conversation", "status", "text", "images", "error"}
    assert (told["status"], told["text"], told["error"]) == ("done", "Here: ![a](output/a.png)", None)
    (path,) = told["images"]
    assert Path(path).is_absolute()
    assert Path(path).read_bytes()


def test_the_path_of_a_picture_follows_the_answer(shop: Roost) -> None:
    (shop.shop / "a.png").write_bytes(picture())
    shop.says("Here: ![a](a.png)")
    answer, path = shop("ask", "shop", "Draw").out.splitlines()
    assert (answer, path) == ("Here: ![a](a.png)", str(shop.shop / "a.png"))


def test_the_agent_gets_exactly_the_bytes_that_came_on_stdin(shop: Roost) -> None:
    shop.says("Read.", {"read_stdin": "eof"})
    words = "- first a dash\n" + "é" * 150_000 + "\n"
    assert shop("ask", "shop", "-", stdin=words.encode()).status == 0
    (start,) = shop.play.starts
    assert start.stdin.startswith(words.encode())
    assert not any("dash" in word for word in start.argv)


def test_a_nul_and_what_is_no_text_do_not_stop_a_prompt(shop: Roost) -> None:
    shop.says("Read.", {"read_stdin": "eof"})
    assert shop("ask", "shop", "-", stdin=b"a\0b \xff").status == 0
    assert shop.play.starts[0].stdin.startswith("ab \ufffd".encode())


def test_ask_goes_on_with_its_conversation_until_a_new_one_is_wanted(shop: Roost) -> None:
    def conversation(*words: str) -> int:
        return int(shop("ask", "shop", "Go", "--json", *words).json["conversation"])

    first = conversation()
    assert conversation() == first
    assert (second := conversation("--new")) != first
    assert conversation() == second
    assert conversation("--conversation", str(first)) == first
    assert "resume" in shop.play.starts[1].argv
    assert "resume" not in shop.play.starts[2].argv


def test_the_agent_answers_in_the_language_of_who_asks_now(shop: Roost) -> None:
    shop("project", "set", "shop", "--engine", "demo")
    assert "I am Roost's built-in agent" in shop("ask", "shop", "help").out
    assert "Je suis l'agent intégré" in shop("ask", "shop", "help", ROOST_LANGUAGE="fr").out


def test_a_picture_goes_to_the_agent(shop: Roost, tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(picture())
    assert shop("ask", "shop", "Look", "--image", str(tmp_path / "shot.png")).status == 0
    argv = shop.play.starts[0].argv
    shown = Path(argv[argv.index("--image") + 1])
    assert shown.is_relative_to(shop.shop)
    with Image.open(shown) as image:
        assert image.size == (40, 30)


def test_what_is_no_picture_is_refused_and_nothing_is_sent(shop: Roost, tmp_path: Path) -> None:
    file, good = tmp_path / "x.png", tmp_path / "good.png"
    good.write_bytes(picture())
    for data in (None, b"", b"no picture", b"%PDF-1.7", picture()[:40]):
        if data is not None:
            file.write_bytes(data)
        ran = shop("ask", "shop", "Look", "--image", str(good), "--image", str(file))
        assert (ran.status, ran.out) == (2, "")
        assert "Nothing was sent" in ran.err
        assert len(ran.err.splitlines()) == 1
    assert not list(shop.shop.iterdir())
    assert shop("status", "--json").json["queued"] == []
    assert not shop.play.starts


def test_what_cannot_be_asked_is_said_in_a_sentence(shop: Roost) -> None:
    def refused(*words: str) -> str:
        ran = shop("ask", *words)
        assert (ran.status, ran.out) == (2, "")
        assert "Traceback" not in ran.err
        return ran.err

    (shop.home / "blog").mkdir()
    shop("project", "add", "blog", str(shop.home / "blog"))
    shop("ask", "blog", "Go")
    assert "There is no project called shed." in refused("shed", "Go")
    assert "There is no such conversation here." in refused("shop", "Go", "--conversation", "99")
    assert "There is no such conversation here." in refused("shop", "Go", "--conversation", "1")
    assert "Give one of the two." in refused("blog", "Go", "--conversation", "1", "--new")
    assert "There is nothing in that to ask." in refused("shop", " \n")
    assert "There is nothing in that to ask." in refused("shop", "-")
    shop("project", "archive", "shop")
    assert "roost project unarchive shop" in refused("shop", "Go")
    assert len(shop.agents) == 1


def test_a_failure_is_a_sentence_and_the_agents_own_words(shop: Roost) -> None:
    shop.play.steps({"json": {"type": "turn.failed", "error": {"message": "model gone"}}})
    ran = shop("ask", "shop", "Go")
    assert (ran.status, ran.out) == (1, "")
    assert "Codex gave up." in ran.err
    assert "model gone" in ran.err
    told = shop("ask", "shop", "Go", "--json")
    assert (told.status, told.json["status"]) == (1, "failed")
    assert told.json["error"] == "Codex gave up. Its words:\n\n    model gone"


def test_an_agent_that_cannot_be_started_is_named(shop: Roost) -> None:
    program = shop.home / "codex"
    shop.configure(command=[str(program)])
    missing = shop("ask", "shop", "Go")
    program.write_text("#!/bin/sh\n")
    not_executable = shop("ask", "shop", "Go")
    for ran in (missing, not_executable):
        assert ran.status == 1
        assert "Codex is not installed on" in ran.err
        assert "kept" not in ran.err, "nothing here would send it again"
        assert "roost check says how things stand here; then ask again." in ran.err


def test_a_project_folder_that_went_away_is_named(shop: Roost) -> None:
    shop.shop.rmdir()
    ran = shop("ask", "shop", "Go")
    assert ran.status == 1
    assert f"The project’s folder is gone: {shop.shop}" in ran.err
    assert "roost project set shop --path FOLDER" in ran.err


def test_a_secret_that_the_agent_was_given_is_never_shown(shop: Roost) -> None:
    shop.configure('pass_env = ["SHOP_TOKEN"]\nenv = { SHOP_PASSWORD = "swordfish-9" }\n')
    shop.says("I hold sesame-open-12 and swordfish-9.")
    ran = shop("ask", "shop", "Go", SHOP_TOKEN="sesame-open-12")
    assert shop.play.starts[0].env["SHOP_TOKEN"] == "sesame-open-12"
    assert ran.out == "I hold ••• and •••.\n"
    assert not re.search("sesame-open-12|swordfish-9", shop("events", "1").out)


def test_ctrl_c_stops_the_agent_and_says_so(shop: Roost) -> None:
    shop.holds()
    with shop.started("ask", "shop", "Go") as ask:
        until(lambda: shop.agents)
        stop(ask, signal.SIGINT)
        assert ask.stderr
        said = ask.stderr.read()
    assert ask.returncode == 130
    assert said.count("Stopping …") <= 1  # it may be over before anybody could read that
    assert "Stopped after 0:0" in said
    assert not runs(shop.agents[0])


def test_a_second_ctrl_c_leaves_at_once_and_the_prompt_is_still_known(shop: Roost) -> None:
    shop.says("Hi.", {"ignore": ["TERM"]}, {"wait_for": str(shop.home / "never")})
    with shop.started("ask", "shop", "Go") as ask:
        until(lambda: shop.agents)
        ask.send_signal(signal.SIGINT)
        assert ask.stderr
        while "Stopping" not in ask.stderr.readline():
            pass
        assert stop(ask, signal.SIGINT) < 2
    assert ask.returncode == 130
    assert len(shop("status", "--json").json["running"]) == 1
    assert shop("cancel", "--all").status == 0
    assert not runs(shop.agents[0])


def test_ask_killed_in_mid_turn_is_finished_by_the_next_one(shop: Roost) -> None:
    go = shop.holds()
    with shop.started("ask", "shop", "One") as ask:
        until(lambda: shop.agents)
        stop(ask, signal.SIGKILL)
    assert runs(shop.agents[0])
    go.touch()
    assert shop("ask", "shop", "Two").out == "Hi.\n"
    assert len(shop.agents) == 2
    ended = [event for event in events(shop, 1) if event["type"] == "prompt.ended"]
    assert [(event["prompt"], event["status"]) for event in ended] == [(1, "done"), (2, "done")]


def test_two_asks_at_once_run_one_after_the_other(shop: Roost) -> None:
    go = shop.holds()
    with shop.started("ask", "shop", "One") as first:
        until(lambda: shop.agents)
        with shop.started("ask", "shop", "Two") as second:
            assert second.stderr
            assert "Second in line, after One." in second.stderr.readline()
            assert len(shop.agents) == 1
            go.touch()
            assert (first.wait(30), second.wait(30)) == (0, 0)
    assert len(shop.agents) == 2


def test_a_reader_that_leaves_early_costs_no_stack_trace(shop: Roost) -> None:
    shop.says("x" * 200_000)
    shop("ask", "shop", "Go")
    words = ["sh", "-c", f"{' '.join(COMMAND)} events 1 | head -c 10"]
    ran = subprocess.run(words, capture_output=True, env=shop.environ, timeout=30)
    assert ran.stdout
    assert ran.stderr == b""


def events(roost: Roost, conversation: int, *words: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in roost("events", str(conversation), *words).out.splitlines()]


def test_the_log_can_be_read_on_from_any_event(shop: Roost) -> None:
    shop("ask", "shop", "Go")
    whole = events(shop, 1)
    assert [event["type"] for event in whole][:2] == ["queue.accepted", "queue.started"]
    assert whole[-1]["type"] == "prompt.ended"
    assert all({"id", "type", "at", "conversation", "prompt"} <= event.keys() for event in whole)
    assert events(shop, 1, "--from", str(whole[2]["id"])) == whole[3:]
    assert events(shop, 1, "--from", str(whole[-1]["id"])) == []


def test_the_log_can_be_followed(shop: Roost) -> None:
    shop("ask", "shop", "One")
    with shop.started("events", "1", "--follow") as follow:
        assert follow.stdout
        while json.loads(follow.stdout.readline())["type"] != "prompt.ended":
            pass
        shop("ask", "shop", "Two")
        assert json.loads(follow.stdout.readline()) | {"type": "queue.accepted", "prompt": 2}
        stop(follow, signal.SIGINT)
    assert follow.returncode == 130


def test_the_demo_agent_answers_with_a_picture(roost: Roost) -> None:
    (roost.shop / "main.py").write_text("print()\n")
    told = roost.with_shop(engine="demo")("ask", "shop", "hello", "--json").json
    assert told["status"] == "done"
    assert all(os.path.getsize(path) for path in told["images"])
