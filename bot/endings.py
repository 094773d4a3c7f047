"""What is said when a prompt has ended: at once, and once its agent has gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.chat import Text
from bot.intents.values import Command, DiffOf, DropThose, ForkFrom, TryAgain
from bot.live import Ended
from bot.replies import answer, cancelled, context, errors, progress
from bot.replies.errors import About
from bot.replies.marks import button, quiet
from bot.texts import Texts
from core.model.events import Leftovers
from core.model.prompt import Kind, Status
from core.model.reasons import NO_RIGHT, TOLD

SHORT_SECONDS = 1.5
"""A turn that was over sooner needs no progress: its answer is enough."""


def said(ended: Ended, about: About, texts: Texts, *, hint: bool = True) -> list[Text]:
    """The answer or what there is of it, and why there is no more. *hint*: a machine that lacks something is
    worth a word."""
    if is_compacted(ended):
        return [compacted(ended, texts)]
    if ended.prompt.reason == TOLD:
        return []  # its answer is that of the turn that was told
    messages = [answer.answer(ended.answer, texts)] if ended.answer else []
    if ended.prompt.status is Status.DONE and not messages:
        messages.append(nothing(texts))
    if ended.prompt.status is Status.FAILED:
        messages.append(errors.failed(ended.prompt, about, texts))
    if hint and (note := errors.no_sandbox(ended.turn, about, texts)):
        messages.append(note)
    return messages


def with_ways_on(told: list[Text], ended: Ended, texts: Texts, *, forks: bool) -> list[Text]:
    """*told*, as `said` gave it, with what can be done about an answer beneath it. *forks*: its engine
    can."""
    prompt = ended.prompt
    if prompt.status is not Status.DONE or prompt.kind is not Kind.WORDS or not told:
        return told
    ways: dict[str, Command] = {"diff": DiffOf(prompt.id)} if ended.turn.edited else {}
    ways["ask_again"] = TryAgain(prompt.id)
    if forks and ended.conversation.session:
        ways["fork"] = ForkFrom(prompt.id)
    row = [button(texts, key, command) for key, command in ways.items()]
    row[0] = replace(row[0], apart=True)
    answer, *notes = told
    return [replace(answer, buttons=(*answer.buttons, *row)), *notes]


def is_compacted(ended: Ended) -> bool:
    """Whether what it came to is said in the message that showed it, where there is one."""
    return ended.prompt.status is Status.DONE and ended.prompt.kind is Kind.COMPACT


def compacted(ended: Ended, texts: Texts) -> Text:
    baseline = ended.conversation.baseline
    turns, reset = baseline.turns if baseline else 0, ended.conversation.session is None
    return context.compacted(ended.turn.compacted, turns, texts, reset=reset)


def nothing(texts: Texts) -> Text:
    """It went well, and there is nothing to show for it."""
    return Text(texts.say("answer.empty"))


def aftermath(ended: Ended, left: Sequence[Leftovers], texts: Texts) -> list[Text]:
    """*left* is what the agent had left running: known once it has gone, and so is that it was stopped."""
    if ended.prompt.status is not Status.CANCELLED:
        return [progress.leftovers(event, texts) for event in left]
    survivors = [program for event in left if not event.ended for program in event.programs]
    following = ended.following.text if ended.following else None
    rest = DropThose(ended.conversation.id, ended.newest) if ended.newest else None
    return [
        cancelled.stopped(
            ended.elapsed, ended.turn.done, texts, survivors=survivors, following=following, rest=rest
        )
    ]


def folded(ended: Ended, texts: Texts) -> Text:
    """What is left of the message that showed the turn."""
    if ended.prompt.started_at is None and ended.prompt.status is Status.CANCELLED:
        return cancelled.dropped(ended.prompt.text, texts)
    if ended.prompt.reason == NO_RIGHT:
        return cancelled.set_aside(ended.prompt.text, texts)
    if ended.prompt.reason == TOLD:
        return quiet(texts.say(TOLD))
    if is_compacted(ended):
        return compacted(ended, texts)
    return progress.folded(ended.turn, ended.prompt.status, ended.elapsed, texts)


def stray(left: Text, texts: Texts) -> Text:
    """The same as a message of its own, where one may still show the turn that can't be changed any more."""
    return replace(left, markdown=f"{left.markdown}\n{texts.say('progress.stray')}", silent=True)
