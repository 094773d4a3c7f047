"""Known secrets, and what is shaped like a bot's token, masked in any text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

MASK = "•••"
SHORTEST_SECRET = 6
# A backslash may stand before each underscore or hyphen: Markdown would show the token without it.
BOT_TOKEN = r"\d{6,12}:(?:\\?[A-Za-z0-9_-]){20,}"


class Masker:
    """Replaces secrets in text, also where they are URL-quoted or escaped as in Markdown or JSON.

    Secrets shorter than six characters are ignored: they would be found in ordinary words.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if len(secret) >= SHORTEST_SECRET}
        forms = known | {quote(secret, safe="") for secret in known}
        longest_first = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join([*map(_escaped_or_not, longest_first), BOT_TOKEN]))

    def mask(self, text: str) -> str:
        return self._pattern.sub(MASK, text)


def _escaped_or_not(secret: str) -> str:
    """A pattern for the secret with or without a backslash before each sign that is no letter."""
    return "".join(sign if sign.isalnum() else rf"\\?{re.escape(sign)}" for sign in secret)
