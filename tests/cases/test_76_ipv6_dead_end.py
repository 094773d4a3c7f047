"""Case 76: one of the two families leads nowhere; calls, uploads and downloads go over the other."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.chat import FileRef, Picture
from tests.bot.telegram.rig import Rig, hears, telegram
from tests.cases.resolving import Resolving
from tests.telegram.client import picture
from tests.telegram.server import BotApi

FOUR, SIX = "127.0.0.1", "::1"


def has_ipv6() -> bool:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind((SIX, 0))
        except OSError:
            return False
    return True


VARIANTS = [
    pytest.param(FOUR, SIX, False, id="no IPv6, refused"),
    *[
        pytest.param(FOUR, SIX, True, id="no IPv6, dropped"),
        pytest.param(SIX, FOUR, False, id="no IPv4, refused"),
        pytest.param(SIX, FOUR, True, id="no IPv4, dropped"),
    ]
    * has_ipv6(),
]
"""What can be played on this machine."""


@contextmanager
def black_hole(address: str, port: int) -> Iterator[None]:
    """Whoever connects there hears nothing: the queue is full, so the kernel drops what comes."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    callers = [socket.socket(family, socket.SOCK_STREAM) for _ in range(4)]
    with socket.socket(family, socket.SOCK_STREAM) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        deaf.bind((address, port))
        deaf.listen(0)
        for caller in callers:
            caller.setblocking(False)
            caller.connect_ex((address, port))
        try:
            yield
        finally:
            for caller in callers:
                caller.close()


@pytest.mark.parametrize(("good", "dead", "silent"), VARIANTS)
def test_everything_goes_over_the_family_that_works(
    tmp_path: Path, good: str, dead: str, silent: bool
) -> None:
    async def scene(loop: Resolving) -> None:
        async with BotApi(host=good) as api:
            port = int(api.url.rpartition(":")[2])
            async with telegram(api, tmp_path, base_url=f"http://api.test:{port}") as rig:
                rig.keep("plot", picture())
                kept = api.bot.keep("notes.txt", b"words")
                if silent:
                    with black_hole(dead, port):
                        await all_of_it(rig, kept.id)
                else:
                    await all_of_it(rig, kept.id)

    Resolving.play(scene, [SIX, FOUR])


async def all_of_it(rig: Rig, file: str) -> None:
    rig.ann.writes("hello")
    await hears(rig, "hello")
    (body,) = rig.adapter.cut(Picture("plot", "plot.png"))
    await rig.adapter.deliver(rig.room, body)
    assert await rig.adapter.fetch(FileRef(file, "notes.txt")) == b"words"
    assert rig.reads() == ["[plot.jpg]"]
    assert not rig.heard
