"""A model that says what a test wrote down: OpenAI's Responses protocol, as far as the real Codex needs it.

What it says stands in the prompt, so that tests hold no state and may run side by side:

    <<SCRIPT [ROUND, ROUND, …] SCRIPT>>

A script is a JSON list of rounds, one for each request of the turn (a round that calls tools is over when
their results have come in; the last one is repeated). A round is a list of actions:

    {"text": "Hello", "delay": 0.2}        words, with a pause in seconds before each
    {"reasoning": "Let me see"}            a reasoning summary
    {"shell": "echo hi > a.txt"}           Codex's own tools: a command,
    {"write": {"path": "a", "content": "b"}}   a patch that adds a file (model gpt-5.5),
    {"plan": [["step one", "completed"]]}      a plan
    {"tool": {"name": "n", "args": {}}}    any other tool; one of a server's has its "namespace"
    {"sleep": 5}                           silence
    {"status": 429, "message": "m", "body": {…}, "headers": {…}}   the request fails
    {"usage": {"input": 1, "cached": 0, "output": 1, "reasoning": 0}}
    {"error_event": "m", "code": "server_error"}    the stream fails
    {"disconnect": true}                   the connection is dropped
    {"once": [ACTIONS]}                    these instead, the first time this round of this script is played

A prompt without a script is answered with `ECHO images=I users=U: FIRST LINE`: the pictures in the prompt
and the user messages of the whole request tell that both reached the model.
"""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]
Actions = list[Json]

SCRIPT = re.compile(r"<<SCRIPT\s*(\[.*?\])\s*SCRIPT>>", re.DOTALL)
CODEX_OWN = re.compile(r"\s*<(?!<SCRIPT)[a-zA-Z_-]+[ >]")
"""How messages begin that Codex adds in the user's name (`<environment_context>`, `<turn_aborted>` …)."""
IMAGE_MARK = re.compile(r"</?image\b[^>]*>")
"""What Codex puts around each picture."""
USAGE = {"input": 1200, "cached": 200, "output": 34, "reasoning": 0}
ERROR_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
REFUSALS = {401: "Incorrect API key provided", 429: "Rate limit reached for this model"}
TOOLS = ("shell", "write", "plan", "tool")


# --- what came in -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """One request of the agent: *users* are the person's messages in it, *images* belong to the last of
    them, *results* counts the tool results since."""

    body: Json
    headers: dict[str, str]
    users: list[str] = field(default_factory=list)
    images: int = 0
    results: int = 0

    @property
    def effort(self) -> str | None:
        return (self.body.get("reasoning") or {}).get("effort")


def read_call(body: Json, headers: dict[str, str]) -> Call:
    users: list[str] = []
    images = results = 0
    for item in body["input"]:
        text = persons_words(item)
        if text is not None:
            users.append(text)
            images = sum(part["type"] == "input_image" for part in item["content"])
            results = 0
        elif item["type"].endswith("_call_output"):
            results += 1
    return Call(body, headers, users, images, results)


def persons_words(item: Json) -> str | None:
    """None for what no person said, even where Codex itself speaks in the person's name."""
    if item["type"] != "message" or item["role"] != "user":
        return None
    texts = [part["text"] for part in item["content"] if part["type"] == "input_text"]
    text = "\n".join(text for text in texts if not IMAGE_MARK.fullmatch(text))
    return None if CODEX_OWN.match(text) else text


# --- what to say ------------------------------------------------------------------------------------------


def round_of(rounds: list[Actions], results: int) -> int:
    """Which round it is once *results* tool results have come in."""
    for number, actions in enumerate(rounds[:-1]):
        calls = sum(any(tool in action for tool in TOOLS) for action in actions)
        if not calls or results < calls:
            return number
        results -= calls
    return len(rounds) - 1


def echo(call: Call) -> Actions:
    first = next((line for line in call.users[-1].splitlines() if line.strip()), "")
    return [{"text": f"ECHO images={call.images} users={len(call.users)}: {first[:200]}"}]


# --- how it is said ---------------------------------------------------------------------------------------


def named(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:24]}"


class Stream:
    """One answer as server-sent events."""

    def __init__(self, send: Callable[[bytes], None], model: str, pause: Callable[[float], None]) -> None:
        self._send, self._model, self._pause = send, model, pause
        self._id, self._items, self._count = named("resp"), list[Json](), 0

    def event(self, kind: str, **fields: Any) -> None:
        data = json.dumps({"type": kind, "sequence_number": self._count, **fields})
        self._count += 1
        self._send(f"event: {kind}\ndata: {data}\n\n".encode())

    def response(self, status: str, **fields: Any) -> Json:
        base = {"id": self._id, "object": "response", "created_at": 0, "model": self._model}
        return {**base, "status": status, "output": self._items, "error": None, "usage": None, **fields}

    def begin(self) -> None:
        self.event("response.created", response=self.response("in_progress"))

    def end(self, usage: Json) -> None:
        counted = {
            "input_tokens": usage["input"],
            "input_tokens_details": {"cached_tokens": usage["cached"]},
            "output_tokens": usage["output"],
            "output_tokens_details": {"reasoning_tokens": usage["reasoning"]},
            "total_tokens": usage["input"] + usage["output"],
        }
        self.event("response.completed", response=self.response("completed", usage=counted))

    def fail(self, message: str, code: str) -> None:
        error = {"code": code, "message": message}
        self.event("response.failed", response=self.response("failed", error=error))

    def item(self, item: Json, begun: Json, deltas: Iterator[tuple[str, Json]]) -> None:
        index = len(self._items)
        self.event("response.output_item.added", output_index=index, item={**item, **begun})
        for kind, fields in deltas:
            self.event(kind, item_id=item["id"], output_index=index, **fields)
        self._items.append(item)
        self.event("response.output_item.done", output_index=index, item=item)

    def text(self, text: str, delay: float) -> None:
        def deltas() -> Iterator[tuple[str, Json]]:
            empty = {"type": "output_text", "text": "", "annotations": []}
            yield "response.content_part.added", {"content_index": 0, "part": empty}
            for word in re.findall(r"\S+\s*|\s+", text):
                self._pause(delay)
                yield "response.output_text.delta", {"content_index": 0, "delta": word}
            yield "response.output_text.done", {"content_index": 0, "text": text}

        part = {"type": "output_text", "text": text, "annotations": []}
        item = {"id": named("msg"), "type": "message", "role": "assistant", "content": [part]}
        self.item({**item, "status": "completed"}, {"content": [], "status": "in_progress"}, deltas())

    def reasoning(self, text: str) -> None:
        part = {"type": "summary_text", "text": text}
        at = {"summary_index": 0}
        deltas = [
            ("response.reasoning_summary_part.added", {**at, "part": {**part, "text": ""}}),
            ("response.reasoning_summary_text.delta", {**at, "delta": text}),
            ("response.reasoning_summary_text.done", {**at, "text": text}),
        ]
        item = {"id": named("rs"), "type": "reasoning", "summary": [part], "encrypted_content": "c2NyaXB0"}
        self.item(item, {"summary": []}, iter(deltas))

    def call(self, name: str, args: Json, namespace: str = "") -> None:
        item = {"id": named("fc"), "type": "function_call", "call_id": named("call"), "name": name}
        item |= {"namespace": namespace} if namespace else {}
        self.item({**item, "arguments": json.dumps(args)}, {"arguments": ""}, iter(()))

    def edit(self, patch: str) -> None:
        item = {"id": named("ctc"), "type": "custom_tool_call", "call_id": named("call")}
        self.item({**item, "name": "apply_patch", "input": patch}, {"input": ""}, iter(()))


def add_file(path: str, content: str) -> str:
    lines = "".join(f"+{line}\n" for line in content.splitlines())
    return f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n"


SAY: dict[str, Callable[[Stream, Json], None]] = {
    "text": lambda stream, action: stream.text(action["text"], action.get("delay", 0)),
    "reasoning": lambda stream, action: stream.reasoning(action["reasoning"]),
    "shell": lambda stream, action: stream.call(
        "exec_command", {"cmd": action["shell"], "yield_time_ms": 10_000}
    ),
    "write": lambda stream, action: stream.edit(add_file(**action["write"])),
    "plan": lambda stream, action: stream.call(
        "update_plan", {"plan": [{"step": step, "status": status} for step, status in action["plan"]]}
    ),
    "tool": lambda stream, action: stream.call(**action["tool"]),
}


# --- the server -------------------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Listening

    def log_message(self, *_: object) -> None:
        """The log of a test holds calls, not lines."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        if not self.path.endswith("/responses"):
            return self.refuse(404, {"error": {"message": f"no such path: {self.path}"}})
        model = self.server.model
        call = read_call(json.loads(raw), {name.lower(): value for name, value in self.headers.items()})
        actions = model.answer(call)
        failing = next((action for action in actions if "status" in action), None)
        try:
            if failing:
                status, message = failing["status"], failing.get("message", "scripted")
                error = {"message": message, "type": "error", "code": ERROR_CODES.get(status)}
                body = failing.get("body", {"error": error})
                return self.refuse(status, body, failing.get("headers", {}))
            self.play(call, actions)
        except OSError:
            self.close_connection = True  # the agent was ended

    def refuse(self, status: int, body: Json, headers: Json | None = None) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, str(value))
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def send(self, raw: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        self.wfile.flush()

    def pause(self, seconds: float) -> None:
        """Silence; comments in between, so that an agent that was ended is noticed."""
        while seconds > 0 and not self.server.model.closing.wait(min(seconds, 0.5)):
            seconds -= 0.5
            self.send(b": silence\n\n")

    def play(self, call: Call, actions: Actions) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        stream = Stream(self.send, call.body["model"], self.pause)
        stream.begin()
        usage = dict(USAGE)
        for action in actions:
            kind = next(iter(action))
            if kind == "disconnect":
                self.close_connection = True
                return
            if kind == "error_event":
                stream.fail(action["error_event"], action.get("code", "server_error"))
                break
            if kind == "sleep":
                self.pause(action["sleep"])
            elif kind == "usage":
                usage |= action["usage"]
            else:
                SAY[kind](stream, action)
        else:
            stream.end(usage)
        self.send(b"")


class Listening(ThreadingHTTPServer):
    daemon_threads = True
    model: ModelServer


class ModelServer:
    """`with ModelServer() as model:` … `model.url`, `model.calls`. Any key will do unless *key* is given."""

    rounds = staticmethod(round_of)

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.refusing = 0
        """The status of every answer, while it is not 0."""
        self.slow = 0.0
        """Seconds before each answer that no script asks for."""
        self.calls: list[Call] = []
        self.closing = threading.Event()
        self._played: set[str] = set()
        self._lock = threading.Lock()
        self._server = Listening(("127.0.0.1", 0), Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self, call: Call) -> Actions:
        with self._lock:
            self.calls.append(call)
            if self.refusing:
                return [{"status": self.refusing, "message": REFUSALS[self.refusing]}]
            if self.key and call.headers.get("authorization") != f"Bearer {self.key}":
                return [{"status": 401, "message": "Incorrect API key provided"}]
            scripts = SCRIPT.findall(call.users[-1])
            if not scripts:
                return self.echo(call)
            rounds: list[Actions] = json.loads(scripts[-1])
            number = self.rounds(rounds, call.results)
            return self._now(rounds[number], f"{number} {scripts[-1]}")

    def echo(self, call: Call) -> Actions:
        return [{"sleep": self.slow}, *echo(call)] if self.slow else echo(call)

    def _now(self, actions: Actions, mark: str) -> Actions:
        first = next((action["once"] for action in actions if "once" in action), None)
        if first is not None and mark not in self._played:
            self._played.add(mark)
            return list(first)
        return [action for action in actions if "once" not in action]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
