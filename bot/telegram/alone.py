"""One poller for each bot among the programs of one OS user, and who else is there."""

from __future__ import annotations

import asyncio
import os
import pwd
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass

BACKLOG = 16
PEER = struct.Struct("3i")
"""`struct ucred` of unix(7): process, user, group."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has the name of a bot: a process and its OS user, as the kernel says; None where nobody answers
    there, as no Roost would do."""

    process: int | None = None
    user: int | None = None

    @property
    def named(self) -> str:
        """The user's name, else its number; empty where it is not known."""
        if self.user is None:
            return ""
        with suppress(KeyError):
            return pwd.getpwuid(self.user).pw_name
        return str(self.user)


class OnlyPoller:
    """The right to poll for a bot, which the kernel takes back however its holder dies.

    It is a name in the abstract namespace, which belongs to no user: anybody on the machine can take it. So
    it settles only who of one user's own programs polls, which is what happens by mistake. Whoever else has
    the name keeps nobody from polling; where two really fetch one bot's messages, Telegram tells.
    """

    def __init__(self, bot: int, *, user: int | None = None) -> None:
        self._name = f"\0roost-telegram-{bot}"
        self._user = os.geteuid() if user is None else user
        self._socket: socket.socket | None = None

    def take(self) -> Holder | None:
        """Who has it, if it is not ours now."""
        if self._socket is not None:
            return None
        held = _socket()
        try:
            held.bind(self._name)
        except OSError:
            held.close()
            return self._holder()
        held.listen(BACKLOG)
        asyncio.get_running_loop().add_reader(held, _turn_away, held)
        self._socket = held
        return None

    def is_ours(self, holder: Holder) -> bool:
        """Whether it is another program of the same user."""
        return holder.user == self._user

    def release(self) -> None:
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None

    def _holder(self) -> Holder:
        """Whoever listens there, which is known without their doing."""
        with _socket() as asking:
            try:
                asking.connect(self._name)
                peer = asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size)
            except OSError:
                return Holder()
        process, user, _ = PEER.unpack(peer)
        return Holder(process, user)


def _socket() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)


def _turn_away(held: socket.socket) -> None:
    """Who asked knows who we are already."""
    with suppress(OSError):
        held.accept()[0].close()
