"""The chats that Roost can be set up for: what each needs to be told, and how that is tried."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.app import App
from bot.chat import ChatError
from bot.intents.parse import MATRIX_MARK
from bot.matrix.library import installing
from bot.matrix.way import Way
from bot.telegram.link import pairing_link
from core.errors import Refused
from core.settings import Settings
from core.settings.schema import is_matrix_account
from core.store import accounts
from core.store.folder import made_private

LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Field:
    """A key of the chat's table in the configuration; `setup.CHAT.NAME` asks for it. *fits*: whether it can
    be that at all; `setup.CHAT.no_NAME` says that it can't."""

    name: str
    secret: bool = False
    fits: Callable[[str], bool] = lambda said: True


@dataclass(frozen=True, slots=True)
class Account:
    """Who we are there: the platform's own name for the account, and what people call it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """*chat* is the name of its table and of its platform, *label* what people call it. *tried* is who we
    are with these answers; its errors (`Refused`) have sentences. *person* is somebody's id as
    `allowed_users` has it (`ValueError` for what is none), *link* what opens a chat with an account of that
    name and says a code: empty where nothing does. *called* is what the account of the settings is called:
    empty where nobody can say now. *mark* begins a command there. *needed*: is its library here? Errors:
    `Refused`."""

    chat: str
    label: str
    fields: tuple[Field, ...]
    tried: Callable[[Mapping[str, str], Settings], Awaitable[Account]]
    person: Callable[[str], int | str]
    link: Callable[[str, str], str]
    called: Callable[[App], Awaitable[str]]
    mark: str = "/"
    needed: Callable[[], None] = lambda: None


async def _telegram(answers: Mapping[str, str], settings: Settings) -> Account:
    # Its library is large: nothing of it is loaded where nobody uses Telegram.
    from bot.telegram.account import BadToken, who
    from bot.telegram.insisting import Trouble
    from bot.telegram.token import bot_id

    token = answers["token"]
    try:
        found = await who(token, settings.telegram.base_url)
    except BadToken:
        raise Refused("setup.telegram.no_token") from None
    if isinstance(found, Trouble):
        revoked = found is Trouble.REVOKED
        raise Refused("setup.telegram.nobodys" if revoked else "setup.telegram.unreachable")
    return Account(str(bot_id(token)), found)


async def _telegram_name(app: App) -> str:
    """As it was called last, else as Telegram says, which is kept."""
    from bot.telegram.account import who
    from bot.telegram.insisting import Trouble
    from bot.telegram.token import MalformedToken, bot_id

    telegram = app.settings.telegram
    token = telegram.token.get_secret_value() if telegram.token else ""
    try:
        account = str(bot_id(token))
    except MalformedToken:
        return ""
    if known := await app.store.read(accounts.name_of, "telegram", account):
        return known
    found = await who(token, telegram.base_url)
    if isinstance(found, Trouble):
        return ""
    await app.store.write(accounts.called, "telegram", account, found)
    return found


async def _matrix_name(app: App) -> str:
    return app.settings.matrix.user


async def _matrix(answers: Mapping[str, str], settings: Settings) -> Account:
    from bot.matrix.kept import FOLDER, Kept
    from bot.matrix.login import BadLogin, let_in

    way = Way(answers["homeserver"].rstrip("/"), answers["user"], answers["password"])
    made_private(settings.data_dir)
    try:
        user = await let_in(way, Kept(settings.data_dir / FOLDER).made())
    except BadLogin:
        raise Refused("setup.matrix.nobodys") from None
    except ChatError:
        raise Refused("setup.matrix.unreachable") from None
    return Account(user, user)


def _matrix_library() -> None:
    try:
        from bot.matrix import login  # noqa: F401
    except ImportError:
        raise Refused("setup.matrix.no_library", command=installing()) from None


def _is_homeserver(word: str) -> bool:
    return is_matrix_account(word.rstrip("/"), "@roost:example.org")


def _is_matrix_id(word: str) -> bool:
    return is_matrix_account("https://example.org", word)


def _matrix_id(word: str) -> str:
    if not _is_matrix_id(word):
        raise ValueError
    return word


def _telegram_id(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and 0 < int(word) <= LARGEST_ID):
        raise ValueError
    return int(word)


CHATS = (
    SetUp(
        "telegram",
        "Telegram",
        (Field("token", secret=True),),
        _telegram,
        _telegram_id,
        pairing_link,
        _telegram_name,
    ),
    SetUp(
        "matrix",
        "Matrix",
        (
            Field("homeserver", fits=_is_homeserver),
            Field("user", fits=_is_matrix_id),
            Field("password", secret=True, fits=bool),
        ),
        _matrix,
        _matrix_id,
        lambda name, code: "",
        _matrix_name,
        MATRIX_MARK,
        _matrix_library,
    ),
)
