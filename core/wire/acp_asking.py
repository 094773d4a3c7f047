"""What an ACP agent asks a person: permissions and forms, and the words that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.model.events import Asked, AskKind, Choice, Grant, ToolKind
from core.wire import acp_shapes as shapes
from core.wire import acp_tools as tools
from core.wire.acp_rpc import Id, Json, Object

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
YES, NO, DECLINE = "true", "false", "decline"


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
    fields: Mapping[str, shapes.Field]
    given: dict[str, Json] = field(default_factory=dict)
    item: str = ""
    cancelled: Object = field(default_factory=lambda: {"action": "cancel"})

    @property
    def questions(self) -> tuple[Asked, ...]:
        if not self.fields:
            yes = Choice(YES, Grant.ONCE)
            return (Asked(self.key, AskKind.QUESTION, self.message, (yes, Choice(DECLINE, Grant.DENY))),)
        return tuple(self._question(name, one) for name, one in self.fields.items())

    def answer(self, question: str, choice: str, text: str) -> Object | None:
        """What to answer; None as long as a field has none."""
        if choice == DECLINE:
            return {"action": "decline"}
        for name, one in self.fields.items():
            if question == f"{self.key}:{name}" and (value := _said(one, choice, text)) is not None:
                self.given[name] = value
        if len(self.given) < len(self.fields):
            return None
        return {"action": "accept", "content": dict(self.given)} if self.fields else {"action": "accept"}

    def denies(self, _: str) -> bool:
        """No step waits for a form."""
        return False

    def _question(self, name: str, one: shapes.Field) -> Asked:
        label = one.title or one.description or name
        several = len(self.fields) > 1
        options = tuple(Choice(value, Grant.OPTION, title) for value, title in _options(one))
        return Asked(
            key=f"{self.key}:{name}",
            kind=AskKind.QUESTION,
            title=f"{self.message}\n{label}" if several else self.message,
            choices=(*options, Choice(DECLINE, Grant.DENY)),
            reason="" if several else one.description or one.title or "",
            free=not options or one.type == "array",
        )


def form(to: Id, key: str, asked: shapes.Elicitation) -> Form:
    """Its questions are for the fields that have to be filled in; for all where none has to be."""
    schema = asked.requested_schema
    fields = schema.properties or {}
    required = {name: one for name, one in fields.items() if name in (schema.required or ())}
    return Form(to, key, asked.message, required or fields)


def _options(one: shapes.Field) -> list[tuple[str, str]]:
    """What a field can be, and how its agent words that; nothing where it can be anything."""
    if one.type == "boolean":
        return [(YES, YES), (NO, NO)]
    items = one.items or shapes.Items()
    named = one.one_of or items.any_of
    words = one.enum or items.enum or ()
    return [_titled(value) for value in named] if named else [(word, word) for word in words]


def _titled(value: shapes.Named) -> tuple[str, str]:
    return value.const, value.title or value.const


def _said(one: shapes.Field, choice: str, text: str) -> Json:
    """Words of one's own that do not fit go as they are: the agent says so, and nobody waits for ever."""
    if not text:
        return _value(one, choice)
    value = _value(one, text)
    return text if value is None else value


def _value(one: shapes.Field, given: str) -> Json:
    """*given* as the field's type; None where it is no such thing."""
    allowed = {value for value, _ in _options(one)}
    if one.type == "array":
        named = {title.casefold(): value for value, title in _options(one)}
        words = [word.strip() for word in given.split(",")]
        chosen = [word if word in allowed else named.get(word.casefold(), word) for word in words]
        return list[Json](chosen) if not allowed or allowed.issuperset(chosen) else None
    if allowed and given not in allowed:
        return None
    try:
        return _READ[one.type](given) if one.type in _READ else given
    except ValueError:
        return None


_READ: dict[str, Callable[[str], Json]] = {
    "boolean": YES.__eq__,
    "integer": int,
    "number": float,
}
