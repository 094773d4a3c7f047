"""Compaction, as behaviour §5.1 has it, and the questions that need no turn."""

from __future__ import annotations

import json

import pytest

from core.model.events import Compacted, EngineEvent, SessionStarted, TurnCompleted, TurnFailed
from core.model.ids import SessionId
from core.model.offers import Account, Model
from core.model.sessions import SessionInfo
from core.wire.codex_compact import CodexCompaction
from core.wire.codex_queries import PAGES_MOST, Query, account, fork, models, sessions

SESSION = SessionId("s-1")


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def note(method: str, **params: object) -> bytes:
    return line(method=method, params={"threadId": "s-1", **params})


def tokens(turn: str, total: int) -> bytes:
    used = {"totalTokens": total}
    return note("thread/tokenUsage/updated", turnId=turn, tokenUsage={"total": used, "last": used})


def item(state: str) -> bytes:
    return note(f"item/{state}", turnId="u", item={"type": "contextCompaction", "id": "i"})


STARTED = note("turn/started", turn={"id": "u"})
RESUMED = line(id=1, result={"thread": {"id": "s-1"}})


def test_each_step_waits_for_the_answer_to_the_one_before() -> None:
    compaction = CodexCompaction(SESSION, "t")
    (first,) = compaction.due()
    assert (first.key, json.loads(first.line)["method"]) == ("0", "initialize")
    assert compaction.feed(line(id=0, result={})) == []
    initialized, second = compaction.due()
    assert initialized.key == "initialized"
    assert json.loads(second.line) == {
        "id": 1,
        "method": "thread/resume",
        "params": {"threadId": "s-1", "excludeTurns": True},
    }
    assert compaction.feed(RESUMED + tokens("before", 5_000)) == [SessionStarted(SESSION)]
    (third,) = compaction.due()
    assert json.loads(third.line) == {
        "id": 2,
        "method": "thread/compact/start",
        "params": {"threadId": "s-1"},
    }
    assert compaction.feed(line(id=2, result={}) + STARTED + item("started")) == []
    *_, compacted, done = compaction.feed(tokens("u", 900) + item("completed") + item("completed"))
    assert (compacted, done) == (Compacted(5_000, 900), TurnCompleted())


def test_a_warm_process_compacts_under_an_id_of_its_own() -> None:
    (word,) = CodexCompaction(SESSION, "t", warm=True).due()
    assert word.key == "t/compact"


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_refusal_ends_it_in_the_words_of_the_engine(step: int) -> None:
    compaction = CodexCompaction(SESSION, "t")
    compaction.feed(b"".join([line(id=0, result={}), RESUMED][:step]))
    why = "no rollout found for thread id s-1"
    assert compaction.feed(line(id=step, error={"code": -32600, "message": why})) == [TurnFailed(why)]


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ({"id": "u", "status": "failed", "error": {"message": "429"}}, "429"),
        ({"id": "u", "status": "interrupted"}, "interrupted"),
    ],
)
def test_a_turn_without_a_compaction_is_a_failure(turn: dict[str, object], text: str) -> None:
    compaction = CodexCompaction(SESSION, "t", warm=True)
    assert compaction.feed(STARTED + note("turn/completed", turn=turn)) == [TurnFailed(text)]


def test_it_can_be_interrupted() -> None:
    compaction = CodexCompaction(SESSION, "t", warm=True)
    compaction.due()
    compaction.interrupt()
    assert compaction.due() == []
    compaction.feed(STARTED)
    assert [word.key for word in compaction.due()] == ["t/interrupt"]


def test_the_way_older_servers_say_it() -> None:
    compaction = CodexCompaction(SESSION, "t", warm=True)
    assert compaction.feed(note("thread/compacted", turnId="u"))[-1] == TurnCompleted()


MODELS = {
    "data": [
        {
            "model": "m",
            "displayName": "M",
            "hidden": False,
            "isDefault": True,
            "defaultReasoningEffort": "low",
            "supportedReasoningEfforts": [{"reasoningEffort": "low", "description": ""}],
        },
        {"model": "old", "hidden": True},
    ],
    "nextCursor": None,
}
THREADS = {
    "data": [
        {"id": "s-1", "cwd": "/p", "name": None, "preview": "Hello", "updatedAt": 5},
        {"id": "s-2", "cwd": "/p", "name": "Named", "preview": "Hello", "updatedAt": 4},
    ]
}


@pytest.mark.parametrize(
    ("query", "result", "found"),
    [
        (models("t"), MODELS, (Model("m", "M", ("low",), "low", default=True),)),
        (
            sessions("t", "/p"),
            THREADS,
            (SessionInfo(SESSION, "Hello", 5, "/p"), SessionInfo(SessionId("s-2"), "Named", 4, "/p")),
        ),
        (fork("t", SESSION), {"thread": {"id": "s-9"}}, (SessionId("s-9"),)),
        (account("t"), {"account": None, "requiresOpenaiAuth": True}, (Account(required=True),)),
        (
            account("t"),
            {"account": {"type": "chatgpt", "email": "a@b.example", "planType": "pro"}},
            (Account("chatgpt", "a@b.example", "pro"),),
        ),
    ],
)
def test_a_question_is_answered(query: Query[object], result: object, found: tuple[object, ...]) -> None:
    assert [word.key for word in query.due()] == ["t/initialize", "initialized", "t/page/1"]
    assert query.feed(line(id="t/initialize", result={}) + line(id="t/page/1", result=result)) == [
        TurnCompleted()
    ]
    assert query.found == found


def test_the_pages_of_a_list_are_read_to_their_end() -> None:
    query = models("t", warm=True)
    events: list[EngineEvent] = []
    asked = 0
    while not events:
        (word,) = query.due()
        asked += 1
        events = query.feed(line(id=word.key, result={**MODELS, "nextCursor": "more"}))
    assert (asked, events, len(query.found)) == (PAGES_MOST, [TurnCompleted()], PAGES_MOST)


@pytest.mark.parametrize("answer", [{"error": {"message": "no"}}, {"result": {"data": 5}}])
def test_a_question_that_is_refused_fails(answer: dict[str, object]) -> None:
    query = models("t", warm=True)
    *_, last = query.feed(line(id="t/page/1", **answer))
    assert isinstance(last, TurnFailed)
    assert query.found == ()
