"""An answer that is still being written, beneath the progress of its turn: its newest end."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

from bot.chat import Text
from core.answers.secrets import CUT as MORE  # a secret that is cut off there is masked like a whole one
from core.answers.signs import visible
from core.answers.title import take_title

LONGEST_STREAMED = 3_500
"""Signs of Markdown; of a longer answer the newest end is shown."""
SIZES = (LONGEST_STREAMED, 1_500, 600)
"""Each for where a message does not hold as much as the one before: marks and signs differ in size."""
LONGEST_FENCE = 80
"""Signs of the line with which code begins, where that is repeated."""

UNFINISHED_COMMENT = re.compile(r"<!--(?:(?!-->).)*\Z|<!?-?\Z", re.DOTALL)
FENCE = re.compile(r"^[ ]{0,3}(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
FENCE_LINE = re.compile(r"^[ ]{0,3}(?:`{3,}[^`\n]*|~{3,}[^\n]*)$", re.MULTILINE)
UNFINISHED_FENCE = re.compile(r"(?:\A|\n)[ ]{0,3}(?:`{3,}[^`\n]*|~{3,}[^\n]*|`{1,2}|~{1,2})\Z")
UNFINISHED_LINK = re.compile(r"!?\[[^\]\n]*(?:\](?:\([^)\n]*)?)?\Z")
UNFINISHED_SIGNS = re.compile(r"(?:\n[ ]{0,3}(?:[-+#>]+|\d+[.)]?))?[*_~`!\\\s]*\Z")
ROWS = re.compile(r"(?:\A|\n)(?P<rows>[ ]{0,3}\|[^\n]*(?:\n[ ]{0,3}\|[^\n]*)*)\Z")
RULE = re.compile(r"[ ]{0,3}\|(?:[ ]*:?-+:?[ ]*\|)+[ ]*")
BREAKS = [re.compile(where) for where in (r"\n\n+(?=\S)", r"\n(?=\S)", r"\s+", r"(?<=[。！？、，])")]
"""Where words are cut off, the best first."""
CLOSED_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)


def with_words(progress: Text, streamed: str) -> Text:
    """*progress*, and beneath it what the agent has written so far, or as much of its end as one message
    holds; nothing of it shows as half a mark-up."""
    words = writing(streamed)
    if not words.markdown:
        return progress
    said, *shorter = (f"{progress.markdown}\n\n{one}" for one in (words.markdown, *words.shorter))
    return replace(progress, markdown=said, shorter=(*shorter, progress.markdown))


def writing(streamed: str) -> Text:
    """*streamed* alone, in as many words as one message holds."""
    said = _said(streamed)
    longest, *shorter = dict.fromkeys(_shown(said, most) for most in SIZES)
    return Text(longest, shorter=tuple(shorter))


def grown(streamed: str, most: int = LONGEST_STREAMED) -> str:
    """The end of *streamed*, of about *most* signs, as Markdown that says only what will stay said; empty if
    that is nothing."""
    return _shown(_said(streamed), most)


def _said(streamed: str) -> str:
    """Without a title, or the beginning of one."""
    return UNFINISHED_COMMENT.sub("", take_title(streamed)[1])


def _shown(text: str, most: int) -> str:
    """What is open is closed behind the cut: half a secret is known by standing right before it."""
    text = _newest(text, most)
    shown = UNFINISHED_FENCE.sub("", text) if _fence(text) else _finished(text)
    sign = "" if _fence(text) else _open(shown)
    return f"{shown.rstrip()}{MORE}{sign}" if visible(shown + sign) else ""


def _newest(text: str, most: int) -> str:
    """From a paragraph, a line or a word on, in the mark-up that it stands in. Where it begins stays the same
    for a while, so that it can be read as it grows."""
    if len(text) <= most:
        return text
    step = most // 2
    at = step * -(-(len(text) - most) // step)
    found = next(filter(None, (where.search(text, at, at + step // 2) for where in BREAKS)), None)
    before, kept = text[: found.start() if found else at], text[found.end() if found else at :]
    between = found[0].strip(" ") if found else ""
    if fence := _fence(f"{before}\n"):
        return f"{fence}\n{MORE}{between}{kept}"
    head = _head_of_table(before, kept)
    if 0 < len(head) <= most // 4:
        return f"{MORE}\n\n{head}\n{kept}"
    if sign := _open(before):
        return f"{sign}{MORE}{between}{kept}"
    return f"{MORE}\n\n{kept}" if "\n" in between else f"{MORE}{kept}"


def _fence(text: str) -> str:
    """The line with which the code began that is open at the end, after that line; empty if none is."""
    begun = fence = ""
    for line in text.split("\n")[:-1]:
        found = FENCE.match(line)
        if found and not fence:
            begun, fence = line[:LONGEST_FENCE], found[1]
        elif found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            begun = fence = ""
    return begun


def _head_of_table(before: str, kept: str) -> str:
    """The first two rows of the table that goes on in *kept*; empty if there is none."""
    if not kept.lstrip(" ").startswith("|"):
        return ""
    lines = before.split("\n")
    rows = [*takewhile(lambda line: line.lstrip(" ").startswith("|"), reversed(lines))][::-1]
    return "\n".join(rows[:2]) if len(rows) > 1 and RULE.fullmatch(rows[1]) else ""


def _finished(text: str) -> str:
    """Without a sign at the end that may yet become another."""
    text = _whole_rows(UNFINISHED_FENCE.sub("", text))
    return UNFINISHED_SIGNS.sub("", UNFINISHED_LINK.sub("", text))


def _open(text: str) -> str:
    """The sign of what is open at the end."""
    paragraph = CLOSED_CODE.sub("", FENCE_LINE.split(text.rpartition("\n\n")[2])[-1])
    if open_code := re.search(r"`+", paragraph):
        return open_code[0]
    return next((sign for sign in ("**", "~~") if paragraph.count(sign) % 2), "")


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
