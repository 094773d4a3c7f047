"""Any Markdown, cut off anywhere, as a person gets to see it in each chat."""

from __future__ import annotations

import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.markup import matrix, telegram, terminal
from bot.markup.blocks import PicturePart
from tests.support import documents, telegram_rules

DOCUMENTS = int(os.environ.get("ROOST_DOCUMENTS", "300"))
PICTURES = frozenset({"o.png"})
LIMITS = ((4096, 100), (4096, 100), (300, 12))

many = settings(max_examples=DOCUMENTS, deadline=None, database=None, suppress_health_check=list(HealthCheck))
fewer = settings(many, max_examples=max(DOCUMENTS // 10, 50))
patient = pytest.mark.timeout(60 + DOCUMENTS // 4)


def shown(part: PicturePart | telegram.TextPart | terminal.TextPart) -> str:
    return part.alt if isinstance(part, PicturePart) else part.text


def code_of(part: telegram.TextPart) -> str:
    code = (entity for entity in part.entities if entity.type in ("code", "pre"))
    return "".join(telegram_rules.covered(part.text, entity) for entity in code)


@patient
@many
@given(documents.documents(), st.sampled_from(LIMITS))
def test_telegram_takes_every_prefix_whole(document: str, limits: tuple[int, int]) -> None:
    longest, most = limits
    for text in documents.prefixes(document):
        parts = telegram.render(text, pictures=PICTURES, limit=longest, max_entities=most)
        messages = [part for part in parts if isinstance(part, telegram.TextPart)]
        for message in messages:
            assert telegram_rules.faults(message.text, message.entities, longest=longest, most=most) == []
            assert not documents.begins_inside_a_sign(message.text)
        assert documents.in_order(documents.ink(text), documents.visible("".join(map(shown, parts))))
        all_code = documents.visible("".join(map(code_of, messages)))
        assert documents.in_order("".join(documents.code(text)), all_code)


@patient
@fewer
@given(documents.documents(), st.sampled_from((24_000, 1_500)))
def test_matrix_messages_fit_and_are_whole(document: str, limit: int) -> None:
    for text in documents.prefixes(document, 4):
        parts = matrix.render(text, pictures=PICTURES, limit=limit)
        bodies = "".join(part.alt if isinstance(part, PicturePart) else part.body for part in parts)
        assert documents.in_order(documents.ink(text), documents.visible(bodies))
        for part in parts:
            assert isinstance(part, PicturePart) or (part.size <= limit and part.body.strip() and part.html)


@patient
@fewer
@given(documents.documents(), st.booleans(), st.integers(20, 120))
def test_a_terminal_shows_everything_and_obeys_nothing(document: str, colour: bool, width: int) -> None:
    parts = terminal.render(document, width=width, pictures=PICTURES, colour=colour)
    text = "".join(map(shown, parts))
    plain = re.sub(r"\x1b\[[0-9;]+m", "", text) if colour else text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", plain)
    assert documents.in_order(documents.ink(document), documents.visible(plain))


def test_a_long_text_full_of_styles_takes_linear_time() -> None:
    """Where any step looks at all styles for each of them, this takes minutes."""
    text = "**a** `b` [c](https://a.example)\n" * 4_000
    assert len(telegram.render(text)) > 100
    assert len(matrix.render(text)) > 10
    assert len(terminal.render(text, width=80, colour=True)) == 1
