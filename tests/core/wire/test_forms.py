"""Forms that a person fills in by words and buttons."""

from __future__ import annotations

import msgspec
import pytest

from core.model.events import Asked, AskKind, Choice, Grant
from core.wire.forms import DECLINE, LONGEST, Field, Schema, filled, questions

NO = Choice(DECLINE, Grant.DENY)
COLOURS = {"type": "array", "items": {"anyOf": [{"const": "r", "title": "Red"}, {"const": "b"}]}}
SIZES = {"type": "string", "enum": ["s", "l"], "enumNames": ["small", "large"]}


def field(shape: object) -> Field:
    return msgspec.convert(shape, Field)


@pytest.mark.parametrize(
    ("shape", "words", "value"),
    [
        ({"type": "string"}, "anything", "anything"),
        ({"type": "integer"}, "3", 3),
        ({"type": "integer"}, "three", "three"),
        ({"type": "integer"}, "9" * 40, "9" * 40),
        ({"type": "number"}, "1.5", 1.5),
        ({"type": "number"}, "inf", "inf"),
        ({"type": "new in a later version"}, "x", "x"),
        (COLOURS, "red, b", ["r", "b"]),
        (COLOURS, "green", ["green"]),
        ({"type": "array"}, "a,b", ["a", "b"]),
    ],
)
def test_words_go_as_the_field_has_them_and_as_they_are_where_they_do_not_fit(
    shape: object, words: str, value: object
) -> None:
    found = filled(field(shape), "", words)
    assert (found, type(found)) == (value, type(value))
    msgspec.json.encode(found)


@pytest.mark.parametrize(
    ("shape", "choice", "value"),
    [
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "false", False),
        (SIZES, "l", "l"),
        (SIZES, "large", None),
        (COLOURS, "r", ["r"]),
        ({"type": "integer"}, "3", None),
    ],
)
def test_a_choice_counts_where_it_is_offered(shape: object, choice: str, value: object) -> None:
    assert filled(field(shape), choice, "") == value


def test_only_what_is_required_is_asked_and_all_where_nothing_is() -> None:
    properties = {"a": {"type": "string"}, "b": {"type": "string"}}
    some, every = ({"properties": properties, "required": names} for names in (["b"], []))
    assert list(msgspec.convert(some, Schema).asked) == ["b"]
    assert list(msgspec.convert(every, Schema).asked) == ["a", "b"]
    assert msgspec.convert({}, Schema).asked == {}


def test_each_field_is_a_question_that_says_what_it_is_about() -> None:
    fields = {"size": field(SIZES), "n": field({"type": "integer", "title": "Pieces", "description": "≥ 1"})}
    assert questions("k", "Order?", fields, "shop") == (
        Asked(
            "k:size",
            AskKind.QUESTION,
            "Order?\nsize",
            (Choice("s", Grant.OPTION, "small"), Choice("l", Grant.OPTION, "large"), NO),
            "shop",
        ),
        Asked("k:n", AskKind.QUESTION, "Order?\nPieces\n≥ 1", (NO,), "shop", free=True),
    )


def test_one_field_without_a_name_for_people_is_the_question_itself() -> None:
    (asked,) = questions("k", "Which?", {"x": field({"type": "string"})})
    assert (asked.title, asked.free) == ("Which?", True)


def test_no_field_is_a_question_of_yes_or_no() -> None:
    (asked,) = questions("k", "Agreed?", {})
    assert [one.grant for one in asked.choices] == [Grant.ONCE, Grant.DENY]


@pytest.mark.parametrize("shape", [{"enum": ["decline", "go on"]}, {"enum": ["true", "decline"]}])
def test_an_option_called_like_a_refusal_is_none(shape: object) -> None:
    (asked,) = questions("k", "Which?", {"x": field(shape)})
    chosen = [one.id for one in asked.choices if one.label == "decline"]
    assert [filled(field(shape), one, "") for one in chosen] == ["decline"]
    assert DECLINE not in chosen


def test_of_very_many_options_one_is_named_in_words() -> None:
    named = [{"const": str(at), "title": f"Number {at}"} for at in range(5_000)]
    many = field({"oneOf": named})
    (asked,) = questions("k", "Which?", {"x": many})
    assert (asked.choices, asked.free, asked.detail.split("\n")[0]) == ((NO,), True, "Number 0")
    assert len(asked.detail) <= LONGEST
    assert [filled(many, "", words) for words in ("number 77", "78", "odd")] == ["77", "78", "odd"]


def test_a_form_that_nobody_would_fill_in_is_one_question_that_can_only_be_declined() -> None:
    fields = {str(at): field({}) for at in range(500)}
    assert questions("k", "All of it?", fields) == (Asked("k", AskKind.QUESTION, "All of it?", (NO,)),)


def test_a_question_of_any_length_is_cut_off() -> None:
    (asked,) = questions("k", "x" * 10**6, {"y" * 10**6: field({"description": "z" * 10**6})}, "w" * 10**6)
    assert len(asked.title) + len(asked.reason) <= 4 * LONGEST
    assert asked.title.count("x…") == 1  # or the beginning of a secret there is none to whoever masks it
    assert asked.reason.endswith("w…")
