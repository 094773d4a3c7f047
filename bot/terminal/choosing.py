"""Buttons where nobody presses any: a choice is typed by its number or its name, all else as its command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.chat import Button
from bot.intents.commands import decode
from bot.intents.parse import TERMINAL_MARKS
from bot.intents.picks import PICKS
from bot.intents.values import PickConversation


@dataclass(frozen=True, slots=True)
class Choice:
    """*number* is empty where a button is not one of several to choose from."""

    button: Button
    number: str = ""

    def taken_by(self, word: str, *, exactly: bool = False) -> bool:
        """*exactly*: two names may differ in nothing but capitals."""
        return word.strip() in self._words if exactly else _folded(word) in map(_folded, self._words)

    @property
    def _words(self) -> Iterable[str]:
        """Its number and its name, as that is shown or as the command has it. What begins like a command is
        none of them."""
        if not self.number:
            return self.button.typed
        names = (self.button.label, self.button.intent.partition(" ")[2])
        return (self.number, *(one for one in names if one and not one.startswith(TERMINAL_MARKS)))

    @property
    def command(self) -> str:
        return self.button.intent.partition(" ")[0]

    def ordered_by(self, said: str) -> bool:
        """Whether that is its command, and behind it the name that it is shown by."""
        return bool(self.number) and _folded(said) == _folded(f"{self.command} {self.button.label}")

    def shown(self, said: str, colon: str) -> str:
        """What is typed for it, and what it does, as far as neither that nor what was *said* tells it."""
        label, intent = self.button.label, self.button.intent
        if self.number:
            return f"{self.number} {label}"
        if self.button.typed:
            return f"{self.button.typed[0]}{colon}{label}"
        return intent if label in intent or label in said else f"{label}{colon}{intent}"


def _folded(words: str) -> str:
    return " ".join(words.split()).casefold()


def choices(buttons: Iterable[Button]) -> list[Choice]:
    """A conversation has its own number, which is told beside it; the others are counted on from there."""
    meant = [(one, decode(one.intent)) for one in buttons]
    own = [intent.conversation for _, intent in meant if isinstance(intent, PickConversation)]
    return list(_numbered(meant, max(own, default=0)))


def offered(buttons: Iterable[Button]) -> list[Choice]:
    """Those that a word takes."""
    return [one for one in choices(buttons) if one.number or one.button.typed]


def _numbered(meant: Iterable[tuple[Button, object]], last: int) -> Iterator[Choice]:
    for button, intent in meant:
        if isinstance(intent, PickConversation):
            yield Choice(button, str(intent.conversation))
        elif isinstance(intent, PICKS):
            last += 1
            yield Choice(button, str(last))
        else:
            yield Choice(button)
