"""What the doctor has to say of each chat that is configured, asked for itself."""

from __future__ import annotations

from functools import partial

from bot.app import matrix_way
from bot.doctor.finding import Finding, fault, ok, warning
from bot.matrix.trouble import Trouble
from core.model.people import Known
from core.settings import Settings
from core.store import people
from core.store.database import FILE_NAME
from core.store.health import glance


async def check_telegram(settings: Settings) -> list[Finding]:
    """Whether the bot of the settings is one, and whether anybody owns it."""
    from bot.telegram.account import BadToken, who
    from bot.telegram.insisting import Trouble

    telegram = settings.telegram
    try:
        found = await who(telegram.token.get_secret_value() if telegram.token else "", telegram.base_url)
    except BadToken as error:
        return [fault("telegram", error.key)]
    if isinstance(found, Trouble):
        revoked = found is Trouble.REVOKED
        return [
            fault("telegram", "telegram.revoked") if revoked else warning("telegram", f"telegram.{found}")
        ]
    if not telegram.allowed_users and not _known(settings, "telegram"):
        return [warning("telegram", "check.telegram.no_owner", "check.telegram.pair", bot=found)]
    return [ok("telegram", "check.telegram.ok", bot=found)]


async def check_matrix(settings: Settings) -> list[Finding]:
    """Whether the account of the settings is at work, who may talk to it, and whether others can trust what
    it encrypts."""
    try:
        from bot.matrix.looking import look
    except ImportError:
        return [fault("matrix", "matrix.no_library")]

    found = await look(matrix_way(settings), settings.data_dir)
    fields = {"user": found.user, "device": found.device, "fingerprint": found.fingerprint}
    match found.trouble:
        case Trouble.LOGGED_OUT:
            return [fault("matrix", "matrix.logged_out")]
        case Trouble.UNREACHABLE:
            return [warning("matrix", "matrix.unreachable")]
    if not found.device:
        return [ok("matrix", "check.matrix.no_login", **fields)]
    allowed = settings.matrix.allowed_users or _known(settings, "matrix")
    account = (
        ok("matrix", "check.matrix.ok", **fields)
        if allowed
        else warning("matrix", "check.matrix.no_owner", "check.matrix.allow", **fields)
    )
    if found.trouble:
        return [account, warning("encryption", f"matrix.{found.trouble}")]
    if not found.signed:
        return [account, warning("encryption", "check.encryption.unsigned", **fields)]
    return [account, ok("encryption", "check.encryption.signed", **fields)]


def _known(settings: Settings, platform: str) -> list[Known]:
    """Who was let in there."""
    nobody: list[Known] = []
    return glance(settings.data_dir / FILE_NAME, partial(people.everybody, platform=platform), nobody)


CHECKS = {"telegram": check_telegram, "matrix": check_matrix}
