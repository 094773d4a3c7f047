"""What an ACP agent asks a person: permissions and forms, and the words that answer them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.model.events import Asked, AskKind, Choice, Grant, ToolKind
from core.wire import acp_shapes as shapes
from core.wire import acp_tools as tools
from core.wire import forms
from core.wire.acp_rpc import Id, Object
from core.wire.forms import Field
from core.wire.shapes import Json

CANCELLED: Object = {"outcome": {"outcome": "cancelled"}}
GRANTS = {
    "allow_once": Grant.ONCE,
    "allow_always": Grant.ALWAYS,
    "reject_once": Grant.DENY,
    "reject_always": Grant.DENY,
}
USUAL = frozenset({"allow_once", "allow_always", "reject_once"})
"""Kinds for which Roost has words of its own."""
ASK_KINDS = {
    ToolKind.EXECUTE: AskKind.COMMAND,
    ToolKind.EDIT: AskKind.EDIT,
    ToolKind.DELETE: AskKind.EDIT,
    ToolKind.MOVE: AskKind.EDIT,
}


@dataclass(frozen=True, slots=True)
class Permit:
    """A request for permission; *item* is the tool call that waits for it."""

    to: Id
    key: str
    item: str
    asked: Asked
    cancelled: Object = field(default_factory=lambda: CANCELLED)

    @property
    def questions(self) -> tuple[Asked, ...]:
        return (self.asked,)

    def answer(self, _: str, choice: str, text: str = "") -> Object | None:
        """What to answer; None where *choice* is none. ACP takes no words with it."""
        known = any(one.id == choice for one in self.asked.choices)
        return {"outcome": {"outcome": "selected", "optionId": choice}} if known else None

    def denies(self, choice: str) -> bool:
        return any(one.id == choice and one.grant is Grant.DENY for one in self.asked.choices)

    def granting(self, *grants: Grant) -> str:
        """The first choice that means the first of *grants* that any does; empty where none does."""
        by_grant = {one.grant: one.id for one in reversed(self.asked.choices)}
        return next((by_grant[grant] for grant in grants if grant in by_grant), "")


def permit(to: Id, key: str, asked: shapes.Permission, known: tools.Known) -> Permit:
    """*known* is the tool call with what the request itself says of it."""
    call, edits = asked.tool_call, ASK_KINDS.get(known.kind) is AskKind.EDIT
    content = tools.text(call)
    question = Asked(
        key=key,
        kind=ASK_KINDS.get(known.kind, AskKind.TOOL),
        title=known.title_shown,
        choices=_choices(asked.options),
        reason=content,
        detail=tools.diff(call) if edits else "" if known.command else tools.arguments(call),
    )
    return Permit(to, key, call.tool_call_id, question)


def _choices(options: tuple[shapes.Permit, ...]) -> tuple[Choice, ...]:
    seen: set[str] = set()
    choices = []
    for option in options:
        usual = option.kind in USUAL and option.kind not in seen
        seen.add(option.kind)
        grant = GRANTS.get(option.kind, Grant.OPTION)
        choices.append(Choice(option.option_id, grant, "" if usual else option.name))
    return tuple(choices)


@dataclass(slots=True)
class Form:
    """A form that the agent wants filled in, a question for each field; sent when each has its answer."""

    to: Id
    key: str
    message: str
    fields: Mapping[str, Field]
    given: dict[str, Json] = field(default_factory=dict)
    item: str = ""
    cancelled: Object = field(default_factory=lambda: {"action": "cancel"})

    @property
    def questions(self) -> tuple[Asked, ...]:
        return forms.questions(self.key, self.message, self.fields)

    def answer(self, question: str, choice: str, text: str) -> Object | None:
        """What to answer; None as long as a field has none."""
        if choice == forms.DECLINE:
            return {"action": "decline"}
        for name, one in self.fields.items():
            if question != forms.field_key(self.key, name):
                continue
            if (value := forms.filled(one, choice, text)) is not None:
                self.given[name] = value
        if len(self.given) < len(self.fields):
            return None
        return {"action": "accept", "content": dict(self.given)} if self.fields else {"action": "accept"}

    def denies(self, _: str) -> bool:
        """No step waits for a form."""
        return False


def form(to: Id, key: str, asked: shapes.Elicitation) -> Form:
    return Form(to, key, asked.message, asked.requested_schema.asked)
