"""What an ACP agent tells of its work on a prompt, update by update."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from core.model.events import EngineEvent, Unrecognised, Usage
from core.wire import acp_shapes as shapes
from core.wire.acp_questions import Questions
from core.wire.acp_rpc import glean, read
from core.wire.acp_said import Said
from core.wire.acp_tools import Tools
from core.wire.acp_usage import Meter
from core.wire.shapes import KIND_KEPT

SILENT = frozenset(
    {
        *("user_message_chunk", "available_commands_update", "current_mode_update"),
        *("config_option_update", "session_info_update", "plan_removed"),
    }
)
"""Updates that tell a chat nothing, and nothing of whether the prompt was taken."""

_UPDATE = msgspec.json.Decoder(shapes.Update)
_CHUNK = msgspec.json.Decoder(shapes.Chunk)
_TOOL = msgspec.json.Decoder(shapes.Tool)
_PLAN = msgspec.json.Decoder(shapes.Plan)
_GAUGE = msgspec.json.Decoder(shapes.Gauge)


class Updates:
    """*warm*: what the session had cost before this turn is not known."""

    def __init__(self, tools: Tools, questions: Questions, *, warm: bool) -> None:
        self._said, self._tools, self._questions = Said(), tools, questions
        self._meter = Meter(known=not warm)

    @property
    def spoke(self) -> bool:
        """Whether the agent said anything."""
        return self._said.spoke

    @property
    def context(self) -> int:
        """Tokens in the model's window, as last told."""
        return self._meter.context

    def before(self, update: msgspec.Raw) -> list[EngineEvent]:
        """An update from before the prompt: nothing is told of history."""
        if read(_UPDATE, update, "session/update").session_update == "usage_update":
            self._meter.before(glean(_GAUGE, update, shapes.Gauge()))
        return []

    def tell(self, update: msgspec.Raw) -> list[EngineEvent] | None:
        """None for one that does not show that the agent works on the prompt."""
        kind = read(_UPDATE, update, "session/update").session_update
        if kind in SILENT:
            return None
        handler = _HANDLERS.get(kind)
        return (
            list(handler(self, update)) if handler else [Unrecognised(f"session/update/{kind}"[:KIND_KEPT])]
        )

    def pause(self) -> Iterator[EngineEvent]:
        """Something else than words comes."""
        return self._said.pause()

    def over(self, end: shapes.Prompted) -> Iterator[EngineEvent]:
        """The agent is done with the prompt."""
        yield from self._said.pause()
        if usage := self._meter.total(end):
            yield usage

    def _message(self, raw: msgspec.Raw) -> Iterator[EngineEvent]:
        return self._chunk(raw, thought=False)

    def _thought(self, raw: msgspec.Raw) -> Iterator[EngineEvent]:
        return self._chunk(raw, thought=True)

    def _chunk(self, raw: msgspec.Raw, *, thought: bool) -> Iterator[EngineEvent]:
        chunk = read(_CHUNK, raw, "agent_thought_chunk" if thought else "agent_message_chunk")
        said = chunk.content.words
        if said is None:
            yield Unrecognised(f"session/update/{chunk.content.type}"[:KIND_KEPT])
        else:
            yield from self._said.chunk(said, chunk.message_id, thought=thought)

    def _tool(self, raw: msgspec.Raw) -> Iterator[EngineEvent]:
        tool = read(_TOOL, raw, "tool_call")
        yield from self._said.pause()
        yield from self._tools.update(tool)
        yield from self._questions.went_on(tool)

    def _plan(self, raw: msgspec.Raw) -> Iterator[EngineEvent]:
        yield from self._tools.plan(read(_PLAN, raw, "plan").entries)

    def _gauge(self, raw: msgspec.Raw) -> Iterator[Usage]:
        yield self._meter.gauge(read(_GAUGE, raw, "usage_update"))


_HANDLERS: dict[str, Callable[[Updates, msgspec.Raw], Iterator[EngineEvent]]] = {
    "agent_message_chunk": Updates._message,
    "agent_thought_chunk": Updates._thought,
    "tool_call": Updates._tool,
    "tool_call_update": Updates._tool,
    "plan": Updates._plan,
    "usage_update": Updates._gauge,
}
