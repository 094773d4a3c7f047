"""What a shell was told to run."""

from __future__ import annotations

import re

_WRAPPER = re.compile(r"(?:\S*/)?(?:ba|da|z|k)?sh -l?c (?=\S)")
_PIECE = re.compile(r"""'([^']*)'|"([^"\\]*(?:\\.[^"\\]*)*)"|\\(.)|([^\s'"\\]+)""", re.DOTALL)
_QUOTED = re.compile(r'\\([\\"$`])')


def script(command: str) -> str:
    """`/bin/bash -lc 'cat a.txt'` is `cat a.txt`; any other command is itself."""
    wrapper = _WRAPPER.match(command)
    return (_one_word(command[wrapper.end() :]) if wrapper else None) or command


def _one_word(text: str) -> str | None:
    """*text* without its shell quotes, None unless it is a single word."""
    pieces: list[str] = []
    end = 0
    for piece in _PIECE.finditer(text):
        if piece.start() != end:
            return None
        end = piece.end()
        single, double, escaped, bare = piece.groups()
        pieces.append(_QUOTED.sub(r"\1", double) if double else single or escaped or bare or "")
    return "".join(pieces) if end == len(text) else None
