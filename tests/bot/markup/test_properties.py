"""Any Markdown, cut off anywhere, as a person gets to see it in each chat."""

from __future__ import annotations

import os
import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.markup import matrix, telegram, terminal
from bot.markup.blocks import PicturePart
from core.answers.markdown import clean
from tests.support import documents, telegram_rules

DOCUMENTS = int(os.environ.get("ROOST_DOCUMENTS", "100"))
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


SCRAPS = (
    *(
        "[1]: https://a.example",
        "[a]: b 'c'",
        "[a]",
        "`" * 40,
        "```",
        "~~~ x",
        "> ",
        "- ",
        "  ",
        "\n",
        "\n\n",
        "#",
    ),
    *(
        "|",
        "|-",
        "![](",
        ")",
        "<!-- x -->",
        "<b>",
        "&#8203;",
        "&#12;",
        "\u200b",
        "\u202e",
        "\x00",
        "*",
        "_",
        "$",
    ),
    *("x", "\u0301", "\ud800", "\\", "---", "***", "===", "[x](", "[ ] ", "~~", "    ", "\t", ":"),
)
scraps = st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join)


@patient
@many
@given(scraps | st.text(max_size=60), st.sampled_from((1, 1, 1, 30)))
@example("- #", 1)
@example("1. #\n- ##", 1)
def test_of_what_has_a_sign_to_see_something_is_seen(scrap: str, times: int) -> None:
    text = scrap * times
    seen = documents.visible("".join(map(shown, telegram.render(text))))
    assert bool(seen) == bool(documents.visible(clean(text)))
    assert (
        documents.visible(
            "".join(part.body for part in matrix.render(text) if isinstance(part, matrix.TextPart))
        )
        or not seen
    )
    assert documents.visible("".join(map(shown, terminal.render(text, width=80)))) or not seen


@pytest.mark.parametrize(
    "text",
    [
        "> " * 300 + "the answer",
        "".join("  " * level + f"- level {level}\n" for level in range(60)),
        "- " * 150 + "deep",
        "".join(f"{'> ' * level}words{level}\n" for level in range(90, 120)),
        "\n".join(f"[{n}]: https://docs.example.org/page/{n}/some/long/path" for n in range(1, 15)),
        "See the sources.\n\n[1]: https://docs.example.org/page\n[2]: https://docs.example.org/other",
        "See [1].\n\n[1]: https://docs.example.org/page\n[2]: https://docs.example.org/other",
        "> [1]: https://docs.example.org/page\n\nSee.",
        "[1]: https://a.example/first\n[1]: https://a.example/second\n\n[1]",
    ],
)
def test_no_word_is_lost(text: str) -> None:
    parts = telegram.render(text, limit=1_000)
    seen = "".join(map(shown, parts))
    seen += "".join(
        e.url or "" for part in parts if isinstance(part, telegram.TextPart) for e in part.entities
    )
    assert all(word in seen for word in re.findall(r"[a-z]+\d+|https:\S+|deep|answer|See", text))


def test_signs_that_make_nothing_are_shown_as_they_are() -> None:
    assert "".join(map(shown, telegram.render("`" * 600))) == "`" * 600
    assert telegram.render("\u200b" * 600) == []


def test_a_long_text_full_of_styles_takes_linear_time() -> None:
    """Where any step looks at all styles for each of them, this takes minutes."""
    text = "**a** `b` [c](https://a.example)\n" * 4_000
    assert len(telegram.render(text)) > 100
    assert len(matrix.render(text)) > 10
    assert len(terminal.render(text, width=80, colour=True)) == 1
