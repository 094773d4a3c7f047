"""Codex makes a session's context smaller (behaviour §5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from core.model.events import EngineEvent, SessionStarted, TurnCompleted, TurnFailed
from core.model.ids import SessionId
from core.wire import codex_app_lines as lines
from core.wire import jsonrpc
from core.wire.codex_gauge import Gauge, LimitsLine, TokensLine
from core.wire.codex_rpc import INITIALIZE, Events, Handler, Talk, ThreadLine, notes, passes, reads
from core.wire.jsonrpc import Id, Notification
from core.wire.lines import LINE_LIMIT

_ITEM = msgspec.json.Decoder(lines.AnyItemLine)


class CodexCompaction(Talk):
    """In a process of its own: `initialize` (id 0), `thread/resume` (id 1), `thread/compact/start` (id 2),
    each after the answer to the one before. *warm*: the process has loaded *session*; the last of the three
    is asked at once, and its id begins with *turn*, since ids are unique in a process's life."""

    passed_over = lines.PASSED_OVER - {"thread/compacted"}

    def __init__(self, session: SessionId, turn: str, *, warm: bool = False, limit: int = LINE_LIMIT) -> None:
        super().__init__(turn, limit)
        self._session = session
        self._turn_id = ""
        self._interrupting = False
        self._gauge = Gauge(fresh=False)
        self._handlers = self._table()
        if warm:
            self._compact(self._id("compact"))
        else:
            self._ask(0, "initialize", INITIALIZE, self._initialized)

    def interrupt(self) -> None:
        self._interrupting = True
        self._say_what_waited()

    def steer(self, text: str, key: str) -> None:
        """Nobody listens while the context is made smaller."""

    def answer(self, question: str, choice: str, text: str = "") -> None:
        """Nothing is asked."""

    def _say_what_waited(self) -> None:
        if self._interrupting and self._turn_id and not self._over:
            self._interrupting = False
            place: jsonrpc.Params = {"threadId": self._session, "turnId": self._turn_id}
            self._ask(self._id("interrupt"), "turn/interrupt", place, passes, passes)

    def _initialized(self, _: bytes) -> Events:
        self._due.append(jsonrpc.notification("initialized"))
        params: jsonrpc.Params = {"threadId": self._session, "excludeTurns": True}
        self._ask(1, "thread/resume", params, reads(ThreadLine, self._resumed))
        return ()

    def _resumed(self, line: ThreadLine) -> Iterator[EngineEvent]:
        self._compact(2)
        yield SessionStarted(SessionId(line.thread.id))

    def _compact(self, name: Id) -> None:
        self._ask(name, "thread/compact/start", {"threadId": self._session}, passes)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return self._handlers

    def _table(self) -> dict[str, Handler]:
        return {
            "turn/started": notes(lines.TurnLine, self._turn_started),
            "item/started": lambda said: self._item(said, ended=False),
            "item/completed": lambda said: self._item(said, ended=True),
            "thread/compacted": notes(lines.ClosedLine, self._compacted),
            "thread/tokenUsage/updated": notes(TokensLine, self._tokens),
            "account/rateLimits/updated": notes(LimitsLine, self._gauge.limit),
            "error": notes(lines.ErrorLine, lambda _: ()),
            "turn/completed": notes(lines.EndLine, self._turn_ended),
        }

    def _turn_started(self, line: lines.TurnLine) -> Events:
        if line.thread_id == self._session and not self._turn_id:
            self._turn_id = line.turn.id
            self._say_what_waited()
        return ()

    def _item(self, said: Notification, *, ended: bool) -> Iterator[EngineEvent]:
        line = _ITEM.decode(said.params)
        if line.thread_id == self._session and line.item.type == "contextCompaction":
            yield from self._gauge.compaction(ended=ended)
            if ended:
                yield TurnCompleted()

    def _compacted(self, line: lines.ClosedLine) -> Iterator[EngineEvent]:
        """How servers before the item of that name say it."""
        if line.thread_id == self._session:
            yield from self._gauge.compaction(ended=True)
            yield TurnCompleted()

    def _tokens(self, line: TokensLine) -> Iterator[EngineEvent]:
        if line.thread_id == self._session:
            yield from self._gauge.count(line.token_usage, ours=line.turn_id == self._turn_id)

    def _turn_ended(self, line: lines.EndLine) -> Iterator[EngineEvent]:
        """It ended, and nothing was made smaller."""
        if line.thread_id == self._session and line.turn.id == self._turn_id:
            yield (self._gauge.failed(line.turn.error) if line.turn.error else TurnFailed(line.turn.status))
