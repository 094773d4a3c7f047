"""Whether an agent at work can be told more: its engine can, and its turn goes the way by which it hears."""

from __future__ import annotations

from core.engines.catalogue import Catalogue
from core.model.ids import ConversationId
from core.store import conversations, said
from core.store.database import Db


def hears(db: Db, conversation: ConversationId, catalogue: Catalogue) -> bool:
    """Of the turn that runs there; where none does, of the next. Errors: `Refused` for an engine that this
    version can't drive."""
    engine = catalogue.engine(conversations.get(db, conversation).engine)
    return engine.capabilities.steer and not said.deaf(db, conversation)
