"""What an agent asks of people, and what became of it."""

from __future__ import annotations

from bot.chat import Button, Sign, Text
from bot.intents.commands import encode
from bot.intents.values import Decide
from bot.replies.marks import block_whole, cut, literal, quiet
from bot.texts import Texts
from core.model.events import Asked, AskKind, Choice, Denied, Grant
from core.model.ids import EventId

LONGEST_LABEL = 40
NAMELESS = "—"
"""A choice without a sign that could be read; a button without any would cost the message."""
GRANTS = {
    Grant.ONCE: "button.grant_once",
    Grant.ALWAYS: "button.grant_always",
    Grant.DENY: "button.grant_deny",
}
SIGNS = {Grant.ONCE: Sign.YES, Grant.ALWAYS: Sign.ALWAYS, Grant.DENY: Sign.NO}


def asked(
    number: EventId, question: Asked, engine: str, project: str, texts: Texts, *, replies: bool = True
) -> Text:
    """Rings. The command is never cut, and what nobody sees in it is shown; why is the agent's own word.
    Without *replies* words are for what is no step."""
    head = texts.say(f"approval.{question.kind}", engine=literal(engine))
    key = "approval.because" if question.reason else "approval.where"
    why = texts.say(key, project=literal(project), why=literal(question.reason))
    detail = block_whole(question.detail) if question.detail else ""
    own = _own_words(question, texts, replies=replies)
    lines = [f"✋ {head}", block_whole(question.title), detail, why, own]
    buttons = tuple(_button(Decide(number, at), choice, texts) for at, choice in enumerate(question.choices))
    return Text("\n\n".join(filter(None, lines)), buttons)


def _own_words(question: Asked, texts: Texts, *, replies: bool) -> str:
    if question.free and replies:
        return texts.say("approval.own_words")
    return texts.say("approval.own_words_here") if question.free and question.kind is AskKind.QUESTION else ""


def decided(question: Asked, choice: str, text: str, by: str, at: str, texts: Texts) -> Text:
    """What stands in the question's place once *by* has answered it at the time of day *at*."""
    chosen = next((one for one in question.choices if one.id == choice), None)
    key = "answered" if chosen is None or chosen.grant is Grant.OPTION else chosen.grant.value
    what = text or (chosen.label if chosen else "")
    said = texts.say(f"approval.decided.{key}", who=literal(by), at=at, what=literal(what))
    return quiet(block_whole(question.title), said)


def withdrawn(question: Asked, texts: Texts) -> Text:
    """What stands in the question's place when nobody has to answer it any more."""
    return quiet(block_whole(question.title), texts.say("approval.withdrawn"))


def still(texts: Texts) -> Text:
    """Rings once more."""
    return Text(texts.say("approval.still"))


def denied(event: Denied, engine: str, texts: Texts) -> Text:
    """A policy of the engine's own said no."""
    said = texts.say("approval.denied", engine=literal(engine), why=literal(event.why))
    return quiet(said, block_whole(event.title))


def nothing_open(texts: Texts) -> Text:
    return quiet(texts.say("approval.nothing"))


def _button(decision: Decide, choice: Choice, texts: Texts) -> Button:
    label, sign = _label(choice, texts), SIGNS.get(choice.grant)
    typed = tuple(texts.say(f"typed.{choice.grant}").split()) if sign else ()
    return Button(label, encode(decision), sign=sign, typed=typed)


def _label(choice: Choice, texts: Texts) -> str:
    if choice.grant is Grant.OPTION:
        words = (" ".join(one.split()) for one in (choice.label, choice.id))
        return next((cut(one, LONGEST_LABEL) for one in words if any(map(str.isalnum, one))), NAMELESS)
    return texts.say(GRANTS[choice.grant])
