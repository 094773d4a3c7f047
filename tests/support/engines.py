"""What an engine reads its agent with."""

from __future__ import annotations

from core.engines.port import Decoder, Engine
from core.model.project import Access
from core.model.request import TurnRequest

REQUEST = TurnRequest("/p", "Go", Access.WORKSPACE, {"HOME": "/h"})


def decoder_of(engine: Engine) -> Decoder:
    """For a new turn."""
    return engine.dialogue(REQUEST, "1")
