"""What the built-in agent says, line by line: `core/demo/speech.py` is the other end."""

from __future__ import annotations

from collections.abc import Iterator

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    EngineEvent,
    Message,
    MessageDelta,
    Notice,
    PlanEntry,
    PlanUpdated,
    Progress,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from core.model.ids import ItemId, SessionId
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT
from core.wire.shapes import Handler, SessionName, Shape, decode, reads


class Session(Shape, frozen=True, gc=False):
    id: SessionName


class Text(Shape, frozen=True, gc=False):
    text: str
    id: str = ""


class Step(Shape, frozen=True, gc=False):
    id: str
    kind: ToolKind
    title: str
    state: Progress
    output: str = ""
    exit_code: int | None = None
    paths: tuple[str, ...] = ()


class Entry(Shape, frozen=True, gc=False):
    text: str
    state: Progress


class Plan(Shape, frozen=True, gc=False):
    entries: tuple[Entry, ...]


def session(line: Session) -> Iterator[EngineEvent]:
    yield SessionStarted(SessionId(line.id))


def turn(_: Shape) -> Iterator[EngineEvent]:
    yield TurnStarted()


def plan(line: Plan) -> Iterator[EngineEvent]:
    yield PlanUpdated(tuple(PlanEntry(entry.text, entry.state) for entry in line.entries))


def step(line: Step) -> Iterator[EngineEvent]:
    kept = line.output[-OUTPUT_KEPT - SPARE :]
    yield ToolCall(ItemId(line.id), line.kind, line.title, line.state, kept, line.exit_code, line.paths)


def delta(line: Text) -> Iterator[EngineEvent]:
    yield MessageDelta(ItemId(line.id), line.text)


def message(line: Text) -> Iterator[EngineEvent]:
    yield Message(ItemId(line.id), line.text)


def notice(line: Text) -> Iterator[EngineEvent]:
    yield Notice(line.text)


def done(_: Shape) -> Iterator[EngineEvent]:
    yield TurnCompleted()


def failed(line: Text) -> Iterator[EngineEvent]:
    yield TurnFailed(line.text)


HANDLERS: dict[str, Handler] = {
    "session": reads(Session, session),
    "turn": reads(Shape, turn),
    "plan": reads(Plan, plan),
    "step": reads(Step, step),
    "delta": reads(Text, delta),
    "message": reads(Text, message),
    "notice": reads(Text, notice),
    "done": reads(Shape, done),
    "failed": reads(Text, failed),
}


def demo_decoder(limit: int = LINE_LIMIT) -> LineDecoder:
    return LineDecoder(lambda line: decode(line, HANDLERS), limit)
