"""What Codex's app server says in a turn, as far as it is read."""

from __future__ import annotations

from core.wire.codex_gauge import TurnError
from core.wire.codex_rpc import Camel
from core.wire.jsonrpc import Id


class Identified(Camel, frozen=True, gc=False):
    id: str


class TurnAnswer(Camel, frozen=True, gc=False):
    turn: Identified


class TurnLine(Camel, frozen=True, gc=False):
    thread_id: str
    turn: Identified


class Ended(Camel, frozen=True, gc=False):
    id: str
    status: str
    error: TurnError | None = None


class EndLine(Camel, frozen=True, gc=False):
    thread_id: str
    turn: Ended


class Placed(Camel, frozen=True, gc=False):
    thread_id: str
    turn_id: str


class AnyItem(Camel, frozen=True, gc=False):
    type: str
    id: str
    status: str | None = None


class AnyItemLine(Placed, frozen=True, gc=False):
    item: AnyItem


class DeltaLine(Placed, frozen=True, gc=False):
    item_id: str
    delta: str


class PlanStep(Camel, frozen=True, gc=False):
    step: str
    status: str


class PlanLine(Placed, frozen=True, gc=False):
    plan: tuple[PlanStep, ...]


class ErrorLine(Placed, frozen=True, gc=False):
    error: TurnError
    will_retry: bool = False


class WarningLine(Camel, frozen=True, gc=False):
    message: str
    thread_id: str | None = None


class ResolvedLine(Camel, frozen=True, gc=False):
    request_id: Id


class ClosedLine(Camel, frozen=True, gc=False):
    thread_id: str


PASSED_OVER = frozenset(
    (
        *("configWarning", "deprecationNotice", "remoteControl/status/changed"),
        *("thread/started", "thread/status/changed", "thread/readState/changed", "thread/settings/updated"),
        *("thread/name/updated", "thread/goal/updated", "thread/goal/cleared", "thread/queue/changed"),
        *("thread/compacted", "turn/diff/updated", "turn/moderationMetadata", "rawResponseItem/completed"),
        *("item/reasoning/summaryPartAdded", "item/reasoning/summaryTextDelta", "item/reasoning/textDelta"),
        *("item/plan/delta", "item/fileChange/outputDelta", "item/fileChange/patchUpdated"),
        *("item/commandExecution/terminalInteraction", "item/mcpToolCall/progress"),
        *("mcpServer/startupStatus/updated", "account/updated", "skills/changed", "app/list/updated"),
        *("hook/started", "hook/completed", "thread/environment/connected"),
    )
)
"""Notifications that say nothing a turn is shown by."""
