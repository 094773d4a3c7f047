"""How a chat writes the commands of ours that a sentence names."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.intents.commands import READERS
from bot.intents.parse import MATRIX_MARK

WRITTEN = "/"
"""What a command begins with in `locales/`, and where there is no other sign."""
MARK_ON = {"matrix": MATRIX_MARK}
"""What it begins with where people write it otherwise."""

_COMMAND = re.compile(rf"(?<![\w/.:}}])/(?=(?:{'|'.join(READERS)})(?![\w/-]|\.\w))")


def spelling(platform: str) -> Callable[[str], str]:
    """What puts the sign of *platform* before names of our commands, and changes nothing else."""
    mark = MARK_ON.get(platform, WRITTEN)
    return str if mark == WRITTEN else lambda sentence: _COMMAND.sub(mark, sentence)
