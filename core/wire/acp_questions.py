"""The questions of an ACP turn that are open, what our own policy answers, and what a person does."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import join, normpath

import msgspec

from core.model.events import Denied, EngineEvent, Grant, Progress, Resolved, ToolKind
from core.model.launch import Word
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire import acp_rpc
from core.wire import acp_shapes as shapes
from core.wire.acp_asking import Form, Permit, form, permit
from core.wire.acp_rpc import Object, glean, read
from core.wire.acp_settings import Manner
from core.wire.acp_tools import PROGRESS, Known, Tools

LOOKING = frozenset({ToolKind.READ, ToolKind.SEARCH, ToolKind.THINK})
CHANGING = frozenset({ToolKind.EDIT, ToolKind.DELETE, ToolKind.MOVE})
OVER = frozenset({Progress.COMPLETED, Progress.FAILED})

_PERMISSION = msgspec.json.Decoder(shapes.Permission)
_ELICITATION = msgspec.json.Decoder(shapes.Elicitation)
_TAKEN = msgspec.json.Decoder(shapes.Taken)


class Questions:
    """A question has one answer, under one key: whoever gives it first."""

    def __init__(self, request: TurnRequest, turn: str, manner: Manner, tools: Tools) -> None:
        self._request, self._turn, self._manner, self._tools = request, turn, manner, tools
        self._open: dict[str, Permit | Form] = {}
        self._due: list[Word] = []
        self._news: list[EngineEvent] = []
        self._cancelled = False

    def due(self) -> list[Word]:
        due, self._due = self._due, []
        return due

    def news(self) -> list[EngineEvent]:
        """What answers of a person have changed since."""
        news, self._news = self._news, []
        return news

    def ask(self, call: acp_rpc.Call) -> Iterator[EngineEvent]:
        key = f"{self._turn}:ask:{call.id!r}"
        if call.method == "elicitation/create":
            asked = read(_ELICITATION, call.params, call.method)
            yield from self._fill(form(call.id, key, asked), asked.mode)
        else:
            request = read(_PERMISSION, call.params, call.method)
            yield from self._tools.update(request.tool_call, asking=True)
            known = self._tools.known(request.tool_call.tool_call_id)
            yield from self._allow(permit(call.id, key, request, known), known)

    def _fill(self, asked: Form, mode: str) -> Iterator[EngineEvent]:
        if self._cancelled or mode != "form":
            self._say(asked, asked.cancelled)
        else:
            self._open[asked.key] = asked
            yield from asked.questions

    def _allow(self, asked: Permit, known: Known) -> Iterator[EngineEvent]:
        key = asked.key
        yes, no = asked.granting(Grant.ONCE, Grant.ALWAYS), asked.granting(Grant.DENY)
        if self._cancelled:
            self._say(asked, asked.cancelled)
        elif yes and (self._covers(known) or asked.item.startswith(self._manner.harmless or ("\0",))):
            self._say(asked, asked.answer(key, yes) or asked.cancelled)
        elif self._request.approvals:
            self._open[key] = asked
            yield asked.asked
        else:
            self._say(asked, asked.answer(key, no) or asked.cancelled)
            yield Denied(asked.asked.title)
            yield from self._tools.fail(asked.item)

    def _covers(self, known: Known) -> bool:
        """Whether the access means this step. A command can do anything, so only full access means it."""
        if self._request.access is Access.FULL:
            return True
        if known.kind in LOOKING:
            return self._inside(known.paths)
        return self._request.access is Access.WORKSPACE and self._changes_inside(known)

    def _changes_inside(self, known: Known) -> bool:
        return known.kind in CHANGING and bool(known.paths) and self._inside(known.paths)

    def _inside(self, paths: tuple[str, ...]) -> bool:
        """By name alone: where links lead, only the host knows. The request's pictures are to be seen."""
        home = normpath(self._request.cwd).rstrip("/") + "/"
        whole = [normpath(join(home, path)) for path in paths]
        return all(path.startswith(home) or path in self._request.images for path in whole)

    def answer(self, question: str, choice: str, text: str) -> None:
        for asked in [one for one in self._open.values() if any(q.key == question for q in one.questions)]:
            result = asked.answer(question, choice, text)
            if result is not None:
                self._say(asked, result)
                self._news += self._resolved(asked)
                if asked.denies(choice):
                    self._news += self._tools.fail(asked.item)

    def cancel(self) -> None:
        """The turn is asked to end: ACP wants every open question answered as cancelled."""
        self._cancelled = True
        for asked in list(self._open.values()):
            self._say(asked, asked.cancelled)
            self._news += self._resolved(asked)

    def taken_back(self, params: msgspec.Raw) -> Iterator[EngineEvent]:
        taken = glean(_TAKEN, params, shapes.Taken()).request_id
        for asked in [one for one in self._open.values() if one.to == taken]:
            yield from self._resolved(asked)

    def went_on(self, tool: shapes.Tool) -> Iterator[EngineEvent]:
        """A tool call that is over waits for nobody: it was answered before a restart of ours."""
        if PROGRESS.get(tool.status or "") in OVER:
            for asked in [one for one in self._open.values() if one.item == tool.tool_call_id]:
                yield from self._resolved(asked)

    def close(self) -> Iterator[EngineEvent]:
        """The turn is over, and so are its questions."""
        yield from self.news()
        for asked in list(self._open.values()):
            yield from self._resolved(asked)

    def _resolved(self, asked: Permit | Form) -> Iterator[EngineEvent]:
        if self._open.pop(asked.key, None):
            yield from (Resolved(question.key) for question in asked.questions)

    def _say(self, asked: Permit | Form, result: Object) -> None:
        self._due.append(acp_rpc.reply(asked.key, asked.to, result))
