"""One turn of Claude Code over stream-json in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.errors import MalformedLine
from core.model.events import Denied, EngineEvent, Malformed, Notice, TurnCompleted, TurnFailed
from core.model.launch import Word
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire import claude_words
from core.wire.claude_asks import Asks, denial, is_form, is_question, permission, step_asked
from core.wire.claude_lines import (
    ControlAnswer,
    ControlCancel,
    ControlRequest,
    Lifecycle,
    Result,
    User,
)
from core.wire.claude_reading import Reading
from core.wire.claude_words import keys
from core.wire.lines import LINE_LIMIT, Line, Lines, Overlong
from core.wire.shapes import Handler, decode, head, reads

__all__ = ["ClaudeDialogue", "keys"]

DROPPED = frozenset({"cancelled", "discarded", "refused"})
"""States of a prompt that ends without having been answered."""
ENDED = DROPPED | {"completed"}
"""Without a result: Claude Code passes over a prompt whose `uuid` stands in the session already."""
STEER = ":steer:"


class ClaudeDialogue:
    """*turn* has to be unique in the life of the session, not only in that of the process: see `ENDED`.

    Ours is what answers our prompt: Claude Code names the prompts that a `result` answers, those that
    it took up while it was at work among them. Where sub-agents have still to report, it will speak again by
    itself: the turn goes on until it is idle."""

    def __init__(
        self, request: TurnRequest, turn: str, *, warm: bool = False, limit: int = LINE_LIMIT
    ) -> None:
        self._request, self._turn = request, turn
        self._prompt = f"{turn}:prompt"
        self._waiting = {self._prompt}
        self._due = [claude_words.say(self._prompt, claude_words.with_pictures(request.text, request.images))]
        self._begun = not warm
        self._interrupting = self._held = self._over = False
        self._taken: set[str] = set()
        self._dropped: set[str] = set()
        self._outcome: TurnCompleted | TurnFailed | None = None
        self._reading, self._asks = Reading(), Asks()
        self._lines = Lines(limit)
        ours: dict[str, Handler] = {
            "command_lifecycle": reads(Lifecycle, self._lifecycle),
            "result": reads(Result, self._result),
            "control_request": reads(ControlRequest, self._asked),
            "control_cancel_request": reads(ControlCancel, self._withdrawn),
            "control_response": reads(ControlAnswer, self._responded),
        }
        told = self._reading.handlers
        self._handlers = {**told, "user": _both(reads(User, self._stepped), told["user"]), **ours}
        self._before = {**dict.fromkeys(told, _nothing), "system": self._reading.state, **ours}

    # --- the protocol of all dialogues ---------------------------------------------------------------------

    @property
    def consumed(self) -> int:
        """Stays behind the line that ended the turn: what follows belongs to the next one."""
        return self._lines.consumed

    def feed(self, data: bytes) -> list[EngineEvent]:
        return [*self._asks.news(), *self._told(self._lines.feed(data))]

    def finish(self) -> list[EngineEvent]:
        events = self._told(self._lines.finish())
        return events if self._over else [*events, *self._end()]

    def due(self) -> list[Word]:
        due, self._due = self._due, []
        return due

    @property
    def offered(self) -> bool:
        return True

    @property
    def heard(self) -> frozenset[str]:
        return frozenset(self._taken)

    @property
    def refused(self) -> frozenset[str]:
        return frozenset(self._dropped - self._taken)

    def interrupt(self) -> None:
        if not self._over and not self._interrupting:
            self._interrupting = True
            self._due.append(claude_words.interrupt(self._turn))

    def steer(self, text: str, key: str) -> None:
        if not self._over:
            word = claude_words.say(f"{self._turn}{STEER}{key}", text)
            self._waiting.add(word.key)
            self._due.append(word)

    def answer(self, question: str, choice: str, text: str = "") -> None:
        if word := self._asks.answer(question, choice, text):
            self._due.append(word)

    # --- lines ---------------------------------------------------------------------------------------------

    def _told(self, lines: Iterator[Line]) -> list[EngineEvent]:
        events: list[EngineEvent] = []
        while not self._over and (line := next(lines, None)) is not None:
            events += self._events(line)
            if self._is_over():
                events += self._end()
        return events

    def _events(self, line: Line) -> list[EngineEvent]:
        if isinstance(line, Overlong):
            return [Malformed(head(line.head), f"a line of {line.size} bytes")]
        try:
            return decode(line, self._handlers if self._begun else self._before)
        except MalformedLine as error:
            return [Malformed(error.fields["head"], error.fields["why"])]

    def _is_over(self) -> bool:
        match self._outcome:
            case TurnFailed():
                return True
            case TurnCompleted():
                return not self._waiting and not (self._held and self._reading.busy)
            case None:
                return False

    def _end(self) -> Iterator[EngineEvent]:
        if self._outcome:
            self._over = True
            yield from self._asks.close()
            yield self._outcome

    # --- where the turn begins and ends --------------------------------------------------------------------

    def _lifecycle(self, line: Lifecycle) -> Iterator[EngineEvent]:
        name = line.command_uuid
        if name == self._prompt:
            yield from self._prompted(line)
        elif name.startswith(steer := f"{self._turn}{STEER}"):
            self._steered(name, name.removeprefix(steer), line.state)
        if line.state in DROPPED:
            self._waiting.discard(name)

    def _steered(self, name: str, key: str, state: str) -> None:
        """Words that were added: taken once they are no more in line."""
        if state == "queued":
            self._waiting.add(name)
        elif state in DROPPED:
            self._dropped.add(key)
        else:
            self._taken.add(key)

    def _prompted(self, line: Lifecycle) -> Iterator[EngineEvent]:
        if line.state == "started" and not self._begun:
            self._begun = True
            yield from self._reading.session(line.session_id)
        elif line.state in ENDED and not self._outcome:
            self._waiting.discard(self._prompt)
            self._held = line.state == "completed" and self._reading.started
            # taken up by another turn, which goes on, or else never run
            self._outcome = TurnCompleted() if self._held else TurnFailed(f"prompt {line.state}")

    def _result(self, line: Result) -> Iterator[EngineEvent]:
        named = self._waiting.intersection(line.user_message_uuids)
        unnamed = not line.user_message_uuids and not line.origin
        if self._outcome or named or unnamed:
            self._begun = True
            self._waiting -= self._waiting if unnamed else named
            yield from self._reading.result(line)
            self._held = self._held or self._reading.awaits_agents
            self._outcome = self._reading.outcome(line)

    # --- what it asks --------------------------------------------------------------------------------------

    def _asked(self, line: ControlRequest) -> Iterator[EngineEvent]:
        if is_form(line):
            yield from self._asks.ask(line)
            return
        if line.request.subtype != "can_use_tool":
            self._due.append(claude_words.refuse(line.request_id, f"not supported: {line.request.subtype}"))
            return
        self._reading.told.add(line.request.tool_use_id)
        if is_question(line) or self._asks_for_steps:
            yield from self._asks.ask(line)
        elif self._request.access is Access.FULL:
            self._due.append(permission(line))
        else:
            self._due.append(denial(line))
            yield Denied(step_asked(line).title)

    @property
    def _asks_for_steps(self) -> bool:
        """A person can allow what the access does not cover, and never leave read-only by that."""
        return self._request.approvals and self._request.access is Access.WORKSPACE

    def _withdrawn(self, line: ControlCancel) -> Iterator[EngineEvent]:
        yield from self._asks.withdraw(line.request_id)

    def _stepped(self, line: User) -> Iterator[EngineEvent]:
        """The result of a step says that its question is answered."""
        content = line.message.content
        for block in content if isinstance(content, tuple) else ():
            if block.type == "tool_result":
                yield from self._asks.close(block.tool_use_id)

    def _responded(self, line: ControlAnswer) -> Iterator[EngineEvent]:
        if line.response.subtype == "error":
            yield Notice(line.response.error)


def _nothing(_: bytes) -> Iterable[EngineEvent]:
    return ()


def _both(first: Handler, second: Handler) -> Handler:
    return lambda line: (*first(line), *second(line))
