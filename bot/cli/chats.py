"""What the doctor has to say of each chat that is configured, asked for itself."""

from __future__ import annotations

import time
from functools import partial
from urllib.parse import urlsplit

from bot.chatting import matrix_way, transcriber_of
from bot.doctor.finding import Finding, fault, ok, past, warning
from bot.matrix.library import installing
from bot.matrix.trouble import Trouble
from bot.transcription import NotTranscribed
from core.dispatch.duty import service_runs
from core.model.people import Known
from core.settings import Settings, TelegramSettings
from core.store import accounts, people
from core.store.database import FILE_NAME
from core.store.health import glance


async def check_telegram(settings: Settings) -> list[Finding]:
    """Whether the bot of the settings is one, and whether anybody owns it."""
    from bot.telegram.account import BadToken, who
    from bot.telegram.insisting import Trouble

    telegram = settings.telegram
    token = telegram.token.get_secret_value() if telegram.token else ""
    try:
        found = await who(token, telegram.base_url)
    except BadToken as error:
        return [fault("telegram", error.key)]
    if isinstance(found, Trouble):
        if found is Trouble.REVOKED:
            return [fault("telegram", "telegram.revoked")]
        return [warning("telegram", "check.telegram.unreachable", "check.telegram.online")]
    if _trouble(settings, token) == Trouble.CONFLICT and service_runs(settings.data_dir):
        return [warning("telegram", "check.telegram.conflict", "check.telegram.own_bot")]
    owned = telegram.allowed_users or _known(settings, "telegram")
    bot = (
        ok("telegram", "check.telegram.ok", bot=found)
        if owned
        else warning("telegram", "check.telegram.no_owner", "check.telegram.pair", bot=found)
    )
    return [bot, *await _webhook(telegram, token)]


def _trouble(settings: Settings, token: str) -> str:
    """What the service has met that nobody else can see."""
    from bot.telegram.token import bot_id

    asked = partial(accounts.trouble_of, platform="telegram", account=str(bot_id(token)))
    return glance(settings.data_dir / FILE_NAME, asked, "")


async def _webhook(telegram: TelegramSettings, token: str) -> list[Finding]:
    """Whether what people write is brought to us, where it is to be, and to nobody else."""
    from bot.telegram.looking import look

    name, found = "webhook", await look(token, telegram.base_url)
    if found is None or telegram.webhook_url == found.url == "":
        return []
    fields = {"url": telegram.webhook_url, "listen": telegram.webhook_listen, "why": found.failed}
    if found.url not in ("", telegram.webhook_url):
        host = urlsplit(found.url).hostname or found.url
        return [warning(name, "check.webhook.anothers", "check.webhook.own_bot", host=host)]
    if not found.url:
        return [warning(name, "check.webhook.none_yet", "check.webhook.run", **fields)]
    if found.waiting and found.failed:
        return [warning(name, "check.webhook.failing", "check.webhook.proxy", **fields)]
    return [ok(name, "check.webhook.ok", **fields)]


async def check_matrix(settings: Settings) -> list[Finding]:
    """Whether the account of the settings is at work, who may talk to it, and whether others can trust what
    it encrypts."""
    try:
        from bot.matrix.looking import look
    except ImportError:
        return [fault("matrix", "matrix.no_library", command=installing())]

    found = await look(matrix_way(settings), settings.data_dir)
    fields = {"user": found.user, "device": found.device, "fingerprint": found.fingerprint}
    match found.trouble:
        case Trouble.LOGGED_OUT:
            return [fault("matrix", "check.matrix.logged_out", "check.matrix.log_in")]
        case Trouble.UNREACHABLE:
            return [warning("matrix", "check.matrix.unreachable", "check.matrix.online")]
    if not found.device:
        return [ok("matrix", "check.matrix.no_login", **fields)]
    account = _account(settings, found.user)
    if found.trouble:
        return [account, warning("encryption", f"matrix.{found.trouble}")]
    if not found.fingerprint:
        return [account, ok("encryption", "check.encryption.no_keys", **fields)]
    if not found.signed:
        return [account, warning("encryption", "check.encryption.unsigned", **fields)]
    return [account, ok("encryption", "check.encryption.signed", **fields)]


def _account(settings: Settings, user: str) -> Finding:
    """Who may talk to it, and how much it may say."""
    if not (settings.matrix.allowed_users or _known(settings, "matrix")):
        return warning("matrix", "check.matrix.no_owner", "check.matrix.allow", user=user)
    now = time.time()
    if at := _limited_at(settings, user, now):
        return warning("matrix", "check.matrix.limited", "check.matrix.lift", user=user, at=past(now - at))
    return ok("matrix", "check.matrix.ok", user=user)


def _limited_at(settings: Settings, user: str, now: float) -> float | None:
    """When the service has met the homeserver's limits, within a day."""
    asked = partial(accounts.noted_at, platform="matrix", account=user, name=str(Trouble.LIMITED), now=now)
    return glance(settings.data_dir / FILE_NAME, asked, None)


def _known(settings: Settings, platform: str) -> list[Known]:
    """Who was let in there."""
    nobody: list[Known] = []
    return glance(settings.data_dir / FILE_NAME, partial(people.everybody, platform=platform), nobody)


async def check_transcription(settings: Settings) -> list[Finding]:
    """Whether the endpoint that makes words of what people speak is there, and takes our key."""
    name, ask = "transcription", transcriber_of(settings.transcription)
    if ask is None:
        return []
    fields = {"url": settings.transcription.base_url}
    try:
        status = await ask.knock()
    except NotTranscribed:
        return [warning(name, "check.transcription.unreachable", "check.transcription.start", **fields)]
    if status in SHUT_OUT:
        return [fault(name, "check.transcription.refused", "check.transcription.key", **fields)]
    return [ok(name, "check.transcription.ok", **fields)]


SHUT_OUT = (401, 403)
CHECKS = {"telegram": check_telegram, "matrix": check_matrix}
