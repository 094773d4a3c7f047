"""Every fault names its key, its value and what was expected; none names a secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.texts import Texts
from core.errors import ConfigError, ConfigFault
from core.settings import load
from core.settings.faults import HIDDEN, shown
from core.settings.schema import TABLES, Expected, known_keys

TOKEN = "123456789:AAExampleExampleExampleExample"


def faults(environ: dict[str, str], file: str = "", *, home: Path) -> list[ConfigFault]:
    config = home / "roost.toml"
    config.write_text(file, "utf-8")
    with pytest.raises(ConfigError) as raised:
        load({"HOME": str(home), **environ}, config)
    return list(raised.value.faults)


def said(fault: ConfigFault, language: str = "en") -> str:
    return Texts(language, strict=True).say(fault.key, **fault.fields)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("language", '"klingon language"', "config.bad.language"),
        ("language", "5", "config.bad.language"),
        ("data_dir", '""', "config.bad.path"),
        ("data_dir", '"~ann/data"', "config.bad.path"),
        ("data_dir", '"rel"', "config.bad.path"),
        ("data_dir", '"./rel"', "config.bad.path"),
        ("data_dir", "[]", "config.bad.path"),
        ("data_dir", '"/"', "config.bad.path"),
        ("data_dir", '"/tmp/..//"', "config.bad.path"),
        ("data_dir", '"a\\u0000b"', "config.bad.path"),
        ("engines.codex.env", "{ 'A=B' = 'value' }", "config.bad.env"),
        ("engines.codex.env", "{ '' = 'value' }", "config.bad.env"),
        ("engines.codex.env", '{ "A\\u0000" = "value" }', "config.bad.env"),
        ("engines.codex.env", '{ A = "val\\u0000ue" }', "config.bad.env"),
        ("engines.codex.command", '["codex", "a\\u0000b"]', "config.bad.command"),
        ("engines.codex.model", '"a\\u0000b"', "config.bad.word"),
        ("max_concurrent_agents", "0", "config.bad.one_or_more"),
        ("max_concurrent_agents", "-1", "config.bad.one_or_more"),
        ("max_concurrent_agents", "true", "config.bad.one_or_more"),
        ("max_concurrent_agents", "1.5", "config.bad.one_or_more"),
        ("max_concurrent_agents", '"many"', "config.bad.one_or_more"),
        ("max_agents_total", "-1", "config.bad.zero_or_more"),
        ("silence_seconds", "0", "config.bad.seconds"),
        ("silence_seconds", "inf", "config.bad.seconds"),
        ("warm_seconds", "-1", "config.bad.seconds_or_none"),
        ("silence_seconds", "true", "config.bad.seconds"),
        ("wait_for_limits", '"perhaps"', "config.bad.yes_or_no"),
        ("telegram", '"on"', "config.bad.table"),
        ("telegram.token", "5", "config.bad.token"),
        ("telegram.token", '"Use this token: 1:abc"', "config.bad.token"),
        ("telegram.base_url", '"api.telegram.org"', "config.bad.bot_api"),
        ("telegram.base_url", '""', "config.bad.bot_api"),
        ("telegram.base_url", '"ftp://example.org"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://"', "config.bad.bot_api"),
        ("telegram.base_url", '"https:///bots"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://:8081"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://..."', "config.bad.bot_api"),
        ("telegram.base_url", '"https://[::1"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org:port"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org:0"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org:70000"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org "', "config.bad.bot_api"),
        ("telegram.base_url", '" https://example.org"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org\\n"', "config.bad.bot_api"),
        ("telegram.base_url", '"http://127.0.0.1:8081/é"', "config.bad.bot_api"),
        ("telegram.base_url", '"http://münchen.example"', "config.bad.bot_api"),
        ("telegram.base_url", '"http://a..b"', "config.bad.bot_api"),
        ("telegram.base_url", f'"http://{"a" * 64}:1"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org/bot"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org/tg/bot/"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org/file/bot"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org?x=1"', "config.bad.bot_api"),
        ("telegram.base_url", '"https://example.org/#x"', "config.bad.bot_api"),
        ("telegram.webhook_url", '"https://example.org:port/hook"', "config.bad.url"),
        ("telegram.webhook_url", '"/hook"', "config.bad.url"),
        ("telegram.webhook_listen", '"8443"', "config.bad.listen"),
        ("telegram.webhook_listen", '"127.0.0.1:0"', "config.bad.listen"),
        ("telegram.webhook_listen", '"127.0.0.1:99999"', "config.bad.listen"),
        ("telegram.webhook_secret", '"short"', "config.bad.webhook_secret"),
        ("telegram.webhook_secret", '"with spaces in it"', "config.bad.webhook_secret"),
        ("telegram.local_mode", '"maybe"', "config.bad.yes_or_no"),
        ("telegram.allowed_users", '["bob"]', "config.bad.telegram_ids"),
        ("telegram.allowed_users", "1001", "config.bad.telegram_ids"),
        ("matrix.homeserver", '"example.org"', "config.bad.url"),
        ("matrix.user", '"roost"', "config.bad.matrix_id"),
        ("matrix.allowed_users", '["ann"]', "config.bad.matrix_ids"),
        ("matrix.device_id", '"a b"', "config.bad.word"),
        ("matrix.threads", '"always"', "config.bad.threads"),
        ("matrix.password", "[]", "config.bad.secret"),
        ("engines", "5", "config.bad.table"),
        ("engines.codex", "5", "config.bad.table"),
        ("engines.codex.command", "[]", "config.bad.command"),
        ("engines.codex.command", '""', "config.bad.command"),
        ("engines.codex.command", '["codex", 5]', "config.bad.command"),
        ("engines.codex.kind", '"mcp"', "config.bad.kind"),
        ("engines.codex.transport", '"tcp"', "config.bad.transport"),
        ("engines.codex.model", '"a b"', "config.bad.word"),
        ("engines.codex.env", '["A=b"]', "config.bad.env"),
        ("engines.codex.env", "{ A = 5 }", "config.bad.env"),
        ("engines.codex.pass_env", '"NAME"', "config.bad.names"),
        ("provider.custom", "5", "config.bad.table"),
        ("provider.custom.base_url", '"gateway"', "config.bad.url"),
        ("provider.custom.model", '"a b"', "config.bad.word"),
        ("provider.custom.api_key", "5", "config.bad.secret"),
    ],
)
def test_a_bad_value_is_told_with_its_key(tmp_path: Path, key: str, value: str, expected: str) -> None:
    (fault,) = faults({}, f"{key} = {value}", home=tmp_path)
    assert (fault.key, fault.fields["setting"]) == (expected, key)
    assert key in said(fault)
    assert key in said(fault, "fr")


def test_every_expectation_has_its_sentence() -> None:
    texts = Texts("en", strict=True)
    wanted = [
        item.key
        for model in TABLES.values()
        for field in model.model_fields.values()
        for item in field.metadata
        if isinstance(item, Expected)
    ]
    assert len(wanted) > 10
    assert not [key for key in wanted if not texts.knows(key)]


def test_the_words_are_ours(tmp_path: Path) -> None:
    (fault,) = faults({}, "max_concurrent_agents = 0", home=tmp_path)
    assert said(fault) == "`max_concurrent_agents` = 0. Expected: a whole number, 1 or more."
    assert said(fault, "fr") == "`max_concurrent_agents` = 0. Attendu : un nombre entier, 1 ou plus."


def test_a_variable_is_named_beside_its_key(tmp_path: Path) -> None:
    (fault,) = faults({"ROOST_TELEGRAM__BASE_URL": "telegram"}, home=tmp_path)
    assert said(fault).startswith("`telegram.base_url (ROOST_TELEGRAM__BASE_URL)` = telegram. Expected: ")


@pytest.mark.parametrize(
    ("line", "setting", "near"),
    [
        ("max_concurent_agents = 2", "max_concurent_agents", "max_concurrent_agents"),
        ('lang = "en"', "lang", None),
        ('langage = "en"', "langage", "language"),
        ('token = "x"', "token", "telegram.token"),
        ('[telegrm]\ntoken = "x"', "telegrm", "telegram"),
        ('[telegram]\ntokn = "x"', "telegram.tokn", "telegram.token"),
        ("[telegram]\nallowd_users = [1]", "telegram.allowd_users", "telegram.allowed_users"),
        ('[matrix]\nhome_server = "x"', "matrix.home_server", "matrix.homeserver"),
        ('[engines.claude]\ncomand = "x"', "engines.claude.comand", "engines.claude.command"),
        ('[provider.custm]\nmodel = "x"', "provider.custm", "provider.custom"),
        ('[provider.custom]\napikey = "x"', "provider.custom.apikey", "provider.custom.api_key"),
        ("_env_prefix = 5", "_env_prefix", None),
        ("zzz = 5", "zzz", None),
    ],
)
def test_an_unknown_key_is_told_with_the_nearest(
    tmp_path: Path, line: str, setting: str, near: str | None
) -> None:
    (fault,) = faults({}, line, home=tmp_path)
    assert (fault.fields["setting"], fault.fields.get("near")) == (setting, near)
    assert fault.key == ("config.unknown_key_near" if near else "config.unknown_key")


@pytest.mark.parametrize(
    ("variable", "near"),
    [
        ("ROOST_TELEGRAM_TOKEN", "ROOST_TELEGRAM__TOKEN"),
        ("ROOST_TELEGRAM__TOKN", "ROOST_TELEGRAM__TOKEN"),
        ("ROOST_DATADIR", "ROOST_DATA_DIR"),
        ("ROOST_DATA_DIR__X", "ROOST_DATA_DIR"),
        ("ROOST_ENGINES__CODEX__MODL", "ROOST_ENGINES__CODEX__MODEL"),
        ("ROOST_TOKEN_FILE", "ROOST_TELEGRAM__TOKEN_FILE"),
        ("ROOST_XYZZY", None),
        ("ROOST_", None),
    ],
)
def test_an_unknown_variable_is_told_with_the_nearest(
    tmp_path: Path, variable: str, near: str | None
) -> None:
    (fault,) = faults({variable: "something"}, home=tmp_path)
    assert f"({variable})" in fault.fields["setting"]
    assert fault.fields.get("near") == near


@pytest.mark.parametrize(
    ("table", "key", "near"),
    [
        ('[engines.cdex]\ncommand = "x"', "engines.cdex", "engines.codex"),
        ('[engines.goose]\ncommand = "x"', "engines.goose", "engines.codex"),
        ('[engines.goose]\nkind = "acp"', "engines.goose.command", None),
    ],
)
def test_an_agent_that_roost_does_not_know_needs_its_kind_and_its_command(
    tmp_path: Path, table: str, key: str, near: str | None
) -> None:
    (fault,) = faults({}, table, home=tmp_path)
    assert (fault.fields["setting"], fault.fields.get("near")) == (key, near)
    assert key in said(fault)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    environ = {
        "ROOST_MAX_AGENTS_TOTAL": "few",
        "ROOST_NOTHING": "1",
        "ROOST_TELEGRAM__TOKEN_FILE": str(tmp_path / "nowhere"),
    }
    file = 'silence_seconds = -1\n[telegram]\nallowed_users = ["a", "b"]\n[engines.nope]\nmodel = "x"'
    told = {fault.fields["setting"].split(" ")[0] for fault in faults(environ, file, home=tmp_path)}
    assert told == {
        *("max_agents_total", "nothing", "telegram.token_file", "silence_seconds"),
        *("telegram.allowed_users", "engines.nope"),
    }


@pytest.mark.parametrize(
    "file",
    [
        "language = " + "[" * 100_000,
        "a = " + "{ a = " * 5_000 + "1" + " }" * 5_000,
        f"max_agents_total = {'9' * 5_000}",
    ],
)
def test_a_file_that_nobody_can_mean_is_a_fault(tmp_path: Path, file: str) -> None:
    (fault,) = faults({}, file, home=tmp_path)
    assert fault.key == "config.file_absurd"
    assert "nested too deeply" in said(fault)


def test_values_within_values_are_faults_of_their_key(tmp_path: Path) -> None:
    (fault,) = faults({}, "colour." + ".".join(["a"] * 5_000) + " = 1", home=tmp_path)
    assert (fault.key, fault.fields["setting"]) == ("config.unknown_key", "colour")
    (fault,) = faults({"ROOST_TELEGRAM": "[" * 100_000}, home=tmp_path)
    assert fault.fields["setting"].startswith("telegram")


@pytest.mark.parametrize(
    "name", ["ROOST_data_dir", "ROOST_Data_Dir", "ROOST_Config", "ROOST_ENGINES__Codex__MODEL"]
)
def test_a_variable_in_small_letters_is_nobodys(tmp_path: Path, name: str) -> None:
    (fault,) = faults({name: "/srv/mine"}, home=tmp_path)
    assert (fault.key, fault.fields["setting"], fault.fields["near"]) == (
        "config.unknown_key_near",
        name,
        name.upper(),
    )
    assert "/srv/mine" not in said(fault)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_secret_that_cannot_be_read_is_a_fault(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "key"
    if content:
        file.write_bytes(content)
    (fault,) = faults({"ROOST_PROVIDER__CUSTOM__API_KEY_FILE": str(file)}, home=tmp_path)
    assert fault.key == "config.secret_unreadable"
    assert "provider.custom.api_key_file" in said(fault)


@pytest.mark.parametrize(
    "environ",
    [
        {"ROOST_TELEGRAM__TOKEN": f"Use this token to access the HTTP API:\n{TOKEN}"},
        {"ROOST_TELEGRAM__TOKEN": f"{TOKEN} {TOKEN}"},
        {"ROOST_TELEGRAM": TOKEN},
        {"ROOST_TELEGRAM": json.dumps([TOKEN])},
        {"ROOST_TELEGRAM_TOKEN": TOKEN},
        {"ROOST_TELEGRAM__TOKN": TOKEN},
        {"ROOST_TELEGRAM__TOKEN_FILE": TOKEN},
        {"ROOST_TELEGRAM__BASE_URL": f"bot{TOKEN}"},
        {"ROOST_TELEGRAM__ALLOWED_USERS": TOKEN},
        {"ROOST_LANGUAGE": TOKEN},
        {"ROOST_ENGINES__CODEX__TRANSPORT": TOKEN},
        {"ROOST_ENGINES__CODEX__ENV": TOKEN},
        {"ROOST_ENGINES__CODEX": TOKEN},
        {"ROOST_MATRIX__HOMESERVER": f"https://ann:{TOKEN}@example.org"},
        {"ROOST_PROVIDER": TOKEN},
        {"ROOST_PROVIDER__CUSTOM__KEY": TOKEN},
    ],
)
def test_no_fault_names_a_secret_or_a_part_of_it(tmp_path: Path, environ: dict[str, str]) -> None:
    for fault in faults(environ, home=tmp_path):
        told = said(fault) + repr(fault) + str(fault)
        assert TOKEN not in told
        assert TOKEN[10:20] not in told
        assert TOKEN[:9] not in told


def test_a_refused_secret_is_not_in_the_traceback(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load({"HOME": str(tmp_path), "ROOST_TELEGRAM__TOKEN": f"{TOKEN} x"})
    assert raised.value.__suppress_context__
    assert TOKEN not in str(raised.value) + str(raised.value.__context__)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("tcp", "tcp"),
        (0, "0"),
        (-1.5, "-1.5"),
        ("", '""'),
        ("x" * 100, "x" * 60),
        ("two words", HIDDEN),
        ("line\nbreak", HIDDEN),
        ("https://ann:secret@example.org", HIDDEN),
        (["a"], HIDDEN),
        ({"a": "b"}, HIDDEN),
    ],
)
def test_a_value_is_shown_short_and_only_if_it_can_be_no_secret(value: object, printed: str) -> None:
    assert shown(value) == printed


def test_known_keys_name_the_engine_that_is_asked_about() -> None:
    assert "engines.goose.command" in known_keys("goose")
    assert "telegram.token_file" in known_keys()


@pytest.mark.parametrize("behind", ["bot7:abcd-efgh", f"bot{TOKEN}", f"bot{TOKEN}/getMe", f"?token={TOKEN}"])
def test_a_token_in_the_address_is_refused_and_not_shown(tmp_path: Path, behind: str) -> None:
    (fault,) = faults({}, f'telegram.base_url = "https://example.org/{behind}"', home=tmp_path)
    assert (fault.key, fault.fields["value"]) == ("config.bad.bot_api", HIDDEN)


@pytest.mark.parametrize(
    "url",
    [
        "https://api.telegram.org/",
        "http://127.0.0.1:8081",
        "http://[::1]:8081/botapi",
        "https://xn--exmple-cua.org/tg/bots",
        "http://bot",
    ],
)
def test_any_address_of_a_server_will_do(tmp_path: Path, url: str) -> None:
    config = tmp_path / "roost.toml"
    config.write_text(f'telegram.base_url = "{url}"', "utf-8")
    assert load({"HOME": str(tmp_path)}, config).telegram.base_url == url
