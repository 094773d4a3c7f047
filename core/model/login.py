"""How an agent program gets in to its makers, as far as files and variables tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Door(Enum):
    """Whether a program is let in. *UNSEEN*: nothing was found, and it may have other ways."""

    OPEN = auto()
    UNSEEN = auto()
    SHUT = auto()


@dataclass(frozen=True, slots=True)
class Login:
    """*variables*, any of which lets it in. *files* and *mentions* (a file and a pattern in it) that do, by
    names that begin with `~` or a variable (`$NAME/…`), which stands for its own default where *homes* has
    one. *sure*: without any of them it is not let in. *command* is what a person types to log in."""

    command: str
    variables: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    mentions: tuple[tuple[str, str], ...] = ()
    homes: tuple[tuple[str, str], ...] = ()
    sure: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """What follows the program's name in *command*."""
        return tuple(self.command.split()[1:])
