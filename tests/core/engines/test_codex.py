"""The command lines of behaviour §7, word for word."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from core.engines.codex import Codex
from core.engines.port import Decoder, Engine, Failure
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest

QUIET = (
    "-c tools.update_plan.enabled=true -c analytics.enabled=false "
    "-c check_for_update_on_startup=false --disable plugins "
    '-c projects={"/p"={trust_level="untrusted"}}'
)
WORKSPACE = "--sandbox workspace-write --ask-for-approval never"
EXEC = "exec --json --skip-git-repo-check"
PROGRAM = ("/usr/bin/codex",)
SESSION = SessionId("01a22b60-cce2-7f23-9a62-3de2fc530894")


def request(
    *,
    access: Access = Access.WORKSPACE,
    session: SessionId | None = None,
    model: str = "",
    effort: str = "",
    images: tuple[str, ...] = (),
) -> TurnRequest:
    return TurnRequest("/p", "-hello\n", access, {"HOME": "/h"}, session, model, effort, images)


def words(request: TurnRequest, codex: Codex | None = None) -> str:
    return " ".join((codex or Codex()).launch(PROGRAM, request).argv)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (request(), f"{WORKSPACE} {QUIET} {EXEC} -"),
        (
            request(model="gpt-5.5", effort="high"),
            f'--model gpt-5.5 --config model_reasoning_effort="high" {WORKSPACE} {QUIET} {EXEC} -',
        ),
        (request(effort="low"), f'--config model_reasoning_effort="low" {WORKSPACE} {QUIET} {EXEC} -'),
        (request(access=Access.READ_ONLY), f"--sandbox read-only --ask-for-approval never {QUIET} {EXEC} -"),
        (request(access=Access.FULL), f"--dangerously-bypass-approvals-and-sandbox {QUIET} {EXEC} -"),
        (request(session=SESSION), f"{WORKSPACE} {QUIET} {EXEC} resume {SESSION} -"),
        (
            request(images=("/a.png", "/b c.png")),
            f"{WORKSPACE} {QUIET} {EXEC} --image /a.png --image /b c.png -- -",
        ),
        (
            request(images=("/a.png",), session=SESSION),
            f"{WORKSPACE} {QUIET} {EXEC} resume --image /a.png {SESSION} -",
        ),
    ],
)
def test_the_command_line(asked: TurnRequest, expected: str) -> None:
    assert words(asked) == f"/usr/bin/codex {expected}"


def test_a_project_is_not_trusted_by_any_of_its_names() -> None:
    """Else its own configuration could open the sandbox (tried: `tests/e2e/test_access.py`)."""
    asked = replace(request(), cwd='/srv/é "x"', real="/mnt/x")
    told = tomllib.loads(next(word for word in Codex().launch(PROGRAM, asked).argv if "projects" in word))
    untrusted = {"trust_level": "untrusted"}
    assert told == {"projects": {'/srv/é "x"': untrusted, "/mnt/x": untrusted}}


def test_the_request_comes_before_the_settings() -> None:
    codex = Codex(model="mine", effort="low")
    assert words(request(), codex).startswith(
        '/usr/bin/codex --model mine --config model_reasoning_effort="low" '
    )
    assert words(request(model="yours"), codex).startswith("/usr/bin/codex --model yours ")


def test_the_prompt_is_read_from_standard_input_and_stands_in_no_word() -> None:
    launch = Codex().launch(("codex", "--profile", "x"), request())
    assert (launch.input, launch.spoken, launch.cwd, launch.env) == (b"-hello\n", False, "/p", {"HOME": "/h"})
    assert launch.argv[:3] == ("codex", "--profile", "x")
    assert not [word for word in launch.argv if "hello" in word]


def test_it_is_an_engine() -> None:
    engine: Engine = Codex()
    decoder: Decoder = engine.dialogue(request(), "1")
    assert (engine.name, engine.label, engine.command) == ("codex", "Codex", ("codex",))
    assert engine.capabilities.images
    assert engine.capabilities.resume
    assert decoder.feed(b'{"type":"turn.started"}\n')
    assert "CODEX_HOME" in engine.env_names


WRITER = "Error: thread/resume failed: thread 01a2 already has an active writer (code -32600)"
GONE = "Error: thread/resume: thread/resume failed: no rollout found for thread id 01a2 (code -32600)"


@pytest.mark.parametrize(
    ("text", "resumed", "failure"),
    [
        (WRITER, True, Failure.THREAD_WRITER),
        (WRITER, False, Failure.OTHER),
        (GONE, True, Failure.SESSION_GONE),
        (GONE, False, Failure.OTHER),
        (f"{GONE} 429", True, Failure.SESSION_GONE),
        (f"{GONE} 429", False, Failure.RATE_LIMIT),
        ("exceeded retry limit, last status: 429 Too Many Requests", True, Failure.RATE_LIMIT),
    ],
)
def test_the_rows_of_a_session_come_first_and_only_where_there_is_one(
    text: str, resumed: bool, failure: Failure
) -> None:
    assert Codex().sort(text, resumed=resumed) is failure
