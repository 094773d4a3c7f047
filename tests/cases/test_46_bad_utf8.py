"""Case 46: bytes that are no UTF-8, a byte order mark, a NUL and a cut sign do not hurt a turn."""

from __future__ import annotations

import itertools

from core.model.events import Message, SessionStarted, ToolCall, TurnCompleted, TurnStarted
from core.wire.codex_exec import CodexExecDecoder

STREAM = (
    b'\xef\xbb\xbf{"type":"thread.started","thread_id":"01999999-0000-7000-8000-000000000001"}\n'
    b'{"type":"turn.started"}\n'
    b'{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"ls",'
    b'"aggregated_output":"caf\xe9 \xff\xfe","exit_code":0,"status":"completed"}}\n'
    b'{"type":"item.completed","item":{"id":"i2","type":"agent_message",'
    b'"text":"a\\u0000b FINAL-46 \xe2\x82\xac"}}\n'
    b'{"type":"turn.completed"}\n'
)


def test_the_answer_arrives_and_bad_bytes_are_replaced_in_their_field_only() -> None:
    for place in itertools.chain(range(0, len(STREAM), 7), [STREAM.index(b"\xac"), STREAM.index(b"\xbb")]):
        decoder = CodexExecDecoder()
        started, turn, step, answer, completed = decoder.feed(STREAM[:place]) + decoder.feed(STREAM[place:])
        assert (type(started), turn, completed) == (SessionStarted, TurnStarted(), TurnCompleted())
        assert isinstance(step, ToolCall)
        assert (step.title, step.output) == ("ls", "caf\ufffd \ufffd\ufffd")
        assert isinstance(answer, Message)
        assert answer.text == "ab FINAL-46 €"
