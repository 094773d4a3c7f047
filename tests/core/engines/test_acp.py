"""How ACP agents are started, what of a turn is fixed then, and how their failures sort."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.engines.acp import GEMINI, OPENCODE, Acp
from core.engines.piped import piped
from core.engines.port import Dialogue, Failure, first_turn
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest

REQUEST = TurnRequest("/p", "-hello", Access.WORKSPACE, {"HOME": "/h"}, model="m")


@pytest.mark.parametrize(
    ("engine", "program", "argv"),
    [
        (Acp(command=("agent", "serve")), ("/bin/agent", "serve"), piped(("/bin/agent", "serve"))),
        (OPENCODE, ("/bin/opencode",), ("/bin/opencode", "acp")),
        (GEMINI, ("/bin/gemini",), ("/bin/gemini", "--acp", "--model", "m")),
    ],
)
def test_the_command_line(engine: Acp, program: tuple[str, ...], argv: tuple[str, ...]) -> None:
    launch, _ = first_turn(engine, program, REQUEST, "t1")
    assert (launch.argv, launch.cwd, launch.spoken) == (argv, "/p", True)
    assert launch.env["HOME"] == "/h"
    assert json.loads(launch.input)["id"] == "t1:initialize"
    assert engine.keys(launch.input) == {"t1:initialize"}


def test_it_speaks() -> None:
    dialogue: Dialogue = OPENCODE.dialogue(replace(REQUEST, session=SessionId("s")), "t", warm=True)
    (prompt,) = dialogue.due()
    assert json.loads(prompt.line)["params"]["prompt"] == [{"type": "text", "text": "-hello"}]


@pytest.mark.parametrize(
    ("access", "approvals", "rules"),
    [
        (Access.READ_ONLY, False, ("deny", "deny", "deny")),
        (Access.READ_ONLY, True, ("ask", "ask", "ask")),
        (Access.WORKSPACE, False, ("allow", "deny", "deny")),
        (Access.WORKSPACE, True, ("allow", "ask", "ask")),
        (Access.FULL, False, ("allow", "allow", "allow")),
    ],
)
def test_what_opencode_may_do(access: Access, approvals: bool, rules: tuple[str, ...]) -> None:
    env = OPENCODE.launch(("o",), replace(REQUEST, access=access, approvals=approvals)).env
    assert tuple(json.loads(env["OPENCODE_PERMISSION"]).values()) == rules


@pytest.mark.parametrize(
    ("access", "approvals", "mode"),
    [
        (Access.READ_ONLY, False, "plan"),
        (Access.READ_ONLY, True, "default"),
        (Access.WORKSPACE, True, "autoEdit"),
        (Access.FULL, False, "yolo"),
    ],
)
def test_the_mode_of_gemini(access: Access, approvals: bool, mode: str) -> None:
    assert GEMINI.manner.modes_for(replace(REQUEST, access=access, approvals=approvals)) == (mode,)


def test_a_process_serves_turns_that_want_the_same_of_it() -> None:
    assert OPENCODE.fixed(REQUEST) == OPENCODE.fixed(replace(REQUEST, text="other", images=("/a",)))
    others = ({"model": "n"}, {"effort": "high"}, {"access": Access.FULL}, {"approvals": True})
    assert all(OPENCODE.fixed(replace(REQUEST, **other)) != OPENCODE.fixed(REQUEST) for other in others)
    assert replace(OPENCODE, model="m").fixed(replace(REQUEST, model="")) == OPENCODE.fixed(REQUEST)


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("session/resume: Internal error: OpenCode service failure", Failure.SESSION_GONE),
        ("session/fork: Internal error: OpenCode service failure", Failure.SESSION_GONE),
        ('session/load: Internal error Invalid session identifier "x".', Failure.SESSION_GONE),
        ("session/load: Internal error No previous sessions found for this project.", Failure.SESSION_GONE),
        ("session/load: Resource not found Session not found: x", Failure.SESSION_GONE),
        ("session/prompt: Internal error: OpenCode service failure", Failure.OTHER),
        ("session/prompt: slow down (429)", Failure.RATE_LIMIT),
        ("session/prompt: Rate limit exceeded. Try again later. (429)", Failure.RATE_LIMIT),
        ("session/prompt: Incorrect API key provided (401)", Failure.LOGIN),
        ("session/new: Gemini API key is missing or not configured.", Failure.LOGIN),
        ("session/new: Authentication required", Failure.LOGIN),
        ("max_tokens", Failure.CONTEXT_FULL),
        ("session/model: Invalid params: model not found: scripted/nosuch", Failure.MODEL),
        (
            "\x1b[91m\x1b[1mError: \x1b[0mUnexpected error\n\nFailed query: \nCREATE TABLE `workspace` (\n",
            Failure.BUSY,
        ),
        ("cancelled", Failure.OTHER),
    ],
)
def test_failures_sort(text: str, failure: Failure) -> None:
    assert GEMINI.sort(text, resumed=True) is failure
