"""The command lines of `opencode run`, and how its failures sort."""

from __future__ import annotations

import json

import pytest

from core.engines.acp import OPENCODE
from core.engines.opencode_project import CONFIG_NAME
from core.engines.opencode_run import PERMISSION_NAME, OpenCodeRun
from core.engines.port import Engine, Failure
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest

RUN = "/usr/bin/opencode run --format json"
PROGRAM = ("/usr/bin/opencode",)
WORDS = {"instructions": ["/p/AGENTS.md", "/p/CLAUDE.md"]}
APART = "OPENCODE_DISABLE_PROJECT_CONFIG"
SESSION = SessionId("ses_dd4968ad6ffekfZEZygqRQB8uS")


def request(
    *,
    access: Access = Access.WORKSPACE,
    session: SessionId | None = None,
    model: str = "",
    effort: str = "",
    images: tuple[str, ...] = (),
    fork: SessionId | None = None,
) -> TurnRequest:
    env = {"HOME": "/h"}
    return TurnRequest("/p", "-hello\n", access, env, session, model, effort, images, fork=fork)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (request(), ""),
        (request(images=("/a.png", "/b c.png")), " --file /a.png --file /b c.png"),
        (request(session=SESSION), f" --session {SESSION}"),
        (request(model="acme/m", effort="high"), " --model acme/m --variant high"),
        (request(access=Access.READ_ONLY), " --agent plan"),
        (request(access=Access.FULL), " --auto"),
    ],
)
def test_the_command_line(asked: TurnRequest, words: str) -> None:
    launch = OpenCodeRun().launch(PROGRAM, asked)
    assert " ".join(launch.argv) == RUN + words
    assert (launch.input, launch.spoken, launch.cwd) == (b"-hello\n", False, "/p")


@pytest.mark.parametrize(
    ("access", "denied"),
    [
        (Access.READ_ONLY, {"edit", "bash", "external_directory"}),
        (Access.WORKSPACE, {"external_directory"}),
        (Access.FULL, set()),
    ],
)
def test_what_it_may_do_stands_in_its_environment(access: Access, denied: set[str]) -> None:
    env = OpenCodeRun().launch(PROGRAM, request(access=access)).env
    rules = json.loads(env.get(PERMISSION_NAME, "{}"))
    assert rules == dict.fromkeys(denied, "deny")
    assert env["HOME"] == "/h"
    agent = "plan" if access is Access.READ_ONLY else "build"
    config = json.loads(env.get(CONFIG_NAME, "{}"))
    assert config == ({"agent": {agent: {"permission": rules}}, **WORDS} if denied else {})
    assert (APART in env) is (access is not Access.FULL)


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("", {"agent": {"build": {"permission": {"external_directory": "deny"}}}}),
        (
            '{"model": "m", "agent": {"build": {"prompt": "p", "permission": {"bash": "ask"}}, "x": {}}}',
            {
                "model": "m",
                "agent": {
                    "build": {"prompt": "p", "permission": {"bash": "ask", "external_directory": "deny"}},
                    "x": {},
                },
            },
        ),
        ("[]", {"agent": {"build": {"permission": {"external_directory": "deny"}}}}),
    ],
)
def test_the_persons_own_configuration_is_kept(given: str, made: dict[str, object]) -> None:
    asked = TurnRequest("/p", "x", Access.WORKSPACE, {CONFIG_NAME: given})
    assert json.loads(OpenCodeRun().launch(PROGRAM, asked).env[CONFIG_NAME]) == made | WORDS


def test_what_the_person_has_read_to_it_is_read_first() -> None:
    given = '{"instructions": ["~/own.md"]}'
    for engine in (OpenCodeRun(), OPENCODE):
        asked = TurnRequest("/p", "x", Access.READ_ONLY, {CONFIG_NAME: given})
        env = engine.launch(PROGRAM, asked).env
        assert json.loads(env[CONFIG_NAME])["instructions"] == ["~/own.md", *WORDS["instructions"]]
        assert env[APART] == "1"


def test_a_configuration_with_comments_stays_as_it_is() -> None:
    given = "{} // mine"
    asked = TurnRequest("/p", "x", Access.READ_ONLY, {CONFIG_NAME: given})
    env = OpenCodeRun().launch(PROGRAM, asked).env
    assert (env[CONFIG_NAME], PERMISSION_NAME in env, env[APART]) == (given, True, "1")


def test_a_fork_needs_a_session_to_begin_from() -> None:
    engine = OpenCodeRun()
    assert f"--session {SESSION} --fork" in " ".join(engine.launch(PROGRAM, request(fork=SESSION)).argv)
    assert "--fork" not in engine.launch(PROGRAM, request(session=SESSION)).argv


def test_the_request_comes_before_the_settings() -> None:
    engine = OpenCodeRun(model="mine/m", effort="low")
    assert engine.launch(PROGRAM, request()).argv[-4:] == ("--model", "mine/m", "--variant", "low")
    assert "yours/m" in engine.launch(PROGRAM, request(model="yours/m")).argv


def test_it_is_an_engine() -> None:
    engine: Engine = OpenCodeRun()
    assert (engine.name, engine.label, engine.command) == ("opencode", "OpenCode", ("opencode",))
    assert engine.capabilities.images


@pytest.mark.parametrize(
    ("text", "resumed", "failure"),
    [
        ("\x1b[91m\x1b[1mError: \x1b[0mSession not found\n", True, Failure.SESSION_GONE),
        (
            "\x1b[91m\x1b[1mError: \x1b[0mUnexpected error\n\nFailed query: \nCREATE TABLE `workspace` (\n",
            False,
            Failure.BUSY,
        ),
        ("\x1b[91m\x1b[1mError: \x1b[0mSession not found\n", False, Failure.OTHER),
        ("Rate limit reached (HTTP 429)", True, Failure.RATE_LIMIT),
        ("slow down (HTTP 429)", False, Failure.RATE_LIMIT),
        ("Incorrect API key provided: x (HTTP 401)", False, Failure.LOGIN),
        ("ProviderAuthError: no key for acme", False, Failure.LOGIN),
        ("ContextOverflowError: too long", False, Failure.CONTEXT_FULL),
        ("Unexpected server error. Check server logs for details.", True, Failure.OTHER),
        ("Error: File not found: /p/nope.png", True, Failure.OTHER),
    ],
)
def test_its_failures_sort(text: str, resumed: bool, failure: Failure) -> None:
    assert OpenCodeRun().sort(text, resumed=resumed) is failure
