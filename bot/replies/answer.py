"""An answer as a message: its words, its pictures where they stand, and what could not be shown."""

from __future__ import annotations

from bot.chat import MessageRef, Text
from bot.replies.marks import code
from bot.texts import Texts
from core.model.answer import Placed, StoredMessage


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
    shown = tuple(placed for placed in message.placed if placed.kind != "refused")
    return Text("\n\n".join(filter(None, paragraphs)), reply_to=reply_to, placed=shown)


def _refused(placed: Placed, texts: Texts) -> str:
    return texts.say("answer.refused", name=code(_called(placed.src)), why=texts.say(placed.reason))


def _called(src: str) -> str:
    """A `data:` URL by its type alone: nobody reads what it holds."""
    return src.partition(",")[0] if src.lower().startswith("data:") else src
