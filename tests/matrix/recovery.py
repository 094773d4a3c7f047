"""Secrets as clients put them into an account, and the recovery key that opens them."""

from __future__ import annotations

import base64
import secrets
from functools import reduce
from operator import xor

from Crypto.Cipher import AES
from Crypto.Hash import HMAC, SHA256
from Crypto.Protocol.KDF import HKDF

from tests.matrix.synapse import Json

DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def sealed(key: bytes, name: str, secret: str) -> Json:
    """As `m.secret_storage.v1.aes-hmac-sha2` of the specification says."""
    made = HKDF(key, 32, bytes(32), SHA256, 2, name.encode())
    iv = secrets.token_bytes(16)
    cipher, check = made
    assert isinstance(cipher, bytes)
    assert isinstance(check, bytes)
    text = AES.new(cipher, AES.MODE_CTR, nonce=b"", initial_value=iv).encrypt(secret.encode())
    mac = HMAC.new(check, text, SHA256).digest()
    return {
        name: base64.b64encode(part).decode()
        for name, part in (("iv", iv), ("ciphertext", text), ("mac", mac))
    }


def written(key: bytes) -> str:
    """A recovery key as clients show it."""
    marked = b"\x8b\x01" + key
    number = int.from_bytes(marked + bytes([reduce(xor, marked)]), "big")
    digits = ""
    while number:
        number, rest = divmod(number, 58)
        digits = DIGITS[rest] + digits
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
