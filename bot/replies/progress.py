"""The live message of a turn, and what it folds to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from bot.chat import Button, Text
from bot.intents.values import CancelPrompt
from bot.replies.marks import button, code, escaped, literal, one_line, preview, quiet
from bot.replies.queue import WaitsFor, reason
from bot.texts import Texts, clock
from core.answers.title import clean_title
from core.model.events import Leftovers, PlanEntry, Progress, Recovering, Retrying, ToolCall, Usage
from core.model.ids import PromptId
from core.model.prompt import Status
from core.model.turn import Turn

STEPS_SHOWN = 4
QUIET_SECONDS = 120.0
"""Who hears nothing for so long is told how long it has been."""
LOOPING = 2
"""So many compactions in one turn are worth a word: an agent may do nothing else for hours."""


class Phase(Enum):
    """What Roost itself is about, beside what the agent does."""

    STARTING = "progress.starting"
    WORKING = ""
    COMPACTING = "progress.compacting"
    STOPPING = "progress.stopping"


@dataclass(frozen=True, slots=True)
class Live:
    """One turn to be shown. *engine* is its label; *elapsed* and *retry_in* in seconds, the latter until
    the next try where the turn waits for one. *kept_by*: it could go on, and waits for its place."""

    prompt: PromptId
    engine: str
    project: str
    turn: Turn
    elapsed: float
    retry_in: float = 0
    phase: Phase = Phase.WORKING
    kept_by: WaitsFor | None = None
    quiet_for: float = 0.0
    """Seconds since anything was heard of the agent."""


def progress(live: Live, texts: Texts) -> Text:
    """At most eight lines: head, plan, the last four steps, and what keeps it just now."""
    return quiet(
        head(live),
        _plan(live.turn.plan, texts),
        *(step(call, texts) for call in live.turn.steps[-STEPS_SHOWN:]),
        just_now(live, texts),
        buttons=() if live.phase is Phase.STOPPING else (stop(live, texts),),
    )


def head(live: Live) -> str:
    """Without a clock where it would tick for hours: nothing is at work."""
    at_work = "" if _for_renewal(live) else f" · {clock(live.elapsed)}"
    return f"⏳ **{literal(live.engine)}** · {literal(live.project)}{at_work}"


def stop(live: Live, texts: Texts) -> Button:
    """What ends it."""
    return button(texts, "drop" if _for_renewal(live) else "stop", CancelPrompt(live.prompt))


def _for_renewal(live: Live) -> bool:
    """Whether the turn waits for its account's allowance."""
    return live.turn.waiting is not None and live.turn.waiting.until > 0


def folded(turn: Turn, status: Status, elapsed: float, texts: Texts) -> Text:
    """The one line that is left of the live message: ✓ 1:05 · 12 steps · context 61 %."""
    context = context_percent(turn.usage)
    bare = status is Status.DONE and not turn.count and context is None and elapsed < 1
    parts = [
        f"{_ENDED[status]} {clock(elapsed)}",
        texts.say("progress.at_once") if bare else "",
        texts.say(f"progress.{status}") if status in (Status.FAILED, Status.CANCELLED) else "",
        texts.count("progress.steps", turn.count) if turn.count else "",
        "" if context is None else texts.say("progress.context", percent=context),
    ]
    return quiet(" · ".join(part for part in parts if part))


def step(call: ToolCall, texts: Texts) -> str:
    """One step on one line: ✓ Ran `pytest` · exit 4."""
    under_way = call.progress in (Progress.PENDING, Progress.IN_PROGRESS)
    what = code(one_line(call.title) or ", ".join(call.paths))
    said = texts.say(f"step.{call.kind}.{'now' if under_way else 'done'}", what=what)
    exit_code = f" · {texts.say('step.exit', code=call.exit_code)}" if call.exit_code else ""
    return f"{_STEP[call.progress]} {said}{exit_code}"


def recovering(event: Recovering, engine: str, texts: Texts) -> Text:
    return quiet(texts.say(f"recover.{event.reason}", engine=literal(engine)))


def leftovers(event: Leftovers, texts: Texts) -> Text:
    programs = ", ".join(code(program) for program in event.programs)
    return quiet(texts.say("leftovers.ended" if event.ended else "leftovers.kept", programs=programs))


def waits(retry: Retrying, left: float, engine: str, texts: Texts) -> str:
    """What a turn of *engine* waits for; *left* is in seconds."""
    return texts.say(
        f"retry.{retry.reason}",
        seconds=math.ceil(left),
        attempt=retry.attempt,
        attempts=retry.attempts,
        engine=literal(engine),
        at=texts.moment(retry.until, left),
    )


def context_percent(usage: Usage | None) -> int | None:
    """How full the model's context is; None where the engine doesn't tell."""
    if usage is None or usage.fullness is None:
        return None
    return round(100 * usage.fullness)


def _plan(entries: tuple[PlanEntry, ...], texts: Texts) -> str:
    """The entry that is worked on, else the first that isn't done, else the last."""
    if not entries:
        return ""
    wanted = (Progress.IN_PROGRESS, Progress.PENDING)
    at = next(
        (n for state in wanted for n, entry in enumerate(entries, 1) if entry.progress is state), len(entries)
    )
    return texts.say("progress.plan", at=at, of=len(entries), text=preview(entries[at - 1].text))


def just_now(live: Live, texts: Texts) -> str:
    """What the turn waits for, else the agent's own word on itself, else what Roost is about."""
    if live.kept_by and live.phase is not Phase.STOPPING:
        kept = reason(live.kept_by, texts)
        return texts.say("progress.answered", reason=kept) if live.turn.asked else kept
    if live.turn.waiting:
        return waits(live.turn.waiting, live.retry_in, live.engine, texts)
    if live.turn.asked and live.phase is not Phase.STOPPING:
        return texts.say("progress.asked")
    if live.phase is Phase.STOPPING:
        return texts.say(live.phase.value)
    return " · ".join(filter(None, (_about(live, texts), _lately(live, texts))))


def _about(live: Live, texts: Texts) -> str:
    if notice := clean_title(live.turn.notice):
        return escaped(notice)
    return texts.say(live.phase.value) if live.phase.value else ""


def _lately(live: Live, texts: Texts) -> str:
    """How often its context was compacted, and how long nothing has been heard of it: whether a step of its
    own is under way is seen above."""
    often = live.turn.compactions
    again = texts.count("progress.compactions", often) if often >= LOOPING else ""
    long = live.quiet_for >= QUIET_SECONDS
    silence = texts.say("progress.quiet", clock=clock(live.quiet_for)) if long else ""
    return " · ".join(filter(None, (again, silence)))


_STEP = {
    Progress.PENDING: "▸",
    Progress.IN_PROGRESS: "▸",
    Progress.COMPLETED: "✓",
    Progress.FAILED: "✗",
}
_ENDED = {
    Status.QUEUED: "⏳",
    Status.RUNNING: "⏳",
    Status.DONE: "✓",
    Status.FAILED: "✗",
    Status.CANCELLED: "■",
}
