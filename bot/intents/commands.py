"""The text form of commands, both ways: a typed command and a button's are the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields

from bot.intents.values import (
    AddProject,
    Allow,
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
    Invite,
    Misheard,
    MoveUp,
    New,
    NewProject,
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
    Setting,
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
)
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish, ShowWish, ShowWishes, Wish
from bot.intents.wishing import AGREE, AS_USUAL, LISTEN, REFUSE, Reader, settings
from core.model.conversation import Approvals
from core.model.events import Grant
from core.model.ids import ConversationId, EventId, MessageId, ProjectId, PromptId
from core.model.project import Access

IMPORT = "import"
INVITE = "invite"
ROLES = ("owner", "member", "viewer")
NUMBER = "#"
"""What no name of a project begins with, before the number of one, or of something else."""
NOBODY = "none"
"""What somebody can be made; the last is to be let out."""
EVERY = "*"
"""All projects; none is called so."""
PERSON = re.compile(r"[0-9]{1,19}|@\S+:\S+")
"""An id that nobody can change: a number on Telegram, `@name:server` on Matrix."""
LARGEST_ID = 2**63 - 1
"""An id of a person on Telegram fits into 64 bits."""

SECRET = NUMBER + "secret "
"""Before the path of a file that is sent though it looks like one."""
PLACED = re.compile(NUMBER + r"([0-9]{1,18}) ([0-9]{1,3})")
"""A message, and which of the files that it names."""

NOT_YET = (
    "archive",
    "goal",
    "provider",
    "schedule",
    "search",
)


def _start(rest: str) -> Command | None:
    if not rest:
        return Help()
    return Start(rest) if _one_word(rest) else None


def _project(rest: str) -> Command | None:
    verb, *words = rest.split(maxsplit=2) or [""]
    if verb.casefold() == "add":
        return AddProject(*words) if words else NewProject()
    if verb.startswith(NUMBER):
        number = numbered(rest)
        return None if number is None else OpenProject(number)
    return PickProject(rest) if rest else ShowProject()


def numbered(named: str) -> ProjectId | None:
    """The project that is *named* by its number; None for any other name."""
    number = _number(named.removeprefix(NUMBER)) if named.startswith(NUMBER) else None
    return None if number is None else ProjectId(number)


def _conversations(rest: str) -> Command | None:
    if not rest:
        return Conversations()
    verb, _, session = rest.partition(" ")
    if verb.casefold() == IMPORT and _one_word(session):
        return ImportSession(session.strip())
    number = _number(rest)
    return None if number is None else PickConversation(ConversationId(number))


def _cancel(rest: str) -> Command | None:
    if not rest:
        return Cancel()
    verb, *words = rest.casefold().split()
    if verb == "all":
        return CancelThose(*those) if (those := _those(words)) else None if words else CancelAll()
    number = _number(rest)
    return None if number is None else CancelPrompt(PromptId(number))


def _queue(rest: str) -> Command | None:
    if not rest:
        return Queue()
    verb, _, word = rest.casefold().partition(" ")
    if verb == "clear":
        return DropThose(*those) if (those := _those(word.split())) else None if word else DropWaiting()
    if verb == "again" and not word:
        return AskAgain()
    number, make = _number(word.strip()), _OF_QUEUED.get(verb)
    return None if number is None or make is None else make(PromptId(number))


def _those(words: Sequence[str]) -> tuple[ConversationId, PromptId] | None:
    """A conversation, and the newest prompt of it that is meant."""
    numbers = [number for word in words if (number := _number(word)) is not None]
    if len(words) != 2 or len(numbers) != 2:
        return None
    return ConversationId(numbers[0]), PromptId(numbers[1])


_OF_QUEUED: dict[str, Callable[[PromptId], Command]] = {
    "drop": DropQueued,
    "up": MoveUp,
    "again": TryAgain,
    "run": RunIt,
    "now": TellNow,
    "correct": SendCorrection,
    "wrong": Misheard,
}


def _setting(setting: Setting, make: Callable[[str | None], Command | None]) -> Reader:
    def read(rest: str) -> Command | None:
        if not rest:
            return ShowSetting(setting)
        if not _one_word(rest):
            return None
        return make(None if rest.casefold() == AS_USUAL else rest)

    return read


def _access(word: str | None) -> Command | None:
    if word is None:
        return SetAccess(None)
    return SetAccess(Access(word.casefold())) if word.casefold() in list(Access) else None


def _engine(word: str | None) -> Command | None:
    return SetEngine(word) if word else None


def _approvals(rest: str) -> Command | None:
    """`never` and `ask` are the setting; what else there is answers a question."""
    question, _, choice = rest.partition(" ")
    event, at = _number(question), _number(choice.strip())
    if event is not None and at is not None:
        return Decide(EventId(event), at)
    return _APPROVALS.get(rest.casefold())


_APPROVALS: dict[str, Command] = {
    "": ShowSetting(Setting.APPROVALS),
    "never": SetApprovals(Approvals.NEVER),
    "ask": SetApprovals(Approvals.ASK),
    "once": DecideHere(Grant.ONCE),
    "always": DecideHere(Grant.ALWAYS),
    "deny": DecideHere(Grant.DENY),
}


def _fork(rest: str) -> Command | None:
    number = _number(rest.removeprefix(NUMBER)) if rest.startswith(NUMBER) else None
    return Fork(rest) if number is None else ForkFrom(PromptId(number))


def _diff(rest: str) -> Command | None:
    if not rest:
        return ShowDiff()
    number = _number(rest)
    return None if number is None else DiffOf(PromptId(number))


def _get(rest: str) -> Command | None:
    if found := PLACED.fullmatch(rest):
        return GetPlaced(MessageId(int(found[1])), int(found[2]))
    if rest.startswith(SECRET):
        return GetSecret(rest.removeprefix(SECRET))
    return GetFile(rest) if rest else None


def _allow(rest: str) -> Command | None:
    """An id, what they are made, and where; or an invitation, to what and where."""
    who, *words = rest.split() or [""]
    if not who:
        return Everybody()
    if len(words) > 2:
        return None
    role, project = (*words, *("", "")[len(words) :])
    return _letting_in(who, role.casefold() or ROLES[1], project)


def _letting_in(who: str, role: str, project: str) -> Command | None:
    """Owners own every project."""
    if project and role == ROLES[0]:
        return None
    if who.casefold() == INVITE:
        return Invite(role, project) if role in ROLES else None
    return Allow(who, role, project) if _is_person(who) and role in (*ROLES, NOBODY) else None


def _is_person(word: str) -> bool:
    return bool(PERSON.fullmatch(word)) and (word.startswith("@") or int(word) <= LARGEST_ID)


def platform_of(person: str) -> str:
    """Where that is somebody's id."""
    return "matrix" if person.startswith("@") else "telegram"


def _bare(command: Command) -> Reader:
    return lambda rest: None if rest else command


def _not_yet(name: str) -> Reader:
    return lambda rest: NotYet(name)


def _one_word(text: str) -> bool:
    return len(text.split()) == 1


def _number(word: str) -> int | None:
    return int(word) if re.fullmatch(r"[0-9]{1,18}", word) else None


READERS: dict[str, Reader] = {
    "start": _start,
    "help": lambda rest: Help(),
    "project": _project,
    "new": New,
    "conversations": _conversations,
    "cancel": _cancel,
    "stop": _cancel,
    "queue": _queue,
    "status": _bare(ShowStatus()),
    "model": _setting(Setting.MODEL, SetModel),
    "effort": _setting(Setting.EFFORT, SetEffort),
    "access": _setting(Setting.ACCESS, _access),
    "engine": _setting(Setting.ENGINE, _engine),
    "approvals": _approvals,
    "steer": lambda rest: Steer(rest) if rest else None,
    "compact": _bare(Compact()),
    "fork": _fork,
    "usage": _bare(ShowUsage()),
    "title": lambda rest: SetTitle(rest) if rest else None,
    "allow": _allow,
    "diff": _diff,
    "get": _get,
    "settings": settings,
    **{name: _not_yet(name) for name in NOT_YET},
}


FORMS: dict[type[Command], str] = {
    Start: "/start {code}",
    Help: "/help",
    ShowProject: "/project",
    PickProject: "/project {name}",
    OpenProject: "/project " + NUMBER + "{project}",
    NewProject: "/project add",
    AddProject: "/project add {name} {path}",
    New: "/new {title}",
    Conversations: "/conversations",
    PickConversation: "/conversations {conversation}",
    ImportSession: "/conversations " + IMPORT + " {session}",
    Cancel: "/cancel",
    CancelAll: "/cancel all",
    CancelPrompt: "/cancel {prompt}",
    CancelThose: "/cancel all {conversation} {newest}",
    Queue: "/queue",
    DropQueued: "/queue drop {prompt}",
    DropWaiting: "/queue clear",
    DropThose: "/queue clear {conversation} {newest}",
    MoveUp: "/queue up {prompt}",
    TryAgain: "/queue again {prompt}",
    AskAgain: "/queue again",
    RunIt: "/queue run {prompt}",
    ShowStatus: "/status",
    ShowSetting: "/{setting}",
    SetModel: "/model {model}",
    SetEffort: "/effort {effort}",
    SetAccess: "/access {access}",
    SetEngine: "/engine {engine}",
    SetApprovals: "/approvals {approvals}",
    Decide: "/approvals {question} {choice}",
    DecideHere: "/approvals {grant}",
    Steer: "/steer {text}",
    TellNow: "/queue now {prompt}",
    SendCorrection: "/queue correct {prompt}",
    Misheard: "/queue wrong {prompt}",
    Compact: "/compact",
    Fork: "/fork {title}",
    ForkFrom: "/fork " + NUMBER + "{prompt}",
    ShowUsage: "/usage",
    SetTitle: "/title {title}",
    Everybody: "/allow",
    GetFile: "/get {path}",
    GetPlaced: "/get " + NUMBER + "{message} {at}",
    GetSecret: "/get " + SECRET + "{path}",
    ShowDiff: "/diff",
    DiffOf: "/diff {prompt}",
    ShowListen: "/settings " + LISTEN,
    SetListen: "/settings " + LISTEN + " {listen}",
    Allow: "/allow {person} {role} {project}",
    Invite: "/allow " + INVITE + " {role} {project}",
    ShowWishes: "/settings",
    ShowWish: "/settings {wish}",
    SetWish: "/settings {wish} {value}",
    AgreeMirror: "/settings " + Wish.MIRROR + " " + AGREE + " {mirror}",
    RefuseMirror: "/settings " + Wish.MIRROR + " " + REFUSE + " {mirror}",
    NotYet: "/{name}",
}


def encode(command: Command) -> str:
    """The text that reads as *command*."""
    values = {field.name: getattr(command, field.name) for field in fields(command)}
    said = {name: AS_USUAL if value is None else value for name, value in values.items()}
    return FORMS[type(command)].format(**said).rstrip()


def decode(text: str) -> Command | None:
    """What `encode` made of it; None for what it made nothing of."""
    name, _, rest = text.removeprefix("/").partition(" ")
    return READERS[name](rest) if name in READERS else None
