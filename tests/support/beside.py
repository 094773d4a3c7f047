"""What stands above or beside the words of a message, and how they are divided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.chat import File, Outgoing, Picture, Text
from bot.markup.cutting import utf16_units

OUTGOING: dict[str, type[Outgoing]] = {"Text": Text, "Picture": Picture, "File": File}


def marked(what: Outgoing, mark: str) -> Outgoing:
    match what:
        case Text():
            return replace(what, markdown=f"{mark}\n\n{what.markdown}")
        case Picture() | File():
            return replace(what, caption=f"{mark}\n\n{what.caption}")


def divided(what: Outgoing, longest: int) -> Iterator[Outgoing]:
    """At blank lines; the first one rings and replies, the last one carries the buttons."""
    if not isinstance(what, Text):
        yield what
        return
    pieces = [""]
    for paragraph in what.markdown.split("\n\n"):
        longer = f"{pieces[-1]}\n\n{paragraph}" if pieces[-1] else paragraph
        if utf16_units(longer) <= longest:
            pieces[-1] = longer
        else:
            pieces.append(paragraph)
    for at, piece in enumerate(pieces):
        buttons = what.buttons if at == len(pieces) - 1 else ()
        first = None if at else what.reply_to
        silent, to = what.silent or at > 0, "" if at else what.to
        yield Text(piece, buttons, silent=silent, reply_to=first, placed=what.placed, to=to)


def aside(what: Outgoing | None) -> str:
    """What a line of a transcript adds to the words."""
    if what is None:
        return ""
    buttons = "".join(f" [{button.label}]" for button in what.buttons)
    return f"{buttons}{'' if what.silent else ' ♪'}"
