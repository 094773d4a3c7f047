"""Everything that a person can want, as one closed union."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.chat import FileRef, Pointed, Seal
from bot.intents.choices import Listen as Listen
from bot.intents.choices import Setting as Setting
from bot.intents.made import AskAgain as AskAgain
from bot.intents.made import DiffOf as DiffOf
from bot.intents.made import ForkFrom as ForkFrom
from bot.intents.made import GetFile as GetFile
from bot.intents.made import GetPlaced as GetPlaced
from bot.intents.made import GetSecret as GetSecret
from bot.intents.made import ShowDiff as ShowDiff
from bot.intents.projects import AddProject as AddProject
from bot.intents.projects import NewProject as NewProject
from bot.intents.projects import OpenProject as OpenProject
from bot.intents.projects import PickProject as PickProject
from bot.intents.projects import ShowProject as ShowProject
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish, ShowWish, ShowWishes
from core.model.conversation import Approvals
from core.model.events import Grant
from core.model.ids import ConversationId, EventId, PromptId
from core.model.project import Access


@dataclass(frozen=True, slots=True)
class Ask:
    """A prompt: the words exactly as they were sent, and what they point at."""

    text: str
    files: tuple[FileRef, ...] = ()
    points_at: tuple[Pointed, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """Pair with this code."""

    code: str


@dataclass(frozen=True, slots=True)
class Help:
    pass


@dataclass(frozen=True, slots=True)
class New:
    title: str = ""


@dataclass(frozen=True, slots=True)
class Conversations:
    pass


@dataclass(frozen=True, slots=True)
class PickConversation:
    conversation: ConversationId


@dataclass(frozen=True, slots=True)
class ImportSession:
    """Carry on the session that was begun in the engine's own program, as one of this project's."""

    session: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop what runs here; with nothing running, drop what waits first."""


@dataclass(frozen=True, slots=True)
class CancelAll:
    """Stop and drop everything of this conversation."""


@dataclass(frozen=True, slots=True)
class CancelPrompt:
    """Stop this one: what a button under its progress says, however late it is pressed."""

    prompt: PromptId


@dataclass(frozen=True, slots=True)
class Queue:
    pass


@dataclass(frozen=True, slots=True)
class DropQueued:
    prompt: PromptId


@dataclass(frozen=True, slots=True)
class DropWaiting:
    """Drop everything of this conversation that waits; what runs goes on."""


@dataclass(frozen=True, slots=True)
class CancelThose:
    """`CancelAll` as a button says it: of the conversation that it was offered for, and of nothing that was
    asked later than *newest*."""

    conversation: ConversationId
    newest: PromptId


@dataclass(frozen=True, slots=True)
class DropThose:
    """`DropWaiting` as a button says it, bound in the same way."""

    conversation: ConversationId
    newest: PromptId


@dataclass(frozen=True, slots=True)
class MoveUp:
    prompt: PromptId


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Make a new prompt of one that ended."""

    prompt: PromptId


@dataclass(frozen=True, slots=True)
class RunIt:
    """The same of one whose asker may not ask any more."""

    prompt: PromptId


@dataclass(frozen=True, slots=True)
class ShowStatus:
    pass


@dataclass(frozen=True, slots=True)
class ShowSetting:
    setting: Setting


@dataclass(frozen=True, slots=True)
class SetModel:
    """None: as the project or the settings say."""

    model: str | None


@dataclass(frozen=True, slots=True)
class SetEffort:
    """None: as the project or the settings say."""

    effort: str | None


@dataclass(frozen=True, slots=True)
class SetAccess:
    """None: as the project or the settings say."""

    access: Access | None


@dataclass(frozen=True, slots=True)
class SetEngine:
    """Work with this engine: in a new conversation, unless this one is still empty."""

    engine: str


@dataclass(frozen=True, slots=True)
class SetApprovals:
    approvals: Approvals


@dataclass(frozen=True, slots=True)
class Decide:
    """The answer to what an agent asked, as event number *question* of the log: its choice number *choice*,
    counted from 0."""

    question: EventId
    choice: int


@dataclass(frozen=True, slots=True)
class DecideHere:
    """The same for the oldest question that is open in this conversation."""

    grant: Grant


@dataclass(frozen=True, slots=True)
class Steer:
    """Say something to the running turn."""

    text: str


@dataclass(frozen=True, slots=True)
class TellNow:
    """Say what waits as a prompt to the running turn instead."""

    prompt: PromptId


@dataclass(frozen=True, slots=True)
class SendCorrection:
    """Say what the words of a prompt that had begun were changed to."""

    prompt: PromptId


@dataclass(frozen=True, slots=True)
class Misheard:
    """Take back this one, whose words are not what its sender spoke."""

    prompt: PromptId


@dataclass(frozen=True, slots=True)
class Compact:
    """Make the context smaller."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A new conversation that goes on from here."""

    title: str = ""


@dataclass(frozen=True, slots=True)
class ShowUsage:
    """Tokens, context, limits and cost, as far as the engine tells."""


@dataclass(frozen=True, slots=True)
class SetTitle:
    title: str


@dataclass(frozen=True, slots=True)
class Everybody:
    """Who was let in."""


@dataclass(frozen=True, slots=True)
class Allow:
    """*role* is owner, member, viewer, or none: somebody who is let out. *project* is the name of the one
    that it is about, `*` for every one; empty: what is meant where it is said."""

    person: str
    role: str
    project: str = ""


@dataclass(frozen=True, slots=True)
class Invite:
    """Make a link that gives *role* to whoever opens it first; *project* as in `Allow`."""

    role: str
    project: str = ""


@dataclass(frozen=True, slots=True)
class ShowListen:
    """What this room is told to hear."""


@dataclass(frozen=True, slots=True)
class SetListen:
    listen: Listen


@dataclass(frozen=True, slots=True)
class NotYet:
    """A command that this version hasn't got."""

    name: str


Command = (
    Start
    | Help
    | ShowProject
    | PickProject
    | OpenProject
    | NewProject
    | AddProject
    | New
    | Conversations
    | PickConversation
    | ImportSession
    | Cancel
    | CancelAll
    | CancelPrompt
    | CancelThose
    | Queue
    | DropQueued
    | DropWaiting
    | DropThose
    | MoveUp
    | TryAgain
    | RunIt
    | ShowStatus
    | ShowSetting
    | SetModel
    | SetEffort
    | SetAccess
    | SetEngine
    | SetApprovals
    | Decide
    | DecideHere
    | Steer
    | TellNow
    | SendCorrection
    | Misheard
    | Compact
    | Fork
    | ShowUsage
    | SetTitle
    | Everybody
    | Allow
    | GetFile
    | GetPlaced
    | GetSecret
    | ShowDiff
    | DiffOf
    | AskAgain
    | ForkFrom
    | ShowListen
    | SetListen
    | Invite
    | ShowWishes
    | ShowWish
    | SetWish
    | AgreeMirror
    | RefuseMirror
    | NotYet
)
"""What has a text form, so that a button can carry it."""


@dataclass(frozen=True, slots=True)
class WrongUse:
    """A command with *words* that it doesn't take; which they are makes it no other."""

    name: str
    words: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class DidYouMean:
    """One slip away from the command *name*, which with the same words is *command*."""

    name: str
    command: Command


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Meant for us, and nothing that an agent could be given, perhaps by its *seal*."""

    seal: Seal = Seal.SOUND


@dataclass(frozen=True, slots=True)
class Amend:
    """A message that was sent before says *text* by now; None: it is gone. *command*: that calls a command,
    which a change of an old message never does. *media*: it carries a file, perhaps another one."""

    text: str | None
    command: bool = False
    media: bool = False


@dataclass(frozen=True, slots=True)
class NotForUs:
    """Said to somebody else, or to nobody."""


Intent = Ask | Command | WrongUse | DidYouMean | Unreadable | Amend | NotForUs
