"""One turn of Codex over its app server (recorded with codex-cli 0.171)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from core.model.events import (
    Denied,
    EngineEvent,
    MessageDelta,
    Notice,
    PlanEntry,
    PlanUpdated,
    Progress,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
)
from core.model.ids import ItemId, SessionId
from core.model.request import TurnRequest
from core.wire import codex_app_lines as lines
from core.wire import jsonrpc
from core.wire.codex_app_asking import Asking
from core.wire.codex_app_items import ITEMS, SILENT_ITEMS
from core.wire.codex_app_steps import Steps
from core.wire.codex_app_words import interrupt_params, steer_params, thread_params, turn_params
from core.wire.codex_gauge import Gauge, LimitsLine, TokensLine, TurnError
from core.wire.codex_items import PROGRESS
from core.wire.codex_rpc import (
    INITIALIZE,
    Events,
    Handler,
    Refused,
    Talk,
    ThreadLine,
    fails,
    notes,
    passes,
    reads,
)
from core.wire.jsonrpc import Notification, Request
from core.wire.lines import LINE_LIMIT
from core.wire.shapes import KIND_KEPT

NOT_LOADED = "thread not found"
INTERRUPTED = "interrupted"

_ITEM = msgspec.json.Decoder(lines.AnyItemLine)
_DELTA = msgspec.json.Decoder(lines.DeltaLine)


class CodexAppDialogue(Talk):
    """*turn* begins the id of every request. *warm*: an earlier turn of the same process has loaded
    `request.session`, with the same access. Turns of other threads (sub-agents) are not ours; what they
    ask a person is asked all the same, or they would wait for ever."""

    passed_over = lines.PASSED_OVER

    def __init__(
        self, request: TurnRequest, turn: str, *, warm: bool = False, limit: int = LINE_LIMIT
    ) -> None:
        super().__init__(turn, limit)
        self._request = request
        self._thread = ""
        self._turn_id = ""
        self._turn_asked = self._live = self._started = False
        self._interrupting = self._interrupted = False
        self._unsaid: list[tuple[str, str]] = []
        self._error: TurnError | None = None
        self._gauge = Gauge(fresh=request.session is None)
        self._steps = Steps()
        self._asking = Asking(approvals=request.approvals)
        self._handlers = self._table()
        if warm and request.session:
            self._thread = request.session
            self._start_turn("turn", self._warm_refused)
        else:
            self._ask(self._id("initialize"), "initialize", INITIALIZE, passes)
            self._due.append(jsonrpc.notification("initialized"))
            self._open_thread("turn")

    # --- what the dispatcher and people do ----------------------------------------------------------------

    @property
    def offered(self) -> bool:
        return self._turn_asked

    def interrupt(self) -> None:
        """Ends the turn, then the commands that it started: Codex lets those run on."""
        self._interrupting = True
        self._say_what_waited()

    def steer(self, text: str, key: str) -> None:
        self._unsaid.append((text, key))
        self._say_what_waited()

    def answer(self, question: str, choice: str, text: str = "") -> None:
        if not self._over:
            self._due += self._asking.answer(question, choice, text)

    def _say_what_waited(self) -> None:
        """Both are refused until the turn is live, a moment after it was accepted (`no active turn`)."""
        if not self._live or self._over:
            return
        for text, key in self._unsaid:
            self._steer(text, key)
        self._unsaid.clear()
        if self._interrupting and not self._interrupted:
            self._interrupted = True
            turn = interrupt_params(self._thread, self._turn_id)
            self._ask(self._id("interrupt"), "turn/interrupt", turn, passes, passes)
            thread: jsonrpc.Params = {"threadId": self._thread}
            self._ask(self._id("clean"), "thread/backgroundTerminals/clean", thread, passes, passes)

    def _steer(self, text: str, key: str) -> None:
        def heard(_: bytes) -> Events:
            self._taken.add(key)
            return ()

        def refused(why: str) -> Events:
            self._not_taken.add(key)
            return [Notice(why)]

        params = steer_params(self._thread, self._turn_id, text)
        self._ask(self._id(f"steer/{key}"), "turn/steer", params, heard, refused)

    # --- how a turn starts --------------------------------------------------------------------------------

    def _open_thread(self, turn: str) -> None:
        def opened(line: ThreadLine) -> Iterator[EngineEvent]:
            self._thread = line.thread.id
            self._start_turn(turn)
            yield SessionStarted(SessionId(self._thread))

        forks = "thread/fork" if self._request.fork else "thread/start"
        method = "thread/resume" if self._request.session else forks
        self._ask(self._id("thread"), method, thread_params(self._request), reads(ThreadLine, opened))

    def _start_turn(self, name: str, refused: Refused = fails) -> None:
        def accepted(line: lines.TurnAnswer) -> Iterator[EngineEvent]:
            return self._take(line.turn.id)

        self._turn_asked = True
        params = turn_params(self._request, self._thread)
        self._ask(self._id(name), "turn/start", params, reads(lines.TurnAnswer, accepted), refused)

    def _warm_refused(self, why: str) -> Events:
        """A thread that the server has let go of in the meantime is loaded once more."""
        if NOT_LOADED not in why:
            return fails(why)
        self._turn_asked = False
        self._open_thread("turn/again")
        return ()

    def _take(self, turn: str) -> Iterator[EngineEvent]:
        if not self._turn_id and self._request.session == self._thread:
            yield SessionStarted(SessionId(self._thread))
        self._turn_id = turn

    def _lives(self) -> None:
        self._live = True
        self._say_what_waited()

    # --- what is heard ------------------------------------------------------------------------------------

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return self._handlers

    def _table(self) -> dict[str, Handler]:
        return {
            "turn/started": notes(lines.TurnLine, self._turn_started),
            "item/started": lambda said: self._item(said, Progress.IN_PROGRESS),
            "item/completed": lambda said: self._item(said, Progress.COMPLETED),
            "item/agentMessage/delta": notes(lines.DeltaLine, self._message_delta),
            "item/commandExecution/outputDelta": self._output_delta,
            "turn/plan/updated": notes(lines.PlanLine, self._plan),
            "thread/tokenUsage/updated": notes(TokensLine, self._tokens),
            "account/rateLimits/updated": notes(LimitsLine, self._gauge.limit),
            "serverRequest/resolved": notes(
                lines.ResolvedLine, lambda line: self._asking.resolved(line.request_id)
            ),
            "warning": notes(lines.WarningLine, self._warning),
            "error": notes(lines.ErrorLine, self._went_wrong),
            "turn/completed": notes(lines.EndLine, self._turn_ended),
            "thread/closed": notes(lines.ClosedLine, self._closed),
        }

    def _requested(self, said: Request) -> Events:
        if not self._asking.knows(said.method):
            return super()._requested(said)
        return self._asking.request(said, self._steps.edits, self._due)

    def _closing(self) -> Events:
        return self._asking.close()

    def _is_ours(self, line: lines.Placed) -> bool:
        return line.thread_id == self._thread and line.turn_id == self._turn_id

    def _turn_started(self, line: lines.TurnLine) -> Iterator[EngineEvent]:
        if line.thread_id != self._thread or not self._turn_asked:
            return
        if not self._turn_id:
            yield from self._take(line.turn.id)
        if line.turn.id == self._turn_id:
            self._lives()

    def _item(self, said: Notification, reached: Progress) -> Iterator[EngineEvent]:
        line = _ITEM.decode(said.params)
        ended, kind = reached is Progress.COMPLETED, line.item.type
        if not ended:
            self._steps.edits_in(kind, said.params)
        if not self._is_ours(line):
            return
        if kind == "contextCompaction":
            yield from self._gauge.compaction(ended=ended)
        elif kind in ITEMS:
            yield from self._own_item(said, line.item, reached)
        else:
            yield from self._took_prompt()
            if kind not in SILENT_ITEMS:
                yield Unrecognised(f"{said.method}/{kind}"[:KIND_KEPT])

    def _own_item(self, said: Notification, item: lines.AnyItem, reached: Progress) -> Iterator[EngineEvent]:
        events = list(ITEMS[item.type](reached)(said.params))
        yield from self._took_prompt()
        yield from self._steps.follow(events, ended=reached is Progress.COMPLETED)
        if item.status == "declined" and not self._asking.was_asked(item.id):
            yield from (Denied(event.title) for event in events if isinstance(event, ToolCall))

    def _took_prompt(self) -> Iterator[EngineEvent]:
        """The session holds the prompt as soon as an item stands in it, but for a compaction before it."""
        if not self._started:
            self._started = True
            self._lives()
            yield TurnStarted()

    def _message_delta(self, line: lines.DeltaLine) -> Iterator[EngineEvent]:
        if self._is_ours(line):
            yield MessageDelta(ItemId(line.item_id), line.delta)

    def _output_delta(self, said: Notification) -> Events:
        line = _DELTA.decode(said.params)
        return self._steps.more(ItemId(line.item_id), line.delta, said.at) if self._is_ours(line) else ()

    def _plan(self, line: lines.PlanLine) -> Iterator[EngineEvent]:
        if self._is_ours(line):
            steps = (PlanEntry(step.step, PROGRESS.get(step.status, Progress.PENDING)) for step in line.plan)
            yield PlanUpdated(tuple(steps))

    def _tokens(self, line: TokensLine) -> Iterator[EngineEvent]:
        if line.thread_id == self._thread:
            yield from self._gauge.count(line.token_usage, ours=line.turn_id == self._turn_id)

    def _warning(self, line: lines.WarningLine) -> Iterator[EngineEvent]:
        if line.thread_id in (None, self._thread):
            yield Notice(line.message)

    def _went_wrong(self, line: lines.ErrorLine) -> Iterator[EngineEvent]:
        """What will not be tried again is the turn's end, which follows with the same words."""
        if not self._is_ours(line):
            return
        if line.will_retry:
            yield Notice(line.error.message)
        else:
            self._error = line.error

    def _turn_ended(self, line: lines.EndLine) -> Iterator[EngineEvent]:
        if line.thread_id != self._thread or line.turn.id != self._turn_id:
            return
        error = line.turn.error or self._error
        if line.turn.status == "completed":
            yield from self._took_prompt()
            yield TurnCompleted()
        elif line.turn.status == INTERRUPTED:
            yield TurnFailed(INTERRUPTED)
        else:
            yield self._gauge.failed(error) if error else TurnFailed(line.turn.status)

    def _closed(self, line: lines.ClosedLine) -> Iterator[EngineEvent]:
        """The server let go of a session that our turn runs in."""
        if self._turn_id and line.thread_id == self._thread:
            yield TurnFailed("thread closed")
