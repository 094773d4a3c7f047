"""Commands that our messages offer several of, for one to be taken."""

from __future__ import annotations

from bot.intents.values import (
    AddProject,
    ImportSession,
    OpenProject,
    PickConversation,
    PickProject,
    SetAccess,
    SetApprovals,
    SetEffort,
    SetEngine,
    SetListen,
    SetModel,
)
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish

PICKS = (
    PickProject,
    OpenProject,
    AddProject,
    PickConversation,
    ImportSession,
    SetEngine,
    SetModel,
    SetEffort,
    SetAccess,
    SetApprovals,
    SetListen,
    SetWish,
    AgreeMirror,
    RefuseMirror,
)
"""None of them more likely than the others, and none to be taken twice."""
