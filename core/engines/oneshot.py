"""Programs that are told everything at once: they are heard, and never spoken to."""

from __future__ import annotations

from abc import ABC, abstractmethod

from core.engines.port import Decoder
from core.model.events import EngineEvent
from core.model.launch import Word
from core.model.request import TurnRequest


class Monologue:
    """A decoder as a `Dialogue` in which nothing is ever said in return."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder

    @property
    def consumed(self) -> int:
        return self._decoder.consumed

    @property
    def offered(self) -> bool:
        return True

    def feed(self, data: bytes) -> list[EngineEvent]:
        return self._decoder.feed(data)

    def finish(self) -> list[EngineEvent]:
        return self._decoder.finish()

    def due(self) -> list[Word]:
        return []

    def interrupt(self) -> None:
        """There is nobody to ask: its process is ended."""

    def steer(self, text: str, key: str) -> None:
        """Its capabilities say that it cannot."""

    heard = frozenset[str]()
    refused = frozenset[str]()

    def answer(self, question: str, choice: str, text: str = "") -> None:
        """It never asks."""


class OneShot(ABC):
    """What is the same for every engine that runs a process for each turn and gives it its whole input."""

    __slots__ = ()
    spoken = False
    fallback = None
    asking = None

    @abstractmethod
    def decoder(self) -> Decoder:
        """Reads what the program says."""

    def dialogue(self, request: TurnRequest, turn: str, *, warm: bool = False) -> Monologue:
        return Monologue(self.decoder())

    def fixed(self, request: TurnRequest) -> tuple[object, ...]:
        return ()

    def keys(self, told: bytes) -> set[str]:
        return set()
