"""Words that others chose, made safe to stand in our Markdown."""

from __future__ import annotations

import re

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.values import Command
from bot.texts import Texts
from core.answers.title import STRAY, plain_label
from core.model.project import Access

LONGEST_CODE = 60
LONGEST_PREVIEW = 40
LONGEST_DETAIL = 1_000

MEANS_SOMETHING = re.compile(r"[\\`*_\[\]<>~$&|#]")


def literal(name: str) -> str:
    """A name as plain words: no markup, no link, one line."""
    return escaped(plain_label(name))


def escaped(text: str) -> str:
    """*text* without anything that means something in Markdown."""
    return MEANS_SOMETHING.sub(r"\\\g<0>", text)


def preview(text: str) -> str:
    """The beginning of a prompt or title, as plain words."""
    return literal(cut(plain_label(text), LONGEST_PREVIEW)) or "…"


def code(text: str, most: int = LONGEST_CODE) -> str:
    """A path or command as code on one line, whatever backticks are in it."""
    shown = cut(one_line(text), most) or "…"
    ticks = _fence(shown, shortest=1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def block(text: str) -> str:
    """Somebody's own words, their last part if they are long, as a block of code."""
    kept = text.strip()[-LONGEST_DETAIL:]
    fence = _fence(kept, shortest=3)
    return f"{fence}\n{kept}\n{fence}"


def coded(text: str, language: str) -> str:
    """*text* as it is, as a block of code."""
    kept = text.strip("\n")
    fence = _fence(kept, shortest=3)
    return f"{fence}{language}\n{kept}\n{fence}"


def folded(title: str, markdown: str) -> str:
    """*markdown* under *title*, both shown as a quotation that is folded up where the chat can: what few want
    to see, such as reasoning or a long output."""
    lines = f"[!note]- {title}", *markdown.strip("\n").split("\n")
    return "\n".join(f"> {line}".rstrip() for line in lines)


def block_whole(text: str) -> str:
    """Somebody else's words, all of them, as a block of code in which what can't be seen is named."""
    shown = "".join(_seen(letter) for letter in text.strip("\n"))
    fence = _fence(shown, shortest=3)
    return f"{fence}\n{shown}\n{fence}"


def _seen(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\n" else f"<U+{ord(letter):04X}>"


def one_line(text: str) -> str:
    return STRAY.sub("", " ".join(text.split()))


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def access_word(access: Access, texts: Texts) -> str:
    """What an agent may do, as the reader calls it; commands call it by its value."""
    return texts.say(f"access.word.{access.name.lower()}")


def access_held(access: Access, texts: Texts, *, asked: bool) -> str:
    """`access_word`, and that it is *asked*, not enforced, where that is so."""
    word = access_word(access, texts)
    return texts.say("access.asked", access=word) if asked else word


def button(texts: Texts, key: str, command: Command) -> Button:
    return Button(texts.say(f"button.{key}"), encode(command))


def quiet(*lines: str, buttons: tuple[Button, ...] = ()) -> Text:
    """A message of these lines that doesn't ring."""
    return Text("\n".join(line for line in lines if line), buttons, silent=True)


def _fence(text: str, *, shortest: int) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(shortest, longest + 1)
