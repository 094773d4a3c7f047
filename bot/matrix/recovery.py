"""A recovery key as clients show it, and the secrets of an account that it opens."""

from __future__ import annotations

from functools import reduce
from operator import xor

from Crypto.Cipher import AES
from Crypto.Hash import HMAC, SHA256
from Crypto.Protocol.KDF import HKDF

from bot.matrix.signing import decoded
from bot.matrix.wire import Ciphertext

DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
MARK = b"\x8b\x01"
SIZE = 32
ZEROES = bytes(32)


class BadRecoveryKey(ValueError):
    """It is none, or not this account's."""


def recovery_key(text: str) -> bytes:
    """Errors: `BadRecoveryKey`."""
    number = 0
    for sign in "".join(text.split()):
        if sign not in DIGITS:
            raise BadRecoveryKey
        number = number * len(DIGITS) + DIGITS.index(sign)
    size = len(MARK) + SIZE + 1
    if number >= 1 << (8 * size):
        raise BadRecoveryKey
    raw = number.to_bytes(size, "big")
    if not raw.startswith(MARK) or reduce(xor, raw):
        raise BadRecoveryKey
    return raw[len(MARK) : -1]


def opened(key: bytes, name: str, secret: Ciphertext) -> str:
    """The secret of that *name* (`m.secret_storage.v1.aes-hmac-sha2`). Errors: `BadRecoveryKey`."""
    cipher, check = _keys(key, name)
    try:
        text = decoded(secret.ciphertext)
        HMAC.new(check, text, SHA256).verify(decoded(secret.mac))
        aes = AES.new(cipher, AES.MODE_CTR, nonce=b"", initial_value=decoded(secret.iv))
        return aes.decrypt(text).decode()
    except ValueError:
        raise BadRecoveryKey from None


def _keys(key: bytes, name: str) -> tuple[bytes, bytes]:
    made = HKDF(key, SIZE, ZEROES, SHA256, 2, name.encode())
    assert not isinstance(made, bytes)
    cipher, check = made
    return cipher, check
