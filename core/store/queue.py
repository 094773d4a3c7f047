"""The queue in the store: a claim and its holds are one transaction, a release another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.model.conversation import Conversation
from core.model.events import PromptStarted
from core.model.ids import AgentId, ConversationId, ProjectId, PromptId
from core.model.project import Project
from core.model.prompt import Prompt
from core.model.slots import Caps, Holder, Start, Verdict, Waiting, keys_of
from core.store import conversations, log, projects, prompts, turns
from core.store.database import Db
from core.store.rows import Row
from core.store.turns import TurnRow

Policy = Callable[[Sequence[Waiting], Sequence[Holder], Caps], Mapping[PromptId, Verdict]]
"""Who may start: `core.dispatch.queue.decide`, handed in because the store stands below it."""


OPEN = "status IN ('queued', 'running')"
"""In words that the index of what is open is made for: from one conversation to the next, and to the first in
each, is one step in it, however many wait."""


@dataclass(frozen=True, slots=True)
class Work:
    """A running prompt with everything that its turn needs. *first*: the conversation has no answer yet."""

    prompt: Prompt
    conversation: Conversation
    project: Project
    turn: TurnRow
    first: bool


def claim(db: Db, policy: Policy, caps: Caps, new_agent: Callable[[], AgentId], *, now: float) -> list[Work]:
    """Give every prompt that may start its keys, and a turn with a new agent; all of it or nothing."""
    waiting, holders = line(db)
    verdicts = policy(waiting, holders, caps)
    return [
        _start(db, candidate, new_agent(), now=now)
        for candidate in waiting
        if isinstance(verdicts[candidate.prompt], Start)
    ]


def line(db: Db) -> tuple[list[Waiting], list[Holder]]:
    """Who waits (the first of each conversation, in order) and who holds what."""
    return _waiting(db), holders(db)


def release(db: Db, prompt: PromptId) -> None:
    """Its keys are free again: its process has gone."""
    db.execute("DELETE FROM holds WHERE prompt = ?", (prompt,))


def held(db: Db) -> list[Work]:
    """Everything that holds keys: what runs, and what has ended but was not released."""
    return [work(db, prompt) for prompt in holding(db)]


def holding(db: Db) -> list[PromptId]:
    """The prompts that hold keys."""
    return [
        PromptId(row["prompt"]) for row in db.execute("SELECT DISTINCT prompt FROM holds ORDER BY prompt")
    ]


def work(db: Db, prompt: PromptId) -> Work:
    """What there is to do for a prompt that has been claimed."""
    asked = prompts.get(db, prompt)
    conversation = conversations.get(db, asked.conversation)
    answered = db.execute(
        "SELECT 1 FROM messages WHERE conversation = ? AND role = 'assistant' LIMIT 1", (asked.conversation,)
    ).fetchone()
    return Work(
        asked,
        conversation,
        projects.get(db, conversation.project),
        turns.latest(db, prompt),
        answered is None,
    )


def stopping(db: Db) -> list[PromptId]:
    """The running prompts that somebody has asked to stop."""
    found = db.execute("SELECT id FROM prompts WHERE status IN ('queued', 'running') AND cancelling")
    return [PromptId(row["id"]) for row in found]


def _start(db: Db, candidate: Waiting, agent: AgentId, *, now: float) -> Work:
    db.executemany(
        "INSERT INTO holds (key, prompt) VALUES (?, ?)",
        [(key, candidate.prompt) for key in sorted(candidate.keys)],
    )
    db.execute(
        "UPDATE prompts SET status = 'running', started_at = ?, engine = ? WHERE id = ?",
        (now, candidate.engine, candidate.prompt),
    )
    session = conversations.get(db, candidate.conversation).session
    turns.begin(db, candidate.prompt, agent, session=session, carry_on=False, now=now)
    log.append(
        db,
        [PromptStarted(candidate.engine)],
        conversation=candidate.conversation,
        prompt=candidate.prompt,
        now=now,
    )
    return work(db, candidate.prompt)


def _waiting(db: Db) -> list[Waiting]:
    """None is claimable whose files are on their way, or in whose room something is not acted on yet: that
    may take it back (behaviour §4.5)."""
    found = db.execute(
        f"WITH RECURSIVE busy (conversation) AS (SELECT min(conversation) FROM prompts WHERE {OPEN}"
        f" UNION ALL SELECT (SELECT min(p.conversation) FROM prompts p WHERE p.{OPEN}"
        " AND p.conversation > busy.conversation) FROM busy WHERE busy.conversation IS NOT NULL)"
        " SELECT p.id, p.conversation, p.files = '[]' AND NOT EXISTS (SELECT 1 FROM inbox i"
        " WHERE i.room = p.room AND i.state <> 'done' AND i.state = 'new') AS claimable"
        " FROM busy CROSS JOIN prompts p ON p.id = (SELECT q.id FROM prompts q"
        f" WHERE q.conversation = busy.conversation AND q.{OPEN} AND q.status = 'queued'"
        " ORDER BY q.position, q.id LIMIT 1) ORDER BY p.position, p.id"
    )
    return [_candidate(db, row, ConversationId(row["conversation"])) for row in found]


def _candidate(db: Db, row: Row, number: ConversationId) -> Waiting:
    conversation = conversations.get(db, number)
    project = projects.get(db, conversation.project)
    keys = keys_of(number, project)
    return Waiting(
        PromptId(row["id"]),
        number,
        project.id,
        keys,
        conversation.engine,
        project.host,
        claimable=bool(row["claimable"]),
    )


def holders(db: Db) -> list[Holder]:
    """Each holds what it was given, and what its project has been told to share since."""
    found = db.execute(
        "SELECT h.key, h.prompt, p.conversation, p.engine, c.project FROM holds h"
        " JOIN prompts p ON p.id = h.prompt JOIN conversations c ON c.id = p.conversation ORDER BY h.prompt"
    )
    by_prompt = defaultdict(list)
    for row in found:
        by_prompt[PromptId(row["prompt"])].append(row)
    return [_holder(db, prompt, rows) for prompt, rows in by_prompt.items()]


def _holder(db: Db, prompt: PromptId, held: Sequence[Row]) -> Holder:
    conversation, engine = ConversationId(held[0]["conversation"]), held[0]["engine"]
    project = projects.get(db, ProjectId(held[0]["project"]))
    keys = keys_of(conversation, project) | {row["key"] for row in held}
    return Holder(prompt, conversation, project.id, keys, engine, project.host)
