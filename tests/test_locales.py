"""Every sentence is there in every language, fits its key, and is said by somebody."""

from __future__ import annotations

import ast
import re
import string
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from tests.support.tree import ROOT, beneath, modules

SOURCES = {path.parts[-3]: path for path in sorted(ROOT.glob("locales/*/LC_MESSAGES/roost.po"))}
LANGUAGES = ("en", "fr")  # at least these
NO_KEYS = ("core.wire", "core.model", "core.demo")  # dotted names there are others' words
REASONS = "core.model.reasons"  # but here
KEY = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+(?<!\.lock)(?<!\.db)(?<!\.toml)")

Forms: TypeAlias = tuple[str, ...]


@cache
def catalogue(language: str) -> Catalog:
    with SOURCES[language].open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def sentences(language: str) -> dict[str, Forms]:
    """Key → its sentence, or its plural forms."""
    return {key_of(m): forms(m) for m in catalogue(language) if m.id}


def key_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(message: Message) -> Forms:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@cache
def said() -> tuple[frozenset[str], re.Pattern[str]]:
    """Keys that stand whole in the code, and the shapes of those that it puts together."""
    whole, shapes = set(), ["$^"]
    for module in modules():
        if module.name != REASONS and any(beneath(module.name, place) for place in NO_KEYS):
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                whole.add(node.value)
            elif isinstance(node, ast.JoinedStr) and "." in (shape := shape_of(node)):
                shapes.append(shape)
    return frozenset(whole), re.compile("|".join(shapes))


def shape_of(node: ast.JoinedStr) -> str:
    """`f"state.{name}"` → a pattern; empty where it does not begin with a family of keys."""
    parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
    if not isinstance(parts[0], str) or not re.match(r"[a-z_]+\.", parts[0]):
        return ""
    return "".join(re.escape(part) if isinstance(part, str) else "[a-z0-9_-]+" for part in parts)


def test_the_languages_are_there() -> None:
    assert set(LANGUAGES) <= SOURCES.keys()


@pytest.mark.parametrize("language", SOURCES)
def test_no_sentence_is_missing_or_left_over(language: str) -> None:
    assert sentences(language).keys() ^ sentences("en").keys() == set()


@pytest.mark.parametrize("language", SOURCES)
def test_no_sentence_is_empty_or_unsure(language: str) -> None:
    assert not [key for key, said_so in sentences(language).items() if not all(said_so)]
    assert not [message.id for message in catalogue(language) if message.id and message.fuzzy]


@pytest.mark.parametrize("language", SOURCES)
def test_counted_sentences_have_a_form_for_every_count(language: str) -> None:
    counted = [m for m in catalogue(language) if m.pluralizable and m.id]
    wrong = [key_of(m) for m in counted if len(forms(m)) != catalogue(language).num_plurals]
    assert not wrong
    english = {key_of(m) for m in catalogue("en") if m.pluralizable}
    assert {key_of(m) for m in counted} == english


@pytest.mark.parametrize("language", SOURCES)
def test_sentences_ask_for_the_same_fields(language: str) -> None:
    english = sentences("en")
    for key, own in sentences(language).items():
        wanted = set().union(*map(fields, english[key]))
        assert set().union(*map(fields, own)) == wanted, key


@pytest.mark.parametrize("language", SOURCES)
def test_the_voice_is_calm(language: str) -> None:
    for key, own in sentences(language).items():
        assert "!" not in "".join(own) or key.startswith("instruct."), key


def test_every_sentence_that_is_said_is_there() -> None:
    families = {key.split(".")[0] for key in sentences("en")}
    whole, _ = said()
    assert not [key for key in whole if key.split(".")[0] in families and key not in sentences("en")]


def test_texts_are_asked_for_keys_that_are_there() -> None:
    calls = (node for module in modules() for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    asked = {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("say", "count") and call.args
        if isinstance(call.args[0], ast.Constant) and KEY.fullmatch(str(call.args[0].value))
    }
    assert asked <= sentences("en").keys()


def test_every_sentence_is_said_by_somebody() -> None:
    whole, shapes = said()
    assert not [key for key in sentences("en") if key not in whole and not shapes.fullmatch(key)]


def test_a_catalogue_is_compiled_beside_its_source() -> None:
    assert not [path for path in SOURCES.values() if not Path(path).with_suffix(".mo").exists()]
