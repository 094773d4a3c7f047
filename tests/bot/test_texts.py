"""Sentences and figures in the reader's language."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from bot.texts import MissingText, Texts, clock, languages

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """Catalogues of which the French one is not complete."""
    for language, sentences in {
        "en": {"a.b": "Only English, {name}."},
        "fr": {"a.c": "Seulement en français."},
    }.items():
        catalogue = Catalog(locale=language)
        for key, sentence in sentences.items():
            catalogue.add(key, sentence)
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "roost.mo").open("wb") as file:
            write_mo(file, catalogue)
    return tmp_path


def test_a_sentence_is_said_in_the_readers_language() -> None:
    assert EN.say("cancel.too_late") == "That had already ended."
    assert FR.say("cancel.too_late") == "C’était déjà terminé."
    assert EN.say("cancel.next", what="fix") == "Next: *fix*."


def test_counted_sentences_follow_the_language() -> None:
    assert [EN.count("progress.steps", n) for n in (0, 1, 2)] == ["0 steps", "1 step", "2 steps"]
    assert [FR.count("progress.steps", n) for n in (0, 1, 2)] == ["0 étape", "1 étape", "2 étapes"]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("en", "en"),
        ("fr", "fr"),
        ("fr_CA", "fr"),
        ("fr-ca", "fr"),
        ("zh", "en"),
        ("", "en"),
        ("../../etc", "en"),
    ],
)
def test_an_unknown_language_gives_its_base_then_english(asked: str, given: str) -> None:
    assert Texts(asked).language == given
    assert Texts(asked).say("button.stop") == Texts(given).say("button.stop")


def test_english_and_french_are_there() -> None:
    assert {"en", "fr"} <= set(languages())


def test_a_reader_always_gets_something(torn: Path) -> None:
    texts = Texts("fr", locales=torn)
    assert texts.say("a.c") == "Seulement en français."
    assert texts.say("a.b", name="Ann") == "Only English, Ann."
    assert texts.say("a.b") == "Only English, …."
    assert texts.say("a.d") == "a.d"
    assert Texts("fr", locales=torn / "nowhere").say("a.b") == "a.b"


def test_a_test_gets_an_error_instead(torn: Path) -> None:
    french, english = (Texts(name, strict=True, locales=torn) for name in ("fr", "en"))
    for texts, key in ((french, "a.b"), (english, "a.b"), (english, "a.d")):
        with pytest.raises(MissingText, match=key):
            texts.say(key)


def test_which_keys_are_known(torn: Path) -> None:
    texts = Texts("fr", locales=torn)
    assert [texts.knows(key) for key in ("a.b", "a.c", "a.d")] == [True, True, False]


def test_what_is_filled_in_is_never_read_as_a_sentence() -> None:
    assert EN.say("cancel.next", what="{what} {0} {x.y}") == "Next: *{what} {0} {x.y}*."


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00"), (12.9, "0:12"), (65, "1:05"), (3_599, "59:59"), (3_723, "1:02:03"), (-1, "0:00")],
)
def test_a_clock(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


@pytest.mark.parametrize(
    ("size", "english", "french"),
    [
        (0, "0 bytes", "0 octets"),
        (999, "999 bytes", "999 octets"),
        (1_000, "1 kB", "1 ko"),
        (1_234_567, "1.2 MB", "1,2 Mo"),
        (48_000_000, "48 MB", "48 Mo"),
        (1_200_000_000, "1.2 GB", "1,2 Go"),
    ],
)
def test_a_size(size: int, english: str, french: str) -> None:
    assert (EN.size(size), FR.size(size)) == (english, french)


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [(0, "0"), (999, "999"), (31_400, "31k"), (182_000, "182k"), (999_600, "1M"), (1_250_000, "1.2M")],
)
def test_tokens(tokens: int, shown: str) -> None:
    assert EN.tokens(tokens) == shown


@pytest.mark.parametrize(
    ("seconds", "english", "french"),
    [
        (5, "5 s ago", "il y a 5 s"),
        (119, "1 min ago", "il y a 1 min"),
        (3 * 3_600, "3 h ago", "il y a 3 h"),
        (200_000, "2 d ago", "il y a 2 j"),
        (-3, "0 s ago", "il y a 0 s"),
    ],
)
def test_how_long_ago(seconds: float, english: str, french: str) -> None:
    assert (EN.ago(seconds), FR.ago(seconds)) == (english, french)
