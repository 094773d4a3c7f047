"""Buttons where there are none: each is a sign to react with, words to type, or both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from bot.chat import Button, Sign
from bot.intents.commands import decode
from bot.intents.parse import MATRIX_MARK
from bot.intents.picks import PICKS
from bot.intents.values import (
    Cancel,
    CancelAll,
    CancelPrompt,
    CancelThose,
    Decide,
    DropQueued,
    DropThose,
    DropWaiting,
    Intent,
)
from bot.texts import Texts

SEVERAL = (*PICKS, Decide)
"""What there are several of, none of them more likely than the others."""
LONE = {
    **dict.fromkeys((Cancel, CancelAll, CancelPrompt, CancelThose), Sign.STOP),
    **dict.fromkeys((DropQueued, DropWaiting, DropThose), Sign.NO),
}
"""What a sign means where there is one of it; two can't be told apart by it."""
ALLOWING_NOTHING = (Sign.STOP, Sign.NO)
MOST_SEEDS = 4
"""Reactions of our own under one message: each counts as one of the few events that a homeserver takes."""
MOST_KEYCAPS = 9
LONGEST_TYPED = 60
"""Characters; what is longer is no answer to a button."""
BETWEEN = " · "
KEYCAP = "\ufe0f\u20e3"
INVISIBLE = re.compile("[\ufe0e\ufe0f\u20e3]")
"""What an app adds to a sign, or leaves out, as it likes."""


@dataclass(frozen=True, slots=True)
class Offer:
    """*sign* is empty where reactions can't stand for it; *button.typed* is all that presses it."""

    button: Button
    sign: str = ""
    word: str = ""
    """The shortest of what is typed, as shown; empty where the sign says it."""

    def shown(self, *, sealed: bool) -> str:
        return self.sign if self.seeds(sealed=sealed) or not self.word else ""

    def seeds(self, *, sealed: bool) -> bool:
        """Whether its sign may be pressed in a room that is *sealed* (behaviour §14.7) or not."""
        return bool(self.sign) and (not sealed or self.sign in ALLOWING_NOTHING)


def plain(word: str) -> str:
    """What somebody typed or reacted with, as `typed` has it: «1️⃣» is «1»."""
    return INVISIBLE.sub("", " ".join(word.split())).casefold()


def offers(buttons: Sequence[Button]) -> list[Offer]:
    intents = [decode(one.intent) for one in buttons]
    lone = [LONE.get(type(intent)) for intent in intents]
    numbers = iter(range(1, len(buttons) + 1))
    return [
        _offer(one, intent, sign if lone.count(sign) == 1 else None, numbers)
        for one, intent, sign in zip(buttons, intents, lone, strict=True)
    ]


def seeds(offered: Iterable[Offer], *, sealed: bool) -> list[str]:
    """The signs under a message; where there are too many to choose from, none."""
    signs = [one.sign for one in offered if one.seeds(sealed=sealed)]
    return signs if len(signs) <= MOST_SEEDS else []


def body(offered: Iterable[Offer], texts: Texts, *, sealed: bool) -> str:
    """The line that says how to press them."""
    return BETWEEN.join(_line(one, one.button.label, one.word, texts, sealed=sealed) for one in offered)


def html(offered: Iterable[Offer], texts: Texts, *, sealed: bool) -> str:
    """As `body`."""
    return BETWEEN.join(
        _line(one, escape(one.button.label), f"<code>{escape(one.word)}</code>", texts, sealed=sealed)
        for one in offered
    )


def _line(offer: Offer, label: str, word: str, texts: Texts, *, sealed: bool) -> str:
    """What it does, then what is typed for it; a command that it stands for comes last, as its meaning."""
    if not offer.word:
        said = label
    elif offer.button.label.startswith(MATRIX_MARK):
        said = texts.say("button.typed", what=word, word=label)
    else:
        said = texts.say("button.typed", what=label, word=word)
    return f"{offer.shown(sealed=sealed)} {said}".lstrip()


def _offer(button: Button, intent: Intent | None, lone: Sign | None, numbers: Iterator[int]) -> Offer:
    if button.url:
        return Offer(button, word=button.url)
    if button.sign:
        typed = (*button.typed, button.label)
        return Offer(_pressed_by(button, button.sign, *typed), button.sign, typed[0])
    if isinstance(intent, SEVERAL):
        number = next(numbers)
        sign = f"{number}{KEYCAP}" if number <= MOST_KEYCAPS else ""
        return Offer(_pressed_by(button, str(number), button.label), sign, "" if sign else str(number))
    command = button.intent.replace("/", MATRIX_MARK, 1)
    return Offer(_pressed_by(button, *([lone] if lone else [])), lone or "", command)


def _pressed_by(button: Button, *words: str) -> Button:
    """*button*, with all that presses it."""
    typed = dict.fromkeys(plain(word) for word in words if len(word) <= LONGEST_TYPED)
    return replace(button, typed=tuple(typed))
