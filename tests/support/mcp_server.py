"""A server of MCP over stdio whose one tool has a form filled in: what came of that is the tool's result.

`python mcp_server.py` is the program; it needs nothing but Python.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]

COMMAND = [sys.executable, str(Path(__file__))]
TOOL = {"name": "wish", "description": "Asks how it shall be", "inputSchema": {"type": "object"}}
FORM = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "enum": ["red", "blue"]},
        "count": {"type": "integer", "title": "How many"},
        "why": {"type": "string"},
    },
    "required": ["colour", "count"],
}


def initialized(message: Json) -> Json:
    return {
        "protocolVersion": message["params"]["protocolVersion"],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "asker", "version": "1"},
    }


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def serve() -> None:
    called = None
    for line in sys.stdin:
        message: Json = json.loads(line)
        match message:
            case {"method": "initialize", "id": name}:
                send(id=name, result=initialized(message))
            case {"method": "tools/list", "id": name}:
                send(id=name, result={"tools": [TOOL]})
            case {"method": "tools/call", "id": called}:
                asked = {"message": "How shall it be?", "requestedSchema": FORM}
                send(id="form", method="elicitation/create", params=asked)
            case {"id": "form", **outcome}:
                said = json.dumps(outcome.get("result") or outcome["error"], sort_keys=True)
                send(id=called, result={"content": [{"type": "text", "text": said}]})
            case {"method": _, "id": name}:
                send(id=name, result={})


if __name__ == "__main__":
    serve()
