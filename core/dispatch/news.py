"""That a prompt has ended, for whoever in this process is to show it; others find it in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class News:
    def __init__(self) -> None:
        self._ears: list[Callable[[], None]] = []

    @contextmanager
    def heard_by(self, ear: Callable[[], None]) -> Iterator[None]:
        """While inside, *ear* is called for each `tell`."""
        self._ears.append(ear)
        try:
            yield
        finally:
            self._ears.remove(ear)

    def tell(self) -> None:
        """It is in the store."""
        for ear in self._ears:
            ear()
