"""The questions of Codex's app server that wait for a person, and the words that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.model.events import Denied, EngineEvent, Resolved
from core.model.launch import Word
from core.wire import jsonrpc
from core.wire.codex_app_asks import ASKS, DECLINE, DECLINED, Ask
from core.wire.codex_app_steps import Edit
from core.wire.jsonrpc import Id, Request


@dataclass(slots=True)
class Open:
    ask: Ask
    said: dict[str, str] = field(default_factory=dict)
    """By the question's key; given to the server once the whole is settled."""


class Asking:
    """With *approvals* a person is asked before a step that the access does not cover, else it is declined.
    Questions are asked in any case."""

    def __init__(self, *, approvals: bool) -> None:
        self._approvals = approvals
        self._open: dict[Id, Open] = {}
        self._items: set[str] = set()

    def knows(self, method: str) -> bool:
        return method in ASKS

    def was_asked(self, item: str) -> bool:
        """Whether a person, or our own policy, has already had a word about *item*."""
        return item in self._items

    def request(self, said: Request, edits: Mapping[str, Edit], due: list[Word]) -> Iterator[EngineEvent]:
        """The questions of *said*; what needs no person is answered at once."""
        ask = ASKS[said.method](said, edits)
        if ask is None:
            due.append(jsonrpc.response(said.id, DECLINED))
            return
        self._items.add(ask.item)
        if ask.policy and not self._approvals:
            asked = ask.asked[0]
            due.append(jsonrpc.response(ask.id, ask.reply({asked.key: DECLINE})))
            yield Denied(asked.title, asked.reason)
        else:
            self._open[ask.id] = Open(ask)
            yield from ask.asked

    def answer(self, question: str, choice: str, text: str) -> list[Word]:
        """The word that answers the server, once all its questions of one request are answered."""
        for waiting in self._open.values():
            if question in (asked.key for asked in waiting.ask.asked):
                return self._answered(waiting, question, choice, text)
        return []

    def resolved(self, name: Id) -> Iterator[EngineEvent]:
        """The server waits for request *name* no longer."""
        if waiting := self._open.pop(name, None):
            yield from (Resolved(asked.key) for asked in waiting.ask.asked)

    def close(self) -> Iterator[EngineEvent]:
        for name in list(self._open):
            yield from self.resolved(name)

    def _answered(self, waiting: Open, question: str, choice: str, text: str) -> list[Word]:
        ask, was_settled = waiting.ask, waiting.ask.settled(waiting.said)
        taken = ask.takes(question, choice, text)
        if taken is None or was_settled:
            return []
        waiting.said[question] = taken
        return [jsonrpc.response(ask.id, ask.reply(waiting.said))] if ask.settled(waiting.said) else []
