"""Names for a chat's labels: the title that an answer carries, and words that people chose."""

from __future__ import annotations

import re
import unicodedata

from core.answers.markdown import parse_inline, plain

LONGEST_TITLE = 60

# Signs that turn, hide or break what stands after them in the same line.
STRAY = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
ADDRESS = re.compile(r"(?:\b[a-z][a-z0-9+.-]{1,15}://|\bwww\.|\bmailto:)\S*", re.IGNORECASE)
LINE_MARKUP = re.compile(r"\A[\s#>*+-]+(?=\s)")

# What icons are made of beside themselves: their looks, tones of skin, letters of flags; and signs that fill
# a place and show nothing.
OF_ICONS = re.compile(
    r"[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u115f\u1160\u3164\uffa0]"
)
# Joiners are a part of words in some languages; between icons and at an end they join nothing.
ICON_RUN = re.compile(r"[\u200c\u200d]*\0[\0\u200c\u200d]*")
LOOSE_JOINERS = re.compile(r"(?<!\S)[\u200c\u200d]+|[\u200c\u200d]+(?!\S)")

# A comment inside a fence or behind a backtick is talk about titles, and stays.
COMMENT = re.compile(
    r"^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)|\Z)"
    r"|(?<!`)<!--\s{0,9}roost-title:(?P<title>.{0,1000}?)-->[ \t]*\n?",
    re.MULTILINE | re.DOTALL,
)


def take_title(text: str) -> tuple[str | None, str]:
    """The title in an answer's `<!-- roost-title: … -->`, and the answer without any such comment."""
    titles: list[str] = []

    def take(found: re.Match[str]) -> str:
        if found["fence"]:
            return found[0]
        titles.append(clean_title(found["title"]))
        return ""

    rest = COMMENT.sub(take, text)
    if not titles:
        return None, text
    return next(filter(None, titles), None), rest.strip("\n")


def clean_title(text: str) -> str:
    """Plain words of at most 60 characters: no markup, no address, no icon. May be empty."""
    one_line = " ".join(LINE_MARKUP.sub("", text).split())
    words = plain(child for token in parse_inline(one_line) for child in token.children or ())
    said = ICON_RUN.sub("", "".join("\0" if _icon(sign) else sign for sign in words))
    return _shortened(plain_label(LOOSE_JOINERS.sub("", said)))


def plain_label(text: str) -> str:
    """A name that a person chose, as one line that cannot affect what stands after it."""
    one_line = STRAY.sub("", re.sub(r"[\s\u2028\u2029]+", " ", text))
    return " ".join(ADDRESS.sub("", one_line).split())


def _icon(sign: str) -> bool:
    return (unicodedata.category(sign) == "So" and sign > "\xff") or bool(OF_ICONS.fullmatch(sign))


def _shortened(title: str) -> str:
    if len(title) <= LONGEST_TITLE:
        return title
    head = title[: LONGEST_TITLE - 1]
    words, _, cut = head.rpartition(" ")
    return (words if len(words) > len(cut) else head).rstrip() + "…"
