"""What is done about an intent and what is said of it are one: nothing is done twice after a kill."""

from __future__ import annotations

from tests.support.tree import beneath, modules

OWN_STEPS = ("bot.handlers.desk", "bot.handlers.ask", "bot.handlers.again")
"""The first keeps the room, which can be kept twice; the others store a prompt, which its update names."""


def test_handlers_change_nothing_but_through_the_desk() -> None:
    writing = [m.name for m in modules() if beneath(m.name, "bot.handlers") and ".store.write(" in m.text]
    assert sorted(writing) == sorted(OWN_STEPS)
