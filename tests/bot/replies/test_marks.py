"""Nothing that others wrote changes what stands around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.replies.marks import block, code, cut, literal, preview, quiet
from core.answers.markdown import parse, parse_inline
from tests.support.fake_chat import visible

ODD = st.text(alphabet=st.sampled_from("ab `*_[]()<>~\\!#&;$|\n\u202e\u2066é日😀"), max_size=80) | st.text(
    max_size=80
)


@given(ODD)
def test_code_is_one_span_of_one_line_whatever_is_in_it(text: str) -> None:
    tokens = parse_inline(f"✓ Ran {code(text)} · exit 4")[0].children or []
    assert [token.type for token in tokens] == ["text", "code_inline", "text"]
    assert tokens[0].content + tokens[2].content == "✓ Ran  · exit 4"
    assert 0 < len(tokens[1].content) <= 60
    assert "\u202e" not in tokens[1].content


@given(ODD)
def test_a_name_stays_plain_words(text: str) -> None:
    tokens = parse_inline(f"after *{literal(text) or 'x'}* and")[0].children or []
    kinds = {token.type for token in tokens}
    assert kinds <= {"text", "em_open", "em_close", "text_special"}


@pytest.mark.parametrize(
    "name", ["my_shop_2", "a*b*c", "<b>x</b>", "`rm`", "&amp;", "#1", "[x](y)", "~~x~~", "$x$"]
)
def test_a_name_is_read_as_it_was_written(name: str) -> None:
    assert visible(f"In **{literal(name)}**.") == f"In {name}."


def test_a_name_cannot_turn_the_line_or_lead_away() -> None:
    assert literal("shop\u202e\u2066 x\nhttps://evil.example/x") == "shop x"


def test_long_words_are_cut_and_say_so() -> None:
    assert cut("x" * 60, 60) == "x" * 60
    assert cut("x" * 61, 60) == "x" * 59 + "…"
    assert (
        preview("Why does the checkout page take three seconds?")
        == "Why does the checkout page take three s…"
    )
    assert preview("\n \u200b") == "…"


@given(ODD)
def test_a_block_holds_everything(text: str) -> None:
    tokens = parse(f"Its words:\n\n{block(text)}")
    assert [token.type for token in tokens][-1] == "fence"
    assert sum(token.type == "fence" for token in tokens) == 1


def test_empty_lines_are_left_out() -> None:
    assert quiet("a", "", "b").markdown == "a\nb"
    assert quiet("a").silent
