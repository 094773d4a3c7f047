"""Names of things, each its own type so that one is never passed for another."""

from __future__ import annotations

from typing import NewType

ProjectId = NewType("ProjectId", int)
ConversationId = NewType("ConversationId", int)
PromptId = NewType("PromptId", int)
MessageId = NewType("MessageId", int)
RoomId = NewType("RoomId", int)
EventId = NewType("EventId", int)
TurnId = NewType("TurnId", int)

AgentId = NewType("AgentId", str)
"""A UUID: one agent process, its directory and the marker in its environment."""

SessionId = NewType("SessionId", str)
"""The engine's own name for a conversation (Codex: thread). Blanks around it are no part of the name, but of
how one process knows it (`core.wire.acp_settings.Manner.loads_apart`)."""

ItemId = NewType("ItemId", str)
"""The engine's own name for one item of a turn; unique within the turn only."""
