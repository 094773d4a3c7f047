"""OpenCode, told to leave a project's own settings aside and to read its words all the same."""

from __future__ import annotations

import json
from collections.abc import Mapping

from core.model.project import Access
from core.model.request import TurnRequest

CONFIG_NAME = "OPENCODE_CONFIG_CONTENT"
WORDS = ("AGENTS.md", "CLAUDE.md")


def apart(request: TurnRequest, config: str = "") -> dict[str, str]:
    """Variables for everything short of full access. Without them a project's `opencode.json` would allow its
    agents what the request doesn't, and what lies in its `.opencode` would run as OpenCode starts, before any
    permission is asked for (tried). With them it does not look for its `AGENTS.md` either, which is why that
    is named in *config*, the person's own configuration, if this is plain JSON."""
    if request.access is Access.FULL:
        return {}
    told = _telling(config or request.env.get(CONFIG_NAME) or "{}", request.cwd)
    return {"OPENCODE_DISABLE_PROJECT_CONFIG": "1", **({CONFIG_NAME: told} if told else {})}


def _telling(given: str, cwd: str) -> str:
    try:
        config = json.loads(given)
    except ValueError:
        return ""
    if not cwd or not isinstance(config, Mapping):
        return ""
    instructions = config.get("instructions", [])
    if not isinstance(instructions, list):
        return ""
    return json.dumps({**config, "instructions": [*instructions, *(f"{cwd}/{name}" for name in WORDS)]})
