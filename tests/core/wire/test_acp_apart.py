"""A session that is loaded by its name after a blank, as Gemini's are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.events import Message, SessionStarted, TurnFailed
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.acp import AcpDialogue, Manner
from tests.support.acp_client import scripted

APART = Manner(loads_apart=True)


def asking(session: str) -> TurnRequest:
    return TurnRequest("/", "Hello", Access.FULL, {}, session=SessionId(session))


@pytest.mark.parametrize(
    ("offers", "known", "told"),
    [(("elephant",), " old", []), ((), "old", ["t:reload"])],
    ids=["any name", "strict about names"],
)
def test_a_session_that_is_loaded_apart(offers: tuple[str, ...], known: str, told: list[str]) -> None:
    for session in ("old", " old"):
        with scripted(*offers) as agent:
            wanted = asking(session)
            events = agent.turn(AcpDialogue(wanted, "t", warm=False, manner=APART))
            warm = replace(wanted, session=SessionId(known))
            more = agent.turn(AcpDialogue(warm, "u", warm=True, manner=APART))
        assert agent.told == ["t:initialize", "t:load", *told, "t:prompt", "u:prompt"]
        assert events[0] == SessionStarted(SessionId(known))
        said = [event.text for event in (*events, *more) if isinstance(event, Message)]
        assert said == ["Hello", "Hello"]


def test_a_session_that_is_loaded_apart_may_be_gone() -> None:
    with scripted() as agent:
        events = agent.turn(AcpDialogue(asking("gone"), "t", warm=False, manner=APART))
    assert events == [TurnFailed("session/load: Resource not found Session not found: gone")]
