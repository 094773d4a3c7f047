"""Turns in the store: one row per agent process, and how each step of it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.model.answer import Placed
from core.model.events import Answered, Event, PromptEnded, Recovering, Retrying, SessionStarted
from core.model.ids import AgentId, ConversationId, PromptId, SessionId, TurnId
from core.model.prompt import Kind, Status
from core.model.reasons import STOPPED
from core.store import compactions, conversations, deliveries, log, rows, said
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class TurnRow:
    """*session* is the one that it resumes; with *carry_on* the session has the words already.
    *offset*: the events hold everything of the spool before it. *outcome* is empty while it is the
    newest word on its prompt, else why another turn follows. *fallback*: it goes the engine's other way."""

    id: TurnId
    prompt: PromptId
    agent: AgentId
    carry_on: bool
    session: SessionId | None
    offset: int
    outcome: str
    fallback: bool = False
    begin: int = 0
    """Where in the spool it begins: an agent that was kept warm has said something before."""


@dataclass(frozen=True, slots=True)
class Step:
    """Events that were decoded from the spool up to *offset*."""

    turn: TurnId
    prompt: PromptId
    conversation: ConversationId
    events: tuple[Event, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a prompt ends. *text* is the answer, or what the agent had said until then. *reset*: a compaction
    found that the session is gone, and a new one begins. *full*: hardly anything more goes into the session's
    context."""

    status: Status
    text: str = ""
    placed: tuple[Placed, ...] = ()
    title: str = ""
    reason: str = ""
    detail: str = ""
    reset: bool = False
    full: bool = False


def begin(
    db: Db,
    prompt: PromptId,
    agent: AgentId,
    *,
    session: SessionId | None,
    carry_on: bool,
    fallback: bool = False,
    now: float,
) -> TurnRow:
    """A new turn of a running prompt."""
    db.execute(
        "INSERT INTO turns (prompt, agent, carry_on, session, fallback, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (prompt, agent, carry_on, session, fallback, now),
    )
    return latest(db, prompt)


def go_on_with(db: Db, turn: TurnId, agent: AgentId, *, offset: int) -> None:
    """The turn has no agent of its own, but one that has said everything before *offset* in earlier turns."""
    db.execute(
        "UPDATE turns SET agent = ?, spool_begin = ?, spool_offset = ? WHERE id = ?",
        (agent, offset, offset, turn),
    )


def latest(db: Db, prompt: PromptId) -> TurnRow:
    return _of(db, prompt)[-1]


def outcomes(db: Db, prompt: PromptId) -> list[str]:
    """How its turns so far ended, oldest first."""
    return [turn.outcome for turn in _of(db, prompt)]


def agents(db: Db) -> set[AgentId]:
    """The agent of the newest turn of every prompt that holds keys: no other directory is needed any more."""
    found = db.execute(
        "SELECT agent FROM turns WHERE id IN"
        " (SELECT max(id) FROM turns WHERE prompt IN (SELECT prompt FROM holds) GROUP BY prompt)"
    )
    return {AgentId(row["agent"]) for row in found}


def progress(db: Db, steps: Iterable[Step], *, now: float) -> None:
    """Keep what several turns said, each with the offset that it was decoded up to. A step that is
    offered again is passed over: its offset is not beyond the one that is stored."""
    for step in steps:
        if step.offset <= _offset(db, step.turn):
            continue
        log.append(
            db, step.events, conversation=step.conversation, prompt=step.prompt, turn=step.turn, now=now
        )
        db.execute("UPDATE turns SET spool_offset = ? WHERE id = ?", (step.offset, step.turn))
        for event in step.events:
            if isinstance(event, SessionStarted):
                _keep_session(db, step.conversation, event.session)


def follow_up(
    db: Db,
    steps: Sequence[Step],
    event: Retrying | Recovering,
    *,
    outcome: str,
    drop_session: bool = False,
    now: float,
) -> None:
    """The turn ended without ending its prompt: another one follows. *steps* are its last ones."""
    progress(db, steps, now=now)
    step = steps[-1]
    db.execute("UPDATE turns SET outcome = ? WHERE id = ?", (outcome, step.turn))
    if drop_session:
        conversations.lose_session(db, step.conversation)
    if event == Recovering("interrupted"):
        db.execute("UPDATE prompts SET interruptions = interruptions + 1 WHERE id = ?", (step.prompt,))
    note(db, step, event, now=now)


def end(db: Db, steps: Sequence[Step], ending: Ending, *, now: float) -> Status:
    """The last *steps*, the message and the state of its prompt, all at once. A cancel that was stored
    first beats any result. Returns the state that it got; an ended prompt stays as it is."""
    step = steps[-1]
    row = db.execute("SELECT status, cancelling, kind FROM prompts WHERE id = ?", (step.prompt,)).fetchone()
    if Status(row["status"]).ended:
        return Status(row["status"])
    progress(db, steps, now=now)
    status = Status.CANCELLED if row["cancelling"] else ending.status
    reason = STOPPED if row["cancelling"] else ending.reason
    detail = "" if row["cancelling"] else ending.detail
    if ending.title:
        _entitle(db, step.conversation, ending.title)
    if row["kind"] == Kind.COMPACT and status is Status.DONE:
        compactions.record(db, step.conversation, step.prompt, reset=ending.reset, now=now)
    closing: list[Event] = [PromptEnded(status, reason, detail)]
    if ending.text:
        closing.insert(0, Answered(_answer(db, step, ending, partial=status is not Status.DONE, now=now)))
    log.append(db, closing, conversation=step.conversation, prompt=step.prompt, turn=step.turn, now=now)
    db.execute(
        "UPDATE prompts SET status = ?, reason = ?, detail = ?, ended_at = ? WHERE id = ?",
        (status, reason, detail, now, step.prompt),
    )
    said.forget(db, step.conversation, step.turn)
    deliveries.announce(db, step.prompt, now=now)
    if ending.full:
        compactions.follow(db, step.prompt, now=now)
    return status


def _answer(db: Db, step: Step, ending: Ending, *, partial: bool, now: float) -> int:
    row = db.execute(
        "INSERT INTO messages (conversation, prompt, role, text, placed, partial, created_at)"
        " VALUES (?, ?, 'assistant', ?, ?, ?, ?) RETURNING id",
        (step.conversation, step.prompt, ending.text, rows.json(list(ending.placed)), partial, now),
    ).fetchone()
    return int(row["id"])


def note(db: Db, step: Step, event: Event, *, now: float) -> None:
    """Add one event of Roost's own to a turn."""
    log.append(db, [event], conversation=step.conversation, prompt=step.prompt, turn=step.turn, now=now)


def _offset(db: Db, turn: TurnId) -> int:
    return int(db.execute("SELECT spool_offset FROM turns WHERE id = ?", (turn,)).fetchone()[0])


def _keep_session(db: Db, conversation: ConversationId, session: SessionId) -> None:
    db.execute("UPDATE conversations SET session = ? WHERE id = ?", (session, conversation))


def _entitle(db: Db, conversation: ConversationId, title: str) -> None:
    """The agent's title, unless there is one."""
    db.execute(
        "UPDATE conversations SET title = ?, title_by = 'agent' WHERE id = ? AND title_by = ''",
        (title, conversation),
    )


def _of(db: Db, prompt: PromptId) -> Sequence[TurnRow]:
    found = db.execute("SELECT * FROM turns WHERE prompt = ? ORDER BY id", (prompt,))
    return [
        TurnRow(
            TurnId(row["id"]),
            PromptId(row["prompt"]),
            AgentId(row["agent"]),
            bool(row["carry_on"]),
            SessionId(row["session"]) if row["session"] else None,
            row["spool_offset"],
            row["outcome"],
            bool(row["fallback"]),
            row["spool_begin"],
        )
        for row in found
    ]
