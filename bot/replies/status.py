"""What runs and waits in a conversation, and how its host is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat import OurDevice, Text
from bot.replies import elsewhere
from bot.replies.elsewhere import Elsewhere
from bot.replies.errors import ways_on
from bot.replies.marks import access_held, code, literal, quiet
from bot.replies.progress import context_percent, waits
from bot.replies.queue import kept
from bot.texts import Texts, clock
from core.model.events import Retrying, Usage
from core.model.project import Access
from core.model.prompt import Prompt


@dataclass(frozen=True, slots=True)
class Machine:
    """A host: *cap* 0 where there is none, *free* in bytes, *celsius* where it is measured."""

    name: str
    agents: int
    cap: int = 0
    free: int | None = None
    celsius: float | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """A conversation in its project; *at_work* in seconds, None while nothing runs. *retry* is what it waits
    for before its next try, and for how many seconds yet. *asked*: its access is not enforced. *trouble* is
    the key of what keeps the engine from working here, *login* the command that logs it in. *device* is what
    the chat encrypts with, for who may know. *failed*: what ran here last did; *kept* is what
    failed, where it can be tried again; *beyond* is what goes on in other conversations."""

    project: str
    title: str
    engine: str
    access: Access
    machine: Machine
    model: str = ""
    effort: str = ""
    usage: Usage | None = None
    at_work: float | None = None
    waiting: int = 0
    retry: tuple[Retrying, float] | None = None
    asked: bool = False
    trouble: str = ""
    login: str = ""
    device: OurDevice | None = None
    failed: bool = False
    kept: Prompt | None = None
    beyond: Sequence[Elsewhere] = ()


def status(now: Status, texts: Texts) -> Text:
    context = context_percent(now.usage)
    names = " ".join(literal(name) for name in (now.engine, now.model, now.effort) if name)
    return quiet(
        _joined(f"**{literal(now.project)}**", literal(now.title)),
        _joined(
            names,
            access_held(now.access, texts, asked=now.asked),
            "" if context is None else texts.say("progress.context", percent=context),
        ),
        _joined(_work(now, texts), _waiting(now, texts)),
        kept(now.kept, texts) if now.kept else "",
        *elsewhere.lines(now.beyond, texts),
        waits(*now.retry, now.engine, texts) if now.retry else "",
        texts.say(now.trouble, engine=literal(now.engine), command=now.login) if now.trouble else "",
        _machine(now.machine, texts),
        _device(now.device, texts) if now.device else "",
        buttons=(
            *(ways_on(now.kept, texts) if now.kept else ()),
            *elsewhere.buttons(now.beyond, texts),
        ),
    )


def _work(now: Status, texts: Texts) -> str:
    if now.at_work is not None:
        return texts.say("status.at_work", clock=clock(now.at_work))
    if now.failed:
        return texts.say("status.failed")
    return texts.say("status.idle_in_it" if now.beyond else "status.idle")


def _waiting(now: Status, texts: Texts) -> str:
    return texts.count("queue.waiting", now.waiting) if now.waiting else ""


def _device(ours: OurDevice, texts: Texts) -> str:
    key = "check.encryption.signed" if ours.signed else "check.encryption.unsigned"
    return texts.say(key, device=literal(ours.name), fingerprint=code(ours.fingerprint))


def _machine(machine: Machine, texts: Texts) -> str:
    key = "status.agents" if machine.cap else "status.agents_free"
    agents = texts.count(key, machine.agents, host=literal(machine.name), cap=machine.cap)
    memory = "" if machine.free is None else texts.say("status.memory", size=texts.size(machine.free))
    warmth = "" if machine.celsius is None else f"{machine.celsius:.0f} °C"
    return ", ".join(filter(None, (agents, memory, warmth)))


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))
