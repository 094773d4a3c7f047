"""Known secrets, and what is shaped like a bot's token, masked in any text."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from html import escape
from urllib.parse import quote

MASK = "•••"
SHORTEST_SECRET = 6
# A backslash may stand before each underscore or hyphen: Markdown would show the token without it.
BOT_TOKEN = r"\d{6,12}:(?:\\?[A-Za-z0-9_-]){20,}"
CUT = "…"
RIM = 2 * SHORTEST_SECRET
"""Signs that hold the beginning of a secret, or its end, with a backslash before each."""
ESCAPES = re.compile(r"\\(?=[^A-Za-z0-9\s])")


class Masker:
    """Replaces secrets in text, also where they are quoted for a URL or HTML, escaped as in Markdown or
    JSON, a part of something in base64, or cut off by an ellipsis, whichever six characters or more are left.

    Secrets shorter than six characters are ignored: they would be found in ordinary words.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if len(secret) >= SHORTEST_SECRET}
        self._known = tuple(known)
        self._starts = tuple(secret[:SHORTEST_SECRET] for secret in known)
        self._ends = tuple(secret[-SHORTEST_SECRET:] for secret in known)
        # So many signs before a cut, and behind one, are looked at: each may have a backslash before it.
        self._longest = 2 * max(map(len, known), default=0)
        forms = known.union(*map(_quoted, known), *map(_in_base64, known))
        longest_first = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join([*map(_escaped_or_not, longest_first), BOT_TOKEN]))

    def mask(self, text: str) -> str:
        first, *others = self._pattern.sub(MASK, text).split(CUT)
        others[:-1] = map(self._without_a_middle, others[:-1])
        *cut, last = [first, *map(self._without_an_end, others)]
        return CUT.join([*map(self._without_a_beginning, cut), last])

    def _without_a_middle(self, text: str) -> str:
        """Nothing of *text*, which was cut off on both sides, where all of it is a part of a secret."""
        left = ESCAPES.sub("", text.strip("\n"))
        inside = len(left) >= SHORTEST_SECRET and any(left in secret for secret in self._known)
        return MASK if inside else text

    def _without_a_beginning(self, text: str) -> str:
        """*text* without the beginning of a secret at its end, where it was cut off."""
        for at in range(max(0, len(text) - self._longest), len(text) - SHORTEST_SECRET + 1):
            if ESCAPES.sub("", text[at : at + RIM]).startswith(self._starts):
                left = ESCAPES.sub("", text[at:])
                if any(secret.startswith(left) for secret in self._known):
                    return text[:at] + MASK
        return text

    def _without_an_end(self, text: str) -> str:
        """*text* without the end of a secret at its beginning."""
        begins = len(text) - len(text.lstrip("\n"))
        for at in range(min(len(text), begins + self._longest), begins + SHORTEST_SECRET - 1, -1):
            if ESCAPES.sub("", text[max(begins, at - RIM) : at]).endswith(self._ends):
                left = ESCAPES.sub("", text[begins:at])
                if any(secret.endswith(left) for secret in self._known):
                    return text[:begins] + MASK + text[at:]
        return text


def _quoted(secret: str) -> Iterator[str]:
    for safe in ("", "/"):
        yield quote(secret, safe=safe, errors="surrogateescape")
    for quotes in (True, False):
        yield escape(secret, quote=quotes)


def _in_base64(secret: str) -> Iterator[str]:
    """The whole, and what is surely a part of something longer: that depends on how many bytes stand before
    it. A sign holds six bits, so those at the rim hold a part of a neighbour."""
    data = secret.encode(errors="surrogateescape")
    for encode in (b64encode, urlsafe_b64encode):
        yield encode(data).decode()
        for before in range(3):
            shifted = encode(bytes(before) + data).decode()
            core = shifted[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
            if len(core) >= SHORTEST_SECRET:
                yield core


def _escaped_or_not(secret: str) -> str:
    """A pattern for the secret with or without a backslash before each sign that is no letter."""
    return "".join(sign if sign.isalnum() else rf"\\?{re.escape(sign)}" for sign in secret)
