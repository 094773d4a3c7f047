"""What people say to a turn while it runs: answers to its agent's questions, and further words."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.events import Asked, PromptEnded, Resolved
from core.model.ids import ConversationId, EventId, PromptId, TurnId
from core.model.prompt import Prompt, Status
from core.model.reasons import TOLD
from core.store import deliveries, log, rows
from core.store.database import Db
from core.store.log import Logged


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to question *question* of the agent of *turn*: one of its choices, or *text*."""

    turn: TurnId
    question: str
    choice: str
    text: str = ""
    person: str = ""
    at: float = 0.0


def reply(db: Db, said: Reply, *, now: float) -> bool:
    """Keep an answer; False if somebody has answered that question before."""
    done = db.execute(
        "INSERT INTO replies (turn, question, choice, text, person, created_at) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (said.turn, said.question, said.choice, said.text, said.person, now),
    )
    return done.rowcount == 1


def replied(db: Db, turn: TurnId, question: str) -> Reply | None:
    """What was answered to a question, and by whom."""
    row = db.execute("SELECT * FROM replies WHERE turn = ? AND question = ?", (turn, question)).fetchone()
    return _reply(row) if row else None


def of_prompt(db: Db, prompt: PromptId) -> dict[str, Reply]:
    """What was answered in any turn of *prompt*, by question."""
    found = db.execute(
        "SELECT r.* FROM replies r JOIN turns t ON t.id = r.turn WHERE t.prompt = ?", (prompt,)
    )
    return {row["question"]: _reply(row) for row in found}


def replies(db: Db, turn: TurnId, *, passed: bool = False) -> list[Reply]:
    """The answers that the agent of *turn* does not have yet, or has (*passed*), oldest first."""
    found = db.execute(
        "SELECT * FROM replies WHERE turn = ? AND passed_on = ? ORDER BY created_at", (turn, passed)
    )
    return [_reply(row) for row in found]


def passed_on(db: Db, said: Reply) -> None:
    """The agent has this answer."""
    db.execute("UPDATE replies SET passed_on = 1 WHERE turn = ? AND question = ?", (said.turn, said.question))


def open_questions(db: Db, conversation: ConversationId) -> list[Logged]:
    """What the agent of a conversation's running turn asked and nobody has answered, oldest first."""
    found = db.execute(
        "SELECT e.id FROM events e JOIN prompts p ON p.id = e.prompt WHERE e.conversation = ?"
        " AND e.type = 'approval.asked' AND p.status = 'running' ORDER BY e.id",
        (conversation,),
    ).fetchall()
    return [asked for row in found if is_open(db, asked := log.one(db, EventId(row["id"])))]


def is_open(db: Db, asked: Logged) -> bool:
    """Whether nobody has answered the question *asked*, and its agent still waits."""
    question, turn = asked.event, log.turn_of(db, asked.id)
    if not isinstance(question, Asked) or replied(db, turn, question.key):
        return False
    later = log.of_prompt(db, asked.prompt, asked.id)[0]
    return not any(isinstance(one.event, Resolved) and one.event.key == question.key for one in later)


def still_open(db: Db, number: EventId) -> bool:
    """`is_open` of the question that is event *number*."""
    return is_open(db, log.one(db, number))


def steer(db: Db, prompt: PromptId) -> bool:
    """Let a waiting prompt be told to the turn that runs before it; False if it waits no more."""
    done = db.execute("UPDATE prompts SET steers = 1 WHERE id = ? AND status = 'queued'", (prompt,))
    return done.rowcount == 1


def to_steer(db: Db, conversation: ConversationId) -> list[Prompt]:
    """The waiting prompts that are to be told to the running turn and whose files are here, in order."""
    found = db.execute(
        "SELECT * FROM prompts WHERE conversation = ? AND steers AND status = 'queued' AND files = '[]'"
        " ORDER BY position, id",
        (conversation,),
    )
    return [rows.prompt(row) for row in found]


def deaf(db: Db, conversation: ConversationId) -> bool:
    """Whether the turn that runs goes its engine's other way, which is a process for each prompt: such a one
    is told nothing more."""
    found = db.execute(
        "SELECT fallback FROM turns JOIN prompts p ON p.id = turns.prompt WHERE p.conversation = ?"
        " AND p.status = 'running' ORDER BY turns.id DESC LIMIT 1",
        (conversation,),
    ).fetchone()
    return found is not None and bool(found["fallback"])


def steered(db: Db, prompt: PromptId, *, now: float) -> None:
    """The running turn has its words: it ends with them, and its answer is that turn's."""
    row = db.execute(
        "UPDATE prompts SET status = 'done', reason = ?, ended_at = ? WHERE id = ? AND steers"
        " AND status = 'queued' RETURNING conversation",
        (TOLD, now, prompt),
    ).fetchone()
    if row is not None:
        ended = PromptEnded(Status.DONE, TOLD)
        log.append(db, [ended], conversation=ConversationId(row["conversation"]), prompt=prompt, now=now)
        deliveries.announce(db, prompt, now=now)


def not_steered(db: Db, prompt: PromptId) -> None:
    """The running turn did not take its words: it waits as any prompt does."""
    db.execute("UPDATE prompts SET steers = 0 WHERE id = ?", (prompt,))


def spoken_to(db: Db) -> set[PromptId]:
    """The running prompts that somebody has said something to."""
    found = db.execute(
        "SELECT t.prompt FROM replies r JOIN turns t ON t.id = r.turn WHERE NOT r.passed_on"
        " UNION SELECT r.id FROM prompts s JOIN prompts r ON r.conversation = s.conversation"
        " AND r.status = 'running' WHERE s.steers AND s.status = 'queued'"
    )
    return {PromptId(row[0]) for row in found}


def forget(db: Db, conversation: ConversationId, turn: TurnId) -> None:
    """The turn has ended: nothing is passed on to it any more, and what it was not told waits as a prompt."""
    db.execute("UPDATE replies SET passed_on = 1 WHERE turn = ? AND NOT passed_on", (turn,))
    db.execute(
        "UPDATE prompts SET steers = 0 WHERE conversation = ? AND steers AND status = 'queued'",
        (conversation,),
    )


def _reply(row: rows.Row) -> Reply:
    who, at = row["person"], row["created_at"]
    return Reply(TurnId(row["turn"]), row["question"], row["choice"], row["text"], who, at)
