"""What Claude Code says of itself when it is spoken to for the first time: its models."""

from __future__ import annotations

import msgspec

from core.model.events import EngineEvent, Malformed
from core.model.launch import Word
from core.model.offers import Model
from core.wire import claude_words
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT
from core.wire.shapes import Shape, head, mended

USUAL = "default"
"""What Claude Code calls the model that it takes where none is asked for."""


class _Model(Shape, frozen=True, gc=False, rename="camel"):
    value: str
    display_name: str = ""
    supported_effort_levels: tuple[str, ...] = ()
    resolved_model: str = ""


class _Initialized(Shape, frozen=True, gc=False):
    models: tuple[_Model, ...] = ()


class _Response(Shape, frozen=True, gc=False):
    request_id: str = ""
    error: str = ""
    response: _Initialized = _Initialized()


class _Line(Shape, frozen=True, gc=False):
    type: str = ""
    response: _Response = _Response()


_LINE = msgspec.json.Decoder(_Line)


class ClaudeModels(LineDecoder):
    """Its models, asked of a new process, which then has to be ended: no prompt is said. Once it is *over*,
    *found* are the models, and *failed* is why there are none."""

    def __init__(self, turn: str, limit: int = LINE_LIMIT) -> None:
        super().__init__(self._hear, limit)
        self._key = f"{turn}:initialize"
        self._due = [claude_words.request(self._key, {"subtype": "initialize"})]
        self.found: tuple[Model, ...] = ()
        self.failed = ""
        self.over = False

    def due(self) -> list[Word]:
        due, self._due = self._due, []
        return due

    def _hear(self, line: bytes) -> list[EngineEvent]:
        if b'"control_response"' not in line or self.over:
            return []
        try:
            read = _LINE.decode(mended(line))
        except (msgspec.DecodeError, RecursionError) as error:
            self.failed, self.over = str(error), True
            return [Malformed(head(line), f"initialize: {error}")]
        if read.response.request_id == self._key:
            self.found = tuple(map(_model, read.response.response.models))
            self.failed, self.over = read.response.error, True
        return []


def _model(row: _Model) -> Model:
    label, efforts = row.display_name or row.value, row.supported_effort_levels
    return Model(row.value, label, efforts, default=row.value == USUAL, full=row.resolved_model)
