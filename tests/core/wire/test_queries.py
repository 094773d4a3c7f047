"""Questions that need no turn, asked of Claude Code and of ACP agents."""

from __future__ import annotations

import json
from typing import TypeVar

import pytest

from core.model.events import Malformed
from core.model.ids import SessionId
from core.model.offers import Model, chosen, takes
from core.wire.acp_queries import AcpHistory, AcpModels, AcpQuery
from core.wire.claude_queries import ClaudeModels
from tests.support.acp_client import scripted, strictly

T = TypeVar("T")
ROWS = [
    {"value": "default", "displayName": "Default", "supportedEffortLevels": ["low"], "resolvedModel": "c-1"},
    {"value": "haiku", "resolvedModel": "c-2"},
]


def answer(query: AcpQuery[T], *offers: str) -> AcpQuery[T]:
    with scripted(*offers) as agent:
        while not query.over:
            for word in query.due():
                strictly(word.line)
                agent.write(word.line)
            query.feed(agent._said())
    return query


def test_an_acp_agents_models_and_the_efforts_of_the_one_in_use() -> None:
    by_option = answer(AcpModels("/p"), "options")
    assert [(model.name, model.default) for model in by_option.found] == [("m1", True), ("m2", False)]
    assert [model.efforts is None for model in by_option.found] == [False, True]
    assert answer(AcpModels("/p")).found == ()


def test_an_acp_agents_history() -> None:
    said = answer(AcpHistory(SessionId("old"), "/p"))
    assert said.found == (("user", "an old question"), ("assistant", "an old answer"))
    unknown = answer(AcpHistory(SessionId("gone"), "/p"))
    assert (unknown.found, bool(unknown.failed)) == ((), True)
    assert answer(AcpHistory(SessionId("old"), "/p"), "bare").found == ()


def line(**said: object) -> bytes:
    return json.dumps(said).encode() + b"\n"


def control(response: object, to: str = "q:initialize", **more: object) -> bytes:
    return line(type="control_response", response={"request_id": to, "response": response, **more})


def test_claudes_first_answer_names_its_models() -> None:
    query = ClaudeModels("q")
    (word,) = query.due()
    assert json.loads(word.line)["request"] == {"subtype": "initialize"}
    query.feed(line(type="system", subtype="init") + control({"models": []}, to="other"))
    assert not query.over
    query.feed(control({"models": ROWS}))
    assert query.over
    assert query.found == (
        Model("default", "Default", ("low",), default=True, full="c-1"),
        Model("haiku", "haiku", (), full="c-2"),
    )


def test_what_claude_says_otherwise_is_no_answer() -> None:
    refused = ClaudeModels("q")
    refused.feed(control({}, error="not now"))
    assert (refused.over, refused.found, refused.failed) == (True, (), "not now")
    odd = ClaudeModels("q")
    (malformed,) = odd.feed(control({"models": 5}))
    assert isinstance(malformed, Malformed)
    assert (odd.over, bool(odd.failed)) == (True, True)


SHORT = [Model("default", "D", default=True, full="c-1"), Model("haiku", "H", full="c-2")]


@pytest.mark.parametrize(
    ("name", "taken"), [("haiku", True), ("c-2", True), ("c-9-old", True), ("hiaku", False), ("", True)]
)
def test_short_names_stand_beside_full_ones(name: str, *, taken: bool) -> None:
    assert takes(SHORT, name) is taken


def test_a_list_of_full_names_is_all_there_is() -> None:
    assert not takes([Model("gpt-1", "GPT", default=True)], "gpt-2")
    assert chosen([Model("gpt-1", "GPT")], "") is None
