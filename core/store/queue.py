"""The queue in the store: a claim and its holds are one transaction, a release another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.model.conversation import Conversation
from core.model.events import PromptStarted
from core.model.ids import AgentId, ConversationId, ProjectId, PromptId, SessionId
from core.model.project import Project
from core.model.prompt import Prompt, Slot
from core.model.slots import Caps, Holder, Start, Verdict, Waiting, keys_of, project_key
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
    """A running prompt with everything that its turn needs. *first*: the conversation has no answer yet.
    *back*: it has just got its place again, and its turn has begun before."""

    prompt: Prompt
    conversation: Conversation
    project: Project
    turn: TurnRow
    first: bool
    back: bool = False

    @property
    def forks(self) -> SessionId | None:
        """The session of which its turn makes another, where it resumes none."""
        return self.conversation.fork_of if self.turn.session is None else None


def claim(db: Db, policy: Policy, caps: Caps, new_agent: Callable[[], AgentId], *, now: float) -> list[Work]:
    """Give every prompt that may start its keys, and a turn with a new agent; all of it or nothing. One that
    ran before goes on with the turn that it has."""
    waiting, holders = line(db)
    verdicts, before = policy(waiting, holders, caps), {holder.prompt for holder in holders}
    return [
        _go_on(db, candidate) if candidate.prompt in before else _start(db, candidate, new_agent(), now=now)
        for candidate in waiting
        if isinstance(verdicts[candidate.prompt], Start)
    ]


def line(db: Db) -> tuple[list[Waiting], list[Holder]]:
    """Who waits (the first of each conversation, and who wants its place again; in order), who holds what."""
    found = holders(db)
    return _waiting(db, {holder.prompt: holder for holder in found}), found


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


def _take(db: Db, candidate: Waiting) -> None:
    db.executemany(
        "INSERT INTO holds (key, prompt) VALUES (?, ?)",
        [(key, candidate.prompt) for key in sorted(candidate.keys)],
    )


def _go_on(db: Db, candidate: Waiting) -> Work:
    _take(db, candidate)
    db.execute("UPDATE prompts SET slot = 'held' WHERE id = ?", (candidate.prompt,))
    return replace(work(db, candidate.prompt), back=True)


def _start(db: Db, candidate: Waiting, agent: AgentId, *, now: float) -> Work:
    _take(db, candidate)
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


def _waiting(db: Db, running: Mapping[PromptId, Holder]) -> list[Waiting]:
    """None is claimable whose files are on their way, or in whose room something is not acted on yet: that
    may take it back (behaviour §4.5)."""
    found = db.execute(
        f"WITH RECURSIVE busy (conversation) AS (SELECT min(conversation) FROM prompts WHERE {OPEN}"
        f" UNION ALL SELECT (SELECT min(p.conversation) FROM prompts p WHERE p.{OPEN}"
        " AND p.conversation > busy.conversation) FROM busy WHERE busy.conversation IS NOT NULL)"
        " SELECT p.id, p.conversation, p.files = '[]' AND NOT EXISTS (SELECT 1 FROM inbox i"
        " WHERE i.room = p.room AND i.state <> 'done' AND i.state = 'new') AS claimable, p.position"
        " FROM busy CROSS JOIN prompts p ON p.id = (SELECT q.id FROM prompts q"
        f" WHERE q.conversation = busy.conversation AND q.{OPEN} AND q.status = 'queued'"
        " ORDER BY q.position, q.id LIMIT 1)"
        " UNION ALL SELECT p.id, p.conversation, 1, p.position FROM prompts p"
        " WHERE p.id IN (SELECT prompt FROM holds) AND p.status = 'running' AND p.slot = 'wanted'"
        " AND NOT p.cancelling"
        " ORDER BY position, id"
    )
    return [_again(db, running[row["id"]]) if row["id"] in running else _candidate(db, row) for row in found]


def _again(db: Db, holder: Holder) -> Waiting:
    keys = keys_of(holder.conversation, projects.get(db, holder.project)) - holder.keys
    return Waiting(holder.prompt, holder.conversation, holder.project, keys, holder.engine, holder.host)


def _candidate(db: Db, row: Row) -> Waiting:
    number = ConversationId(row["conversation"])
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
    """Each holds what it was given, and, as long as its project is its own, what that has been told to share
    since."""
    found = db.execute(
        "SELECT h.key, h.prompt, p.conversation, p.engine, p.slot, c.project FROM holds h"
        " JOIN prompts p ON p.id = h.prompt JOIN conversations c ON c.id = p.conversation ORDER BY h.prompt"
    )
    by_prompt = defaultdict(list)
    for row in found:
        by_prompt[PromptId(row["prompt"])].append(row)
    return [_holder(db, prompt, rows) for prompt, rows in by_prompt.items()]


def _holder(db: Db, prompt: PromptId, held: Sequence[Row]) -> Holder:
    conversation, engine = ConversationId(held[0]["conversation"]), held[0]["engine"]
    project = projects.get(db, ProjectId(held[0]["project"]))
    keys = frozenset(row["key"] for row in held)
    if project_key(project) in keys:
        keys |= keys_of(conversation, project)
    return Holder(prompt, conversation, project.id, keys, engine, project.host, Slot(held[0]["slot"]))
