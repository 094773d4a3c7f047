"""Every key that the configuration knows, and what each of them may be."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

# pydantic looks through every installed package for plugins, 10 ms at each start. We use none.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

ACP = "acp"
BUILT_IN_ENGINES = ("codex", "claude", "opencode", "gemini", "cursor", "demo")
SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL")
SECRET_ENDINGS = ("PASS", "AUTH", "DSN")
"""Within a name these are a part of other words: `AUTHOR`."""
SECRET_LENGTH = 8
"""A shorter value of an agent's environment is no secret that could be masked without harm."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The key of the sentence that says what a value has to be; a *secret* value is never shown."""

    key: str
    secret: bool = False


TABLE = Expected("config.bad.table", secret=True)


def is_secret(name: str, value: str) -> bool:
    """Whether a variable of that name holds something that nobody may see."""
    large = name.upper()
    named = any(word in large for word in SECRET_WORDS) or large.endswith(SECRET_ENDINGS)
    return named and len(value) >= SECRET_LENGTH


def _no_bool(value: object) -> object:
    """TOML's `true` is no number, though Python says so."""
    if isinstance(value, bool):
        raise ValueError
    return value


def _some_path(value: object) -> object:
    """From the root on, or from our own home: else it is another one in each folder. The root is not ours
    alone."""
    if isinstance(value, str) and (
        "\0" in value or not re.match(r"/|~(/|$)", value) or not os.path.normpath(value).strip("/")
    ):
        raise ValueError
    return value


def _words(value: object) -> object:
    """A program's name stands for the one word that starts it."""
    return [value] if isinstance(value, str) else value


def _variables(env: dict[str, str]) -> dict[str, str]:
    """The system ends a name at `=`, and anything at NUL."""
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise ValueError
    return env


def _bare(value: object) -> object:
    """A secret without the space around it; a blank one is none."""
    return value.strip() or None if isinstance(value, str) else value


def _one_word(token: SecretStr | None) -> SecretStr | None:
    """Not the whole message that the token came in."""
    if token and not re.fullmatch(r"[\w:-]+", token.get_secret_value()):
        raise ValueError
    return token


def _sayable(secret: SecretStr | None) -> SecretStr | None:
    """In the signs that Telegram takes (Bot API: `secret_token`), and long enough to be one."""
    if secret and not re.fullmatch(rf"[A-Za-z0-9_-]{{{SECRET_LENGTH},256}}", secret.get_secret_value()):
        raise ValueError
    return secret


def _place(listen: str) -> str:
    """A port that there is."""
    if not 0 < int(listen.rpartition(":")[2]) < 65_536:
        raise ValueError
    return listen


def _address(url: str) -> str:
    """With a host that can be one, and a port that is a number; an empty *url* is none at all."""
    parts = urlsplit(url)
    (parts.hostname or "").encode("idna")  # no part of it is empty, or too long for any name server
    if url and not (re.fullmatch(r"[\w.:-]*\w[\w.:-]*", parts.hostname or "") and parts.port != 0):
        raise ValueError
    return url


def _root(url: str) -> str:
    """Of a Bot API server, in signs that go over the wire as they are: we add `/bot` and the token
    ourselves."""
    if not (url.isascii() and url.isprintable()):
        raise ValueError
    if re.search(r"/bot(\d[^/]*)?(/|$)", urlsplit(url).path):
        raise ValueError
    return url


LISTEN = r"^([\w.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}$"
URL = r"^https?://[^\s/?#@]+(/[^\s?#@]*)?$"
MaybeUrl = Annotated[str, Field(pattern=rf"{URL}|^$"), AfterValidator(_address), Expected("config.bad.url")]
BotApi = Annotated[
    str,
    Field(pattern=URL),
    AfterValidator(_address),
    AfterValidator(_root),
    Expected("config.bad.bot_api"),
]
Word = Annotated[str, Field(pattern=r"^[^\s\x00]*$"), Expected("config.bad.word")]
Secret = Annotated[SecretStr | None, BeforeValidator(_bare), Expected("config.bad.secret", secret=True)]
Token = Annotated[
    SecretStr | None,
    BeforeValidator(_bare),
    AfterValidator(_one_word),
    Expected("config.bad.token", secret=True),
]
MatrixId = Annotated[str, Field(pattern=r"^@[^\s:]+:\S+$")]


class Table(BaseModel):
    """One table of the file: what it doesn't know is refused, and nothing changes it afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class TelegramSettings(Table):
    token: Token = None
    base_url: BotApi = "https://api.telegram.org"
    allowed_users: Annotated[tuple[int, ...], Expected("config.bad.telegram_ids")] = ()
    webhook_url: MaybeUrl = ""
    webhook_listen: Annotated[
        str, Field(pattern=LISTEN), AfterValidator(_place), Expected("config.bad.listen")
    ] = "127.0.0.1:8443"
    webhook_secret: Annotated[
        SecretStr | None,
        BeforeValidator(_bare),
        AfterValidator(_sayable),
        Expected("config.bad.webhook_secret", secret=True),
    ] = None
    local_mode: Annotated[bool, Expected("config.bad.yes_or_no")] = False

    @property
    def configured(self) -> bool:
        return self.token is not None


class MatrixSettings(Table):
    homeserver: MaybeUrl = ""
    user: Annotated[MatrixId | Literal[""], Expected("config.bad.matrix_id")] = ""
    password: Secret = None
    access_token: Secret = None
    device_id: Word = ""
    recovery_key: Secret = None
    allowed_users: Annotated[tuple[MatrixId, ...], Expected("config.bad.matrix_ids")] = ()
    threads: Annotated[Literal["auto", "on", "off"], Expected("config.bad.threads")] = "auto"
    rooms: Annotated[bool, Expected("config.bad.yes_or_no")] = True
    space: Annotated[str, Field(max_length=100), Expected("config.bad.space")] = ""

    @property
    def configured(self) -> bool:
        return bool(self.homeserver)


def is_matrix_account(homeserver: str, user: str) -> bool:
    """Whether the configuration can say so."""
    try:
        return bool(homeserver and user and MatrixSettings(homeserver=homeserver, user=user))
    except ValueError:
        return False


class EngineSettings(Table):
    """How one agent program is started; what is empty is left to the program."""

    command: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[^\x00]+$")], ...],
        Field(min_length=1),
        BeforeValidator(_words),
        Expected("config.bad.command"),
    ] = ()
    kind: Annotated[Literal["", "acp"], Expected("config.bad.kind")] = ""
    transport: Annotated[
        Literal["auto", "app-server", "stream-json", "acp", "exec"], Expected("config.bad.transport")
    ] = "auto"
    model: Word = ""
    effort: Word = ""
    env: Annotated[
        dict[str, str],
        Field(repr=False),
        AfterValidator(_variables),
        Expected("config.bad.env", secret=True),
    ] = {}
    pass_env: Annotated[tuple[str, ...], Expected("config.bad.names")] = ()


class ProviderSettings(Table):
    """A gateway in place of the account's own."""

    base_url: MaybeUrl = ""
    model: Word = ""
    api_key: Secret = None

    @property
    def configured(self) -> bool:
        return bool(self.base_url)


class Providers(Table):
    custom: ProviderSettings = ProviderSettings()


class TranscriptionSettings(Table):
    """An endpoint that makes words of what people speak; empty *language*: it finds out itself."""

    base_url: MaybeUrl = ""
    model: Word = "whisper-1"
    api_key: Secret = None
    language: Word = ""

    @property
    def configured(self) -> bool:
        return bool(self.base_url)


class Settings(Table):
    """The whole configuration; *silence_seconds* and every other figure is in the unit of its name."""

    data_dir: Annotated[Path, BeforeValidator(_some_path), Expected("config.bad.path")] = Path(
        "~/.local/share/roost"
    )
    language: Annotated[
        str, Field(pattern=r"^[a-z]{2,3}([_-][A-Za-z]{2,4})?$"), Expected("config.bad.language")
    ] = "en"
    max_concurrent_agents: Annotated[
        int, Field(ge=1), BeforeValidator(_no_bool), Expected("config.bad.one_or_more")
    ] = 3
    max_agents_total: Annotated[
        int, Field(ge=0), BeforeValidator(_no_bool), Expected("config.bad.zero_or_more")
    ] = 0
    silence_seconds: Annotated[
        float, Field(gt=0, allow_inf_nan=False), BeforeValidator(_no_bool), Expected("config.bad.seconds")
    ] = 3600
    warm_seconds: Annotated[
        float,
        Field(ge=0, allow_inf_nan=False),
        BeforeValidator(_no_bool),
        Expected("config.bad.seconds_or_none"),
    ] = 300
    wait_for_limits: Annotated[bool, Expected("config.bad.yes_or_no")] = True
    telegram: TelegramSettings = TelegramSettings()
    matrix: MatrixSettings = MatrixSettings()
    engines: dict[str, EngineSettings] = {}
    provider: Providers = Providers()
    transcription: TranscriptionSettings = TranscriptionSettings()

    def said_of(self, chat: str) -> dict[str, str]:
        """What the table of *chat* says, as text, secrets too; without what is empty."""
        return {
            name: value.get_secret_value() if isinstance(value, SecretStr) else str(value)
            for name, value in getattr(self, chat)
            if value
        }

    def secrets(self) -> list[str]:
        """Every value that nothing we send or log may contain."""
        held = (
            self.telegram.token,
            self.telegram.webhook_secret,
            self.matrix.password,
            self.matrix.access_token,
            self.matrix.recovery_key,
            self.provider.custom.api_key,
            self.transcription.api_key,
        )
        return [secret.get_secret_value() for secret in held if secret] + list(self._agents_secrets())

    def _agents_secrets(self) -> Iterator[str]:
        for engine in self.engines.values():
            for name, value in engine.env.items():
                if is_secret(name, value):
                    yield value


KeyPath = tuple[str, ...]
TABLES: Mapping[KeyPath, type[BaseModel]] = {
    (): Settings,
    ("telegram",): TelegramSettings,
    ("matrix",): MatrixSettings,
    ("provider", "custom"): ProviderSettings,
    ("transcription",): TranscriptionSettings,
}
"""The tables whose names are fixed; `engines.NAME` stands beside them."""

SECRETS = (
    ("telegram", "token"),
    ("telegram", "webhook_secret"),
    ("matrix", "password"),
    ("matrix", "access_token"),
    ("matrix", "recovery_key"),
    ("provider", "custom", "api_key"),
    ("transcription", "api_key"),
)
"""The keys that can be given as `…_file` and as a credential too."""


def known_keys(engine: str = "NAME") -> list[str]:
    """Every key and table, dotted, with *engine* for the name of an agent program."""
    tables: dict[KeyPath, type[BaseModel]] = {**TABLES, ("engines", engine): EngineSettings}
    paths = [path for path in tables if path]
    paths += [(*path, name) for path, model in tables.items() for name in model.model_fields]
    return [*map(".".join, paths), *(".".join(path) + "_file" for path in SECRETS)]


def expected_at(path: KeyPath) -> tuple[str, Expected]:
    """The dotted key that *path* reaches, and what its value has to be."""
    tables = dict(TABLES)
    if path[0] == "engines":
        tables[path[:2]] = EngineSettings
    for size in range(1, len(path) + 1):
        *table, name = path[:size]
        model = tables.get(tuple(table))
        if model and name in model.model_fields:
            found = expected_of(model.model_fields[name].metadata)
            if found is not TABLE:
                return ".".join(path[:size]), found
    return ".".join(path), TABLE


def expected_of(metadata: list[object]) -> Expected:
    return next((item for item in metadata if isinstance(item, Expected)), TABLE)
