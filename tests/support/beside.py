"""What stands above or beside the words of a message."""

from __future__ import annotations

from dataclasses import replace

from bot.chat import File, Outgoing, Picture, Text

OUTGOING: dict[str, type[Outgoing]] = {"Text": Text, "Picture": Picture, "File": File}


def marked(what: Outgoing, mark: str) -> Outgoing:
    match what:
        case Text():
            return replace(what, markdown=f"{mark}\n\n{what.markdown}")
        case Picture() | File():
            return replace(what, caption=f"{mark}\n\n{what.caption}")


def aside(what: Outgoing | None) -> str:
    """What a line of a transcript adds to the words."""
    if what is None:
        return ""
    buttons = "".join(f" [{button.label}]" for button in what.buttons)
    return f"{buttons}{'' if what.silent else ' ♪'}"
