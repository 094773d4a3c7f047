"""Buttons as signs and words: which of them stand for which, and what is shown of them."""

from __future__ import annotations

import pytest

from bot.chat import Button, Sign
from bot.matrix.offering import MOST_SEEDS, body, html, offers, plain, seeds
from bot.texts import Texts

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)
ONCE = Button("Once", "/approvals 5 0", sign=Sign.YES, typed=("yes", "once"))
ALWAYS = Button("Always here", "/approvals 5 1", sign=Sign.ALWAYS, typed=("always",))
NO = Button("No", "/approvals 5 2", sign=Sign.NO, typed=("no",))
QUESTION = (ONCE, ALWAYS, NO)
SHOP, BLOG = Button("shop", "/project #1"), Button("blog", "/project #2")
STOP = Button("Stop", "/cancel 7")


def test_a_question_has_signs_and_words() -> None:
    offered = offers(QUESTION)
    assert seeds(offered, sealed=False) == ["✅", "♾️", "❌"]
    assert body(offered, EN, sealed=False) == "✅ Once: yes · ♾️ Always here: always · ❌ No: no"
    assert [one.button.typed for one in offered] == [
        ("✅", "yes", "once"),
        ("♾", "always", "always here"),
        ("❌", "no"),
    ]


def test_where_all_is_encrypted_a_sign_allows_nothing() -> None:
    offered = offers(QUESTION)
    assert seeds(offered, sealed=True) == ["❌"]
    assert body(offered, EN, sealed=True) == "Once: yes · Always here: always · ❌ No: no"
    assert seeds(offers((SHOP, STOP)), sealed=True) == ["🛑"]


def test_what_there_is_to_choose_from_is_numbered() -> None:
    offered = offers((SHOP, BLOG, Button("New project", "/project add")))
    assert seeds(offered, sealed=False) == ["1️⃣", "2️⃣"]
    assert body(offered, EN, sealed=False) == "1️⃣ shop · 2️⃣ blog · New project: !project add"
    assert [one.button.typed for one in offered] == [("1", "shop"), ("2", "blog"), ()]


def test_many_choices_have_no_signs_beneath_and_numbers_still() -> None:
    many = [Button(f"p{number}", f"/project #{number}") for number in range(1, 12)]
    offered = offers(many)
    assert len(many) > MOST_SEEDS
    assert seeds(offered, sealed=False) == []
    assert body(offered[8:], EN, sealed=False) == "9️⃣ p9 · p10: 10 · p11: 11"


def test_a_sign_for_several_things_is_none() -> None:
    """A card of what waits changes under the finger; its commands name what they drop."""
    drops = [Button(f"Remove {number}", f"/queue drop {number}") for number in (5, 6)]
    assert seeds(offers(drops), sealed=False) == []
    assert body(offers(drops), EN, sealed=False) == "Remove 5: !queue drop 5 · Remove 6: !queue drop 6"
    assert seeds(offers([*drops[:1], STOP]), sealed=False) == ["❌", "🛑"]


def test_what_an_answer_offers_is_no_question() -> None:
    """Who types «1» then means what the agent asked."""
    (offer,) = offers([Button("chart.png", "/get #3 0")])
    assert (offer.sign, offer.button.typed, offer.word) == ("", (), "!get #3 0")


def test_a_command_that_is_offered_stands_behind_what_is_typed_for_it() -> None:
    offered = offers([Button("!stop", "/cancel 7", sign=Sign.YES, typed=("yes",))])
    assert body(offered, EN, sealed=False) == "✅ yes: !stop"
    assert body(offered, EN, sealed=True) == "yes: !stop"
    assert html(offered, EN, sealed=True) == "<code>yes</code>: !stop"


def test_the_colon_is_that_of_the_language() -> None:
    offered = offers([Button("Arrêter", "/cancel")])
    assert body(offered, FR, sealed=True) == "🛑 Arrêter\N{NO-BREAK SPACE}: !cancel"
    assert html(offered, FR, sealed=True) == "🛑 Arrêter\N{NO-BREAK SPACE}: <code>!cancel</code>"


def test_a_link_is_shown_as_one() -> None:
    offered = offers([Button("Make me an admin <now>", "", "https://t.me/x")])
    assert body(offered, EN, sealed=False) == "Make me an admin <now>: https://t.me/x"
    assert html(offered, EN, sealed=False) == "Make me an admin &lt;now&gt;: <code>https://t.me/x</code>"


@pytest.mark.parametrize(
    ("said", "word"),
    [("1️⃣", "1"), ("1\u20e3", "1"), ("♾️", "♾"), ("♾", "♾"), (" Yes ", "yes"), ("ALWAYS  here", "always here")],
)
def test_it_does_not_matter_how_an_app_writes_it(said: str, word: str) -> None:
    assert plain(said) == word
