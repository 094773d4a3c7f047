"""How the account of the settings stands, looked at from beside the service that has it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from bot.chat import ChatError
from bot.matrix.api import PREFIX, Api
from bot.matrix.client import ENCRYPTION_ENABLED, client_for
from bot.matrix.errors import LoggedOut
from bot.matrix.identity import keys_of
from bot.matrix.kept import FOLDER, Kept
from bot.matrix.signing import ALGORITHM, public, shown, signed_devices
from bot.matrix.trouble import Trouble
from bot.matrix.way import Way
from bot.matrix.wire import Keys, Myself

ASK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Look:
    """*device* is empty where nobody has logged in yet, *fingerprint* where it has no keys."""

    user: str
    device: str = ""
    fingerprint: str = ""
    signed: bool = False
    trouble: Trouble | None = None


async def look(way: Way, data_dir: Path) -> Look:
    """Nothing is changed by it."""
    kept = Kept(data_dir / FOLDER)
    session = kept.session()
    token = way.token or (session.token if session else "")
    client = client_for(way.homeserver, way.user, "", token, keys=None, pickle="")
    try:
        async with asyncio.timeout(ASK_SECONDS):
            return await _looked(way, kept, Api(client), known=bool(token))
    except LoggedOut:
        return Look(way.user, trouble=Trouble.LOGGED_OUT)
    except (ChatError, TimeoutError):
        return Look(way.user, trouble=Trouble.UNREACHABLE)
    finally:
        await client.close()


async def _looked(way: Way, kept: Kept, api: Api, *, known: bool) -> Look:
    if not known:
        await api.call("GET", "/_matrix/client/versions", dict)
        return Look(way.user)
    me = await api.call("GET", f"{PREFIX}/account/whoami", Myself)
    keys = await keys_of(api, me.user_id)
    found = keys.device_keys.get(me.user_id, {}).get(me.device_id, {}).get("keys")
    key = found.get(f"{ALGORITHM}:{me.device_id}", "") if isinstance(found, dict) else ""
    trouble = None if ENCRYPTION_ENABLED else Trouble.NO_ENCRYPTION
    return Look(
        me.user_id,
        me.device_id,
        shown(key),
        _signed(me, keys),
        trouble or _foreign(me, keys, kept),
    )


def _signed(me: Myself, keys: Keys) -> bool:
    signer = keys.self_signing_keys.get(me.user_id)
    devices = keys.device_keys.get(me.user_id, {})
    return signer is not None and me.device_id in signed_devices(me.user_id, devices, signer)


def _foreign(me: Myself, keys: Keys, kept: Kept) -> Trouble | None:
    """Whether another client made the account's identity."""
    master, seeds = keys.master_keys.get(me.user_id), kept.seeds()
    ours = master is None or (seeds is not None and public(seeds.master) == master.public)
    return None if ours else Trouble.FOREIGN
