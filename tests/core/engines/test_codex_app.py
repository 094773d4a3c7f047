"""How the app server is started, and what its engine says of itself."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.engines.codex_app import CodexApp
from core.engines.port import Dialogue, Engine, Failure, first_turn
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from tests.core.engines.test_codex import GONE, PROGRAM, QUIET, WRITER

REQUEST = TurnRequest("/p", "-hello\n", Access.WORKSPACE, {"HOME": "/h"})


def test_the_first_words_are_there_when_the_process_starts() -> None:
    launch, dialogue = first_turn(CodexApp(), PROGRAM, REQUEST, "t")
    assert " ".join(launch.argv) == f"/usr/bin/codex {QUIET} app-server"
    assert (launch.spoken, launch.cwd, launch.env) == (True, "/p", {"HOME": "/h"})
    assert CodexApp().keys(launch.input) == {"t/initialize", "initialized", "t/thread"}
    assert dialogue.due() == []


def test_it_is_an_engine_that_is_spoken_to() -> None:
    engine: Engine = CodexApp()
    assert engine.spoken
    dialogue: Dialogue = engine.dialogue(REQUEST, "t")
    assert dialogue.due()
    able = engine.capabilities
    assert able.resume
    assert able.images
    assert able.steer
    assert able.compact
    assert able.fork
    assert able.approvals
    assert able.models


def test_a_process_is_bound_to_what_the_agent_may_do() -> None:
    assert len({CodexApp().fixed(TurnRequest("/p", "x", access, {})) for access in Access}) == 3


def test_the_request_comes_before_the_settings() -> None:
    codex = CodexApp(model="mine", effort="low")
    words = b"".join(word.line for word in codex.dialogue(REQUEST, "t").due())
    assert b'"model":"mine"' in words
    warm = TurnRequest("/p", "x", Access.WORKSPACE, {}, SessionId("s"), "yours", "high")
    (turn,) = codex.dialogue(warm, "t", warm=True).due()
    params = json.loads(turn.line)["params"]
    assert (params["model"], params["effort"]) == ("yours", "high")


def test_a_compaction_begins_with_the_handshake() -> None:
    asked = replace(REQUEST, session=SessionId("s"), compact=True)
    assert [word.key for word in CodexApp().dialogue(asked, "t").due()] == ["0"]


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (WRITER, Failure.THREAD_WRITER),
        (GONE, Failure.SESSION_GONE),
        ("hm (usage limit)", Failure.USAGE_LIMIT),
    ],
)
def test_its_failures_sort_as_those_of_exec_do(text: str, failure: Failure) -> None:
    assert CodexApp().sort(text, resumed=True) is failure
