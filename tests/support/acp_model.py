"""A model that says what a prompt tells it to, in the two protocols that OpenCode and Gemini speak.

`<<SCRIPT [ROUND, …] SCRIPT>>` in a prompt is a list of rounds, one for each request: a tool's result ends
one. A round is a list of `{"text": …, "delay": s}`, `{"tool": {"name": …, "args": {…}}}`, `{"status": 429}`.
Any other prompt is answered with how many pictures it has.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
SCRIPT = re.compile(r"<<SCRIPT (.*) SCRIPT>>", re.DOTALL)
BAD_KEY = "bad-key"


def script(*rounds: list[Json]) -> str:
    return f"<<SCRIPT {json.dumps(rounds)} SCRIPT>>"


def of_chat(body: Json) -> Iterator[tuple[str, str]]:
    """(kind, text) of each piece of a Chat Completions request that is no word of the model."""
    for message in body["messages"]:
        content = message.get("content")
        pieces = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        for piece in pieces:
            text = piece.get("text", "")
            yield ("image" if piece["type"] == "image_url" else message["role"]), text


def of_gemini(body: Json) -> Iterator[tuple[str, str]]:
    for content in body["contents"]:
        for part in content["parts"]:
            if "functionResponse" in part:
                yield "tool", ""
            elif "inlineData" in part:
                yield "image", ""
            else:
                yield content["role"], part.get("text", "")


def answer(pieces: list[tuple[str, str]]) -> list[Json]:
    """What to say now."""
    results = images = 0
    for kind, text in reversed(pieces):
        if kind == "tool":
            results += 1
        elif kind == "image":
            images += 1
        elif kind == "user" and (found := SCRIPT.search(text)):
            rounds: list[list[Json]] = json.loads(found[1])
            return rounds[min(results, len(rounds) - 1)]
        elif kind in ("assistant", "model") and text:
            break
    return [{"text": f"images={images}"}]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        gemini = "messages" not in body
        key = self.headers.get("x-goog-api-key") or self.headers.get("authorization") or ""
        said = answer(list(of_gemini(body) if gemini else of_chat(body)))
        if not body.get("tools"):
            said = [{"text": "A title"}]
        status = (
            401 if key.endswith(BAD_KEY) else next((one["status"] for one in said if "status" in one), 200)
        )
        self.send_response(status)
        streams = status == 200 and ("stream" in self.path or body.get("stream"))
        self.send_header("content-type", "text/event-stream" if streams else "application/json")
        self.send_header("retry-after", "1")
        self.end_headers()
        try:
            if status != 200:
                self.tell({"error": {"code": status, "message": f"scripted {status}", "status": "X"}})
            elif not streams:
                self.tell(next(self.gemini(said)))
            else:
                for chunk in self.gemini(said) if gemini else self.chat(said):
                    self.wfile.write(b"data: ")
                    self.tell(chunk)
                    self.wfile.write(b"\n\n")
        except OSError:
            self.close_connection = True  # the agent was cancelled

    def tell(self, what: Json) -> None:
        self.wfile.write(json.dumps(what).encode())
        self.wfile.flush()

    def words(self, one: Json) -> Iterator[str]:
        for word in re.findall(r"\S+\s*", one["text"]):
            time.sleep(one.get("delay", 0))
            yield word

    def chat(self, said: list[Json]) -> Iterator[Json]:
        def chunk(delta: Json, finish: str | None = None, **more: Any) -> Json:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice], **more}

        called = False
        for one in said:
            if "text" in one:
                yield from (chunk({"role": "assistant", "content": word}) for word in self.words(one))
            else:
                called = True
                tool = {"name": one["tool"]["name"], "arguments": json.dumps(one["tool"]["args"])}
                call = {"index": 0, "id": f"call_{time.monotonic_ns()}", "type": "function", "function": tool}
                yield chunk({"role": "assistant", "tool_calls": [call]})
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        yield chunk({}, "tool_calls" if called else "stop", usage=usage)

    def gemini(self, said: list[Json]) -> Iterator[Json]:
        def chunk(*parts: Json, **more: str) -> Json:
            candidate = {"index": 0, "content": {"role": "model", "parts": list(parts)}, **more}
            usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
            return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"}

        for one in said:
            if "text" in one:
                yield from (chunk({"text": word}) for word in self.words(one))
            else:
                yield chunk({"functionCall": {"id": f"fc_{time.monotonic_ns()}", **one["tool"]}})
        yield chunk({"text": ""}, finishReason="STOP")


@contextmanager
def model() -> Iterator[str]:
    """The address of a model of its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
