"""The workbench of a turn: its whole plan, every step with the last of what it said, and what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from bot.chat import Text
from bot.replies.marks import block, cut, escaped, one_line, quiet
from bot.replies.marks import folded as fold_up
from bot.replies.progress import Live, Phase, folded, head, just_now, step, stop
from bot.texts import Texts
from core.answers.diffs import DiffSize
from core.model.events import PlanEntry, Progress, ToolCall
from core.model.prompt import Status
from core.model.turn import Turn

OUTPUT_LINES, LONGEST_LINE = 6, 120
LONGEST_ENTRY = 100
LONGEST_THOUGHT = 600
OUTPUTS_MOST = 12
"""Steps that say more than their line: each is several marks of the hundred that Telegram keeps."""
EARLIER_UNITS = 80
"""What the line takes that tells of steps which have no room."""


def bench(live: Live, changed: DiffSize, texts: Texts, *, most: int) -> Text:
    """A turn at work, in *most* units of the chat (never more than the signs of its Markdown)."""
    above = [head(live), _plan(live.turn.plan, texts, most)]
    below = [_thought(live.turn, texts), just_now(live, texts), _changed(changed, texts)]
    buttons = () if live.phase is Phase.STOPPING else (stop(live, texts),)
    return quiet(_filled(above, live.turn, below, texts, most), buttons=buttons)


def cleared(
    turn: Turn, status: Status, elapsed: float, changed: DiffSize, texts: Texts, *, most: int
) -> Text:
    """What the bench shows of a turn that has ended."""
    above = [folded(turn, status, elapsed, texts).markdown, _plan(turn.plan, texts, most)]
    return quiet(_filled(above, turn, [_changed(changed, texts)], texts, most))


def _filled(above: Iterable[str], turn: Turn, below: Iterable[str], texts: Texts, most: int) -> str:
    """As many of the newest steps as have room, each with its output if that has room too."""
    head, foot = "\n\n".join(filter(None, above)), "\n".join(filter(None, below))
    room = most - _units(head) - _units(foot) - EARLIER_UNITS
    shown: list[str] = []
    for at, call in enumerate(reversed(turn.steps)):
        ways = _step(call, texts, whole=at < OUTPUTS_MOST)
        said = next((said for said in ways if _units(said) <= room), "")
        if not said:
            break
        room -= _units(said)
        shown.insert(0, said)
    hidden = turn.count - len(shown)
    earlier = texts.count("atelier.earlier", hidden) if hidden > 0 else ""
    return "\n\n".join(filter(None, (head, "\n".join(filter(None, (earlier, *shown))).strip(), foot)))


def _step(call: ToolCall, texts: Texts, *, whole: bool) -> Iterator[str]:
    """One step, the longest way of saying it first."""
    line = step(call, texts)
    last = [one for one in call.output.split("\n") if one.strip()][-OUTPUT_LINES:]
    if whole and (said := "\n".join(cut(one, LONGEST_LINE) for one in last)):
        yield f"\n{fold_up(line, block(said))}\n"
    yield line


def _plan(entries: tuple[PlanEntry, ...], texts: Texts, most: int) -> str:
    """Whole, as far as it takes no more than half of the room."""
    lines = [f"{_ENTRY[one.progress]} {escaped(cut(one_line(one.text), LONGEST_ENTRY))}" for one in entries]
    fits = sum(units <= most // 2 for units in accumulate(map(_units, lines)))
    more = texts.more(len(lines) - fits) if len(lines) > fits else ""
    return "\n".join(filter(None, (*lines[:fits], more)))


def _thought(turn: Turn, texts: Texts) -> str:
    """The last of what it told of its reasoning."""
    said = turn.thought.strip()[-LONGEST_THOUGHT:]
    return f"{fold_up(texts.say('atelier.thought'), block(said))}\n" if said else ""


def _changed(size: DiffSize, texts: Texts) -> str:
    if not size.files:
        return ""
    return texts.count("atelier.changed", size.files, added=size.added, removed=size.removed)


def _units(text: str) -> int:
    """UTF-16 units, which no chat counts fewer of than signs."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 + 2


_ENTRY = {
    Progress.PENDING: "☐",
    Progress.IN_PROGRESS: "▸",
    Progress.COMPLETED: "☑",
    Progress.FAILED: "✗",
}
