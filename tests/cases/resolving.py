"""A loop whose names lead where a test wants."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self


class Resolving(asyncio.SelectorEventLoop):
    """Every name has these *addresses*, in that order, or can't be told."""

    addresses: Sequence[str] | OSError = ()

    @classmethod
    def play(cls, scene: Callable[[Self], Awaitable[None]], addresses: Sequence[str] | OSError) -> None:
        loop = cls()
        loop.addresses = addresses

        async def whole() -> None:
            async with asyncio.timeout(40):
                await scene(loop)

        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(whole())

    async def getaddrinfo(self, host: Any, port: Any, **more: Any) -> list[Any]:
        if isinstance(self.addresses, OSError):
            raise self.addresses
        return [_info(address, port) for address in self.addresses]


def _info(address: str, port: int) -> tuple[Any, ...]:
    six = ":" in address
    family = socket.AF_INET6 if six else socket.AF_INET
    where = (address, port, 0, 0) if six else (address, port)
    return family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", where
