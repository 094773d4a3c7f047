"""What a reader sees in place of a secret."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable
from urllib.parse import quote

import pytest

from core.answers.secrets import MASK, Masker

TOKEN = "7000001:FAKE_TOKEN_FOR_TESTS_ONLY"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("the key is s3cret/key+1.", f"the key is {MASK}."),
        ("url?key=s3cret%2Fkey%2B1&x", f"url?key={MASK}&x"),
        (r"s3cret\/key+1 s3cret/key\+1", f"{MASK} {MASK}"),
        (f"your token is {TOKEN}", f"your token is {MASK}"),
        (r"7000001:FAKE\_TOKEN\_FOR\_TESTS\_ONLY!", f"{MASK}!"),
        (f"https://api.telegram.org/bot{TOKEN}/getMe", f"https://api.telegram.org/bot{MASK}/getMe"),
        ("a long secret, a long secret with more", f"{MASK}, {MASK}"),
        ("12:30:45, 2026-11-30T10:00:00, 1234567:short, short", None),
        ("S3CRET/KEY+1", None),
    ],
)
def test_secrets_are_masked(text: str, masked: str | None) -> None:
    masker = Masker(["s3cret/key+1", "short", "", "a long secret", "a long secret with more"])
    assert masker.mask(text) == (text if masked is None else masked)


ODD = 'p<ss/w&rd\'s+"1"'


@pytest.mark.parametrize(
    "form", [quote(ODD), quote(ODD, safe=""), html.escape(ODD), html.escape(ODD, quote=False)]
)
def test_a_secret_is_known_in_the_clothes_of_the_web(form: str) -> None:
    assert Masker([ODD]).mask(f"<a href='?key={form}'>") == f"<a href='?key={MASK}'>"


@pytest.mark.parametrize("before", ["", "a", "ab", "ann:", "Bearer "])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_a_secret_is_known_in_base64_wherever_it_begins(
    before: str, encode: Callable[[bytes], bytes]
) -> None:
    secret = "s3cret?key>ÿÿ1"
    said = encode(f"{before}{secret} and more".encode()).decode()
    masked = Masker([secret]).mask(f"Authorization: Basic {said}")
    assert MASK in masked
    shown = masked.removeprefix("Authorization: Basic ").split(MASK)
    assert sum(map(len, shown)) < len(said) - len(secret)
    assert Masker([secret]).mask(encode(secret.encode()).decode()) == MASK


def test_a_secret_that_is_no_text_does_not_keep_the_others_from_being_masked() -> None:
    assert Masker(["no\udcfftext", "a secret"]).mask("a secret, no\udcfftext") == f"{MASK}, {MASK}"


def test_without_secrets_only_tokens_are_masked() -> None:
    assert Masker([]).mask(f"a {TOKEN} b") == f"a {MASK} b"


def test_long_texts_with_many_secrets() -> None:
    secrets = [f"secret-number-{number}" for number in range(50)]
    text = "\n".join(f"{secret} and words " + "x" * 6_000 for secret in secrets)
    masked = Masker(secrets).mask(text)
    assert masked == "\n".join(f"{MASK} and words " + "x" * 6_000 for _ in secrets)


@pytest.mark.parametrize("length", range(6, 22))
def test_what_is_left_of_a_secret_behind_a_cut_is_masked(length: int) -> None:
    masker = Masker(["sk-house_key/0123456789"])
    left = "sk-house_key/0123456789"[-length:]
    assert masker.mask(f"…{left} and more…") == f"…{MASK} and more…"
    assert masker.mask(f"1…\n\n{left.replace('_', chr(92) + '_')}") == f"1…\n\n{MASK}"
    assert masker.mask(f"…{left[:-1]}") == f"…{left[:-1]}"


@pytest.mark.parametrize("length", range(6, 22))
def test_what_was_cut_off_of_a_secret_is_masked(length: int) -> None:
    masker = Masker(["sk-house_key/0123456789"])
    left = "sk-house_key/0123456789"[:length]
    assert masker.mask(f"1 use {left}…") == f"1 use {MASK}…"
    assert masker.mask(f"*key={left.replace('_', chr(92) + '_')}…*") == f"*key={MASK}…*"


@pytest.mark.parametrize("sign", ["\n", "_"])
def test_a_long_secret_is_masked_wherever_it_is_cut_off(sign: str) -> None:
    """A private key has some 1,700 signs, a token of a session a thousand."""
    secret = sign.join(f"{number:08d}" for number in range(200))
    masker = Masker([secret])
    for length in range(6, len(secret), 111):
        for form in (str, lambda part: part.replace("_", r"\_")):
            beginning, end = form(secret[:length].strip("\n")), form(secret[-length:].strip("\n"))
            assert masker.mask(f"use {beginning}…") == f"use {MASK}…"
            assert masker.mask(f"…{end} and") == f"…{MASK} and"
            assert masker.mask(f"…{form(secret[9 : length + 9])}…") == f"…{MASK}…"


def test_other_words_that_were_cut_off_stay() -> None:
    assert Masker(["sk-house_key"]).mask("sk-ho… sk-hous3… house_key… …") == "sk-ho… sk-hous3… house_key… …"
