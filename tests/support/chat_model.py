"""A scripted model for OpenCode (Chat Completions) and Gemini (generateContent), told as `model_server` is.

Of its actions there are: text (with its delay), shell, write, plan, sleep, once and status.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from tests.support.model_server import (
    REFUSALS,
    SCRIPT,
    TOOLS,
    Actions,
    Call,
    Json,
    ModelServer,
    round_of,
)
from tests.support.model_server import Handler as AnyHandler

STATUS_NAMES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED"}
BAD_KEY = "bad-key"
OWN = re.compile(r"\s*<(?:session_context|system-reminder)")
"""How texts begin that an agent adds in the person's name."""


# --- what came in -----------------------------------------------------------------------------------------


def read_chat(body: Json) -> tuple[list[str], int, int]:
    """The person's messages, the pictures of the last of them, and the tool results since."""
    users: list[str] = []
    images = results = 0
    for message in body["messages"]:
        content = message.get("content")
        if message["role"] == "tool":
            results += 1
        elif message["role"] == "user":
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            users.append("\n".join(part["text"] for part in parts if part["type"] == "text"))
            images, results = sum(part["type"] == "image_url" for part in parts), 0
    return users, images, results


def read_gemini(body: Json) -> tuple[list[str], int, int]:
    users: list[str] = []
    images = results = 0
    for content in body["contents"]:
        parts = content.get("parts", [])
        answers = sum("functionResponse" in part for part in parts)
        results += answers
        texts = [part["text"] for part in parts if "text" in part and not OWN.match(part["text"])]
        if content.get("role") == "user" and texts and not answers:
            users.append("\n".join(texts))
            images, results = sum("inlineData" in part for part in parts), 0
    return users, images, results


# --- how it is said ---------------------------------------------------------------------------------------


def named(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:24]}"


def chat_call(action: Json) -> tuple[str, Json]:
    if "shell" in action:
        return "bash", {"command": action["shell"], "description": "scripted"}
    if "write" in action:
        return "write", {"filePath": action["write"]["path"], "content": action["write"]["content"]}
    todos = [{"content": text, "status": state, "priority": "medium"} for text, state in action["plan"]]
    return "todowrite", {"todos": todos}


def gemini_call(action: Json) -> tuple[str, Json]:
    if "shell" in action:
        return "run_shell_command", {"command": action["shell"], "description": "scripted"}
    if "write" in action:
        return "write_file", {"file_path": action["write"]["path"], "content": action["write"]["content"]}
    return "write_todos", {
        "todos": [{"description": text, "status": state} for text, state in action["plan"]]
    }


def words(action: Json) -> list[str]:
    """The pieces in which a text is said."""
    return re.findall(r"\S+\s*", action["text"]) if "delay" in action else [action["text"]]


def chat_events(actions: Actions) -> Iterator[tuple[Json, float]]:
    """What is said, and the seconds of silence before each."""

    def chunk(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}

    calls = [chat_call(action) for action in actions if "text" not in action]
    yield chunk({"role": "assistant", "content": ""}), 0
    for action in actions:
        if "text" in action:
            yield from ((chunk({"content": word}), action.get("delay", 0)) for word in words(action))
    for index, (name, arguments) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(arguments)}
        told = {"index": index, "id": named("call"), "type": "function", "function": function}
        yield chunk({"tool_calls": [told]}), 0
    yield chunk({}, "tool_calls" if calls else "stop"), 0
    cached = {"cached_tokens": 200}
    usage = {"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234}
    yield {**chunk({}), "choices": [], "usage": {**usage, "prompt_tokens_details": cached}}, 0


def gemini_events(actions: Actions) -> Iterator[tuple[Json, float]]:
    """As `chat_events`."""

    def candidate(part: Json, **more: Any) -> Json:
        content = {"role": "model", "parts": [part]}
        return {"candidates": [{"index": 0, "content": content, **more}], "modelVersion": "m"}

    for action in actions:
        if "text" in action:
            yield from ((candidate({"text": word}), action.get("delay", 0)) for word in words(action))
            continue
        name, arguments = gemini_call(action)
        yield candidate({"functionCall": {"id": named("fc"), "name": name, "args": arguments}}), 0
    usage = {"promptTokenCount": 1200, "candidatesTokenCount": 34, "cachedContentTokenCount": 200}
    last = candidate({"text": ""}, finishReason="STOP")
    yield {**last, "usageMetadata": {**usage, "totalTokenCount": 1234}}, 0


def chat_tools(body: Json) -> set[str]:
    return {tool["function"]["name"] for tool in body.get("tools") or []}


def gemini_tools(body: Json) -> set[str]:
    groups = body.get("tools") or []
    return {tool["name"] for group in groups for tool in group.get("functionDeclarations") or []}


# --- the server -------------------------------------------------------------------------------------------


class Handler(AnyHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        gemini = "generateContent" in self.path or "streamGenerateContent" in self.path
        if not gemini and "messages" not in body:  # Gemini counts tokens by the way
            return self.fail(404, "no such path")
        read, tools = (read_gemini, gemini_tools) if gemini else (read_chat, chat_tools)
        users, images, results = read(body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        called, declared = gemini_call if gemini else chat_call, tools(body)

        def offered(action: Json) -> bool:
            return not any(tool in action for tool in TOOLS) or called(action)[0] in declared

        model = self.server.model
        assert isinstance(model, ChatModel)
        actions = model.said(Call(body, headers, users, images, results), offered if declared else None)
        failing = next((action for action in actions if "status" in action), None)
        try:
            if failing:
                return self.fail(failing["status"], failing.get("message", "scripted"))
            self.wait(sum(action.get("sleep", 0) for action in actions))
            self.say(gemini_events if gemini else chat_events, actions)
        except OSError:
            self.close_connection = True  # the agent was ended

    def wait(self, seconds: float) -> None:
        self.server.model.closing.wait(seconds)

    def fail(self, status: int, message: str) -> None:
        error = {"code": status, "message": message, "status": STATUS_NAMES.get(status, "INTERNAL")}
        self.refuse(status, {"error": error}, {"retry-after": 1})

    def say(self, events: Callable[[Actions], Iterator[tuple[Json, float]]], actions: Actions) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event, silence in events([action for action in actions if "sleep" not in action]):
            self.wait(silence)
            self.send(f"data: {json.dumps(event)}\n\n".encode())
        if "completions" in self.path:
            self.send(b"data: [DONE]\n\n")
        self.send(b"")


class ChatModel(ModelServer):
    """`with ChatModel() as model:` … `model.url` (without a path), `model.calls`: of agents at work only."""

    def __init__(self) -> None:
        super().__init__()
        self._server.RequestHandlerClass = Handler

    @property
    def url(self) -> str:
        return super().url.removesuffix("/v1")

    def said(self, call: Call, offered: Callable[[Json], bool] | None) -> Actions:
        """A step that the agent does not offer is left out; None: a question that it asks by the way."""
        with self._lock:
            if BAD_KEY in (call.headers.get("x-goog-api-key"), call.headers.get("authorization", "")[7:]):
                return [{"status": 401, "message": "Incorrect API key provided"}]
            if offered is not None:
                self.calls.append(call)
            if self.refusing:
                return [{"status": self.refusing, "message": REFUSALS[self.refusing]}]
            if offered is None:
                return [{"text": "A title"}]
            scripts = SCRIPT.findall(call.users[-1])
            if not scripts:
                return self.echo(call)
            whole: list[Actions] = json.loads(scripts[-1])
            rounds = [kept for actions in whole if (kept := [one for one in actions if offered(one)])]
            number = round_of(rounds, call.results)
            return self._now(rounds[number], f"{number} {scripts[-1]}")
