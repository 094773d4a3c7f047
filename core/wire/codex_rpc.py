"""Our side of a talk with `codex app-server`: what was asked, what is due, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from core.errors import MalformedLine
from core.model.events import EngineEvent, Malformed, Notice, TurnCompleted, TurnFailed, Unrecognised
from core.model.launch import Word
from core.wire import jsonrpc
from core.wire.jsonrpc import Failure, Id, Notification, Params, Request, Response
from core.wire.lines import LINE_LIMIT, Line, Lines, Overlong
from core.wire.shapes import KIND_KEPT, SessionName, Shape, head, mended

INITIALIZE: Params = {
    "clientInfo": {"name": "roost", "title": "Roost", "version": "1"},
    "capabilities": {"experimentalApi": True},  # else `thread/backgroundTerminals/clean` is refused
}

Events = Iterable[EngineEvent]
Then = Callable[[bytes], Events]
Refused = Callable[[str], Events]
Handler = Callable[[Notification], Events]


class Camel(Shape, frozen=True, gc=False, rename="camel"):
    """A shape whose fields Codex writes in camel case."""


class Thread(Camel, frozen=True, gc=False):
    id: SessionName


class ThreadLine(Camel, frozen=True, gc=False):
    thread: Thread


S = TypeVar("S", bound=Shape)


def reads(shape: type[S], tell: Callable[[S], Events]) -> Callable[[bytes], Events]:
    """Checks JSON against *shape* before *tell* says what it stands for."""
    decoder = msgspec.json.Decoder(shape)
    return lambda data: tell(decoder.decode(data))


def notes(shape: type[S], tell: Callable[[S], Events]) -> Handler:
    read = reads(shape, tell)
    return lambda said: read(said.params)


def fails(text: str) -> Iterator[EngineEvent]:
    yield TurnFailed(text)


def passes(_: object) -> Events:
    return ()


class Talk:
    """Bytes in, events and words out (`core.engines.port.Dialogue` without what people do). *prefix* begins
    the ids of everything that is asked here; answers to others are passed over. A handler looks at what
    it was given before it changes anything, so that a line can be mended and read again."""

    def __init__(self, prefix: str, limit: int = LINE_LIMIT) -> None:
        self._prefix = prefix
        self._lines = Lines(limit)
        self._due: list[Word] = []
        self._asked: dict[Id, tuple[str, Then, Refused]] = {}
        self._over = False
        self._taken: set[str] = set()
        self._not_taken: set[str] = set()

    @property
    def offered(self) -> bool:
        return True

    @property
    def heard(self) -> frozenset[str]:
        return frozenset(self._taken)

    @property
    def refused(self) -> frozenset[str]:
        return frozenset(self._not_taken)

    # --- what subclasses say ------------------------------------------------------------------------------

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By a notification's method; what is in neither this nor `passed_over` is unrecognised."""
        return {}

    passed_over: frozenset[str] = frozenset()

    def _requested(self, said: Request) -> Events:
        """The server never waits for ever: what we do not know is refused."""
        self._due.append(jsonrpc.refusal(said.id, f"method not found: {said.method}"))
        return [Unrecognised(said.method[:KIND_KEPT])]

    def _closing(self) -> Events:
        """What is still to be said just before the terminal event."""
        return ()

    # --- the protocol -------------------------------------------------------------------------------------

    @property
    def consumed(self) -> int:
        return self._lines.consumed

    def feed(self, data: bytes) -> list[EngineEvent]:
        return [] if self._over else self._read(self._lines.feed(data))

    def finish(self) -> list[EngineEvent]:
        return [] if self._over else self._read(self._lines.finish())

    def due(self) -> list[Word]:
        due, self._due = self._due, []
        return due

    def _ask(self, name: Id, method: str, params: Params, then: Then, refused: Refused = fails) -> None:
        self._asked[name] = (method, then, refused)
        self._due.append(jsonrpc.request(name, method, params))

    def _id(self, name: str) -> str:
        return f"{self._prefix}/{name}"

    def _read(self, lines: Iterator[Line]) -> list[EngineEvent]:
        """Stops behind the line that ends the turn: `consumed` is where the next one's begin."""
        events: list[EngineEvent] = []
        for line in lines:
            for event in self._heard(line):
                if self._over:
                    return events
                if isinstance(event, TurnCompleted | TurnFailed):
                    self._over = True
                    events += self._closing()
                events.append(event)
            if self._over:
                break
        return events

    def _heard(self, line: Line) -> list[EngineEvent]:
        if isinstance(line, Overlong):
            return [Malformed(head(line.head), f"a line of {line.size} bytes")]
        whole = mended(line) if rb"\u0000" in line else line
        try:
            return self._sorted(whole)
        except (msgspec.ValidationError, RecursionError) as error:
            return [Malformed(head(whole), f"no message: {error}")]
        except msgspec.DecodeError:
            return self._mended(whole)

    def _mended(self, line: bytes) -> list[EngineEvent]:
        try:
            return self._sorted(mended(line))
        except (msgspec.DecodeError, RecursionError) as error:
            return [Malformed(head(line), f"no message: {error}")]

    def _sorted(self, line: bytes) -> list[EngineEvent]:
        try:
            return list(self._told(jsonrpc.read(line), line))
        except MalformedLine as error:
            return [Malformed(error.fields["head"], error.fields["why"])]

    def _told(self, said: jsonrpc.Message, line: bytes) -> Events:
        match said:
            case Response(name, result):
                return self._answered(name, result, line)
            case Failure(name, message):
                return [Notice(message)] if name is None else self._refused(name, message)
            case Notification(method):
                handler = self.handlers.get(method)
                known = method in self.passed_over
                return _named(said, line, handler or (passes if known else _unrecognised))
            case Request():
                return self._asked_of_us(said, line)

    def _asked_of_us(self, said: Request, line: bytes) -> Events:
        """The server waits, also for an answer to what we cannot read."""
        try:
            return _named(said, line, self._requested)
        except MalformedLine:
            self._due.append(jsonrpc.refusal(said.id, "invalid params", code=jsonrpc.INVALID_PARAMS))
            raise

    def _refused(self, name: Id, message: str) -> Events:
        _, _, refused = self._asked.pop(name, ("", passes, passes))
        return refused(message)

    def _answered(self, name: Id, result: bytes, line: bytes) -> Events:
        """An answer that cannot be read is a refusal: nobody waits for a better one."""
        method, then, refused = self._asked.get(name, ("", passes, passes))
        try:
            events = list(then(result))
        except (msgspec.ValidationError, RecursionError) as error:
            why = f"{method}: {error}"
            events = [Malformed(head(line), why), *refused(why)]
        self._asked.pop(name, None)
        return events


M = TypeVar("M", Notification, Request)


def _named(said: M, line: bytes, handler: Callable[[M], Events]) -> Events:
    try:
        return list(handler(said))
    except (msgspec.ValidationError, RecursionError) as error:
        raise MalformedLine(head(line), f"{said.method[:KIND_KEPT]}: {error}") from error


def _unrecognised(said: Notification) -> Events:
    return [Unrecognised(said.method[:KIND_KEPT])]
