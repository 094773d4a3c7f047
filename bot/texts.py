"""The sentences of `locales/`, and figures, as the reader's language writes them."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import bot

LOCALES = Path(bot.__file__).parent.parent / "locales"
DOMAIN = "roost"
SOURCE = "en"
"""The language that stands in where another lacks a sentence."""


class MissingText(KeyError):
    """A sentence, or a field that it asks for, is not there; raised where *strict* only."""


class _Lenient(dict[str, object]):
    """Fields of a sentence; one that is not given shows as an ellipsis."""

    def __missing__(self, name: str) -> str:
        return "…"


@cache
def languages(locales: Path = LOCALES) -> tuple[str, ...]:
    """The languages that there are sentences in."""
    return tuple(sorted(file.parts[-3] for file in locales.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


def spoken(language: str, locales: Path = LOCALES) -> str:
    """The language that stands for *language*: itself, or what it is a kind of; empty where there is none."""
    wanted = language.replace("-", "_")
    there = languages(locales)
    return next((name for name in (wanted, wanted.split("_")[0]) if name in there), "")


class Texts:
    """Sentences in *language*, in its base language (`fr_CA` → `fr`), else in English.

    Not *strict*, a missing sentence is the English one, then its key: people are told something. *spell*
    writes the commands that a sentence names; what fills its fields stays as it is.
    """

    def __init__(
        self,
        language: str,
        *,
        strict: bool = False,
        locales: Path = LOCALES,
        spell: Callable[[str], str] = str,
    ) -> None:
        self.language = spoken(language, locales) or SOURCE
        self.strict = strict
        self.spell = spell
        order = [self.language] if strict else [self.language, SOURCE]
        self._sentences = gettext.translation(DOMAIN, locales, order, fallback=not strict)

    def spelled(self, spell: Callable[[str], str]) -> Texts:
        """The same, with the commands as *spell* writes them."""
        other = copy(self)
        other.spell = spell
        return other

    def say(self, key: str, /, **values: object) -> str:
        """The sentence *key*, its fields filled with *values*."""
        return self._fill(key, self._sentences.gettext(key), values)

    def count(self, key: str, n: int, /, **values: object) -> str:
        """The sentence *key* in the form that *n* takes; *n* is one of its fields."""
        return self._fill(key, self._sentences.ngettext(key, key, n), {"n": n, **values})

    def knows(self, key: str) -> bool:
        """Whether there is a sentence *key*; keys of counted sentences are none."""
        return self._sentences.gettext(key) != key

    def _fill(self, key: str, sentence: str, values: Mapping[str, object]) -> str:
        if not self.strict:
            return self.spell(sentence).format_map(_Lenient(values))
        if sentence == key:
            raise MissingText(key)
        try:
            return self.spell(sentence).format_map(values)
        except KeyError as error:
            raise MissingText(f"{key}: {error}") from error

    def size(self, size: int) -> str:
        """*size* bytes, in units of 1000 of them, one digit after the point where it says something."""
        unit, scale = next((one for one in _SIZES if size >= one[1]), ("size.bytes", 1))
        return self.say(unit, n=self._decimal(size / scale) if scale > 1 else size)

    def more(self, n: int) -> str:
        """That *n* others follow which are not shown."""
        return self.say("queue.more", n=f"{n:,}".replace(",", self.say("number.thousands")))

    def listed(self, names: Sequence[str]) -> str:
        """One after the other, as a sentence has them."""
        *most, last = names
        return self.say("list.and", most=", ".join(most), last=last) if most else last

    def tokens(self, tokens: int) -> str:
        """182k."""
        if tokens < 1_000:
            return str(tokens)
        return f"{round(tokens / 1_000)}k" if tokens < 999_500 else f"{self._decimal(tokens / 1_000_000)}M"

    def ago(self, seconds: float) -> str:
        """How long ago, in the largest unit that fits: 3 h ago."""
        unit, scale = next((one for one in _AGES if seconds >= one[1]), ("ago.seconds", 1))
        return self.say(unit, n=max(0, int(seconds // scale)))

    def span(self, seconds: float) -> str:
        """How long, in the largest unit that fits: 3 h."""
        unit, scale = next((one for one in _SPANS if seconds >= one[1]), ("span.minutes", 60))
        return self.say(unit, n=max(1, int(seconds // scale)))

    def moment(self, at: float, left: float) -> str:
        """*at* (seconds since the epoch) on this machine's clock: 09:13, with its day if it is *left* seconds
        off that leave doubt about it."""
        when = datetime.fromtimestamp(at, UTC).astimezone()
        return when.strftime(self.say("moment.time" if left < _SAME_DAY else "moment.day"))

    def _decimal(self, number: float) -> str:
        shown = f"{number:.1f}" if number < 10 else f"{number:.0f}"
        return shown.removesuffix(".0").replace(".", self.say("number.point"))


_SAME_DAY = 18 * 3_600.0
_SIZES = (("size.gigabytes", 10**9), ("size.megabytes", 10**6), ("size.kilobytes", 10**3))
_SPANS = (("span.days", 86_400), ("span.hours", 3_600))
_AGES = (("ago.days", 86_400), ("ago.hours", 3_600), ("ago.minutes", 60))


def clock(seconds: float) -> str:
    """0:12, 1:05, 1:02:03."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // 3_600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
