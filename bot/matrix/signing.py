"""Signatures of Matrix keys: who an account is, which device it signs, and whether a signature holds."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping

from Crypto.PublicKey import ECC
from Crypto.Signature import eddsa
from msgspec import Struct
from nio.api import Api

from bot.matrix.wire import Json, SignedKey

ALGORITHM = "ed25519"
SEED_SIZE = 32
GROUP = 4
"""Signs of a fingerprint that stand together, as clients show it."""


class Seeds(Struct, frozen=True):
    """What an account's identity is made from, base64 without padding: lost, the account needs a new one."""

    master: str
    self_signing: str
    user_signing: str

    @staticmethod
    def new() -> Seeds:
        return Seeds(*(unpadded(os.urandom(SEED_SIZE)) for _ in range(3)))


def unpadded(data: bytes) -> str:
    """As Matrix writes base64; clients silently drop an identity that is padded."""
    return base64.b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Errors: `ValueError`."""
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)


def public(seed: str) -> str:
    return unpadded(_private(seed).public_key().export_key(format="raw"))


def signature(seed: str, signed: Mapping[str, object]) -> str:
    return unpadded(eddsa.new(_private(seed), "rfc8032").sign(canonical(signed)))


def holds(key: str, signed: Mapping[str, object], signature: str) -> bool:
    """Whether *signature* of *signed* was made with the private half of *key*."""
    try:
        verifier = eddsa.new(eddsa.import_public_key(decoded(key)), "rfc8032")
        verifier.verify(canonical(signed), decoded(signature))
    except ValueError:
        return False
    return True


def canonical(signed: Mapping[str, object]) -> bytes:
    """What is signed of it: everything but signatures, and what the homeserver adds."""
    bare = {key: value for key, value in signed.items() if key not in ("signatures", "unsigned")}
    return Api.to_canonical_json(bare).encode()


def cross_signing_key(user: str, usage: str, seed: str) -> Json:
    key = public(seed)
    return {"user_id": user, "usage": [usage], "keys": {f"{ALGORITHM}:{key}": key}}


def signs(user: str, seed: str, signed: Mapping[str, object]) -> Json:
    """*signed* with one more signature of that *user*'s."""
    ours = {f"{ALGORITHM}:{public(seed)}": signature(seed, signed)}
    return {**signed, "signatures": {user: ours}}


def vouches(master: SignedKey, other: SignedKey) -> bool:
    """Whether *other* belongs to the identity of *master*."""
    made = other.signatures.get(master.user_id, {}).get(f"{ALGORITHM}:{master.public}", "")
    bare = {"user_id": other.user_id, "usage": other.usage, "keys": other.keys}
    return bool(made) and other.user_id == master.user_id and holds(master.public, bare, made)


def shown(key: str) -> str:
    """A fingerprint as clients show it."""
    return " ".join(key[at : at + GROUP] for at in range(0, len(key), GROUP))


def signed_devices(user: str, devices: Mapping[str, Json], signer: SignedKey) -> frozenset[str]:
    """Those of somebody's devices that their identity vouches for."""
    return frozenset(name for name, device in devices.items() if _is_signed(user, name, device, signer))


def _is_signed(user: str, name: str, device: Json, signer: SignedKey) -> bool:
    signatures = device.get("signatures")
    made = signatures.get(user) if isinstance(signatures, dict) else None
    found = made.get(f"{ALGORITHM}:{signer.public}") if isinstance(made, dict) else None
    named = device.get("user_id") == user and device.get("device_id") == name
    return named and isinstance(found, str) and holds(signer.public, device, found)


def _private(seed: str) -> ECC.EccKey:
    return ECC.construct(curve="Ed25519", seed=decoded(seed))
