"""Our account's own identity: made once, proved again on each start, and what our device is signed by."""

from __future__ import annotations

import logging
from enum import StrEnum

from bot.chat import Refused
from bot.matrix.api import PREFIX, Api, quoted
from bot.matrix.client import Client
from bot.matrix.errors import AskedForPassword
from bot.matrix.kept import Kept
from bot.matrix.recovery import BadRecoveryKey, opened, recovery_key
from bot.matrix.signing import (
    ALGORITHM,
    Seeds,
    canonical,
    cross_signing_key,
    decoded,
    public,
    signed_devices,
    signs,
    unpadded,
)
from bot.matrix.wire import Json, Keys, Nothing, Secret, SecretKeyName, SignedKey, Unsigned

SECRETS = ("master", "self_signing", "user_signing")

logger = logging.getLogger(__name__)


class Standing(StrEnum):
    """How our device stands to the account's identity."""

    SIGNED = "signed"
    FOREIGN = "foreign"
    """Another client made it, and its recovery key is not ours."""
    BAD_RECOVERY_KEY = "bad_recovery_key"
    UNSIGNED = "unsigned"
    """The homeserver did not take it."""


async def keys_of(api: Api, *users: str) -> Keys:
    """Errors: `ChatError`."""
    return await api.call("POST", f"{PREFIX}/keys/query", Keys, {"device_keys": {user: [] for user in users}})


class Identity:
    """*password* and *recovery* may be empty."""

    def __init__(self, api: Api, client: Client, kept: Kept, *, password: str, recovery: str) -> None:
        self._api = api
        self._client = client
        self._kept = kept
        self._password = password
        self._recovery = recovery

    @property
    def _user(self) -> str:
        return str(self._client.user_id)

    async def prove(self) -> Standing:
        """Have our device signed by its account. Errors: `ChatError`."""
        keys = await keys_of(self._api, self._user)
        master = keys.master_keys.get(self._user)
        seeds = self._kept.seeds()
        if master and (seeds is None or public(seeds.master) != master.public):
            if not self._recovery:
                return Standing.FOREIGN
            try:
                seeds = await self._recover(master)
            except BadRecoveryKey:
                return Standing.BAD_RECOVERY_KEY
        if master is None or seeds is None:
            seeds = seeds or Seeds.new()
            self._kept.keep_seeds(seeds)  # whose public halves the homeserver may have after a crash
            await self._publish(seeds)
        return await self._sign(keys, seeds)

    async def _publish(self, seeds: Seeds) -> None:
        """The first time nothing is asked for; a new identity in the place of another wants the password."""
        body: Json = {"master_key": self._by_device(cross_signing_key(self._user, "master", seeds.master))}
        for usage, seed in (("self_signing", seeds.self_signing), ("user_signing", seeds.user_signing)):
            key = cross_signing_key(self._user, usage, seed)
            body[f"{usage}_key"] = signs(self._user, seeds.master, key)
        path = f"{PREFIX}/keys/device_signing/upload"
        try:
            await self._api.call("POST", path, Nothing, body)
        except AskedForPassword as asked:
            if not self._password:
                raise
            body["auth"] = {
                "type": "m.login.password",
                "session": asked.session,
                "identifier": {"type": "m.id.user", "user": self._user},
                "password": self._password,
            }
            await self._api.call("POST", path, Nothing, body)

    async def _sign(self, keys: Keys, seeds: Seeds) -> Standing:
        """Look what stands there, and not what we were told: a homeserver may keep an old signature."""
        name, signer = str(self._client.device_id), self._signer(seeds)
        devices = keys.device_keys.get(self._user, {})
        if name in signed_devices(self._user, devices, signer):
            return Standing.SIGNED
        device = {key: value for key, value in devices.get(name, {}).items() if key != "unsigned"}
        signed = {self._user: {name: signs(self._user, seeds.self_signing, device)}}
        answer = await self._api.call("POST", f"{PREFIX}/keys/signatures/upload", Unsigned, signed)
        found = (await keys_of(self._api, self._user)).device_keys.get(self._user, {})
        if answer.failures or name not in signed_devices(self._user, found, signer):
            logger.error("matrix: the homeserver does not keep our signature")
            return Standing.UNSIGNED
        return Standing.SIGNED

    def _signer(self, seeds: Seeds) -> SignedKey:
        key = public(seeds.self_signing)
        return SignedKey(self._user, ["self_signing"], {f"{ALGORITHM}:{key}": key})

    def _by_device(self, key: Json) -> Json:
        """Signed by our device, so that people who trusted that one trust the identity too."""
        assert self._client.olm
        made = self._client.olm.account._account.sign(canonical(key)).to_base64()
        return {**key, "signatures": {self._user: {f"{ALGORITHM}:{self._client.device_id}": made}}}

    async def _recover(self, master: SignedKey) -> Seeds:
        """The seeds that a client has put into the account. Errors: `BadRecoveryKey`, `ChatError`."""
        key = recovery_key(self._recovery)
        base = f"{PREFIX}/user/{quoted(self._user)}/account_data"
        try:
            default = await self._api.call("GET", f"{base}/m.secret_storage.default_key", SecretKeyName)
            found = [await self._secret(base, part, key, default.key) for part in SECRETS]
        except (Refused, KeyError, ValueError):
            raise BadRecoveryKey from None
        seeds = Seeds(*found)
        if public(seeds.master) != master.public:
            raise BadRecoveryKey
        self._kept.keep_seeds(seeds)
        return seeds

    async def _secret(self, base: str, part: str, key: bytes, name: str) -> str:
        called = f"m.cross_signing.{part}"
        secret = await self._api.call("GET", f"{base}/{called}", Secret)
        return unpadded(decoded(opened(key, called, secret.encrypted[name])))
