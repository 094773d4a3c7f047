"""Signatures and recovery keys are those of the specification, whoever made them."""

from __future__ import annotations

import pytest

from bot.matrix.recovery import BadRecoveryKey, opened, recovery_key
from bot.matrix.signing import (
    Seeds,
    cross_signing_key,
    holds,
    public,
    signature,
    signed_devices,
    signs,
    unpadded,
    vouches,
)
from bot.matrix.wire import Ciphertext, Json, SignedKey
from tests.matrix.recovery import sealed, written

SEED = "YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1"
"""Of the specification's own examples (appendices, «Cryptographic test vectors»), as are these:"""
NOTHING = "K8280/U9SSy9IVtjBuVeLr+HpOB4BQFWbg+UZaADMtTdGYI7Geitb76LTrr5QV/7Xg4ahLwYGYZzuHGZKM5ZAQ"
SOMETHING = "KqmLSbO39/Bzb0QIYE82zqLwsA+PDzYIpIRA2sRQ4sL53+sN6/fpNSoqE7BP7vBZhG6kYdD13EIMJpvhJI+6Bw"

ANN = "@ann:x"


def test_the_signatures_of_the_specification() -> None:
    assert signature(SEED, {}) == NOTHING
    assert signature(SEED, {"one": 1, "two": "Two"}) == SOMETHING
    assert signature(SEED, {"two": "Two", "one": 1, "unsigned": {}, "signatures": {}}) == SOMETHING
    assert holds(public(SEED), {"one": 1, "two": "Two"}, SOMETHING)
    assert not holds(public(SEED), {"one": 2, "two": "Two"}, SOMETHING)


@pytest.mark.parametrize("wrong", ["", "=", "ü", "AAAA", unpadded(bytes(32)), unpadded(b"\xff" * 32)])
def test_what_is_no_key_or_no_signature_holds_nothing(wrong: str) -> None:
    assert not holds(wrong, {}, NOTHING)
    assert not holds(public(SEED), {}, wrong)


def test_an_identity_vouches_for_its_own_devices_alone() -> None:
    seeds, other = Seeds.new(), Seeds.new()

    def key(usage: str, seed: str, by: str) -> SignedKey:
        made = signs(ANN, by, cross_signing_key(ANN, usage, seed))
        return SignedKey(ANN, [usage], made["keys"], made["signatures"])  # type: ignore[arg-type]

    master = key("master", seeds.master, seeds.master)
    ours = key("self_signing", seeds.self_signing, seeds.master)
    forged = key("self_signing", other.self_signing, other.master)
    assert vouches(master, ours)
    assert not vouches(master, forged)
    device = {"user_id": ANN, "device_id": "D", "keys": {"curve25519:D": "a"}}
    devices: dict[str, Json] = {
        "D": signs(ANN, seeds.self_signing, device),
        "E": signs(ANN, other.self_signing, {**device, "device_id": "E"}),
        "F": signs(ANN, seeds.self_signing, device),
        "G": {**device, "device_id": "G"},
        "H": {**signs(ANN, seeds.self_signing, device), "keys": {"curve25519:D": "b"}},
    }
    assert signed_devices(ANN, devices, ours) == {"D"}


def test_a_recovery_key_opens_what_it_closed() -> None:
    key = bytes(range(32))
    secret = sealed(key, "m.cross_signing.master", SEED)
    words = written(key)
    assert words.startswith("Es")
    assert recovery_key(words) == recovery_key(words.replace(" ", "")) == key
    closed = Ciphertext(secret["iv"], secret["ciphertext"], secret["mac"])
    assert opened(key, "m.cross_signing.master", closed) == SEED
    for wrong in (bytes(32), key[::-1]):
        with pytest.raises(BadRecoveryKey):
            opened(wrong, "m.cross_signing.master", closed)
    with pytest.raises(BadRecoveryKey):
        opened(key, "m.cross_signing.self_signing", closed)


@pytest.mark.parametrize("words", ["", "EsT", "0OIl", written(bytes(32))[:-1] + "x", "z" * 60])
def test_other_words_are_no_recovery_key(words: str) -> None:
    with pytest.raises(BadRecoveryKey):
        recovery_key(words)
