"""Questions to Codex's app server that need no turn, and the plain values that answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import msgspec

from core.model.events import EngineEvent, TurnCompleted, TurnFailed
from core.model.ids import SessionId
from core.model.offers import Account, Model
from core.model.sessions import Said, SessionInfo
from core.wire import jsonrpc
from core.wire.codex_app_lines import PASSED_OVER
from core.wire.codex_rpc import INITIALIZE, Camel, Events, S, Talk, Thread, ThreadLine, passes
from core.wire.jsonrpc import Params

SESSIONS_LISTED = 50
PAGES_MOST = 20
"""Pages of a list that are read, whatever the server says follows."""
SOURCES = ["cli", "vscode", "exec", "appServer"]
"""Who began a session: a person, here or in Codex's own programs, and no sub-agent."""

T = TypeVar("T")
Page = tuple[Iterable[T], str | None]
"""What an answer holds, and the cursor of the page that follows."""


class Query(Talk, Generic[T]):
    """Its end is a terminal event as a turn's is: `TurnCompleted`, then *found* holds what was asked for, or
    `TurnFailed` with the engine's words, which are *failed*. *turn* begins its ids, so that a *warm* process
    can be asked."""

    passed_over = PASSED_OVER

    def __init__(
        self, turn: str, method: str, params: Params, read: Callable[[bytes], Page[T]], *, warm: bool = False
    ) -> None:
        super().__init__(turn)
        self.found: tuple[T, ...] = ()
        self.failed = ""
        self._method, self._params, self._read_page = method, params, read
        self._pages = 0
        if not warm:
            self._ask(self._id("initialize"), "initialize", INITIALIZE, passes)
            self._due.append(jsonrpc.notification("initialized"))
        self._ask_page({})

    @property
    def over(self) -> bool:
        return self._over

    def feed(self, data: bytes) -> list[EngineEvent]:
        events = super().feed(data)
        if events and isinstance(last := events[-1], TurnFailed):
            self.failed = last.text
        return events

    def _ask_page(self, cursor: Params) -> None:
        self._pages += 1
        self._ask(self._id(f"page/{self._pages}"), self._method, self._params | cursor, self._page)

    def _page(self, result: bytes) -> Events:
        values, cursor = self._read_page(result)
        self.found = (*self.found, *values)
        if not cursor or self._pages >= PAGES_MOST:
            return (TurnCompleted(),)
        self._ask_page({"cursor": cursor})
        return ()


class Effort(Camel, frozen=True, gc=False):
    reasoning_effort: str


class ModelRow(Camel, frozen=True, gc=False):
    model: str
    display_name: str = ""
    hidden: bool = False
    is_default: bool = False
    default_reasoning_effort: str = ""
    supported_reasoning_efforts: tuple[Effort, ...] = ()


class ModelPage(Camel, frozen=True, gc=False):
    data: tuple[ModelRow, ...]
    next_cursor: str | None = None


class ThreadRow(Thread, frozen=True, gc=False):
    cwd: str
    name: str | None = None
    preview: str = ""
    updated_at: float = 0.0


class ThreadPage(Camel, frozen=True, gc=False):
    data: tuple[ThreadRow, ...]


class Input(Camel, frozen=True, gc=False):
    text: str = ""


class Item(Camel, frozen=True, gc=False):
    type: str


class UserItem(Camel, frozen=True, gc=False):
    content: tuple[Input, ...] = ()


class AgentItem(Camel, frozen=True, gc=False):
    text: str = ""


_ITEM = msgspec.json.Decoder(Item)
_USER = msgspec.json.Decoder(UserItem)
_AGENT = msgspec.json.Decoder(AgentItem)


class TurnRow(Camel, frozen=True, gc=False):
    items: tuple[msgspec.Raw, ...] = ()


class Turns(Thread, frozen=True, gc=False):
    turns: tuple[TurnRow, ...] = ()


class TurnsLine(Camel, frozen=True, gc=False):
    thread: Turns


class AccountRow(Camel, frozen=True, gc=False):
    type: str
    email: str | None = None
    plan_type: str | None = None


class AccountAnswer(Camel, frozen=True, gc=False):
    account: AccountRow | None = None
    requires_openai_auth: bool = False


def models(turn: str, *, warm: bool = False) -> Query[Model]:
    """The models that the account offers, best first, as Codex's own list has them."""

    def read(page: ModelPage) -> Page[Model]:
        return [_model(row) for row in page.data if not row.hidden], page.next_cursor

    return Query(turn, "model/list", {}, _reads(ModelPage, read), warm=warm)


def sessions(turn: str, cwd: str, *, warm: bool = False) -> Query[SessionInfo]:
    """The sessions of the directory *cwd* that people began, those worked in last first, at most
    `SESSIONS_LISTED`, whatever provider they are bound to."""

    def read(page: ThreadPage) -> Page[SessionInfo]:
        return [_session(row) for row in page.data], None

    params: Params = {"cwd": cwd, "limit": SESSIONS_LISTED, "sortKey": "updated_at"}
    params |= {"sourceKinds": SOURCES, "modelProviders": []}
    return Query(turn, "thread/list", params, _reads(ThreadPage, read), warm=warm)


def history(turn: str, session: SessionId, *, warm: bool = False) -> Query[Said]:
    """What was said in *session*, oldest first; it is read from the disk and not opened."""

    def read(answer: TurnsLine) -> Page[Said]:
        return [said for row in answer.thread.turns for item in row.items for said in _said(item)], None

    params: Params = {"threadId": session, "includeTurns": True}
    return Query(turn, "thread/read", params, _reads(TurnsLine, read), warm=warm)


def fork(turn: str, session: SessionId, *, warm: bool = False) -> Query[SessionId]:
    """A new session that holds all of *session*."""

    def read(answer: ThreadLine) -> Page[SessionId]:
        return [SessionId(answer.thread.id)], None

    params: Params = {"threadId": session, "excludeTurns": True}
    return Query(turn, "thread/fork", params, _reads(ThreadLine, read), warm=warm)


def account(turn: str, *, warm: bool = False) -> Query[Account]:
    """Whose account it is; read from the disk, no server is asked."""

    def read(answer: AccountAnswer) -> Page[Account]:
        row = answer.account or AccountRow("")
        return [Account(row.type, row.email or "", row.plan_type or "", answer.requires_openai_auth)], None

    return Query(turn, "account/read", {}, _reads(AccountAnswer, read), warm=warm)


def _reads(shape: type[S], read: Callable[[S], Page[T]]) -> Callable[[bytes], Page[T]]:
    decoder = msgspec.json.Decoder(shape)
    return lambda result: read(decoder.decode(result))


def _model(row: ModelRow) -> Model:
    efforts = tuple(effort.reasoning_effort for effort in row.supported_reasoning_efforts)
    label = row.display_name or row.model
    return Model(row.model, label, efforts, row.default_reasoning_effort, row.is_default)


def _session(row: ThreadRow) -> SessionInfo:
    return SessionInfo(SessionId(row.id), row.name or row.preview, row.updated_at, row.cwd)


def _said(item: msgspec.Raw) -> Iterator[Said]:
    """Pictures have no words, steps are nobody's."""
    match _ITEM.decode(item).type:
        case "userMessage":
            if text := "\n".join(part.text for part in _USER.decode(item).content if part.text):
                yield "user", text
        case "agentMessage":
            if text := _AGENT.decode(item).text:
                yield "assistant", text
