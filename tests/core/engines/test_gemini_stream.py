"""The command lines of `gemini -o stream-json`, and how its failures sort."""

from __future__ import annotations

import pytest

from core.engines.gemini_stream import GeminiStream
from core.engines.port import Engine, Failure
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest

PROGRAM = ("/usr/bin/gemini",)
SESSION = SessionId("cbd6a92f-ac69-4a97-be11-82a0827eeb32")
FORMAT = "--output-format stream-json"


def request(
    *, access: Access = Access.WORKSPACE, session: SessionId | None = None, model: str = ""
) -> TurnRequest:
    return TurnRequest("/p", "-hello\n", access, {"HOME": "/h"}, session, model)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (request(), f"--approval-mode auto_edit {FORMAT}"),
        (request(access=Access.READ_ONLY), f"--approval-mode plan {FORMAT}"),
        (request(access=Access.FULL), f"--approval-mode yolo {FORMAT}"),
        (
            request(session=SESSION, model="m"),
            f"--resume {SESSION} --model m --approval-mode auto_edit {FORMAT}",
        ),
    ],
)
def test_the_command_line(asked: TurnRequest, words: str) -> None:
    launch = GeminiStream().launch(PROGRAM, asked)
    assert " ".join(launch.argv) == f"/usr/bin/gemini {words}"
    assert (launch.input, launch.spoken, launch.cwd) == (b"-hello\n", False, "/p")


def test_it_trusts_the_project_and_gets_its_signals() -> None:
    env = GeminiStream().launch(PROGRAM, request()).env
    assert env == {"HOME": "/h", "GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true"}


def test_it_is_an_engine() -> None:
    engine: Engine = GeminiStream(model="mine")
    assert (engine.name, engine.label, engine.command) == ("gemini", "Gemini", ("gemini",))
    assert "mine" in engine.launch(PROGRAM, request()).argv
    assert "mine" not in engine.launch(PROGRAM, request(model="yours")).argv


GONE = 'Error resuming session: Invalid session identifier "9".\n  Searched for sessions in /h/chats.'
NO_KEY = "When using Gemini API, you must specify the GEMINI_API_KEY environment variable."
NOISE = "Warning: 256-color support not detected.\nRipgrep is not available. Falling back to GrepTool."


@pytest.mark.parametrize(
    ("text", "resumed", "failure"),
    [
        (GONE, True, Failure.SESSION_GONE),
        (GONE, False, Failure.OTHER),
        (NO_KEY, True, Failure.LOGIN),
        ("Invalid auth method selected.", False, Failure.LOGIN),
        ("Incorrect API key provided: scripted 401 (401 UNAUTHENTICATED)", False, Failure.LOGIN),
        ("Resource exhausted (429 RESOURCE_EXHAUSTED)", False, Failure.RATE_LIMIT),
        ("You exceeded your current quota, please check your plan (429)", False, Failure.USAGE_LIMIT),
        (
            "The input token count (2) exceeds the maximum number of tokens allowed",
            False,
            Failure.CONTEXT_FULL,
        ),
        ("models/x is not found", True, Failure.OTHER),
        (NOISE, True, Failure.OTHER),
    ],
)
def test_its_failures_sort(text: str, resumed: bool, failure: Failure) -> None:
    assert GeminiStream().sort(text, resumed=resumed) is failure
