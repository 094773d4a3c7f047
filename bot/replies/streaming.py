"""The beginning of an answer that is still being written, beneath the progress of its turn."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.chat import Text
from core.answers.signs import visible
from core.answers.title import take_title

LONGEST_STREAMED = 3_500
"""Signs; of a longer answer the beginning stays as it is until all of it comes."""
MORE = "…"
"""Behind it a secret of which only the beginning has come is masked like a whole one."""

UNFINISHED_COMMENT = re.compile(r"<!--(?:(?!-->).)*\Z|<!?-?\Z", re.DOTALL)
FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})", re.MULTILINE)
UNFINISHED_FENCE = re.compile(r"(?:\A|\n)[ ]{0,3}(?:`{3,}[^`\n]*|~{3,}[^\n]*|`{1,2}|~{1,2})\Z")
UNFINISHED_LINK = re.compile(r"!?\[[^\]\n]*(?:\](?:\([^)\n]*)?)?\Z")
UNFINISHED_SIGNS = re.compile(r"(?:\n[ ]{0,3}(?:[-+#>]+|\d+[.)]?))?[*_~`!\\\s]*\Z")
ROWS = re.compile(r"(?:\A|\n)(?P<rows>[ ]{0,3}\|[^\n]*(?:\n[ ]{0,3}\|[^\n]*)*)\Z")
RULE = re.compile(r"[ ]{0,3}\|(?:[ ]*:?-+:?[ ]*\|)+[ ]*")
CLOSED_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)


def with_words(progress: Text, streamed: str) -> Text:
    """*progress*, and beneath it what the agent has written so far; nothing of it shows as half a mark-up."""
    words = grown(streamed)
    return replace(progress, markdown=f"{progress.markdown}\n\n{words}") if words else progress


def grown(streamed: str) -> str:
    """*streamed* as Markdown that says only what will stay said; empty if that is nothing."""
    _, text = take_title(streamed)
    text = _shortened(UNFINISHED_COMMENT.sub("", text))
    shown = UNFINISHED_FENCE.sub("", text) if _in_code(text) else _closed(text)
    return f"{shown.rstrip()}{MORE}" if visible(shown) else ""


def _shortened(text: str) -> str:
    """Up to the last word that has room."""
    if len(text) <= LONGEST_STREAMED:
        return text
    kept = text[:LONGEST_STREAMED]
    return kept[: max(kept.rfind(" "), kept.rfind("\n"), LONGEST_STREAMED // 2)]


def _in_code(text: str) -> bool:
    """Whether a fence is open at the end, after its own line."""
    fence = ""
    for line in text.split("\n")[:-1]:
        found = FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return bool(fence)


def _closed(text: str) -> str:
    """Without a sign at the end that may yet become another, and with what is open there closed."""
    text = _whole_rows(UNFINISHED_FENCE.sub("", text))
    text = UNFINISHED_SIGNS.sub("", UNFINISHED_LINK.sub("", text))
    paragraph = CLOSED_CODE.sub("", text.rpartition("\n\n")[2])
    open_code = re.search(r"`+", paragraph)
    return text + next((sign for sign in (open_code[0] if open_code else "", *_open(paragraph)) if sign), "")


def _open(paragraph: str) -> list[str]:
    return [sign for sign in ("**", "~~") if paragraph.count(sign) % 2]


def _whole_rows(text: str) -> str:
    """Without a row of a table that has no end yet, and without a head that has no rule beneath it."""
    found = ROWS.search(text)
    if not found:
        return text
    rows = found["rows"].split("\n")
    if not rows[-1].rstrip().endswith("|"):
        rows.pop()
    if len(rows) < 2 or not RULE.fullmatch(rows[1]):
        rows = []
    return text[: found.start("rows")] + "\n".join(rows)
