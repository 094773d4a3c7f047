"""What we need of ACP's messages: tolerant shapes, since every field of an agent's may be missing or null."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from core.wire.acp_rpc import NOTHING, glean
from core.wire.forms import Schema
from core.wire.shapes import SessionName, Shape


class Lax(Shape, frozen=True, gc=False, rename="camel", kw_only=True):
    """The names of the wire in camel case."""


# --- content ----------------------------------------------------------------------------------------------


class Resource(Lax, frozen=True, gc=False, kw_only=True):
    uri: str = ""
    text: str | None = None


class Block(Lax, frozen=True, gc=False, kw_only=True):
    """Any content block: words, or something that they refer to."""

    type: str
    text: str | None = None
    uri: str | None = None
    resource: Resource | None = None

    @property
    def words(self) -> str | None:
        """None for what cannot be written, a picture or a sound without an address."""
        if self.resource:
            return self.resource.text or self.resource.uri
        return self.uri if self.text is None else self.text


class Chunk(Lax, frozen=True, gc=False, kw_only=True):
    content: Block
    message_id: str | None = None


# --- tool calls -------------------------------------------------------------------------------------------


class Part(Lax, frozen=True, gc=False, kw_only=True):
    """Of what a tool gave: `content`, `diff` or `terminal`."""

    type: str
    content: Block | None = None
    path: str = ""
    old_text: str | None = None
    new_text: str = ""


class Location(Lax, frozen=True, gc=False, kw_only=True):
    path: str


class Tool(Lax, frozen=True, gc=False, kw_only=True):
    """A tool call or what is new about one: None is what stays as it was."""

    tool_call_id: str
    title: str | None = None
    kind: str | None = None
    status: str | None = None
    content: tuple[Part, ...] | None = None
    locations: tuple[Location, ...] | None = None
    raw_input: msgspec.Raw = NOTHING
    raw_output: msgspec.Raw = NOTHING


class Command(Lax, frozen=True, gc=False, kw_only=True):
    """A tool's arguments, as far as agents agree on their names."""

    command: str | list[str] = ""
    diff: str = ""

    @property
    def words(self) -> str:
        return self.command if isinstance(self.command, str) else " ".join(self.command)


class Output(Lax, frozen=True, gc=False, kw_only=True):
    output: str = ""
    error: str = ""


class Exit(Lax, frozen=True, gc=False, kw_only=True):
    exit: int | None = None


class Ended(Lax, frozen=True, gc=False, kw_only=True):
    metadata: Exit = Exit()


# --- plans, usage -----------------------------------------------------------------------------------------


class Entry(Lax, frozen=True, gc=False, kw_only=True):
    content: str
    status: str = "pending"


class Plan(Lax, frozen=True, gc=False, kw_only=True):
    entries: tuple[Entry, ...]


class Todos(Lax, frozen=True, gc=False, kw_only=True):
    todos: tuple[Entry, ...] = ()


class Cost(Lax, frozen=True, gc=False, kw_only=True):
    amount: float = 0.0
    currency: str = "USD"


class Gauge(Lax, frozen=True, gc=False, kw_only=True):
    used: int = 0
    size: int = 0
    cost: Cost | None = None


class Tokens(Lax, frozen=True, gc=False, kw_only=True):
    input_tokens: int = 0
    output_tokens: int = 0
    cached_read_tokens: int | None = None
    thought_tokens: int | None = None


class Count(Shape, frozen=True, gc=False, kw_only=True):
    input_tokens: int = 0
    output_tokens: int = 0


class Quota(Shape, frozen=True, gc=False, kw_only=True):
    token_count: Count = Count()


class Counted(Shape, frozen=True, gc=False, kw_only=True):
    """Gemini's own count, in `_meta`."""

    quota: Quota = Quota()


# --- sessions ---------------------------------------------------------------------------------------------


class PromptAbilities(Lax, frozen=True, gc=False, kw_only=True):
    image: bool = False


class SessionAbilities(Lax, frozen=True, gc=False, kw_only=True):
    """What is there is offered, whatever it holds."""

    fork: msgspec.Raw = NOTHING
    list: msgspec.Raw = NOTHING
    resume: msgspec.Raw = NOTHING


class Abilities(Lax, frozen=True, gc=False, kw_only=True):
    load_session: bool = False
    prompt_capabilities: PromptAbilities = PromptAbilities()
    session_capabilities: SessionAbilities = SessionAbilities()


class Initialized(Lax, frozen=True, gc=False, kw_only=True):
    agent_capabilities: Abilities = Abilities()


class Value(Lax, frozen=True, gc=False, kw_only=True):
    """A choice, or with *options* a group of choices."""

    value: str = ""
    options: tuple[Value, ...] = ()


class Option(Lax, frozen=True, gc=False, kw_only=True):
    id: str
    category: str | None = None
    current_value: str | bool = ""
    options: tuple[Value, ...] = ()

    @property
    def values(self) -> Iterator[str]:
        for value in self.options:
            yield from (one.value for one in value.options or (value,))


class Mode(Lax, frozen=True, gc=False, kw_only=True):
    id: str


class Modes(Lax, frozen=True, gc=False, kw_only=True):
    available_modes: tuple[Mode, ...] = ()
    current_mode_id: str = ""


class ModelName(Lax, frozen=True, gc=False, kw_only=True):
    model_id: str
    name: str = ""


class Models(Lax, frozen=True, gc=False, kw_only=True):
    current_model_id: str = ""
    available_models: tuple[ModelName, ...] = ()


class Opened(Lax, frozen=True, gc=False, kw_only=True):
    """What a session offers; where one was loaded, null or nothing, too."""

    modes: Modes | None = None
    models: Models | None = None
    config_options: tuple[Option, ...] | None = None


class Created(Lax, frozen=True, gc=False, kw_only=True):
    session_id: SessionName


class Prompted(
    Lax, frozen=True, gc=False, kw_only=True, rename={"meta": "_meta", "stop_reason": "stopReason"}
):
    stop_reason: str = "end_turn"
    usage: msgspec.Raw = NOTHING
    meta: msgspec.Raw = NOTHING


class Update(Lax, frozen=True, gc=False, kw_only=True):
    session_update: str


class Updated(Lax, frozen=True, gc=False, kw_only=True):
    session_id: str
    update: msgspec.Raw


# --- questions --------------------------------------------------------------------------------------------


class Permit(Lax, frozen=True, gc=False, kw_only=True):
    option_id: str
    kind: str = ""
    name: str = ""


class Permission(Lax, frozen=True, gc=False, kw_only=True):
    tool_call: Tool
    options: tuple[Permit, ...]


class Elicitation(Lax, frozen=True, gc=False, kw_only=True):
    message: str
    mode: str = "form"
    requested_schema: Schema = Schema()


class Taken(Lax, frozen=True, gc=False, kw_only=True):
    """The agent takes a request of its own back."""

    request_id: int | str | None = None


class Details(Shape, frozen=True, gc=False):
    """What an error says beyond its message."""

    details: str = ""
    message: str = ""


DETAILS = msgspec.json.Decoder(Details)
COMMAND = msgspec.json.Decoder(Command)
OUTPUT = msgspec.json.Decoder(Output)
ENDED = msgspec.json.Decoder(Ended)
TODOS = msgspec.json.Decoder(Todos)
TOKENS = msgspec.json.Decoder(Tokens)
COUNTED = msgspec.json.Decoder(Counted)


def arguments(raw: msgspec.Raw) -> Command:
    return glean(COMMAND, raw, Command())
