"""An answer as a message: its words, its pictures where they stand, and what could not be shown."""

from __future__ import annotations

from itertools import islice

from bot.chat import Button, MessageRef, Text
from bot.intents.commands import encode
from bot.intents.values import GetPlaced
from bot.replies.marks import code, cut
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.answer import Placed, StoredMessage

SHOWN = ("photo", "file", "made")
LONGEST_LABEL = 28
"""Signs of a button that a phone shows in full."""
MOST_BUTTONS = 8
"""More of them would take a screen; what has none is a link still, and `/get` has it."""


def answer(
    message: StoredMessage,
    texts: Texts,
    *,
    reply_to: MessageRef | None = None,
    late: str = "",
    repeat: bool = False,
) -> Text:
    """*late*: the time (02:14) from which the network held it up. *repeat*: it may be there already.

    Marks stand on lines of their own: the answer may be written from right to left.
    """
    paragraphs = [
        texts.say("answer.late", time=late) if late else "",
        texts.say("answer.repeat") if repeat else "",
        message.text.strip("\n") or texts.say("answer.empty"),
        *(_refused(placed, texts) for placed in message.placed if placed.kind == "refused"),
        f"*{texts.say('answer.partial')}*" if message.partial else "",
    ]
    shown = tuple(placed for placed in message.placed if placed.kind in SHOWN)
    said = "\n\n".join(filter(None, paragraphs))
    return Text(said, _to_be_had(message, texts), reply_to=reply_to, placed=shown)


def _to_be_had(message: StoredMessage, texts: Texts) -> tuple[Button, ...]:
    """What is sent if somebody asks: files to which it links, and pictures as they were."""
    labels = (_label(placed, texts) for placed in message.placed)
    buttons = (
        Button(cut(label, LONGEST_LABEL), encode(GetPlaced(message.id, at)))
        for at, label in enumerate(labels)
        if label
    )
    return tuple(islice(buttons, MOST_BUTTONS))


def _label(placed: Placed, texts: Texts) -> str:
    name = plain_label(placed.name) or "…"
    if placed.original:
        return texts.say("button.original", name=name)
    return name if placed.kind == "linked" else ""


def _refused(placed: Placed, texts: Texts) -> str:
    return texts.say("answer.refused", name=code(_called(placed.src)), why=texts.say(placed.reason))


def _called(src: str) -> str:
    """A `data:` URL by its type alone: nobody reads what it holds."""
    return src.partition(",")[0] if src.lower().startswith("data:") else src
