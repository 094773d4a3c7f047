"""Claude Code's command lines, its first words, and how its failures sort."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.engines.claude import Claude, ClaudeSpoken
from core.engines.port import Decoder, Dialogue, Engine, Failure, first_turn
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest

REQUEST = TurnRequest("/p", "-hello\n", Access.FULL, {"HOME": "/h"})
RESUMED = replace(REQUEST, session=SessionId("s1"))
PROGRAM = ("/usr/bin/claude",)
ONCE = "/usr/bin/claude -p --verbose --output-format stream-json"
SPOKEN = f"{ONCE} --input-format stream-json --include-partial-messages --permission-prompt-tool stdio"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (REQUEST, "--dangerously-skip-permissions"),
        (replace(REQUEST, access=Access.WORKSPACE), "--permission-mode acceptEdits"),
        (replace(REQUEST, access=Access.READ_ONLY), "--permission-mode plan"),
        (replace(RESUMED, model="M"), "--model M --resume s1 --dangerously-skip-permissions"),
        (replace(REQUEST, effort="high"), "--effort high --dangerously-skip-permissions"),
    ],
)
def test_the_command_lines(request_: TurnRequest, words: str) -> None:
    assert " ".join(Claude().launch(PROGRAM, request_).argv) == f"{ONCE} {words}"
    assert " ".join(ClaudeSpoken().launch(PROGRAM, request_).argv) == f"{SPOKEN} {words}"


def test_a_fork_begins_with_the_session_that_it_is_of() -> None:
    forked = replace(REQUEST, fork=SessionId("s1"))
    for engine in (Claude(), ClaudeSpoken()):
        assert "--resume s1 --fork-session" in " ".join(engine.launch(PROGRAM, forked).argv)
        assert "--fork-session" not in engine.launch(PROGRAM, replace(forked, session=SessionId("s2"))).argv


def test_the_request_comes_before_the_settings() -> None:
    claude = Claude(model="mine", effort="low")
    assert "--model mine --effort low" in " ".join(claude.launch(PROGRAM, REQUEST).argv)
    assert "--model yours" in " ".join(claude.launch(PROGRAM, replace(REQUEST, model="yours")).argv)


def test_the_prompt_is_read_from_standard_input_and_stands_in_no_word() -> None:
    once = Claude().launch(("claude", "--debug"), replace(REQUEST, images=("/a.png",)))
    assert (once.input, once.spoken, once.cwd) == (b'-hello\n\n\n@"/a.png"', False, "/p")
    assert once.argv[:3] == ("claude", "--debug", "-p")
    spoken, _ = first_turn(ClaudeSpoken(), ("claude",), REQUEST, "t1")
    assert spoken.spoken
    assert json.loads(spoken.input)["message"]["content"] == "-hello\n"
    assert ClaudeSpoken().keys(spoken.input) == {"t1:prompt"}
    assert not [word for word in (*once.argv, *spoken.argv) if "hello" in word]


def test_the_environment_may_say_otherwise() -> None:
    assert Claude().launch(PROGRAM, REQUEST).env["DISABLE_AUTOUPDATER"] == "1"
    loud = replace(REQUEST, env={"DISABLE_AUTOUPDATER": "0"})
    assert Claude().launch(PROGRAM, loud).env["DISABLE_AUTOUPDATER"] == "0"


def test_they_are_engines() -> None:
    engines: tuple[Engine, ...] = (Claude(), ClaudeSpoken())
    for engine in engines:
        decoder: Decoder = engine.dialogue(REQUEST, "t1")
        assert (engine.name, engine.label, engine.command) == ("claude", "Claude Code", ("claude",))
        assert "CLAUDE_CONFIG_DIR" in engine.env_names
        assert decoder.feed(b"") == []
    dialogue: Dialogue = ClaudeSpoken().dialogue(REQUEST, "t1", warm=True)
    assert [word.key for word in dialogue.due()] == ["t1:prompt"]
    assert ClaudeSpoken().capabilities.steer
    assert not Claude().capabilities.approvals


GONE = "No conversation found with session ID: 99999999-2222-4333-8444-555555555555"


@pytest.mark.parametrize(
    ("text", "resumed", "failure"),
    [
        (GONE, True, Failure.SESSION_GONE),
        (GONE, False, Failure.OTHER),
        ("API Error: Request rejected (429) · scripted rate limit", True, Failure.RATE_LIMIT),
        ("You've hit your limit · resets 8:20pm (UTC)", False, Failure.USAGE_LIMIT),
        ("5-hour limit reached ∙ resets 3pm", False, Failure.USAGE_LIMIT),
        ("Credit balance is too low", False, Failure.USAGE_LIMIT),
        ("Failed to authenticate. API Error: 401 Incorrect API key provided", False, Failure.LOGIN),
        ("Not logged in · Please run /login", False, Failure.LOGIN),
        ("Prompt is too long · the request is ~250000 tokens", False, Failure.CONTEXT_FULL),
        ("There's an issue with the selected model (nosuch).", False, Failure.MODEL),
        ("--dangerously-skip-permissions cannot be used with root/sudo privileges", False, Failure.ROOT),
    ],
)
def test_failures_sort(text: str, resumed: bool, failure: Failure) -> None:
    assert ClaudeSpoken().sort(text, resumed=resumed) is failure
