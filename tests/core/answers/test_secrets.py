"""What a reader sees in place of a secret."""

from __future__ import annotations

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


def test_without_secrets_only_tokens_are_masked() -> None:
    assert Masker([]).mask(f"a {TOKEN} b") == f"a {MASK} b"


def test_long_texts_with_many_secrets() -> None:
    secrets = [f"secret-number-{number}" for number in range(50)]
    text = "\n".join(f"{secret} and words " + "x" * 6_000 for secret in secrets)
    masked = Masker(secrets).mask(text)
    assert masked == "\n".join(f"{MASK} and words " + "x" * 6_000 for _ in secrets)
