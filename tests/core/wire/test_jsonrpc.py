"""JSON-RPC messages, one a line."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import MalformedLine
from core.model.launch import Word
from core.wire import jsonrpc
from core.wire.jsonrpc import Failure, Message, Notification, Request, Response


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id":0,"method":"a","params":{"b":1}}', Request(0, "a", b'{"b":1}')),
        (b'{"jsonrpc":"2.0","id":"x","method":"a"}', Request("x", "a", b"null")),
        (b'{"method":"a","emittedAtMs":1500}', Notification("a", b"null", 1.5)),
        (b'{"jsonrpc":"2.0","method":"a","params":[]}', Notification("a", b"[]")),
        (b'{"id":1,"result":{}}', Response(1, b"{}")),
        (b'{"id":1,"result":null}', Response(1, b"null")),
        (b'{"error":{"code":-32600,"message":"no"},"id":1}', Failure(1, "no", -32600)),
        (
            b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"what"},"id":null}',
            Failure(None, "what", -32700),
        ),
    ],
)
def test_every_kind_of_message_is_read(line: bytes, message: Message) -> None:
    assert jsonrpc.read(line) == message


@pytest.mark.parametrize("line", [b"{}", b'{"id":1}', b'{"result":1}'])
def test_what_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(MalformedLine):
        jsonrpc.read(line)


@pytest.mark.parametrize("line", [b"", b"[]", b"5", b'{"id":[]}', b'{"method":5}', b'{"error":"x","id":1}'])
def test_what_is_no_json_of_ours_is_a_decode_error(line: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        jsonrpc.read(line)


WORDS = [
    jsonrpc.request("t/turn", "turn/start", {"a": "é"}),
    jsonrpc.request(0, "initialize", {}),
    jsonrpc.notification("initialized"),
    jsonrpc.notification("session/cancel", {"a": 1}),
    jsonrpc.response(0, {"decision": "accept"}),
    jsonrpc.refusal("q", "method not found"),
]


def test_the_key_of_a_word_stands_in_its_line() -> None:
    for word in WORDS:
        assert word.line.endswith(b"\n")
        assert jsonrpc.keys(word.line) == {word.key}
    assert len({word.key for word in WORDS}) == len(WORDS)


@given(st.lists(st.sampled_from(WORDS), max_size=5), st.binary(max_size=20), st.integers(0, 40))
def test_a_cut_line_and_garbage_give_no_key(words: list[Word], garbage: bytes, cut: int) -> None:
    whole = b"".join(word.line for word in words)
    noise = garbage.replace(b"\n", b" ")
    cut_line = WORDS[0].line[:-1][:cut]
    assert jsonrpc.keys(whole + b"#" + noise + b"\n" + cut_line) == {word.key for word in words}
