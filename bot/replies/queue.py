"""Where a prompt stands in line, and what it waits for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import assert_never

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.values import DropQueued, DropThose, MoveUp, RunIt, TellNow
from bot.replies import elsewhere
from bot.replies.elsewhere import Elsewhere
from bot.replies.errors import ways_on
from bot.replies.marks import button, code, literal, preview, quiet
from bot.texts import Texts, clock
from core.model.ids import PromptId
from core.model.prompt import Prompt
from core.model.reasons import SET_ASIDE

BUTTONS_MOST = 4
SHOWN_MOST = 20
"""Prompts of one card; the rest is counted."""
LINE_MOST = 6
"""Of one that nobody asked for: with the lines around them no more than a turn's progress has."""


@dataclass(frozen=True, slots=True)
class InLine:
    """*ahead* (at least 1) of its conversation run or wait before it; *after* is the last one's text."""

    ahead: int
    after: str


@dataclass(frozen=True, slots=True)
class ForProject:
    """Another conversation of the same project, called *title*, is at work."""

    project: str
    title: str


@dataclass(frozen=True, slots=True)
class ForGroup:
    """*project* holds the execution group; empty where its name is kept back."""

    group: str
    project: str


@dataclass(frozen=True, slots=True)
class ForAnswer:
    """The agent of the conversation called *title* has *project*, and asked a person long ago; both are empty
    where they are kept back."""

    project: str
    title: str


@dataclass(frozen=True, slots=True)
class ForPlace:
    """All *cap* places are taken, by agents in *projects* and in *others*, whose names are kept back."""

    cap: int
    projects: tuple[str, ...]
    others: int = 0


@dataclass(frozen=True, slots=True)
class ForHost:
    """Its host is away; *unseen_for* in seconds, None if it never came."""

    host: str
    unseen_for: float | None


@dataclass(frozen=True, slots=True)
class ForFile:
    """A file that belongs to it is still on its way."""


WaitsFor = InLine | ForProject | ForGroup | ForAnswer | ForPlace | ForHost | ForFile


@dataclass(frozen=True, slots=True)
class Entry:
    """One prompt of a conversation's queue; *running_for* in seconds, None while it waits."""

    prompt: PromptId
    text: str
    running_for: float | None = None


def place(prompt: PromptId, waits_for: WaitsFor, texts: Texts, *, steers: bool = False) -> Text:
    """What the person who just asked is told. *steers*: the engine can be told it while it works."""
    up = isinstance(waits_for, InLine) and waits_for.ahead > 1
    buttons = (
        *([button(texts, "tell_now", TellNow(prompt))] if steers and isinstance(waits_for, InLine) else []),
        *([button(texts, "move_up", MoveUp(prompt))] if up else []),
        button(texts, "remove", DropQueued(prompt)),
    )
    return quiet(reason(waits_for, texts), buttons=buttons)


def reason(waits_for: WaitsFor, texts: Texts) -> str:
    match waits_for:
        case InLine(ahead, after):
            key = {1: "queue.second", 2: "queue.third"}.get(ahead, "queue.nth")
            return texts.say(key, ahead=ahead, what=preview(after))
        case ForProject(project, title):
            return texts.say("queue.waits_project", project=literal(project), title=preview(title))
        case ForGroup(group, ""):
            return texts.say("queue.waits_group_other", group=literal(group))
        case ForGroup(group, project):
            return texts.say("queue.waits_group", group=literal(group), project=literal(project))
        case ForAnswer("", _):
            return texts.say("queue.waits_answer_other")
        case ForAnswer(project, title):
            return texts.say("queue.waits_answer", project=literal(project), title=preview(title))
        case ForPlace():
            return _taken(waits_for, texts)
        case ForHost():
            return _away(waits_for, texts)
        case ForFile():
            return texts.say("queue.waits_file")
        case _:
            assert_never(waits_for)


def _taken(places: ForPlace, texts: Texts) -> str:
    count, named = len(places.projects) + places.others, list(map(literal, places.projects))
    if not named:
        return texts.count("queue.waits_place_other", count, cap=places.cap)
    others = [texts.count("queue.others", places.others)] if places.others else []
    return texts.count("queue.waits_place", count, cap=places.cap, projects=", ".join([*named, *others]))


def veiled(waits_for: WaitsFor | None, known: Collection[str]) -> WaitsFor | None:
    """What somebody is told of it who knows no other projects than these, by name."""
    match waits_for:
        case ForPlace(cap, projects, others):
            named = tuple(project for project in projects if project in known)
            return ForPlace(cap, named, others + len(projects) - len(named))
        case ForGroup(group, project) if project not in known:
            return ForGroup(group, "")
        case ForAnswer(project) if project not in known:
            return ForAnswer("", "")
        case _:
            return waits_for


def _away(host: ForHost, texts: Texts) -> str:
    named = literal(host.host)
    if host.unseen_for is None:
        return texts.say("queue.waits_unseen", host=named)
    return texts.say("queue.waits_host", host=named, ago=texts.ago(host.unseen_for))


def queue(
    entries: Sequence[Entry],
    rest: DropThose | None,
    texts: Texts,
    *,
    steers: bool = False,
    failed: Prompt | None = None,
    beyond: Sequence[Elsewhere] = (),
) -> Text:
    """A conversation's queue as one card: each prompt's number, which commands name it by, and its words.
    *rest* names all that wait, None where nothing does. *steers*: what runs can be told the first of them.
    *failed* is what came to nothing last, and is kept; *beyond* is what goes on in other conversations."""
    if not entries:
        return _nothing(failed, beyond, texts)
    waiting = sum(entry.running_for is None for entry in entries)
    shown = entries[:SHOWN_MOST]
    first = [entry for entry in shown if entry.running_for is None]
    buttons = _offered(first, waiting, rest, texts, steers=steers) if first else ()
    lines = (*_lines(shown, len(entries), texts), *elsewhere.lines(beyond, texts))
    return quiet(*lines, buttons=(*buttons, *elsewhere.buttons(beyond, texts)))


def _nothing(failed: Prompt | None, beyond: Sequence[Elsewhere], texts: Texts) -> Text:
    return quiet(
        texts.say("queue.nothing_in_it" if beyond else "queue.nothing"),
        kept(failed, texts) if failed else "",
        *elsewhere.lines(beyond, texts),
        buttons=(*(ways_on(failed, texts) if failed else ()), *elsewhere.buttons(beyond, texts)),
    )


def kept(failed: Prompt, texts: Texts) -> str:
    """That what failed is not lost."""
    key = "queue.kept_again" if failed.reason == SET_ASIDE else "queue.kept"
    return texts.say(key, what=preview(failed.text))


def line(
    first: Sequence[Entry],
    count: int,
    waits_for: WaitsFor,
    rest: DropThose | None,
    texts: Texts,
    *,
    steers: bool = False,
) -> Text:
    """All *count* prompts that wait in a conversation as one card, which is kept as it is now: what the
    first of them *waits_for*, and the *first* few. The last of those can be moved up, and the first be told
    to the engine that *steers*; *rest* names all."""
    head = (
        texts.count("queue.line", count, what=preview(waits_for.after))
        if isinstance(waits_for, InLine)
        else reason(waits_for, texts)
    )
    buttons = _offered(first, count, rest, texts, steers=steers)
    return quiet(head, *_lines(first, count, texts), buttons=buttons)


def _offered(
    first: Sequence[Entry], count: int, rest: DropThose | None, texts: Texts, *, steers: bool
) -> tuple[Button, ...]:
    """Beneath a card that shows the *first* of all *count* that wait."""
    last = first[-1].prompt
    now = [button(texts, "tell_now", TellNow(first[0].prompt))] if steers else []
    up = [Button(f"{texts.say('button.move_up')} {last}", encode(MoveUp(last)))] if count > 1 else []
    return (*now, *up, *_remove(first[:BUTTONS_MOST], rest if count > BUTTONS_MOST else None, texts))


def _lines(first: Sequence[Entry], count: int, texts: Texts) -> list[str]:
    more = [texts.more(count - len(first))] if count > len(first) else []
    return [*(_line(entry) for entry in first), *more]


def _remove(waiting: Sequence[Entry], rest: DropThose | None, texts: Texts) -> tuple[Button, ...]:
    remove = texts.say("button.remove")
    drop = [Button(f"{remove} {entry.prompt}", encode(DropQueued(entry.prompt))) for entry in waiting]
    return (*drop, *([button(texts, "remove_rest", rest)] if rest else []))


def _line(entry: Entry) -> str:
    if entry.running_for is None:
        return f"`{entry.prompt}` {preview(entry.text)}"
    return f"▸ {preview(entry.text)} · {clock(entry.running_for)}"


def set_aside(theirs: Sequence[Prompt], project: str, texts: Texts, *, runs: bool) -> Text:
    """What one person asked, waited, and may not ask in *project* any more; rings. *runs*: whoever reads it
    may have it run."""
    who = literal(theirs[0].author) or code(theirs[0].person)
    said = texts.count("queue.set_aside", len(theirs), who=who, project=literal(project))
    entries = [Entry(one.id, one.text) for one in theirs]
    run, several = texts.say("button.run_it"), len(theirs) > 1
    numbered = [Button(f"{run} {one.id}" if several else run, encode(RunIt(one.id))) for one in theirs]
    buttons = tuple(numbered[:BUTTONS_MOST]) if runs else ()
    return Text("\n".join([said, *_lines(entries[:SHOWN_MOST], len(entries), texts)]), buttons)


def removed(text: str, texts: Texts) -> Text:
    return quiet(texts.say("queue.removed", what=preview(text)))


def cleared(count: int, texts: Texts) -> Text:
    return quiet(texts.count("queue.cleared", count) if count else texts.say("queue.nothing"))


def moved(text: str, texts: Texts) -> Text:
    return quiet(texts.say("queue.moved", what=preview(text)))


def begun(texts: Texts) -> Text:
    """It doesn't wait any more, so it can be neither dropped nor moved."""
    return quiet(texts.say("queue.begun"))


def asked_again(text: str, texts: Texts) -> Text:
    """Which of all that were asked here; what becomes of it is shown as of any."""
    return quiet(texts.say("queue.asked_again", what=preview(text)))


def let_run(text: str, texts: Texts) -> Text:
    """The same of what was set aside."""
    return quiet(texts.say("queue.let_run", what=preview(text)))


def not_set_aside(texts: Texts) -> Text:
    """Only that is run by a word of its own."""
    return quiet(texts.say("queue.not_set_aside"))


def run_already(texts: Texts) -> Text:
    """What was set aside is run once."""
    return quiet(texts.say("queue.run_already"))


def nothing_to_steer(texts: Texts) -> Text:
    """What was for a turn at work is a prompt instead."""
    return quiet(texts.say("queue.nothing_to_steer"))


def no_steering(engine: str, texts: Texts) -> Text:
    """It waits as any prompt does."""
    return quiet(texts.say("queue.no_steering", engine=literal(engine)))


def as_file(name: str, why: str, texts: Texts) -> Text:
    """What came as a picture and can't be shown to the agent as one."""
    return quiet(texts.say("queue.as_file", name=code(name), why=texts.say(why)))


def not_fetched(name: str, texts: Texts, *, most: int = 0, rest: bool) -> Text:
    """A file that came with a prompt can't be had; *most* bytes is what the chat hands out, 0 where that is
    not why. *rest*: there is more to the prompt."""
    said = (
        texts.say("queue.too_large", name=code(name), size=texts.size(most))
        if most
        else texts.say("queue.not_fetched", name=code(name))
    )
    return quiet(f"{said} {texts.say('queue.rest_runs')}" if rest else said)


def backlog(count: int, texts: Texts) -> Text:
    """After an outage: *count* messages had come meanwhile."""
    return quiet(texts.count("queue.backlog", count))


def disk_full(host: str, texts: Texts) -> Text:
    """What was said can't be kept yet; nobody needs to say it again."""
    return quiet(texts.say("queue.disk_full", host=literal(host)))
