"""The words of an ACP turn: chunks in, deltas and whole messages out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.model.events import EngineEvent, Message, MessageDelta, Reasoning
from core.model.ids import ItemId


@dataclass(slots=True)
class _Run:
    """Chunks of one message. *told*: the whole was told, and nothing came since."""

    item: ItemId
    named: bool
    thought: bool
    words: list[str] = field(default_factory=list)
    told: bool = False

    def whole(self) -> EngineEvent:
        text = "".join(self.words)
        self.words = [text]
        return Reasoning(self.item, text) if self.thought else Message(self.item, text)


class Said:
    """A message is over when something else comes. One that its agent names may go on after that: then it is
    told again as a whole, under the same name."""

    def __init__(self) -> None:
        self._run: _Run | None = None
        self._count = 0
        self.spoke = False
        """Whether a message was begun."""

    def chunk(self, words: str, name: str | None, *, thought: bool) -> Iterator[EngineEvent]:
        if not self._goes_on(name, thought=thought):
            yield from self.pause()
            self._count += 1
            item = ItemId(name or f"{'thought' if thought else 'message'}-{self._count}")
            self._run = _Run(item, bool(name), thought)
        run = self._run
        if run and words:
            run.words.append(words)
            run.told = False
            if not thought:
                self.spoke = True
                yield MessageDelta(run.item, words)

    def pause(self) -> Iterator[EngineEvent]:
        """Something else came: the message so far is told as a whole."""
        run = self._run
        if run and run.words and not run.told:
            run.told = True
            yield run.whole()
        if run and not run.named:
            self._run = None

    def _goes_on(self, name: str | None, *, thought: bool) -> bool:
        run = self._run
        if run is None or run.thought is not thought:
            return False
        return run.item == name if name else not run.named
