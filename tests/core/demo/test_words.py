"""Numbers and sizes in the built-in agent's languages."""

from __future__ import annotations

import pytest

from core.demo.words import ENGLISH, FRENCH, Words


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [
        (ENGLISH, 0, "0 files"),
        (ENGLISH, 1, "1 file"),
        (ENGLISH, 12_345, "12,345 files"),
        (FRENCH, 0, "0 fichier"),
        (FRENCH, 1, "1 fichier"),
        (FRENCH, 12_345, "12 345 fichiers"),
    ],
)
def test_a_number_takes_its_noun(language: Words, number: int, said: str) -> None:
    assert language.counted(number, language.file) == said


@pytest.mark.parametrize(
    ("language", "size", "said"),
    [
        (ENGLISH, 0, "0 B"),
        (ENGLISH, 999, "999 B"),
        (ENGLISH, 1_500, "1.5 kB"),
        (ENGLISH, 48_200, "48 kB"),
        (ENGLISH, 3 * 10**15, "3000 TB"),
        (FRENCH, 1_500_000, "1,5 Mo"),
    ],
)
def test_a_size_is_told_in_two_figures_or_so(language: Words, size: int, said: str) -> None:
    assert language.size(size) == said
