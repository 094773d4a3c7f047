"""An ACP agent that does what its prompt says, on the agent side of the protocol's own package.

A prompt begins with a JSON list of steps, one key each; any other prompt is answered with its own words:

    {"say": "words", "id": "m1"}     a chunk of a message (id: its name)
    {"where": "words"}               the same, and in which project's folder it is
    {"think": "words"}               a chunk of a thought
    {"tool": {…}} {"update": {…}}    a tool call, or what is new about one, as the protocol words it
    {"plan": [["a", "completed"]]}
    {"usage": {"used": 5, "size": 10, "cost": 0.5}}
    {"ask": {"title": "rm x", "kind": "execute"}}   for permission; says which option it got
    {"wonder": {"title": "rm x", "kind": "execute"}}   the same, and does not wait for what it gets
    {"wait": "/path"}                nothing, until a file is there
    {"sleep": 1.5}                   nothing for so many seconds
    {"form": {"message": "m", "properties": {…}}}   a form; says what it got
    {"read": "/a"}                   a file of the client's; says how that went
    {"noise": "words"}               a line on its output that is no message
    {"hang": true}                   nothing, until it is cancelled
    {"fail": {"code": -32603, "message": "m", "data": {…}}}
    {"stop": "refusal"}

The session `old` can be loaded and resumed, and replays two messages; `modes`, `models` and `options` as
arguments choose what sessions offer, `bare` that none can be loaded, `elephant` that every one can.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from acp import RequestError, run_agent
from acp import helpers as h
from acp import schema as s

OLD = "old"
MODES = ("default", "plan", "acceptEdits", "bypassPermissions")
CONFIG: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("model", "model", ("m1", "m2")),
    ("effort", "thought_level", ("low", "high")),
)
Json = dict[str, Any]
DECODER = json.JSONDecoder()
OPTIONS: tuple[tuple[str, Any], ...] = (
    ("once", "allow_once"),
    ("always", "allow_always"),
    ("no", "reject_once"),
)


class ScriptedAgent:
    """`acp.interfaces.Agent`, as far as a client of ours calls it."""

    def __init__(self, *offers: str) -> None:
        self.offers = frozenset(offers)
        self.client: Any = None
        self.count = 0
        self.cancelled = asyncio.Event()
        self.set: dict[str, str] = {"model": "m1", "effort": "low"}

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> s.InitializeResponse:
        able = Json() if "bare" in self.offers else {"load_session": True}
        sessions = s.SessionCapabilities(
            list=s.SessionListCapabilities(),
            resume=s.SessionResumeCapabilities() if "resume" in self.offers else None,
        )
        return s.InitializeResponse(
            protocol_version=protocol_version,
            agent_capabilities=s.AgentCapabilities(**able, session_capabilities=sessions),
        )

    def _offer(self) -> Json:
        offer = Json()
        if "modes" in self.offers:
            modes = [s.SessionMode(id=mode, name=mode) for mode in MODES]
            offer["modes"] = s.SessionModeState(available_modes=modes, current_mode_id="default")
        if "options" in self.offers:
            offer["config_options"] = self._options()
        return offer

    def _options(self) -> list[s.SessionConfigOptionSelect]:
        return [
            s.SessionConfigOptionSelect(
                type="select",
                id=name,
                name=name,
                category=category,
                current_value=self.set[name],
                options=[s.SessionConfigSelectOption(value=value, name=value) for value in values],
            )
            for name, category, values in CONFIG
        ]

    async def new_session(self, cwd: str, **_: Any) -> s.NewSessionResponse:
        self.count += 1
        return s.NewSessionResponse(session_id=f"s{self.count}", **self._offer())

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> s.LoadSessionResponse:
        self._known(session_id)
        await self._tell(session_id, h.update_user_message_text("an old question"))
        await self._tell(session_id, h.update_agent_message_text("an old answer"))
        return s.LoadSessionResponse(**self._offer())

    async def resume_session(self, session_id: str, cwd: str, **_: Any) -> s.ResumeSessionResponse:
        self._known(session_id)
        return s.ResumeSessionResponse(**self._offer())

    def _known(self, session: str) -> None:
        if session != OLD and "elephant" not in self.offers:
            raise RequestError(-32002, "Resource not found", {"details": f"Session not found: {session}"})

    async def list_sessions(self, cwd: str | None = None, **_: Any) -> s.ListSessionsResponse:
        there = s.SessionInfo(
            session_id=OLD, cwd=cwd or "/", title="Old", updated_at="2026-11-30T07:48:25.725Z"
        )
        return s.ListSessionsResponse(sessions=[there])

    async def set_session_mode(self, session_id: str, mode_id: str, **_: Any) -> s.SetSessionModeResponse:
        await self._tell(session_id, h.update_agent_message_text(f"[MODE_UPDATE] {mode_id}"))
        return s.SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **_: Any
    ) -> s.SetSessionConfigOptionResponse:
        if value == "nosuch":
            raise RequestError(-32602, f"{config_id} not found: {value}")
        self.set[config_id] = str(value)
        return s.SetSessionConfigOptionResponse(config_options=[*self._options()])

    async def cancel(self, session_id: str, **_: Any) -> None:
        self.cancelled.set()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> s.PromptResponse:
        self.cancelled.clear()
        text = prompt[0].text
        kinds = " ".join(block.type for block in prompt[1:])
        begins = text.startswith("[")
        steps = DECODER.raw_decode(text)[0] if begins else [{"say": f"{text} {kinds}".strip()}]
        for step in steps:
            ((name, what),) = ((name, what) for name, what in step.items() if name != "id")
            await getattr(self, f"do_{name}")(session_id, what, step.get("id"))
            if self.cancelled.is_set():
                return s.PromptResponse(stop_reason="cancelled")
        stop: Any = next((step["stop"] for step in steps if "stop" in step), "end_turn")
        usage = s.Usage(input_tokens=10, output_tokens=2, total_tokens=12)
        return s.PromptResponse(stop_reason=stop, usage=usage)

    async def _tell(self, session: str, update: Any) -> None:
        await self.client.session_update(session_id=session, update=update)

    async def do_say(self, session: str, words: str, name: str | None) -> None:
        update = h.update_agent_message_text(words)
        update.message_id = name
        await self._tell(session, update)

    async def do_where(self, session: str, words: str, name: str | None) -> None:
        await self.do_say(session, f"{words} ({Path.cwd().name})", name)

    async def do_think(self, session: str, words: str, name: str | None) -> None:
        update = h.update_agent_thought_text(words)
        update.message_id = name
        await self._tell(session, update)

    async def do_tool(self, session: str, what: Json, _: str | None) -> None:
        await self._tell(session, s.ToolCallStart.model_validate({"sessionUpdate": "tool_call", **what}))

    async def do_update(self, session: str, what: Json, _: str | None) -> None:
        fields = {"sessionUpdate": "tool_call_update", **what}
        await self._tell(session, s.ToolCallProgress.model_validate(fields))

    async def do_plan(self, session: str, what: list[list[Any]], _: str | None) -> None:
        await self._tell(session, h.update_plan([h.plan_entry(text, status=state) for text, state in what]))

    async def do_usage(self, session: str, what: Json, _: str | None) -> None:
        cost = s.Cost(amount=what["cost"], currency="USD")
        fields = {"session_update": "usage_update", "used": what["used"], "size": what["size"]}
        await self._tell(session, s.UsageUpdate(**fields, cost=cost))

    async def do_ask(self, session: str, what: Json, _: str | None) -> None:
        call = s.ToolCallUpdate.model_validate({"toolCallId": "c1", **what})
        options = [s.PermissionOption(option_id=name, name=name, kind=kind) for name, kind in OPTIONS]
        asked = self.client.request_permission(session_id=session, tool_call=call, options=options)
        outcome = (await asked).outcome
        await self.do_say(session, f"got {getattr(outcome, 'option_id', outcome.outcome)}", None)

    async def do_wonder(self, session: str, what: Json, _: str | None) -> None:
        self.wondering = asyncio.create_task(self.do_ask(session, what, None))

    async def do_wait(self, session: str, path: str, _: str | None) -> None:
        while not Path(path).exists():
            await asyncio.sleep(0.01)

    async def do_sleep(self, session: str, seconds: float, _: str | None) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.cancelled.wait(), seconds)

    async def do_form(self, session: str, what: Json, _: str | None) -> None:
        schema = s.ElicitationSchema.model_validate({"type": "object", **what})
        fields: Json = {"mode": "form", "session_id": session, "requested_schema": schema}
        mode = s.ElicitationFormSessionMode(**fields)
        got = await self.client.create_elicitation(message=what["message"], mode=mode)
        words = f"{got.action} {json.dumps(getattr(got, 'content', None), sort_keys=True)}"
        await self.do_say(session, words, None)

    async def do_read(self, session: str, path: str, _: str | None) -> None:
        try:
            await self.client.read_text_file(session_id=session, path=path)
        except RequestError as error:
            await self.do_say(session, f"refused {error.code}", None)

    async def do_noise(self, session: str, words: str, _: str | None) -> None:
        sys.stdout.buffer.write(words.encode() + b"\n")
        sys.stdout.buffer.flush()

    async def do_hang(self, session: str, _: bool, __: str | None) -> None:
        await self.cancelled.wait()

    async def do_fail(self, session: str, what: Json, _: str | None) -> None:
        raise RequestError(what["code"], what["message"], what.get("data"))

    async def do_stop(self, session: str, _: str, __: str | None) -> None:
        """The reason stands in the answer to the prompt."""


if __name__ == "__main__":
    asyncio.run(run_agent(ScriptedAgent(*sys.argv[1:]), use_unstable_protocol=True))  # type: ignore[arg-type]
