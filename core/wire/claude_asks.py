"""What Claude Code asks a person, and what it is answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from core.model.events import Asked, AskKind, Choice, EngineEvent, Grant, Resolved, ToolKind
from core.model.launch import Word
from core.wire import forms
from core.wire.claude_lines import ControlRequest
from core.wire.claude_tools import arguments, detail, step
from core.wire.claude_words import Json, answer
from core.wire.shapes import Shape

QUESTION = "AskUserQuestion"
FORM = "elicitation"
REFUSED = "The user has not allowed this."
KINDS = {ToolKind.EXECUTE: AskKind.COMMAND, ToolKind.EDIT: AskKind.EDIT}
ONCE, DENY = Choice("once", Grant.ONCE), Choice("deny", Grant.DENY)
ALWAYS = Choice("always", Grant.ALWAYS)


class _Option(Shape, frozen=True, gc=False):
    label: str
    description: str = ""


class _Question(Shape, frozen=True, gc=False):
    question: str
    header: str = ""
    options: tuple[_Option, ...] = ()


class _Questions(Shape, frozen=True, gc=False):
    questions: tuple[_Question, ...]


_QUESTIONS = msgspec.json.Decoder(_Questions)
_SUGGESTED = msgspec.json.Decoder(list[Json])
_SCHEMA = msgspec.json.Decoder(forms.Schema | None)


@dataclass
class _Open:
    """A request that waits. *answers*: what was said so far to its questions, by their texts."""

    request: ControlRequest
    asked: tuple[Asked, ...]
    questions: tuple[str, ...] = ()
    answers: dict[str, str] = field(default_factory=dict)
    fields: Mapping[str, forms.Field] | None = None
    """Of a form; *given* is what was said so far to them."""
    given: dict[str, object] = field(default_factory=dict)


class Asks:
    """The requests of one turn that wait for a person."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._news: list[Resolved] = []

    def ask(self, request: ControlRequest) -> tuple[Asked, ...]:
        """What a person is to be asked: one question for a step, each of those in `AskUserQuestion` or in a
        form."""
        known = self._open.setdefault(request.request_id, _opened(request))
        return known.asked

    def answer(self, question: str, choice: str, text: str) -> Word | None:
        """What to tell Claude Code, as soon as everything is said that it asked for."""
        for one in self._open.values():
            if any(asked.key == question for asked in one.asked):
                word = _answered(one, question, choice, text)
                if word:  # what was allowed may run for hours before Claude Code speaks of it again
                    self._news += self.withdraw(one.request.request_id)
                return word
        return None

    def news(self) -> list[Resolved]:
        """What answers of a person have settled since."""
        news, self._news = self._news, []
        return news

    def withdraw(self, request: str) -> Iterator[Resolved]:
        """Claude Code takes a request back."""
        if one := self._open.pop(request, None):
            yield from (Resolved(asked.key) for asked in one.asked)

    def close(self, call: str | None = None) -> Iterator[EngineEvent]:
        """*call* went on, or was given up; without it: all did."""
        yield from self.news()
        for name, one in list(self._open.items()):
            if call is None or one.request.request.tool_use_id == call:
                yield from self.withdraw(name)


def is_question(request: ControlRequest) -> bool:
    return request.request.tool_name == QUESTION


def is_form(request: ControlRequest) -> bool:
    return request.request.subtype == FORM


def denial(request: ControlRequest, why: str = "") -> Word:
    return answer(request.request_id, {"behavior": "deny", "message": why or REFUSED})


def permission(request: ControlRequest, *, always: bool = False) -> Word:
    granted: Json = {"behavior": "allow", "updatedInput": request.request.input}
    if always:
        granted["updatedPermissions"] = _suggested(request)
    return answer(request.request_id, granted)


def _opened(request: ControlRequest) -> _Open:
    if is_form(request):
        return _form(request)
    if is_question(request):
        try:
            questions = _QUESTIONS.decode(request.request.input).questions
        except msgspec.ValidationError:
            questions = ()
        if questions:
            asked = tuple(_question(request, number, one) for number, one in enumerate(questions))
            return _Open(request, asked, tuple(one.question for one in questions))
    return _Open(request, (step_asked(request),))


def _form(request: ControlRequest) -> _Open:
    """The fields of a form; an address, or a form that can't be read, is a question of yes or no."""
    wanted = request.request
    try:
        schema = _SCHEMA.decode(wanted.requested_schema) or forms.Schema()
    except msgspec.ValidationError:
        schema = forms.Schema()
    fields = schema.asked if wanted.mode == "form" else {}
    message = "\n".join(filter(None, (wanted.message, wanted.url)))
    asked = forms.questions(request.request_id, message, fields, wanted.mcp_server_name)
    return _Open(request, asked, fields=fields)


def _question(request: ControlRequest, number: int, one: _Question) -> Asked:
    return Asked(
        key=f"{request.request_id}:{number}",
        kind=AskKind.QUESTION,
        title=one.question,
        choices=tuple(Choice(option.label, Grant.OPTION, option.label) for option in one.options),
        reason=one.header,
        detail="\n".join(f"{o.label}: {o.description}" for o in one.options if o.description),
        free=True,
    )


def step_asked(request: ControlRequest) -> Asked:
    """Whether a step may be taken."""
    asked = request.request
    given = arguments(asked.input)
    call = step(asked.tool_use_id, asked.tool_name, given)
    kind = KINDS.get(call.kind, AskKind.TOOL)
    bare = step(asked.tool_use_id, asked.tool_name, {}).title
    return Asked(
        key=request.request_id,
        kind=kind,
        title=call.title if kind is not AskKind.TOOL or call.title == bare else f"{bare} {call.title}",
        choices=(ONCE, ALWAYS, DENY) if _suggested(request) else (ONCE, DENY),
        reason=asked.decision_reason or (asked.description if kind is AskKind.COMMAND else ""),
        detail=detail(asked.tool_name, given),
        free=True,
    )


def _suggested(request: ControlRequest) -> list[Json]:
    """What Claude Code would change to ask no more: for this session only, and the narrowest it offers."""
    try:
        offered = _SUGGESTED.decode(request.request.permission_suggestions)
    except msgspec.DecodeError:
        return []
    rules = [one for one in offered if one.get("type") == "addRules"]
    modes = [one for one in offered if one.get("type") == "setMode"]
    return [{**one, "destination": "session"} for one in rules or modes]


def _answered(one: _Open, question: str, choice: str, text: str) -> Word | None:
    request = one.request
    if one.fields is not None:
        return _filled(one, one.fields, question, choice, text)
    if one.questions:
        number = next(index for index, asked in enumerate(one.asked) if asked.key == question)
        one.answers[one.questions[number]] = text or choice
        if len(one.answers) < len(set(one.questions)):
            return None
        given = {**arguments(request.request.input), "answers": dict(one.answers)}
        return answer(request.request_id, {"behavior": "allow", "updatedInput": given})
    if choice in (ONCE.id, ALWAYS.id):
        return permission(request, always=choice == ALWAYS.id)
    return denial(request, text)


def _filled(
    one: _Open, fields: Mapping[str, forms.Field], question: str, choice: str, text: str
) -> Word | None:
    name = one.request.request_id
    if choice == forms.DECLINE:
        return answer(name, {"action": "decline"})
    for key, wanted in fields.items():
        if question == forms.field_key(name, key):
            value = forms.filled(wanted, choice, text)
            one.given |= {} if value is None else {key: value}
    return answer(name, {"action": "accept", "content": one.given}) if len(one.given) == len(fields) else None
