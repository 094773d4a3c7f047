"""One turn of an agent that speaks ACP, the Agent Client Protocol (version 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

import msgspec

from core.errors import MalformedLine
from core.model.events import (
    Compacted,
    EngineEvent,
    Malformed,
    Notice,
    SessionStarted,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
)
from core.model.ids import SessionId
from core.model.launch import Word
from core.model.request import TurnRequest
from core.wire import acp_rpc
from core.wire import acp_shapes as shapes
from core.wire.acp_failures import UNFINISHED, UNTAKEN, words
from core.wire.acp_questions import Questions
from core.wire.acp_rpc import Object, keys
from core.wire.acp_settings import Manner, Wishes, settings
from core.wire.acp_tools import Tools
from core.wire.acp_updates import Updates
from core.wire.decoder import LineDecoder
from core.wire.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND
from core.wire.lines import LINE_LIMIT, Line
from core.wire.shapes import KIND_KEPT, Json

__all__ = ["AcpDialogue", "Manner", "keys"]

DOING = {"initialize": "initialize", "reload": "session/load"}
"""What is asked where that is not `session/` and the name that its answer is awaited under."""
CANCELLED = "cancelled"
"""ACP's own word for a turn that was stopped."""
CLIENT: Object = {
    "protocolVersion": 1,
    "clientInfo": {"name": "roost", "title": "Roost", "version": "1"},
    "clientCapabilities": {
        "fs": {"readTextFile": False, "writeTextFile": False},
        "terminal": False,
        "elicitation": {"form": {}},
    },
}
PICTURES = {
    ".png": "image/png",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
}

_INITIALIZED = msgspec.json.Decoder(shapes.Initialized)
_CREATED = msgspec.json.Decoder(shapes.Created)
_OPENED = msgspec.json.Decoder(shapes.Opened)
_PROMPTED = msgspec.json.Decoder(shapes.Prompted)
_UPDATED = msgspec.json.Decoder(shapes.Updated)


class AcpDialogue(LineDecoder):
    """`core.engines.port.Dialogue`. *turn* begins every key; *warm*: the process holds the session already.
    An image of which the request has no picture goes as a link, which the agent opens itself. What an agent
    says of its session before the prompt is history, and dropped."""

    def __init__(
        self,
        request: TurnRequest,
        turn: str,
        *,
        warm: bool,
        manner: Manner | None = None,
        limit: int = LINE_LIMIT,
    ) -> None:
        super().__init__(self._hear, limit)
        self._request, self._turn, self._manner = request, turn, manner or Manner()
        self._due: list[Word] = []
        self._awaited = ""
        self._session = request.session if warm else None
        self._opening: SessionId | None = None
        self._able = shapes.Abilities(prompt_capabilities=shapes.PromptAbilities(image=True))
        self._offer, self._set = shapes.Opened(), frozenset[str]()
        self._named = self._live = self._started = self._stopping = self._ended = False
        tools = Tools()
        self._questions = Questions(request, turn, self._manner, tools)
        self._updates = Updates(tools, self._questions, warm=warm)
        if warm:
            self._prompt()
        else:
            self._ask("initialize", "initialize", CLIENT)

    # --- what the caller says -----------------------------------------------------------------------------

    def due(self) -> list[Word]:
        due, self._due = [*self._due, *self._questions.due()], []
        return due

    @property
    def offered(self) -> bool:
        return self._live

    @property
    def heard(self) -> frozenset[str]:
        return frozenset()

    @property
    def refused(self) -> frozenset[str]:
        return frozenset()

    def interrupt(self) -> None:
        """Before the prompt was sent it will not be: the turn ends with the next answer."""
        if self._ended or self._stopping:
            return
        self._stopping = True
        if self._live and self._session:
            self._due.append(acp_rpc.note(self._cancel_key, "session/cancel", {"sessionId": self._session}))
            self._questions.cancel()

    def steer(self, text: str, key: str) -> None:
        """ACP has no word for it."""

    def answer(self, question: str, choice: str, text: str = "") -> None:
        self._questions.answer(question, choice, text)

    def feed(self, data: bytes) -> list[EngineEvent]:
        told = [] if self._ended else list(self._questions.news())
        return told + super().feed(data)

    # --- what the agent says ------------------------------------------------------------------------------

    def _events(self, line: Line) -> list[EngineEvent]:
        return [] if self._ended else super()._events(line)

    def _hear(self, line: bytes) -> list[EngineEvent]:
        match acp_rpc.hear(line):
            case acp_rpc.Answer(to, outcome):
                return list(self._answered(to, outcome))
            case acp_rpc.Call() as call:
                return list(self._called(call))
            case acp_rpc.Note("session/update", params):
                return self._updated(params)
            case acp_rpc.Note("$/cancel_request", params):
                return list(self._questions.taken_back(params))
            case acp_rpc.Note(method):
                return [Unrecognised(method[:KIND_KEPT])]

    def _answered(self, to: acp_rpc.Id, outcome: msgspec.Raw | acp_rpc.Trouble) -> Iterator[EngineEvent]:
        """Answers to what nobody waits for any more are passed over."""
        name = self._awaited
        if not name or to != self._key(name):
            return
        self._awaited = ""
        if isinstance(outcome, acp_rpc.Trouble):
            yield from self._refused(name, outcome)
        elif self._stopping and name != "prompt":
            yield from self._end(TurnFailed(CANCELLED))
        else:
            try:
                yield from _ANSWERED.get(name, AcpDialogue._is_set)(self, outcome)
            except MalformedLine as error:
                yield Malformed(error.fields["head"], error.fields["why"])
                yield from self._end(TurnFailed(error.fields["why"]))

    def _refused(self, name: str, trouble: acp_rpc.Trouble) -> Iterator[EngineEvent]:
        plain = SessionId(str(self._request.session).strip())
        if name == "load" and self._opening != plain:  # an agent may be strict about names
            self._open("reload", plain)
            return
        if name == "prompt" and trouble.code not in UNTAKEN and self._manner.keeps_failed:
            yield from self._start()
        yield from self._end(TurnFailed(words(trouble, DOING.get(name, f"session/{name}"))))

    def _called(self, call: acp_rpc.Call) -> Iterator[EngineEvent]:
        """Every request gets an answer, and the agent never waits for what we do not serve."""
        if call.method in ("session/request_permission", "elicitation/create"):
            if self._live:
                yield from self._start()
            yield from self._updates.pause()
            yield from self._asked(call)
            return
        self._refuse(call, METHOD_NOT_FOUND, "Method not found")
        if not call.method.startswith(("fs/", "terminal/")):
            yield Unrecognised(call.method[:KIND_KEPT])

    def _asked(self, call: acp_rpc.Call) -> Iterator[EngineEvent]:
        try:
            yield from self._questions.ask(call)
        except MalformedLine:
            self._refuse(call, INVALID_PARAMS, "Invalid params")
            raise

    def _refuse(self, call: acp_rpc.Call, code: int, why: str) -> None:
        key = self._key(f"refuse:{call.id!r}")
        self._due.append(acp_rpc.refuse(key, call.id, code, why, {"method": call.method}))

    # --- the way to the prompt ----------------------------------------------------------------------------

    def _initialized(self, outcome: msgspec.Raw) -> Iterable[EngineEvent]:
        self._able = acp_rpc.read(_INITIALIZED, outcome, "initialize").agent_capabilities
        if not self._request.session:
            return self._begins()
        if self._able.session_capabilities.resume != acp_rpc.NOTHING:
            self._open("resume", self._request.session)
        elif self._able.load_session:
            self._open("load", self._manner.loads(self._request.session))
        else:
            return self._end(TurnFailed("initialize: session/load is not offered"))
        return ()

    def _begins(self) -> Iterable[EngineEvent]:
        """A session of its own: new, or made of another one."""
        if not self._request.fork:
            self._ask("new", "session/new", self._here)
        elif self._able.session_capabilities.fork != acp_rpc.NOTHING:
            self._ask("fork", "session/fork", {**self._here, "sessionId": str(self._request.fork)})
        else:
            return self._end(TurnFailed("session/fork: not found"))
        return ()

    def _open(self, name: str, session: SessionId) -> None:
        self._opening = session
        self._ask(name, DOING.get(name, f"session/{name}"), {**self._here, "sessionId": session})

    def _created(self, outcome: msgspec.Raw) -> Iterator[EngineEvent]:
        self._session = SessionId(acp_rpc.read(_CREATED, outcome, "session/new").session_id)
        yield from self._opened(outcome)

    def _opened(self, outcome: msgspec.Raw) -> Iterator[EngineEvent]:
        self._session = self._session or self._opening
        yield from self._name()
        self._offer = _offered(outcome)
        self._go_on()

    def _is_set(self, outcome: msgspec.Raw) -> Iterable[EngineEvent]:
        """The answer to a config option tells all of them anew."""
        told = _offered(outcome)
        if told.config_options is not None:
            self._offer = told
        self._go_on()
        return ()

    def _go_on(self) -> None:
        """The next setting, or the prompt."""
        manner, request = self._manner, self._request
        wishes = Wishes(
            modes=manner.modes_for(request),
            model="" if manner.by_argv else request.model,
            effort=request.effort,
            asks_mode_again=manner.asks_mode_again,
        )
        step = next(settings(self._offer, wishes, self._set), None)
        if step is None:
            self._prompt()
        else:
            self._set |= {step.name}
            self._ask(step.name, step.method, {"sessionId": str(self._session), **step.params})

    def _prompt(self) -> None:
        self._live = True
        blocks: list[Json] = [{"type": "text", "text": self._request.text}]
        blocks += map(self._picture, self._request.images)
        self._ask("prompt", "session/prompt", {"sessionId": str(self._session), "prompt": blocks})

    def _picture(self, path: str) -> Object:
        place = PurePosixPath(path)
        mime = PICTURES.get(place.suffix.lower(), "application/octet-stream")
        if path in self._request.pictures and self._able.prompt_capabilities.image:
            return {"type": "image", "mimeType": mime, "data": self._request.pictures[path]}
        uri = f"file://{place}" if self._manner.raw_links else place.as_uri()
        return {"type": "resource_link", "uri": uri, "name": place.name, "mimeType": mime}

    # --- the turn -----------------------------------------------------------------------------------------

    def _updated(self, params: msgspec.Raw) -> list[EngineEvent]:
        update = acp_rpc.read(_UPDATED, params, "session/update")
        if not self._live:
            return self._updates.before(update.update)
        if update.session_id != self._session:
            return []
        events = self._updates.tell(update.update)
        return [*self._start(), *events] if events is not None else []

    def _prompted(self, outcome: msgspec.Raw) -> Iterator[EngineEvent]:
        answer = acp_rpc.read(_PROMPTED, outcome, "session/prompt")
        yield from self._start()
        yield from self._updates.over(answer)
        reason = answer.stop_reason
        if reason in UNFINISHED and self._updates.spoke:
            yield Notice(reason)
        elif reason != "end_turn":
            return (yield from self._end(TurnFailed(reason)))
        elif self._request.text == self._manner.compact:
            if not self._updates.spoke:  # OpenCode ends it like that, whatever went wrong
                return (yield from self._end(TurnFailed(f"{self._request.text}: no summary")))
            yield Compacted(after=self._updates.context)
        yield from self._end(TurnCompleted())

    # --- small things -------------------------------------------------------------------------------------

    @property
    def _here(self) -> Object:
        return {"cwd": self._request.cwd, "mcpServers": []}

    def _key(self, name: str) -> str:
        return f"{self._turn}:{name}"

    @property
    def _cancel_key(self) -> str:
        return self._key("cancel")

    def _ask(self, name: str, method: str, params: Object) -> None:
        self._awaited = name
        self._due.append(acp_rpc.request(self._key(name), method, params))

    def _name(self) -> Iterator[EngineEvent]:
        if self._session and not self._named:
            self._named = True
            yield SessionStarted(self._session)

    def _start(self) -> Iterator[EngineEvent]:
        yield from self._name()
        if not self._started:
            self._started = True
            yield TurnStarted()

    def _end(self, event: TurnCompleted | TurnFailed) -> Iterator[EngineEvent]:
        """A cancel that is still to be said would hit the next turn of the session."""
        self._ended = True
        yield from self._name()
        yield from self._updates.pause()
        yield from self._questions.close()
        self._due = [word for word in self._due if word.key != self._cancel_key]
        yield event


def _offered(outcome: msgspec.Raw) -> shapes.Opened:
    """Null is a fine answer, and offers nothing."""
    return shapes.Opened() if outcome == acp_rpc.NOTHING else acp_rpc.read(_OPENED, outcome, "session")


_ANSWERED: dict[str, Callable[[AcpDialogue, msgspec.Raw], Iterable[EngineEvent]]] = {
    "initialize": AcpDialogue._initialized,
    "new": AcpDialogue._created,
    "fork": AcpDialogue._created,
    "resume": AcpDialogue._opened,
    "load": AcpDialogue._opened,
    "reload": AcpDialogue._opened,
    "prompt": AcpDialogue._prompted,
}
