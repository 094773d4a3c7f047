"""Names of files, without looking at any disk: what a reference can mean, what looks secret, what is safe."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import count
from pathlib import PurePosixPath
from urllib.parse import unquote

NAME_MOST = 100
"""Characters of a kept name."""
NAME_BYTES = 200
"""A file system takes 255 bytes, and a temporary name is longer."""

_FILE_URL = re.compile(r"file:(?://(?:localhost(?=/))?)?(.*)", re.IGNORECASE | re.DOTALL)

SECRET_NAMES = (
    ".env*",
    "*.env",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.kdbx",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".gitconfig",
    "credentials*",
    "secrets.*",
    "auth.json",
    "service-account*.json",
    ".bash_history",
    "kubeconfig",
    "*.kubeconfig",
    "*.tfstate*",
    ".vault-token",
    "wallet.dat",
)
"""Patterns for a file's own name, in lower case."""

SECRET_FOLDERS = frozenset({".git", ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker"})
"""Everything in these is refused."""

SECRET_PLACES = frozenset({("gh", "hosts.yml")})
"""Files that are secret by the folder that they lie in, too."""


def secret(path: str) -> bool:
    """Whether *path*, relative to its project, looks like what only the owner of the machine should see."""
    parts = PurePosixPath(path.lower()).parts or ("",)
    return (
        not SECRET_FOLDERS.isdisjoint(parts)
        or parts[-2:] in SECRET_PLACES
        or any(fnmatchcase(parts[-1], pattern) for pattern in SECRET_NAMES)
    )


def readings(ref: str) -> tuple[str, ...]:
    """The paths that a reference in an answer can mean, the most literal first, each once.

    A file may have `%20`, `?` or `#` in its very name, hence the order. `file:` URLs lose their scheme.
    """
    found = _FILE_URL.fullmatch(ref)
    path = found[1] if found else ref
    plain = path.partition("#")[0]
    cuts = (path, plain, plain.partition("?")[0], path.partition("?")[0])
    both = (word for cut in cuts for word in (cut, unquote(cut)))
    return tuple(dict.fromkeys(word for word in both if word.strip() and _nameable(word)))


def safe(name: str) -> str:
    """*name* as a file may be called: one line, no separators, nothing hidden, nothing like an option,
    at most 100 characters and 200 bytes; its ending is kept."""
    visible = "".join("_" if letter in "/\\" else letter for letter in name if _shown(letter))
    stem, ending = os.path.splitext(visible.strip().lstrip(".-_ "))
    ending = ending[:20]
    stem = stem[: NAME_MOST - len(ending)] or "file"
    while len(os.fsencode(stem + ending)) > NAME_BYTES:
        stem = stem[:-1]
    return stem + ending


def numbered(name: str) -> Iterator[str]:
    """*name*, then what it may be called where that is taken: `a.png`, `a-2.png`, `a-3.png` …"""
    yield name
    stem, ending = os.path.splitext(name)
    for number in count(2):
        yield f"{stem}-{number}{ending}"


def _nameable(word: str) -> bool:
    """Whether a file can be called so: half a surrogate pair comes out of some agents' JSON."""
    try:
        return b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        return False


def _shown(letter: str) -> bool:
    """No control characters, no marks that turn the direction of writing, no line separators."""
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
