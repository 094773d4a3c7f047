"""Settings come from real files and a real environment, and the nearer source wins."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.settings import EngineSettings, Settings, config_file, is_secret, load
from core.settings.schema import Providers, ProviderSettings, TelegramSettings, known_keys

EVERYTHING = """
data_dir = "~/data"
language = "fr"
max_concurrent_agents = 5
max_agents_total = 9
silence_seconds = 60
warm_seconds = 30
wait_for_limits = false

[telegram]
token = "1001:from-the-file"
base_url = "http://127.0.0.1:8081"
allowed_users = [1001, 1002]
webhook_url = "https://roost.example.org/hook"
webhook_listen = "[::1]:8444"
webhook_secret = "a-secret_of-the-hook"
local_mode = true

[matrix]
homeserver = "https://matrix.example.org"
user = "@roost:example.org"
password = "open sesame"
access_token = "syt_access"
device_id = "ROOST"
recovery_key = "EsT1 2345"
threads = "on"
rooms = false
space = "Projects"
allowed_users = ["@ann:example.org"]

[engines.codex]
command = "codex"
transport = "app-server"
model = "gpt"
effort = "high"
env = { KEY = "value", API_KEY = "an-agents-own-key" }
pass_env = ["NAME"]

[engines.goose]
kind = "acp"
command = ["goose", "acp"]

[provider.custom]
base_url = "https://gateway.example.org/v1"
model = "vendor/model"
api_key = "sk-custom"

[transcription]
base_url = "http://127.0.0.1:9000/v1"
model = "whisper-large"
api_key = "sk-spoken"
language = "en"
"""


def written(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "roost.toml"
    file.write_text(text, "utf-8")
    return file


def test_without_a_file_and_an_environment_everything_has_its_default(tmp_path: Path) -> None:
    settings = load({"HOME": str(tmp_path)})
    assert settings.data_dir == tmp_path / ".local/share/roost"
    assert (settings.language, settings.max_concurrent_agents, settings.max_agents_total) == ("en", 3, 0)
    assert settings.silence_seconds == 3600
    assert settings.telegram.base_url == "https://api.telegram.org"
    assert not settings.telegram.configured
    assert not settings.matrix.configured
    assert not settings.provider.custom.configured
    assert settings.engines == {}
    assert settings.secrets() == []


def test_a_file_can_set_every_key(tmp_path: Path) -> None:
    settings = load({"HOME": str(tmp_path)}, written(tmp_path, EVERYTHING))
    assert settings.data_dir == tmp_path / "data"
    assert settings.telegram.allowed_users == (1001, 1002)
    assert settings.matrix.allowed_users == ("@ann:example.org",)
    assert settings.engines["codex"].command == ("codex",)
    assert settings.engines["codex"].pass_env == ("NAME",)
    assert settings.engines["goose"] == EngineSettings(kind="acp", command=("goose", "acp"))
    assert settings.provider.custom.model == "vendor/model"
    assert settings.telegram.configured
    assert settings.matrix.configured
    assert settings.provider.custom.configured


def test_the_file_above_leaves_no_key_out() -> None:
    def dotted(tree: dict[str, object], before: str = "") -> set[str]:
        keys: set[str] = set()
        for name, value in tree.items():
            if isinstance(value, dict) and name != "env":
                keys |= dotted(value, f"{before}{name}.")
            else:
                keys.add(before + name)
        return keys

    tables = {
        "telegram",
        "matrix",
        "engines",
        "provider",
        "engines.codex",
        "provider.custom",
        "transcription",
    }
    files = {key for key in known_keys("codex") if key.endswith("_file")}
    missing = set(known_keys("codex")) - dotted(tomllib.loads(EVERYTHING)) - tables - files
    assert missing == {"engines.codex.kind"}


def test_every_key_of_the_file_can_stand_in_the_environment(tmp_path: Path) -> None:
    def variables(tree: dict[str, object], before: str = "ROOST") -> dict[str, str]:
        given: dict[str, str] = {}
        for name, value in tree.items():
            variable = f"{before}_{name.upper()}"
            if isinstance(value, dict) and name != "env":
                given |= variables(value, f"{variable}_")
            else:
                given[variable] = value if isinstance(value, str) else json.dumps(value)
        return given

    home = {"HOME": str(tmp_path)}
    from_environment = load(home | variables(tomllib.loads(EVERYTHING)))
    assert from_environment == load(home, written(tmp_path, EVERYTHING))


def test_environment_beats_file_key_by_key(tmp_path: Path) -> None:
    environ = {
        "HOME": str(tmp_path),
        "ROOST_CONFIG": str(written(tmp_path, EVERYTHING)),
        "ROOST_MAX_CONCURRENT_AGENTS": "1",
        "ROOST_TELEGRAM__ALLOWED_USERS": "[7]",
        "ROOST_ENGINES__CODEX__MODEL": "other",
    }
    settings = load(environ)
    assert settings.max_concurrent_agents == 1
    assert settings.telegram.allowed_users == (7,)
    assert (settings.engines["codex"].model, settings.engines["codex"].effort) == ("other", "high")


def test_tables_in_the_environment_are_json_and_keep_their_case(tmp_path: Path) -> None:
    environ = {
        "HOME": str(tmp_path),
        "ROOST_ENGINES__CODEX__ENV": '{"MyKey": "v"}',
        "ROOST_ENGINES__CODEX__ENV__OtherKey": "w",
        "ROOST_ENGINES__CODEX__COMMAND": '["npx", "codex"]',
        "ROOST_ENGINES__MY_AGENT": '{"kind": "acp", "command": "mine"}',
    }
    engines = load(environ).engines
    assert engines["codex"].env == {"MyKey": "v", "OtherKey": "w"}
    assert engines["codex"].command == ("npx", "codex")
    assert engines["my_agent"].command == ("mine",)


def test_a_secret_is_text_even_where_it_looks_like_json(tmp_path: Path) -> None:
    settings = load({"HOME": str(tmp_path), "ROOST_MATRIX__PASSWORD": '{"a": 1}'})
    assert settings.secrets() == ['{"a": 1}']


@pytest.mark.parametrize(
    ("environ", "config", "found", "named"),
    [
        ({}, None, "HOME/.config/roost/roost.toml", False),
        ({"XDG_CONFIG_HOME": "/xdg"}, None, "/xdg/roost/roost.toml", False),
        ({"XDG_CONFIG_HOME": ""}, None, "HOME/.config/roost/roost.toml", False),
        ({"XDG_CONFIG_HOME": "/xdg", "ROOST_CONFIG": "/mine.toml"}, None, "/mine.toml", True),
        ({"ROOST_CONFIG": "~/mine.toml"}, None, "HOME/mine.toml", True),
        ({"ROOST_CONFIG": ""}, None, "HOME/.config/roost/roost.toml", False),
        ({"ROOST_CONFIG": "/mine.toml"}, Path("/given.toml"), "/given.toml", True),
    ],
)
def test_the_nearest_file_is_read(
    tmp_path: Path, environ: dict[str, str], config: Path | None, found: str, named: bool
) -> None:
    file = Path(found.replace("HOME", str(tmp_path)))
    assert config_file({"HOME": str(tmp_path), **environ}, config) == (file, named)


def test_the_default_file_is_read_if_it_is_there(tmp_path: Path) -> None:
    written(tmp_path / ".config/roost", 'language = "fr"')
    assert load({"HOME": str(tmp_path)}).language == "fr"


@pytest.mark.parametrize("source", ["token_file", "variable", "credential"])
def test_a_secret_can_come_from_a_file(tmp_path: Path, source: str) -> None:
    secret = tmp_path / "telegram_token"
    secret.write_text("1001:from-a-file\n")
    environ = {
        "token_file": {"ROOST_CONFIG": str(written(tmp_path, '[telegram]\ntoken_file = "~/telegram_token"'))},
        "variable": {"ROOST_TELEGRAM__TOKEN_FILE": str(secret)},
        "credential": {"CREDENTIALS_DIRECTORY": str(tmp_path)},
    }[source]
    assert load({"HOME": str(tmp_path), **environ}).secrets() == ["1001:from-a-file"]


def test_every_secret_can_be_a_credential(tmp_path: Path) -> None:
    matrix = ("matrix_password", "matrix_access_token", "matrix_recovery_key")
    names = ("telegram_token", *matrix, "provider_custom_api_key", "transcription_api_key")
    for name in names:
        (tmp_path / name).write_text(f"secret-{name}")
    settings = load({"HOME": str(tmp_path), "CREDENTIALS_DIRECTORY": str(tmp_path)})
    assert settings.secrets() == [f"secret-{name}" for name in names]


def test_the_nearer_secret_wins(tmp_path: Path) -> None:
    (tmp_path / "telegram_token").write_text("1:credential")
    (tmp_path / "other").write_text("1:named-file")
    environ = {"HOME": str(tmp_path), "ROOST_CONFIG": str(written(tmp_path, EVERYTHING))}
    assert load(environ).secrets()[0] == "1001:from-the-file"
    environ["CREDENTIALS_DIRECTORY"] = str(tmp_path)
    assert load(environ).secrets()[0] == "1:credential"
    environ["ROOST_TELEGRAM__TOKEN_FILE"] = str(tmp_path / "other")
    assert load(environ).secrets()[0] == "1:named-file"
    environ["ROOST_TELEGRAM__TOKEN"] = "1:outright"
    assert load(environ).secrets()[0] == "1:outright"


def test_a_blank_secret_is_none(tmp_path: Path) -> None:
    assert not load({"HOME": str(tmp_path), "ROOST_TELEGRAM__TOKEN": " "}).telegram.configured


def test_no_secret_shows(tmp_path: Path) -> None:
    settings = load({"HOME": str(tmp_path)}, written(tmp_path, EVERYTHING))
    assert len(settings.secrets()) == 8
    for secret in settings.secrets():
        assert secret not in repr(settings) + str(settings) + settings.model_dump_json(
            exclude={"engines": {"codex": {"env"}}}
        )


def test_what_an_agent_is_given_is_masked_only_where_it_looks_like_a_secret(tmp_path: Path) -> None:
    env = {"API_KEY": "long-enough", "SOME_TOKEN": "short", "PLAIN": "long-enough-too"}
    environ = {"HOME": str(tmp_path), "ROOST_ENGINES__CODEX__ENV": json.dumps(env)}
    assert load(environ).secrets() == ["long-enough"]


def test_nothing_changes_settings(tmp_path: Path) -> None:
    settings = load({"HOME": str(tmp_path)})
    for part, name in ((settings, "language"), (settings.telegram, "base_url")):
        with pytest.raises(ValueError, match="frozen"):
            setattr(part, name, "https://other.example.org")


def test_settings_made_by_hand_look_at_no_environment() -> None:
    program = "from core.settings import Settings; print(Settings().language)"
    environ = {**os.environ, "LANGUAGE": "de", "ROOST_LANGUAGE": "de"}
    told = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True, timeout=30
    )
    assert told.stdout == "en\n"
    assert Settings(telegram=TelegramSettings(), provider=Providers(custom=ProviderSettings())) == Settings()


@pytest.mark.parametrize(
    "name",
    [
        "ROOST_RUN",
        "ROOST_CRASH_AT",
        "ROOST_TEST_CODEX",
        "ROOST_REQUIRE_REAL",
        "ROOST_HOST_AGENT_SOCKET",
        "ROOST_HOST_AGENT_TOKEN_FILE",
        "ROOST_REMOTE_CHANNEL",
        "ROOSTER",
        "MY_ROOST_LANGUAGE",
    ],
)
def test_other_variables_are_let_be(tmp_path: Path, name: str) -> None:
    assert load({"HOME": str(tmp_path), name: "anything"}) == load({"HOME": str(tmp_path)})


@pytest.mark.parametrize(
    ("given", "expected"),
    [("~", "HOME"), ("~/a b", "HOME/a b"), ("/srv/roost", "/srv/roost")],
)
def test_the_data_directory_is_absolute(tmp_path: Path, given: str, expected: str) -> None:
    settings = load({"HOME": str(tmp_path), "ROOST_DATA_DIR": given})
    assert settings.data_dir == Path(expected.replace("HOME", str(tmp_path)))


def test_a_file_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load({"HOME": str(tmp_path)}, tmp_path / "nowhere.toml")
    (fault,) = raised.value.faults
    assert (fault.key, fault.fields) == ("config.file_missing", {"file": str(tmp_path / "nowhere.toml")})


@pytest.mark.parametrize(
    ("content", "key", "line"),
    [
        (b"language = ", "config.file_not_toml", "1"),
        (b"[telegram]\nallowed_users = [1,\nx]", "config.file_not_toml", "3"),
        (b'language = "en"\nlanguage = "fr"', "config.file_not_toml", "2"),
        (b'language = "\xff"', "config.file_unreadable", None),
    ],
)
def test_a_file_that_is_no_toml_is_told_with_its_line(
    tmp_path: Path, content: bytes, key: str, line: str | None
) -> None:
    file = tmp_path / "roost.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as raised:
        load({"HOME": str(tmp_path)}, file)
    (fault,) = raised.value.faults
    assert (fault.key, fault.fields.get("line")) == (key, line)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load({"HOME": str(tmp_path)}, tmp_path)
    assert raised.value.faults[0].key == "config.file_unreadable"


def test_what_a_variable_holds_is_told_by_its_name() -> None:
    names = (
        "OPENAI_API_KEY",
        "db_password",
        "MYSQL_PASS",
        "DB_PASS",
        "REGISTRY_AUTH",
        "SENTRY_DSN",
        "SSH_PASSPHRASE",
    )
    assert [name for name in names if not is_secret(name, "long-enough")] == []
    assert [
        name for name in ("AUTHOR", "SSH_AUTH_SOCK", "PASSAGE", "HOME") if is_secret(name, "long-enough")
    ] == []


def test_a_relative_data_directory_would_be_another_one_in_each_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load({"HOME": str(tmp_path), "ROOST_DATA_DIR": "rel"})
    assert [fault.key for fault in raised.value.faults] == ["config.bad.path"]
