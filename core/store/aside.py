"""A running prompt whose place is others' while there is nothing for it to do, and how it gets it again."""

from __future__ import annotations

from core.model.ids import ConversationId, PromptId
from core.model.prompt import Slot
from core.model.slots import conversation_key
from core.store.database import Db


def give_place(db: Db, prompt: PromptId) -> None:
    """Its place under the caps is free; its keys stay its own, for its agent lives and may have left its work
    half done in the project's directory. Nothing is given once somebody has answered that agent."""
    db.execute(
        "UPDATE prompts SET slot = 'given' WHERE id = ? AND slot = 'held' AND NOT EXISTS (SELECT 1 FROM"
        " replies r JOIN turns t ON t.id = r.turn WHERE t.prompt = prompts.id AND NOT r.passed_on)",
        (prompt,),
    )


def give_all(db: Db, prompt: PromptId, conversation: ConversationId) -> None:
    """Everything but the order of its conversation is free: there is no agent of it, and its last turn has
    ended."""
    db.execute("UPDATE prompts SET slot = 'given' WHERE id = ? AND slot = 'held'", (prompt,))
    own = conversation_key(conversation)
    db.execute("DELETE FROM holds WHERE prompt = ? AND key <> ?", (prompt, own))


def want(db: Db, prompt: PromptId) -> bool:
    """Whether it has its place; if not, it waits for one from now on, as what it gave up is claimed."""
    db.execute("UPDATE prompts SET slot = 'wanted' WHERE id = ? AND slot = 'given'", (prompt,))
    (slot,) = db.execute("SELECT slot FROM prompts WHERE id = ?", (prompt,)).fetchone()
    return Slot(slot) is Slot.HELD


def resume(db: Db, prompt: PromptId) -> None:
    """Its agent, which kept its keys, has gone on by itself: it has its place again, be it one too many."""
    db.execute("UPDATE prompts SET slot = 'held' WHERE id = ?", (prompt,))
