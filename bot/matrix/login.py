"""Becoming a device of our account: by the session that we kept, a token, or the password."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass

from msgspec import Struct

from bot.chat import ChatError
from bot.chat import Refused as Refusal
from bot.matrix.api import PREFIX, Api
from bot.matrix.client import ENCRYPTION_ENABLED, Client, client_for
from bot.matrix.errors import KeysLost, LoggedOut
from bot.matrix.identity import Identity, Standing, keys_of
from bot.matrix.kept import Kept, Session
from bot.matrix.mark import Mark
from bot.matrix.rooms import upload_keys
from bot.matrix.trouble import Trouble
from bot.matrix.way import Way
from bot.matrix.wire import LoggedIn, Myself, Nothing
from core.errors import Refused

logger = logging.getLogger(__name__)


class BadLogin(Refused):
    """The homeserver does not let us in with what the settings say."""

    key = "matrix.bad_login"


STANDINGS = {
    Standing.FOREIGN: Trouble.FOREIGN,
    Standing.BAD_RECOVERY_KEY: Trouble.BAD_RECOVERY_KEY,
    Standing.UNSIGNED: Trouble.UNSIGNED,
}


@dataclass(frozen=True, slots=True)
class Device:
    """Logged in. *troubles*: what is wrong with it all the same."""

    client: Client
    api: Api
    session: Session
    troubles: tuple[Trouble, ...] = ()


async def logged_in(way: Way, kept: Kept) -> Device:
    """Errors: `ChatError` (`LoggedOut` among them), `BadLogin`."""
    session = await _session(way, kept)
    try:
        return await _at_work(way, kept, session, encrypted=ENCRYPTION_ENABLED)
    except KeysLost:
        if session.given or not way.password:
            device = await _at_work(way, kept, session, encrypted=False)
            return _with(device, Trouble.FOREIGN_DEVICE)
        return _with(await another_device(way, kept), Trouble.NEW_DEVICE)
    except LoggedOut:
        if session.given or not way.password:
            raise
        return await another_device(way, kept)


async def another_device(way: Way, kept: Kept) -> Device:
    """Nobody could write to one whose keys are lost, so we become another, by the password. Errors: as those
    of `logged_in`."""
    lost = kept.session()
    session = await _by_password(way)
    kept.keep_session(session)
    if lost:
        async with _nobody(way, lost.token) as api:
            try:
                await api.call("POST", f"{PREFIX}/logout", Nothing, {})
            except ChatError:
                logger.info("matrix: the device that was lost stays on the account's list")
    return await _at_work(way, kept, session, encrypted=ENCRYPTION_ENABLED)


async def _at_work(way: Way, kept: Kept, session: Session, *, encrypted: bool) -> Device:
    device = _device(way, kept, session, encrypted=encrypted)
    try:
        await _whoami(device.api)
        if not ENCRYPTION_ENABLED:
            return _with(device, Trouble.NO_ENCRYPTION)
        return await _with_keys(way, kept, device) if encrypted else device
    except BaseException:
        await device.client.close()
        raise


async def let_in(way: Way, kept: Kept) -> str:
    """Who we are by these settings. The session is kept for the service to begin with: a homeserver counts
    logins. Errors: `ChatError`, `BadLogin`."""
    return (await _session(way, kept)).user


async def _session(way: Way, kept: Kept) -> Session:
    found = kept.session()
    ours = found and (found.homeserver, found.user) == (way.homeserver, way.user or found.user)
    if found and ours and (not way.token or found.token == way.token):
        return found
    session = await (_by_token(way) if way.token else _by_password(way))
    kept.keep_session(session)
    return session


async def _by_token(way: Way) -> Session:
    async with _nobody(way, way.token) as api:
        me = await _whoami(api)
    if way.user and me.user_id != way.user:
        raise BadLogin(why=me.user_id)
    return Session(way.homeserver, me.user_id, me.device_id or way.device, way.token, given=True)


class _Login(Struct):
    identifier: dict[str, str]
    password: str
    initial_device_display_name: str
    type: str = "m.login.password"


async def _by_password(way: Way) -> Session:
    """A login counts much on a homeserver, so one is made only where no session is kept."""
    asked = _Login({"type": "m.id.user", "user": way.user}, way.password, f"Roost on {os.uname().nodename}")
    async with _nobody(way) as api:
        try:
            found = await api.call("POST", f"{PREFIX}/login", LoggedIn, asked)
        except Refusal as refusal:
            raise BadLogin(why=str(refusal)) from None
    return Session(way.homeserver, found.user_id, found.device_id, found.access_token)


class _nobody:  # noqa: N801
    """Calls of somebody who has no device yet."""

    def __init__(self, way: Way, token: str = "") -> None:
        self._client = client_for(way.homeserver, way.user, "", token, keys=None, pickle="")

    async def __aenter__(self) -> Api:
        return Api(self._client)

    async def __aexit__(self, *raised: object) -> None:
        await self._client.close()


async def _whoami(api: Api) -> Myself:
    return await api.call("GET", f"{PREFIX}/account/whoami", Myself)


def _device(way: Way, kept: Kept, session: Session, *, encrypted: bool) -> Device:
    keys = kept.keys if encrypted else None
    client = client_for(
        way.homeserver, session.user, session.device, session.token, keys=keys, pickle=kept.pickle()
    )
    return Device(client, Api(client), session)


def _with(device: Device, *troubles: Trouble) -> Device:
    return Device(device.client, device.api, device.session, (*device.troubles, *troubles))


# -- keys ------------------------------------------------------------------------------------------------


async def _with_keys(way: Way, kept: Kept, device: Device) -> Device:
    """With keys that the homeserver knows as this device's. Errors: `KeysLost`."""
    mark = Mark(device.api, kept, device.session)
    if not (await _are_ours(device) and await mark.holds()):
        raise KeysLost("the keys of this device are not here")
    await upload_keys(device.client, device.api)
    await mark.renew()
    identity = Identity(device.api, device.client, kept, password=way.password, recovery=way.recovery_key)
    trouble = STANDINGS.get(await identity.prove())
    return _with(device, trouble) if trouble else device


async def _are_ours(device: Device) -> bool:
    """Whether the homeserver knows no keys of this device, or the same."""
    olm = device.client.olm
    assert olm
    found = (await keys_of(device.api, device.session.user)).device_keys.get(device.session.user, {})
    known = found.get(device.session.device, {}).get("keys")
    if not isinstance(known, dict):
        return True
    name = device.session.device
    ours = {f"{kind}:{name}": key for kind, key in olm.account.identity_keys.items()}
    return all(known.get(kind) == key for kind, key in ours.items())
