"""How a bot asks for its updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.telegram.server.account import Account
from tests.telegram.server.errors import bad
from tests.telegram.server.model import Json
from tests.telegram.server.params import Params


async def get_updates(account: Account, params: Params) -> list[Json]:
    allowed = params.listed("allowed_updates") if params.has("allowed_updates") else None
    limit, timeout = params.number("limit"), float(params.text("timeout") or 0)
    return await account.updates.get(params.number("offset"), limit, timeout, allowed)


def set_webhook(account: Account, params: Params) -> bool:
    """Only what polling meets of it: nothing is ever posted there."""
    url = params.text("url")
    if url and not url.startswith("https://"):
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    account.updates.webhook = url
    account.updates.interrupt()
    if params.flag("drop_pending_updates"):
        account.updates.drop()
    return True


def delete_webhook(account: Account, params: Params) -> bool:
    return set_webhook(account, Params({**params.fields, "url": ""}))


def webhook_info(account: Account, params: Params) -> Json:
    waiting = len(account.updates.pending)
    return {"url": account.updates.webhook, "has_custom_certificate": False, "pending_update_count": waiting}


METHODS: dict[str, Callable[[Account, Params], Any]] = {
    "getupdates": get_updates,
    "setwebhook": set_webhook,
    "deletewebhook": delete_webhook,
    "getwebhookinfo": webhook_info,
}
