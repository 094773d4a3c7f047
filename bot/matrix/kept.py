"""What we keep of our account: which device we are, who we are, and the key that closes the rest."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from bot.matrix.signing import Seeds

FOLDER = "matrix"
SESSION = "session.json"
SEEDS = "cross_signing.json"
PICKLE = "pickle.key"
KEYS = "keys"
LOCK = "lock"

T = TypeVar("T")


class Session(Struct, frozen=True):
    """A login, which is a device: *token* stands for it. *given*: by the settings, not made by us."""

    homeserver: str
    user: str
    device: str
    token: str
    given: bool = False


class Kept:
    """*folder* is ours alone. A file is there whole, or not at all; only its owner may read it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def made(self) -> Kept:
        """With a folder to keep things in."""
        for folder in (self._folder, self.keys):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self

    @property
    def keys(self) -> Path:
        """The folder of what encryption needs, for each device apart."""
        return self._folder / KEYS

    @property
    def lock(self) -> Path:
        return self._folder / LOCK

    def session(self) -> Session | None:
        return self._read(SESSION, Session)

    def keep_session(self, session: Session) -> None:
        self._write(SESSION, msgspec.json.encode(session))

    def seeds(self) -> Seeds | None:
        return self._read(SEEDS, Seeds)

    def keep_seeds(self, seeds: Seeds) -> None:
        self._write(SEEDS, msgspec.json.encode(seeds))

    def pickle(self) -> str:
        """The password of the folder of keys, made with it."""
        path = self._folder / PICKLE
        if not path.exists():
            self._write(PICKLE, secrets.token_urlsafe(32).encode())
        return path.read_text()

    def marks(self, device: str) -> list[str]:
        """Those that the keys of a device may bear. They lie beside them: whoever puts back the one puts back
        the other."""
        return self._read(f"{KEYS}/{device}.mark", list[str]) or []

    def keep_marks(self, device: str, marks: list[str]) -> None:
        self._write(f"{KEYS}/{device}.mark", msgspec.json.encode(marks))

    def _read(self, name: str, kind: type[T]) -> T | None:
        """None where it isn't there, or is none."""
        try:
            return msgspec.json.decode((self._folder / name).read_bytes(), type=kind)
        except (FileNotFoundError, msgspec.MsgspecError):
            return None

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / name
        new = path.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
