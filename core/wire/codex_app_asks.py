"""What Codex's app server may ask a person: approvals, its model's questions, forms of MCP servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from core.model.events import Asked, AskKind, Choice, Grant
from core.wire import forms
from core.wire.codex_app_steps import Edit
from core.wire.codex_rpc import Camel, S
from core.wire.jsonrpc import Id, Params, Request
from core.wire.shell import script

Said = Mapping[str, str]
"""What was answered, by the question's key: the id of a choice, or words of one's own."""

ONCE, SESSION, DECLINE = "accept", "acceptForSession", "decline"
APPROVAL = (Choice(ONCE, Grant.ONCE), Choice(SESSION, Grant.ALWAYS), Choice(DECLINE, Grant.DENY))
"""The program takes all three, also where its `availableDecisions` names others (tried with 0.171)."""
CONSENT = (Choice(ONCE, Grant.ONCE), Choice(DECLINE, Grant.DENY))


@dataclass(frozen=True, slots=True)
class Ask:
    """The server's request *id*, as questions to a person. *reply* makes the result of what was said, once
    everything is answered or one thing denied. *policy*: what it is about is the request's access."""

    id: Id
    asked: tuple[Asked, ...]
    reply: Callable[[Said], Params]
    item: str = ""
    policy: bool = True

    def takes(self, key: str, choice: str, text: str) -> str | None:
        """What counts as the answer to question *key*; None for one that it does not offer."""
        question = next(asked for asked in self.asked if asked.key == key)
        if text and question.free:
            return text
        return next((offered.id for offered in question.choices if offered.id == choice), None)

    def settled(self, said: Said) -> bool:
        return len(said) == len(self.asked) or self.denied(said)

    def denied(self, said: Said) -> bool:
        return any(
            (asked.key, Grant.DENY) == (key, offered.grant)
            for key, choice in said.items()
            for asked in self.asked
            for offered in asked.choices
            if offered.id == choice
        )


class Network(Camel, frozen=True, gc=False):
    host: str
    protocol: str = ""


class Approval(Camel, frozen=True, gc=False):
    item_id: str
    command: str | None = None
    reason: str | None = None
    grant_root: str | None = None
    network_approval_context: Network | None = None


class Permissions(Camel, frozen=True, gc=False):
    item_id: str
    permissions: dict[str, object]
    reason: str | None = None


class Option(Camel, frozen=True, gc=False):
    label: str
    description: str = ""


class Question(Camel, frozen=True, gc=False):
    id: str
    question: str
    header: str = ""
    is_other: bool = False
    options: tuple[Option, ...] | None = None


class Questions(Camel, frozen=True, gc=False):
    questions: tuple[Question, ...]


class Elicitation(Camel, frozen=True, gc=False):
    mode: str
    server_name: str = ""
    message: str = ""
    url: str = ""
    requested_schema: forms.Schema = forms.Schema()
    meta: dict[str, object] | None = msgspec.field(name="_meta", default=None)


def command(said: Request, _: Mapping[str, Edit]) -> Ask:
    """A command, or the host that a command wants to reach."""
    wanted = _decode(Approval, said)
    host = wanted.network_approval_context
    title = script(wanted.command or "") or (f"{host.protocol} {host.host}".strip() if host else "")
    asked = Asked(str(said.id), AskKind.COMMAND, title, APPROVAL, wanted.reason or "")
    return Ask(said.id, (asked,), lambda answers: {"decision": answers[asked.key]}, wanted.item_id)


def file_change(said: Request, edits: Mapping[str, Edit]) -> Ask:
    wanted = _decode(Approval, said)
    edit = edits.get(wanted.item_id, Edit(wanted.grant_root or "", ""))
    asked = Asked(str(said.id), AskKind.EDIT, edit.title, APPROVAL, wanted.reason or "", edit.diff)
    return Ask(said.id, (asked,), lambda answers: {"decision": answers[asked.key]}, wanted.item_id)


def permissions(said: Request, _: Mapping[str, Edit]) -> Ask:
    """More rights for this turn, or for the session."""
    wanted = _decode(Permissions, said)
    rights = {name: right for name, right in wanted.permissions.items() if right is not None}
    title = msgspec.json.encode(rights).decode()
    asked = Asked(str(said.id), AskKind.TOOL, title, APPROVAL, wanted.reason or "")

    def reply(answers: Said) -> Params:
        choice = answers[asked.key]
        granted = {} if choice == DECLINE else rights
        return {"permissions": granted, "scope": "session" if choice == SESSION else "turn"}

    return Ask(said.id, (asked,), reply, wanted.item_id)


def user_input(said: Request, _: Mapping[str, Edit]) -> Ask:
    """Up to three questions at once; the server waits for all of them together."""
    questions = _decode(Questions, said).questions
    asked = tuple(_question(said.id, question) for question in questions)

    def reply(answers: Said) -> Params:
        given = {each.id: answers[ask.key] for each, ask in zip(questions, asked, strict=True)}
        return {"answers": {name: {"answers": [answer]} for name, answer in given.items()}}

    return Ask(said.id, asked, reply, policy=False)


def elicitation(said: Request, _: Mapping[str, Edit]) -> Ask | None:
    """A form or an address of an MCP server, or Codex's own question before an MCP tool is called. None for
    a mode that only Codex's own programs can serve."""
    wanted = _decode(Elicitation, said)
    if wanted.mode not in ("form", "url"):
        return None
    fields = wanted.requested_schema.asked
    asked = forms.questions(str(said.id), wanted.message, fields, wanted.server_name)
    asked = asked if fields else (_consent(said.id, wanted),)

    def reply(answers: Said) -> Params:
        if (forms.DECLINE if fields else DECLINE) in answers.values():
            return DECLINED
        keyed = {name: answers[ask.key] for name, ask in zip(fields, asked, strict=False)}
        content = {name: forms.filled(fields[name], "", words) for name, words in keyed.items()}
        always = not fields and SESSION in answers.values()
        return {"action": ONCE, "content": content, "_meta": {"persist": "session"} if always else None}

    return Ask(said.id, asked, reply, policy=False)


DECLINED: Params = {"action": DECLINE, "content": None, "_meta": None}

Read = Callable[[Request, Mapping[str, Edit]], Ask | None]
ASKS: dict[str, Read] = {
    "item/commandExecution/requestApproval": command,
    "item/fileChange/requestApproval": file_change,
    "item/permissions/requestApproval": permissions,
    "item/tool/requestUserInput": user_input,
    "mcpServer/elicitation/request": elicitation,
}


def _decode(shape: type[S], said: Request) -> S:
    return msgspec.json.decode(said.params, type=shape)


def _question(name: Id, question: Question) -> Asked:
    options = question.options or ()
    choices = tuple(Choice(option.label, Grant.OPTION, option.label) for option in options)
    lines = [f"{option.label}: {option.description}" for option in options if option.description]
    free = question.is_other or not options
    key = f"{name}/{question.id}"
    return Asked(key, AskKind.QUESTION, question.question, choices, question.header, "\n".join(lines), free)


def _consent(name: Id, wanted: Elicitation) -> Asked:
    """Codex asks in this way before an MCP tool is called; `persist` says whether for longer, too."""
    meta = wanted.meta or {}
    tool = "codex_approval_kind" in meta
    persist = meta.get("persist")
    longer = "session" in persist if isinstance(persist, list | str) else False
    detail = msgspec.json.encode(meta["tool_params"]).decode() if "tool_params" in meta else wanted.url
    return Asked(
        key=str(name),
        kind=AskKind.TOOL if tool else AskKind.QUESTION,
        title=wanted.message,
        choices=APPROVAL if longer else CONSENT,
        reason=wanted.server_name,
        detail=detail,
    )
