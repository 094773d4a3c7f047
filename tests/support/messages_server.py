"""A scripted model in Anthropic's Messages protocol, as far as the real Claude Code needs it.

Scripts stand in prompts as in `tests.support.model_server`; here the tools are Claude Code's own:

    {"shell": "echo hi"}   {"write": {"path": "/a", "content": "b"}}   {"tool": {"name": "Task", "args": {…}}}
    {"headers": {"name": "value"}}         more headers of the answer

What no prompt of a script asks for is answered with `ECHO images=I users=U: FIRST LINE`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.support.model_server import USAGE, Actions, Call, Handler, Json, ModelServer, named

OWN = re.compile(r"\s*(<(system-reminder|command-|local-command-)|\[Request interrupted)")
"""How words begin that Claude Code adds in the person's name."""
TOOLS = ("shell", "write", "tool")
ERROR_KINDS = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}


def read_call(body: Json, headers: dict[str, str]) -> Call:
    users: list[str] = []
    images = results = 0
    for message in body["messages"]:
        if message["role"] != "user":
            continue
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        texts = [part["text"] for part in parts if part["type"] == "text" and not OWN.match(part["text"])]
        if texts:
            users += texts
            images, results = sum(part["type"] == "image" for part in parts), 0
        results += sum(part["type"] == "tool_result" for part in parts)
    return Call(body, headers, users or [""], images, results)


def round_of(rounds: list[Actions], results: int) -> int:
    """Which round it is once *results* tool results have come in."""
    for number, actions in enumerate(rounds[:-1]):
        calls = sum(any(tool in action for tool in TOOLS) for action in actions)
        if not calls or results < calls:
            return number
        results -= calls
    return len(rounds) - 1


class MessageStream:
    """One answer as server-sent events."""

    def __init__(self, send: Callable[[bytes], None], model: str, pause: Callable[[float], None]) -> None:
        self._send, self._model, self._pause = send, model, pause
        self._index, self._called = 0, False

    def event(self, kind: str, **fields: Any) -> None:
        self._send(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode())

    def begin(self, usage: Json) -> None:
        tokens = {
            "input_tokens": usage["input"] - usage["cached"],
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": usage["cached"],
            "output_tokens": 1,
        }
        message = {"id": named("msg"), "type": "message", "role": "assistant", "model": self._model}
        self.event("message_start", message={**message, "content": [], "stop_reason": None, "usage": tokens})

    def end(self, usage: Json) -> None:
        stop = {"stop_reason": "tool_use" if self._called else "end_turn", "stop_sequence": None}
        self.event("message_delta", delta=stop, usage={"output_tokens": usage["output"]})
        self.event("message_stop")

    def block(self, begun: Json, deltas: Iterator[Json]) -> None:
        self.event("content_block_start", index=self._index, content_block=begun)
        for delta in deltas:
            self.event("content_block_delta", index=self._index, delta=delta)
        self.event("content_block_stop", index=self._index)
        self._index += 1

    def text(self, text: str, delay: float) -> None:
        def words() -> Iterator[Json]:
            for word in re.findall(r"\S+\s*|\s+", text):
                self._pause(delay)
                yield {"type": "text_delta", "text": word}

        self.block({"type": "text", "text": ""}, words())

    def reasoning(self, text: str) -> None:
        said: list[Json] = [
            {"type": "thinking_delta", "thinking": text},
            {"type": "signature_delta", "signature": "c2NyaXB0"},
        ]
        self.block({"type": "thinking", "thinking": "", "signature": ""}, iter(said))

    def call(self, name: str, arguments: Json) -> None:
        self._called = True
        begun = {"type": "tool_use", "id": named("toolu"), "name": name, "input": {}}
        self.block(begun, iter([{"type": "input_json_delta", "partial_json": json.dumps(arguments)}]))


SAY: dict[str, Callable[[MessageStream, Json], None]] = {
    "text": lambda stream, action: stream.text(action["text"], action.get("delay", 0)),
    "reasoning": lambda stream, action: stream.reasoning(action["reasoning"]),
    "shell": lambda stream, action: stream.call("Bash", {"command": action["shell"], "description": "d"}),
    "write": lambda stream, action: stream.call(
        "Write", {"file_path": action["write"]["path"], "content": action["write"]["content"]}
    ),
    "tool": lambda stream, action: stream.call(action["tool"]["name"], action["tool"]["args"]),
}


class MessagesHandler(Handler):
    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        path = self.path.split("?")[0]
        if not path.endswith("/messages"):
            return self.refuse(404, {"error": {"message": f"no such path: {self.path}"}})
        call = read_call(json.loads(raw), {name.lower(): value for name, value in self.headers.items()})
        actions = self.server.model.answer(call)
        failing = next((action for action in actions if "status" in action), None)
        try:
            if failing:
                return self.fail(failing)
            self.say(call, actions)
        except OSError:
            self.close_connection = True  # the agent was ended

    def fail(self, action: Json) -> None:
        status, message = action["status"], action.get("message", "scripted")
        error = {"type": ERROR_KINDS.get(status, "invalid_request_error"), "message": message}
        self.refuse(status, {"type": "error", "error": error}, action.get("headers", {}))

    def say(self, call: Call, actions: Actions) -> None:
        self.send_response(200)
        for name, value in self.headings(actions).items():
            self.send_header(name, value)
        self.end_headers()
        usage = dict(USAGE)
        for action in actions:
            usage |= action.get("usage", {})
        stream = MessageStream(self.send, call.body["model"], self.pause)
        stream.begin(usage)
        for action in actions:
            kind = next(iter(action))
            if kind == "sleep":
                self.pause(action["sleep"])
            elif kind in SAY:
                SAY[kind](stream, action)
        stream.end(usage)
        self.send(b"")

    def headings(self, actions: Actions) -> dict[str, str]:
        own = {"content-type": "text/event-stream", "transfer-encoding": "chunked"}
        for action in actions:
            own |= action.get("headers", {})
        return own


class MessagesServer(ModelServer):
    """`with MessagesServer() as model:` … `model.base`, `model.calls`."""

    rounds = staticmethod(round_of)

    def __init__(self) -> None:
        super().__init__()
        self._server.RequestHandlerClass = MessagesHandler

    @property
    def base(self) -> str:
        return self.url.removesuffix("/v1")
