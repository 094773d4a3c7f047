"""Something was said: parse it, ask whether it may be, act on it."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from bot.access import Allowed, Ignored, NotAllowed, Role, may
from bot.chat import Incoming, Outgoing, Text
from bot.handlers import (
    again,
    amending,
    ask,
    cancel,
    context,
    conversations,
    deciding,
    diffing,
    forking,
    getting,
    helping,
    importing,
    listening,
    people,
    projects,
    queue,
    settings,
    status,
    steering,
    wishes,
)
from bot.handlers.desk import Desk, Place, place_of
from bot.handlers.pressing import chooses, in_vain, is_gone, may_be_vain
from bot.handlers.room import NoProject
from bot.handlers.rooting import seated
from bot.intents.parse import Here, parse
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
    Command,
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
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish, ShowWish, ShowWishes
from bot.replies import errors, pressing
from bot.replies.errors import About
from bot.texts import Texts
from core.errors import CoreError, DiskFull, StoreBusy
from core.model.project import Access

Meant = Ask | Command | WrongUse | DidYouMean | Unreadable | Amend
"""Everything that is for us."""
Made = Fork | ForkFrom | GetFile | GetSecret | GetPlaced | ShowDiff | DiffOf
"""What is done with an agent's work."""
Arranging = (
    New
    | Conversations
    | PickConversation
    | ImportSession
    | SetTitle
    | ShowProject
    | PickProject
    | OpenProject
    | NewProject
    | AddProject
    | ShowSetting
    | SetEngine
    | SetModel
    | SetEffort
    | SetAccess
    | SetApprovals
    | ShowListen
    | SetListen
    | ShowWishes
    | ShowWish
    | SetWish
    | AgreeMirror
    | RefuseMirror
    | Start
    | Everybody
    | Allow
    | Invite
    | ShowStatus
    | Help
    | NotYet
    | WrongUse
    | DidYouMean
    | Unreadable
)


async def answer(incoming: Incoming, here: Here, desk: Desk) -> list[Outgoing]:
    """What is said in return; when this returns, whatever was accepted is stored.

    Errors: `StoreBusy` and `DiskFull` where the chat `delivers`.
    """
    intent = parse(incoming, here)
    if isinstance(intent, NotForUs) and not is_gone(incoming):
        return []
    try:
        place = await place_of(await seated(incoming, intent, desk), desk)
    except CoreError as error:
        return [_told(error, desk.about(None, desk.engine), desk.words(""), desk)]
    if (refusal := _refusal(intent, place, desk)) is not None:
        return refusal
    if isinstance(intent, NotForUs):
        return [] if place.role is Role.STRANGER else [pressing.gone(desk.texts(place))]
    looks = may_be_vain(intent, place)
    if looks and (vain := await desk.store.glance(in_vain, intent, place, desk.texts(place))):
        return [vain]
    desk.begins(incoming)
    return await _without_trouble(intent, replace(place, chooses=chooses(incoming, intent)), desk)


def _refusal(intent: Intent, place: Place, desk: Desk) -> list[Outgoing] | None:
    """None where who is there may ask for that."""
    ceiling = place.project.access if place.project else Access.FULL
    match may(place.role, intent, ceiling=ceiling, own=place.own):
        case Ignored():
            return []
        case NotAllowed() as verdict:
            project = place.project.name if place.project else ""
            said = errors.not_allowed(verdict, desk.texts(place), project=project)
            return [replace(said, aside=True)]
        case Allowed():
            return None


async def _without_trouble(intent: Meant, place: Place, desk: Desk) -> list[Outgoing]:
    try:
        return await act(intent, place, desk)
    except NoProject:
        return [await projects.which(place, desk)]
    except CoreError as error:
        about = desk.about(place.project, desk.engine_for(place.project, place.conversation))
        return [_told(error, about, desk.texts(place), desk)]


def _told(error: CoreError, about: About, texts: Texts, desk: Desk) -> Text:
    """Where what was said is kept, it is acted on once the store can be written again."""
    if desk.delivers and isinstance(error, StoreBusy | DiskFull):
        raise error
    return errors.refused(error, about, texts)


async def act(intent: Meant, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `CoreError`; then nothing was changed."""
    match intent:
        case Ask() | SendCorrection():
            return await ask.ask(intent, place, desk)
        case TryAgain() | AskAgain() | RunIt():
            return await again.again(intent, place, desk)
        case Cancel() | CancelAll() | CancelPrompt() | CancelThose():
            return await cancel.cancel(intent, place, desk)
        case Queue() | DropQueued() | DropWaiting() | DropThose() | MoveUp():
            return await queue.queue(intent, place, desk)
        case Steer() | TellNow():
            return await steering.steering(intent, place, desk)
        case Amend() | Misheard():
            return await amending.amending(intent, place, desk)
        case Decide() | DecideHere():
            return await deciding.deciding(intent, place, desk)
        case Compact() | ShowUsage():
            return await context.context(intent, place, desk)
        case Fork() | ForkFrom() | GetFile() | GetSecret() | GetPlaced() | ShowDiff() | DiffOf():
            return await _with_what_was_made(intent, place, desk)
        case _:
            return await _arrange(intent, place, desk)


async def _with_what_was_made(intent: Made, place: Place, desk: Desk) -> list[Outgoing]:
    match intent:
        case Fork() | ForkFrom():
            return await forking.forking(intent, place, desk)
        case GetFile() | GetSecret() | GetPlaced():
            return await getting.getting(intent, place, desk)
        case ShowDiff() | DiffOf():
            return await diffing.diffing(intent, place, desk)
        case _:
            assert_never(intent)


async def _arrange(intent: Arranging, place: Place, desk: Desk) -> list[Outgoing]:
    """What is no word to an agent: where, with what and by whom is worked here."""
    match intent:
        case New() | Conversations() | PickConversation() | SetTitle():
            return await conversations.converse(intent, place, desk)
        case ImportSession():
            return await importing.carry_on(intent, place, desk)
        case ShowProject() | PickProject() | OpenProject() | NewProject() | AddProject():
            return await projects.project(intent, place, desk)
        case ShowSetting() | SetEngine() | SetModel() | SetEffort() | SetAccess() | SetApprovals():
            return await settings.setting(intent, place, desk)
        case ShowListen() | SetListen():
            return await listening.listening(intent, place, desk)
        case ShowWishes() | ShowWish() | SetWish() | AgreeMirror() | RefuseMirror():
            return await wishes.wishes(intent, place, desk)
        case Start() | Everybody() | Allow() | Invite():
            return await people.people(intent, place, desk)
        case ShowStatus():
            return await status.status(place, desk)
        case Help() | NotYet() | WrongUse() | DidYouMean() | Unreadable():
            return [await helping.helping(intent, place, desk)]
        case _:
            assert_never(intent)
