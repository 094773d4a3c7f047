"""Why an ACP turn ended badly, in the agent's own words."""

from __future__ import annotations

import msgspec

from core.wire.acp_rpc import Trouble, glean
from core.wire.acp_shapes import DETAILS, Details
from core.wire.shapes import Shape


class _Name(Shape, frozen=True, gc=False, rename="camel"):
    error_name: str = ""


_NAME = msgspec.json.Decoder(_Name)
HTTP = range(400, 600)
"""Gemini gives the status of its model's service as the error's code."""
UNTAKEN = range(-32_602, -32_599)
"""Of a prompt: no such method, or it makes no sense to the agent."""

UNFINISHED = frozenset({"max_tokens", "max_turn_requests"})
"""Stop reasons with which what was said until then is still an answer."""


def words(trouble: Trouble, doing: str) -> str:
    """*doing* is the request that failed, so that words as general as OpenCode's about a session that it does
    not know (`OpenCode service failure`) can be told from others."""
    details = glean(DETAILS, trouble.data, Details())
    name = glean(_NAME, trouble.data, _Name()).error_name
    said = [trouble.message, details.details or details.message, name and f"({name})"]
    if trouble.code in HTTP:
        said.append(f"({trouble.code})")
    return f"{doing}: {' '.join(filter(None, said))}"
