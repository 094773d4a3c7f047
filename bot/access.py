"""Who may do what: asked once, between parsing an intent and acting on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias, assert_never

from bot.intents.values import (
    AddProject,
    Allow,
    Amend,
    Ask,
    AskAgain,
    Cancel,
    CancelAll,
    CancelPrompt,
    CancelThose,
    Compact,
    Conversations,
    Decide,
    DecideHere,
    DidYouMean,
    DiffOf,
    DropQueued,
    DropThose,
    DropWaiting,
    Everybody,
    Fork,
    ForkFrom,
    GetFile,
    GetPlaced,
    GetSecret,
    Help,
    ImportSession,
    Intent,
    Invite,
    Misheard,
    MoveUp,
    New,
    NewProject,
    NotForUs,
    NotYet,
    OpenProject,
    PickConversation,
    PickProject,
    Queue,
    RunIt,
    SendCorrection,
    SetAccess,
    SetApprovals,
    SetEffort,
    SetEngine,
    SetListen,
    SetModel,
    SetTitle,
    ShowDiff,
    ShowListen,
    ShowProject,
    ShowSetting,
    ShowStatus,
    ShowUsage,
    Start,
    Steer,
    TellNow,
    TryAgain,
    Unreadable,
    WrongUse,
)
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish, ShowWish, ShowWishes, Wish
from core.model.ids import ProjectId
from core.model.project import Access

Looking: TypeAlias = (
    Help
    | ShowProject
    | Conversations
    | Queue
    | ShowStatus
    | ShowSetting
    | ShowUsage
    | GetPlaced
    | ShowListen
    | ShowWishes
    | ShowWish
    | NotYet
    | WrongUse
    | DidYouMean
    | Unreadable
    | Amend
)
"""What changes nothing but, maybe, what the same person may change anyhow."""
Working: TypeAlias = (
    Ask
    | New
    | PickConversation
    | ImportSession
    | Cancel
    | CancelAll
    | CancelPrompt
    | CancelThose
    | DropQueued
    | DropWaiting
    | DropThose
    | MoveUp
    | TryAgain
    | SetModel
    | SetEffort
    | SetAccess
    | SetTitle
    | SetEngine
    | SetApprovals
    | SetListen
    | Decide
    | DecideHere
    | Steer
    | TellNow
    | SendCorrection
    | Misheard
    | Compact
    | Fork
    | GetFile
    | ShowDiff
    | DiffOf
    | AskAgain
    | ForkFrom
)
"""What is done with agents."""
Choosing: TypeAlias = PickProject | OpenProject
"""What a room shows: for a chat of one's own it changes nothing for anybody else."""
Owning: TypeAlias = (
    NewProject | AddProject | Everybody | Allow | Invite | AgreeMirror | RefuseMirror | RunIt | GetSecret
)
"""Who and what is here at all, and what nobody else may decide."""


class Role(StrEnum):
    """What a person is to this Roost, from most to least."""

    OWNER = "owner"
    MEMBER = "member"
    VIEWER = "viewer"
    STRANGER = "stranger"

    @property
    def rank(self) -> int:
        return list(Role).index(self)

    def at_least(self, role: Role) -> bool:
        return self.rank <= role.rank


@dataclass(frozen=True, slots=True)
class Rights:
    """What somebody is: *everywhere*, and in the *projects* of which something else was said."""

    everywhere: Role
    projects: Mapping[ProjectId, Role] = field(default_factory=dict)

    def within(self, project: ProjectId | None) -> Role:
        """What they are in *project*; without one, the most that they are in any."""
        if project is None:
            return min((self.everywhere, *self.projects.values()), key=lambda role: role.rank)
        return self.projects.get(project, self.everywhere)


@dataclass(frozen=True, slots=True)
class Allowed:
    pass


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """*key* is a sentence in the locales; *ceiling* and *wanted* are its fields, where it has some."""

    key: str
    ceiling: str = ""
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Said by somebody who is told nothing, not even that they may not."""


def may(
    role: Role, intent: Intent, *, ceiling: Access = Access.FULL, own: bool = True
) -> Allowed | NotAllowed | Ignored:
    """*ceiling* is what the room's project allows an agent (behaviour §14.5): not even an owner raises it
    from a chat. *own*: the room is theirs alone."""
    needed = needs(intent, own=own)
    if not role.at_least(needed):
        return Ignored() if role is Role.STRANGER else NotAllowed(f"access.{needed}")
    match intent:
        case SetAccess(Access() as wanted) if wanted.rank > ceiling.rank:
            return NotAllowed("access.ceiling", ceiling, wanted)
        case _:
            return Allowed()


def needs(intent: Intent, *, own: bool = True) -> Role:
    """The least that somebody must be for *intent*, in a room that is their *own* or not."""
    if isinstance(intent, Looking):
        return Role.VIEWER
    if isinstance(intent, Choosing):
        return Role.VIEWER if own else Role.MEMBER
    if isinstance(intent, Working):
        return Role.MEMBER
    if isinstance(intent, Owning):
        return Role.OWNER
    match intent:
        case Start() | NotForUs():
            return Role.STRANGER
        case SetWish(Wish.MIRROR, "on"):
            return Role.OWNER
        case SetWish(wish):
            return Role.VIEWER if wish is Wish.NOTIFICATIONS else Role.MEMBER
        case _:
            assert_never(intent)
