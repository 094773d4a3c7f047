"""How a bot asks for its updates."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.telegram.server.account import Account
from tests.telegram.server.errors import bad
from tests.telegram.server.model import Json
from tests.telegram.server.params import Params

SECRET = re.compile(r"[A-Za-z0-9_-]{0,256}")


async def get_updates(account: Account, params: Params) -> list[Json]:
    allowed = params.listed("allowed_updates") if params.has("allowed_updates") else None
    limit, timeout = params.number("limit"), float(params.text("timeout") or 0)
    return await account.updates.get(params.number("offset"), limit, timeout, allowed)


def set_webhook(account: Account, params: Params) -> bool:
    url, secret = params.text("url"), params.text("secret_token")
    if url and not url.startswith("https://"):
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    if not SECRET.fullmatch(secret):
        raise bad("secret token contains unallowed characters")
    if params.has("allowed_updates"):
        account.updates.allowed = tuple(params.listed("allowed_updates"))
    account.updates.webhook, account.updates.secret = url, secret
    account.updates.error = ""
    account.updates.interrupt()
    if params.flag("drop_pending_updates"):
        account.updates.drop()
    return True


def delete_webhook(account: Account, params: Params) -> bool:
    return set_webhook(account, Params({**params.fields, "url": ""}))


def webhook_info(account: Account, params: Params) -> Json:
    updates = account.updates
    told = {
        "url": updates.webhook,
        "has_custom_certificate": False,
        "pending_update_count": len(updates.pending),
    }
    if updates.error:
        told |= {"last_error_date": int(updates.error_at), "last_error_message": updates.error}
    return told


METHODS: dict[str, Callable[[Account, Params], Any]] = {
    "getupdates": get_updates,
    "setwebhook": set_webhook,
    "deletewebhook": delete_webhook,
    "getwebhookinfo": webhook_info,
}
