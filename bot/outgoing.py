"""What we say in a chat: words, a picture or a file."""

from __future__ import annotations

from dataclasses import dataclass

from bot.address import MessageRef
from bot.button import Button
from core.model.answer import Placed
from core.model.preferences import Theme


@dataclass(frozen=True, slots=True)
class Text:
    """One message of Markdown; *placed* says what stands where its images are named. *rich*: all of its
    mark-up is to be shown, where the platform has a form for that, even if not every app knows it.
    Only what is not *silent* rings."""

    markdown: str
    buttons: tuple[Button, ...] = ()
    silent: bool = False
    reply_to: MessageRef | None = None
    placed: tuple[Placed, ...] = ()
    aside: bool = False
    """For whoever pressed a button alone, where a chat can show them something."""
    rich: bool = False
    theme: Theme = Theme.SYSTEM
    """The colours of what is drawn of it."""
    shorter: tuple[str, ...] = ()
    """What it says instead where one message is to hold it and does not: the first of these that fits."""
    to: str = ""
    """The id of the one whom it is for, to be called by it where others read along."""

    @property
    def ways(self) -> tuple[str, ...]:
        """Of saying it in one message, the best first."""
        return self.markdown, *self.shorter


@dataclass(frozen=True, slots=True)
class Picture:
    """*media* is a file name in `data_dir/media`; *caption* is Markdown."""

    media: str
    name: str
    caption: str = ""
    buttons: tuple[Button, ...] = ()
    silent: bool = False
    reply_to: MessageRef | None = None


@dataclass(frozen=True, slots=True)
class File:
    """*media* is a file name in `data_dir/media`; people see it as *name*."""

    media: str
    name: str
    caption: str = ""
    buttons: tuple[Button, ...] = ()
    silent: bool = False
    reply_to: MessageRef | None = None


Outgoing = Text | Picture | File
