"""Whether an agent program is logged in, found out from files and variables alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engines.claude import Claude
from core.engines.codex import Codex
from core.engines.demo import Demo
from core.engines.logins import LOGINS, login_of
from core.hosts.logins import door
from core.model.login import Door


@pytest.mark.parametrize(
    ("engine", "files", "env", "found"),
    [
        ("codex", {}, {}, Door.SHUT),
        ("codex", {".codex/config.toml": 'cli_auth_credentials_store = "keyring"'}, {}, Door.OPEN),
        ("claude", {}, {}, Door.SHUT),
        ("claude", {".claude/.credentials.json": "{}"}, {}, Door.OPEN),
        ("claude", {"other/.credentials.json": "{}"}, {"CLAUDE_CONFIG_DIR": "HOME/other"}, Door.OPEN),
        ("claude", {".claude/.credentials.json": "{}"}, {"CLAUDE_CONFIG_DIR": "HOME/other"}, Door.SHUT),
        ("claude", {".claude/settings.json": '{"apiKeyHelper": "key"}'}, {}, Door.OPEN),
        ("claude", {".claude/settings.json": '{"model": "opus"}'}, {}, Door.SHUT),
        ("claude", {".claude.json": '{"primaryApiKey": "k"}'}, {}, Door.OPEN),
        ("claude", {}, {"ANTHROPIC_API_KEY": "k"}, Door.OPEN),
        ("claude", {}, {"CLAUDE_CODE_OAUTH_TOKEN": "k"}, Door.OPEN),
        ("opencode", {}, {}, Door.UNSEEN),
        ("opencode", {".local/share/opencode/auth.json": "{}"}, {}, Door.OPEN),
        ("opencode", {"data/opencode/auth.json": "{}"}, {"XDG_DATA_HOME": "HOME/data"}, Door.OPEN),
        ("opencode", {".config/opencode/opencode.json": '{"provider": {}}'}, {}, Door.OPEN),
        ("opencode", {}, {"OPENROUTER_API_KEY": "k"}, Door.OPEN),
        ("gemini", {}, {}, Door.UNSEEN),
        ("gemini", {".gemini/oauth_creds.json": "{}"}, {}, Door.OPEN),
        ("gemini", {".gemini/.env": "A=1\nexport GEMINI_API_KEY=k"}, {}, Door.OPEN),
        ("gemini", {}, {"GEMINI_API_KEY": "k"}, Door.OPEN),
        ("cursor", {}, {}, Door.UNSEEN),
        ("cursor", {".config/cursor/auth.json": "{}"}, {}, Door.OPEN),
        ("cursor", {".cursor/cli-config.json": '{"authInfo": {}}'}, {}, Door.OPEN),
        ("cursor", {}, {"CURSOR_API_KEY": "k"}, Door.OPEN),
    ],
)
def test_the_door(
    tmp_path: Path, engine: str, files: dict[str, str], env: dict[str, str], found: Door
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    given = {name: value.replace("HOME", str(tmp_path)) for name, value in {"HOME": "HOME", **env}.items()}
    assert door(LOGINS[engine], given) is found


def test_a_folder_or_a_file_that_cannot_be_read_is_no_login(tmp_path: Path) -> None:
    (tmp_path / ".codex/auth.json").mkdir(parents=True)
    (tmp_path / ".codex/config.toml").mkdir()
    assert door(LOGINS["codex"], {"HOME": str(tmp_path)}) is Door.SHUT


def test_a_program_that_the_settings_name_is_not_doubted() -> None:
    assert login_of(Codex()) is LOGINS["codex"]
    assert login_of(Claude()) is LOGINS["claude"]
    assert login_of(Codex(command=("/srv/wrapped-codex",))) is None
    assert login_of(Demo()) is None
