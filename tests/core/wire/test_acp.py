"""Turns of the scripted ACP agent."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.model.events import (
    Asked,
    AskKind,
    Compacted,
    Denied,
    EngineEvent,
    Grant,
    Malformed,
    Message,
    MessageDelta,
    Notice,
    PlanEntry,
    PlanUpdated,
    Progress,
    Reasoning,
    Resolved,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Usage,
)
from core.model.ids import ItemId, SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.acp import AcpDialogue, Manner, keys
from core.wire.acp_queries import AcpSessions
from core.wire.forms import DECLINE
from tests.support.acp_client import scripted, strictly

Step = dict[str, object]
OLD = SessionId("old")
MODES = Manner(modes={Access.READ_ONLY: ("plan",), Access.WORKSPACE: ("nosuch", "acceptEdits")})


def request(*steps: Step | str, access: Access = Access.WORKSPACE) -> TurnRequest:
    text = steps[0] if steps and isinstance(steps[0], str) else json.dumps(steps)
    return TurnRequest("/p", text, access, {})


def dialogue(of: TurnRequest, *, warm: bool = False, manner: Manner | None = None) -> AcpDialogue:
    return AcpDialogue(of, "t", warm=warm, manner=manner)


def play(
    *steps: Step | str, offers: tuple[str, ...] = (), approvals: bool = False, choice: str = ""
) -> list[EngineEvent]:
    """The events of one new turn; *choice* answers whatever is asked."""

    def answer(to: AcpDialogue, event: EngineEvent) -> None:
        if isinstance(event, Asked) and choice:
            to.answer(event.key, choice)

    with scripted(*offers) as agent:
        return agent.turn(dialogue(replace(request(*steps), approvals=approvals)), answer)


def said(events: list[EngineEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Message)]


# --- a turn -----------------------------------------------------------------------------------------------


def test_words_thoughts_and_what_was_used() -> None:
    gauge: Step = {"usage": {"used": 50, "size": 100, "cost": 0.25}}
    assert play({"think": "Hm."}, {"say": "a"}, {"say": "b"}, gauge) == [
        SessionStarted(SessionId("s1")),
        TurnStarted(),
        Reasoning(ItemId("thought-1"), "Hm."),
        MessageDelta(ItemId("message-2"), "a"),
        MessageDelta(ItemId("message-2"), "b"),
        Usage(0, 0, 0, window=100, context=50, cost=0.25),
        Message(ItemId("message-2"), "ab"),
        Usage(10, 0, 2, window=100, context=50, cost=0.25),
        TurnCompleted(),
    ]


def test_where_nothing_can_be_forked_no_session_is_made_that_knows_nothing() -> None:
    with scripted() as agent:
        assert agent.turn(dialogue(replace(request({"say": "a"}), fork=OLD))) == [
            TurnFailed("session/fork: not found")
        ]


def test_a_message_that_goes_on_after_a_step_is_told_whole() -> None:
    step: Step = {"tool": {"toolCallId": "c", "title": "x"}}
    events = play({"say": "one ", "id": "m"}, step, {"say": "two", "id": "m"}, {"say": "new", "id": "n"})
    assert [event for event in events if isinstance(event, Message)] == [
        Message(ItemId("m"), "one "),
        Message(ItemId("m"), "one two"),
        Message(ItemId("n"), "new"),
    ]


def test_steps_known_and_unknown() -> None:
    raw = {"command": "make", "cwd": "/p"}
    done: Step = {
        "toolCallId": "c",
        "status": "completed",
        "content": [{"type": "content", "content": {"type": "text", "text": "out"}}],
        "rawOutput": {"metadata": {"exit": 2}},
    }
    events = play(
        {"tool": {"toolCallId": "c", "title": "bash", "kind": "execute", "rawInput": {}}},
        {"update": {"toolCallId": "c", "status": "in_progress", "rawInput": raw}},
        {"update": done},
        {"update": {"toolCallId": "new", "kind": "edit", "locations": [{"path": "/p/a"}]}},
    )
    make = ToolCall(ItemId("c"), ToolKind.EXECUTE, "make", Progress.IN_PROGRESS)
    assert [event for event in events if isinstance(event, ToolCall)] == [
        replace(make, title="bash", progress=Progress.PENDING),
        make,
        replace(make, progress=Progress.COMPLETED, output="out", exit_code=2),
        ToolCall(ItemId("new"), ToolKind.EDIT, "/p/a", Progress.PENDING, paths=("/p/a",)),
    ]


def test_plans_of_the_protocol_and_of_a_todo_tool() -> None:
    todos = {"todos": [{"content": "b", "status": "in_progress"}]}
    events = play(
        {"plan": [["a", "completed"]]},
        {"tool": {"toolCallId": "c", "title": "todowrite", "rawInput": {}}},
        {"update": {"toolCallId": "c", "title": "1 todo", "rawInput": todos}},
    )
    assert [event for event in events if isinstance(event, PlanUpdated | ToolCall)] == [
        PlanUpdated((PlanEntry("a", Progress.COMPLETED),)),
        PlanUpdated((PlanEntry("b", Progress.IN_PROGRESS),)),
    ]


def test_noise_and_requests_that_nobody_serves_do_not_hold_a_turn_up() -> None:
    events = play({"noise": "\x1b[33mWARN\x1b[0m"}, {"read": "/etc/passwd"}, {"say": "done"})
    assert any(isinstance(event, Malformed) for event in events)
    assert said(events) == ["refused -32601done"]


@pytest.mark.parametrize(
    ("steps", "end"),
    [
        (({"stop": "refusal"},), [TurnFailed("refusal")]),
        (({"stop": "max_tokens"},), [TurnFailed("max_tokens")]),
        (({"say": "a"}, {"stop": "max_tokens"}), [Notice("max_tokens"), TurnCompleted()]),
        (
            ({"fail": {"code": 429, "message": "slow down"}},),
            [SessionStarted(SessionId("s1")), TurnFailed("session/prompt: slow down (429)")],
        ),
        (
            ({"fail": {"code": -32603, "message": "bad", "data": {"errorName": "APIError"}}},),
            [SessionStarted(SessionId("s1")), TurnFailed("session/prompt: bad (APIError)")],
        ),
    ],
)
def test_how_a_turn_ends(steps: tuple[Step, ...], end: list[EngineEvent]) -> None:
    assert play(*steps)[-len(end) :] == end


# --- questions --------------------------------------------------------------------------------------------

ASK: Step = {"ask": {"title": "rm x", "kind": "execute", "rawInput": {"command": "rm x"}}}


@pytest.mark.parametrize(
    ("choice", "got", "progress"),
    [("always", "got always", Progress.PENDING), ("no", "got no", Progress.FAILED)],
)
def test_a_person_is_asked(choice: str, got: str, progress: Progress) -> None:
    events = play(ASK, approvals=True, choice=choice)
    (asked,) = (event for event in events if isinstance(event, Asked))
    assert (asked.kind, asked.title) == (AskKind.COMMAND, "rm x")
    assert [one.grant for one in asked.choices] == [Grant.ONCE, Grant.ALWAYS, Grant.DENY]
    assert Resolved(asked.key) in events
    assert said(events) == [got]
    assert [event.progress for event in events if isinstance(event, ToolCall)][-1] is progress


@pytest.mark.parametrize(
    ("access", "what", "got"),
    [
        (Access.FULL, {"kind": "execute"}, "got once"),
        (Access.WORKSPACE, {"kind": "execute"}, "got no"),
        (Access.WORKSPACE, {"kind": "edit", "locations": [{"path": "/p/a"}]}, "got once"),
        (Access.WORKSPACE, {"kind": "edit", "locations": [{"path": "/p/../a"}]}, "got no"),
        (Access.WORKSPACE, {"kind": "edit"}, "got no"),
        (Access.READ_ONLY, {"kind": "edit", "locations": [{"path": "/p/a"}]}, "got no"),
        (Access.READ_ONLY, {"kind": "read", "locations": [{"path": "a"}]}, "got once"),
        (Access.READ_ONLY, {"kind": "read", "locations": [{"path": "/home/x"}]}, "got no"),
        (Access.FULL, {"kind": "unheard-of"}, "got once"),
    ],
)
def test_what_an_access_means_where_nobody_is_asked(access: Access, what: Step, got: str) -> None:
    with scripted() as agent:
        events = agent.turn(dialogue(request({"ask": {"title": "x", **what}}, access=access)))
    assert said(events) == [got]
    assert any(isinstance(event, Denied) for event in events) is (got == "got no")


def test_a_change_is_shown_as_a_diff() -> None:
    part = {"type": "diff", "path": "/x/a", "oldText": "a\n", "newText": "b\n"}
    events = play(
        {"ask": {"title": "Write", "kind": "edit", "content": [part]}}, approvals=True, choice="once"
    )
    (asked,) = (event for event in events if isinstance(event, Asked))
    assert (asked.kind, asked.title) == (AskKind.EDIT, "/x/a")
    assert asked.detail.splitlines()[-2:] == ["-a", "+b"]


def test_a_form_is_a_question_for_each_field() -> None:
    fields = {
        "colour": {"type": "string", "title": "Colour", "enum": ["red", "blue"]},
        "sure": {"type": "boolean"},
        "count": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
    }
    given = {"colour": ("blue", ""), "sure": ("true", ""), "count": ("", "3"), "tags": ("", "a, b")}

    def answer(to: AcpDialogue, event: EngineEvent) -> None:
        if isinstance(event, Asked):
            to.answer(event.key, "nosuch")
            to.answer(event.key, *given[event.key.rpartition(":")[2]])

    with scripted() as agent:
        events = agent.turn(dialogue(request({"form": {"message": "Which?", "properties": fields}})), answer)
    assert said(events) == ['accept {"colour": "blue", "count": 3, "sure": true, "tags": ["a", "b"]}']
    asked = [event for event in events if isinstance(event, Asked)]
    assert [one.free for one in asked] == [False, False, True, True]
    assert {Resolved(one.key) for one in asked} <= set(events)


def test_a_form_can_be_declined() -> None:
    form: Step = {"form": {"message": "Which?", "properties": {"a": {"type": "string"}}}}
    assert said(play(form, choice=DECLINE)) == ["decline null"]


# --- sessions and settings --------------------------------------------------------------------------------


@pytest.mark.parametrize("offers", [(), ("resume",)], ids=["load", "resume"])
def test_a_session_goes_on_without_its_history(offers: tuple[str, ...]) -> None:
    with scripted(*offers) as agent:
        events = agent.turn(dialogue(replace(request("Hello"), session=OLD)))
    assert events[:2] == [SessionStarted(OLD), TurnStarted()]
    assert said(events) == ["Hello"]


@pytest.mark.parametrize(
    ("offers", "session", "words"),
    [
        ((), "gone", "session/load: Resource not found Session not found: gone"),
        (("bare",), "old", "initialize: session/load is not offered"),
    ],
)
def test_a_session_that_cannot_go_on(offers: tuple[str, ...], session: str, words: str) -> None:
    with scripted(*offers) as agent:
        events = agent.turn(dialogue(replace(request("Hello"), session=SessionId(session))))
    assert events == [TurnFailed(words)]


def test_mode_model_and_effort_are_set_before_the_prompt_and_not_shown() -> None:
    with scripted("modes", "options") as agent:
        wanted = replace(request("Hello"), model="m2", effort="high")
        events = agent.turn(dialogue(wanted, manner=MODES))
        assert agent.told == ["t:initialize", "t:new", "t:mode", "t:model", "t:effort", "t:prompt"]
        again = replace(wanted, session=SessionId("s1"))
        more = agent.turn(AcpDialogue(again, "u", warm=True, manner=MODES))
        assert agent.told[6:] == ["u:prompt"]
    assert said(events) == said(more) == ["Hello"]


def test_what_is_set_already_is_not_set_again() -> None:
    with scripted("options") as agent:
        agent.turn(dialogue(replace(request("Hello"), model="m1", effort="low"), manner=MODES))
        assert agent.told == ["t:initialize", "t:new", "t:prompt"]


def test_a_model_that_is_not_there_ends_the_turn_with_the_agents_words() -> None:
    with scripted("options") as agent:
        events = agent.turn(dialogue(replace(request("Hello"), model="nosuch")))
    assert events[-1] == TurnFailed("session/model: model not found: nosuch")


@pytest.mark.parametrize(
    ("command", "end"),
    [("/compact", TurnCompleted()), ("[]", TurnFailed("[]: no summary"))],
)
def test_a_compaction_without_a_word_is_none(command: str, end: EngineEvent) -> None:
    """The scripted agent says its prompt again, and nothing to an empty list."""
    with scripted() as agent:
        events = agent.turn(dialogue(request(command), manner=Manner(compact=command)))
    assert events[-1] == end
    assert any(isinstance(event, Compacted) for event in events) is (end == TurnCompleted())


def test_pictures_go_as_links_or_as_data() -> None:
    wanted = replace(request("Look"), images=("/p/a b.png", "/p/c.jpg"))
    (initialize,) = dialogue(wanted).due()
    assert initialize.key == "t:initialize"
    with scripted() as agent:
        assert said(agent.turn(dialogue(wanted))) == ["Look resource_link resource_link"]
    shown = replace(wanted, pictures={"/p/a b.png": "aGk="})
    warm = AcpDialogue(shown, "t", warm=True)
    (prompt,) = warm.due()
    blocks = json.loads(prompt.line)["params"]["prompt"]
    assert [block["type"] for block in blocks] == ["text", "image", "resource_link"]
    assert blocks[1]["data"] == "aGk="


def test_sessions_are_listed() -> None:
    with scripted() as agent:
        asking = AcpSessions("/p")
        while not asking.over:
            for word in asking.due():
                strictly(word.line)
                agent.write(word.line)
            asking.feed(agent._said())
    (info,) = asking.found
    assert (info.id, info.title, info.cwd, info.updated_at) == (OLD, "Old", "/p", 1796024905.725)


# --- cancel -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [({"say": "a"}, {"hang": True}), ({"say": "a"}, ASK)])
def test_an_interrupt_ends_the_turn(steps: tuple[Step, ...]) -> None:
    def stop(to: AcpDialogue, event: EngineEvent) -> None:
        if isinstance(event, MessageDelta | Asked):
            to.interrupt()
            to.interrupt()

    with scripted() as agent:
        events = agent.turn(dialogue(replace(request(*steps), approvals=True)), stop)
        assert agent.told.count("t:cancel") == 1
    assert events[-1] == TurnFailed("cancelled")
    assert said(events)[0] == "a"


def test_an_interrupt_before_the_prompt_sends_none() -> None:
    with scripted() as agent:
        turn = dialogue(request("Hello"))
        turn.interrupt()
        assert agent.turn(turn) == [TurnFailed("cancelled")]
        assert agent.told == ["t:initialize"]


# --- adoption ---------------------------------------------------------------------------------------------


def test_a_new_dialogue_fed_all_again_says_no_word_twice() -> None:
    steps: tuple[Step, ...] = ({"say": "a"}, {"read": "/x"}, ASK, {"say": "b"})
    asked = replace(request(*steps), approvals=True, model="m2")

    def answer(to: AcpDialogue, event: EngineEvent) -> None:
        if isinstance(event, Asked):
            to.answer(event.key, "once")

    with scripted("options") as agent:
        agent.turn(dialogue(asked), answer)
        for end in (*range(0, len(agent.out), 97), len(agent.out)):
            again = dialogue(asked)
            for event in again.feed(agent.out[:end]):
                answer(again, event)
            assert {word.key for word in again.due()} <= keys(agent.inp)


def test_keys_are_read_from_anything() -> None:
    turn = dialogue(request("Hello"))
    (word,) = turn.due()
    assert keys(b"garbage\n[]\n\xff\n" + word.line + word.line[:20]) == {"t:initialize"}
    assert keys(word.line.rstrip()) == {"t:initialize"}
