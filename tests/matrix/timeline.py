"""A room as its member's client holds it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from nio import MegolmEvent

from tests.matrix.synapse import Json


@dataclass(frozen=True)
class Seen:
    """A message as it stands in a timeline now. *secret*: it came encrypted, and could be read."""

    id: str
    sender: str
    content: Json
    secret: bool = False
    edits: int = 0

    @property
    def body(self) -> str:
        return str(self.content.get("body", ""))

    @property
    def html(self) -> str:
        return str(self.content.get("formatted_body", ""))

    @property
    def kind(self) -> str:
        return str(self.content.get("msgtype", ""))

    @property
    def thread(self) -> str:
        relation = self.content.get("m.relates_to", {})
        return str(relation.get("event_id", "")) if relation.get("rel_type") == "m.thread" else ""


@dataclass
class Timeline:
    """A room as its member's client holds it."""

    messages: dict[str, Seen] = field(default_factory=dict)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    """The keys of those on each message."""
    unreadable: list[str] = field(default_factory=list)

    def take(self, event: Any) -> None:
        content: Json = event.source.get("content", {})
        relation = content.get("m.relates_to") or {}
        if isinstance(event, MegolmEvent):
            self.unreadable.append(event.event_id)
        elif event.source.get("type") == "m.room.redaction":
            self.messages.pop(str(event.source.get("redacts") or content.get("redacts")), None)
        elif event.source.get("type") == "m.reaction":
            self.reactions.setdefault(relation.get("event_id", ""), []).append(relation.get("key", ""))
        elif relation.get("rel_type") == "m.replace":
            edited = self.messages.get(relation["event_id"])
            if edited:
                new = {"m.relates_to": edited.content.get("m.relates_to", {}), **content["m.new_content"]}
                self.messages[edited.id] = replace(edited, content=new, edits=edited.edits + 1)
        elif event.source.get("type") == "m.room.message" and content:
            seen = Seen(event.event_id, event.sender, content, secret=bool(event.decrypted))
            self.messages[event.event_id] = seen
