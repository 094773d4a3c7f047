"""What a cancel came to."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import Text
from bot.intents.values import DropThose
from bot.replies.marks import button, code, preview, quiet
from bot.texts import Texts, clock


def stopped(
    elapsed: float,
    steps: int,
    texts: Texts,
    *,
    survivors: Sequence[str] = (),
    following: str | None = None,
    rest: DropThose | None = None,
) -> Text:
    """*survivors*: programs that nothing could end. *following*: the prompt that runs next or has begun
    already, if there is one, and *rest* what names those that wait."""
    key = "cancel.survived" if survivors else "cancel.stopped"
    programs = ", ".join(code(program) for program in survivors)
    said = texts.count(key, steps, clock=clock(elapsed), programs=programs)
    if following is None:
        return quiet(said)
    upcoming = texts.say("cancel.next", what=preview(following))
    buttons = (button(texts, "remove_rest", rest),) if rest else ()
    return quiet(said, upcoming, buttons=buttons)


def dropped(text: str, texts: Texts) -> Text:
    return quiet(texts.say("cancel.dropped", what=preview(text)))


def set_aside(text: str, texts: Texts) -> Text:
    return quiet(texts.say("cancel.set_aside", what=preview(text)))


def too_late(texts: Texts) -> Text:
    return quiet(texts.say("cancel.too_late"))


def nothing(texts: Texts) -> Text:
    return quiet(texts.say("cancel.nothing"))
