"""Telegram's rules, as our check keeps them, let no known fault through."""

from __future__ import annotations

import pytest

from bot.markup.telegram import Entity
from tests.support.telegram_rules import covered, faults

LINK = Entity("text_link", 0, 2, url="https://a.example")


def test_a_good_message() -> None:
    entities = (Entity("blockquote", 0, 7), Entity("bold", 0, 2), LINK, Entity("pre", 3, 4, language="py"))
    assert faults("ab\n🙂🙂", entities) == []
    assert covered("ab\n🙂🙂", entities[3]) == "🙂🙂"


@pytest.mark.parametrize(
    ("text", "entities", "fault"),
    [
        ("x" * 4097, (), "message is too long"),
        ("🙂" * 2049, (), "message is too long"),
        (" \n ", (), "non-empty"),
        ("a\x00b", (), "control"),
        ("a\u0085b", (), "control"),
        ("x" * 101, tuple(Entity("bold", place, 1) for place in range(101)), "101 entities"),
        ("a", (Entity("bold", 0, 2),), "out of the text"),
        ("a", (Entity("bold", 0, 0),), "out of the text"),
        ("a", (Entity("heading", 0, 1),), "unknown type"),
        ("🙂", (Entity("bold", 1, 1),), "surrogate"),
        ("a b", (Entity("bold", 1, 1),), "over nothing"),
        ("ab", (Entity("text_link", 0, 2, url="src/a.py"),), "bad URL"),
        ("ab", (Entity("text_link", 0, 2, url="http://localhost"),), "bad URL"),
        ("ab", (LINK, LINK), "links nest"),
        ("ab", (LINK, Entity("code", 0, 1)), "code holds"),
        ("ab", (Entity("bold", 0, 2), Entity("code", 0, 1)), "code holds"),
        ("abc", (LINK, Entity("bold", 1, 2)), "link is crossed"),
        ("abc", (Entity("blockquote", 0, 2), Entity("bold", 1, 2)), "quote is crossed"),
        ("abc", (Entity("blockquote", 0, 3), Entity("blockquote", 1, 1)), "quotes nest"),
    ],
)
def test_a_fault_is_named(text: str, entities: tuple[Entity, ...], fault: str) -> None:
    (found,) = faults(text, entities)
    assert fault in found
