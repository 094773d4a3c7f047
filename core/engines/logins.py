"""Where each engine's login is, found out from the programs themselves (Cursor's from its documentation)."""

from __future__ import annotations

from core.engines.port import Engine
from core.model.login import Login

CODEX = Login(
    "codex login",
    ("OPENAI_API_KEY", "CODEX_API_KEY"),
    ("$CODEX_HOME/auth.json",),
    (
        ("$CODEX_HOME/config.toml", r'(?m)^\s*model_provider\s*=\s*"'),  # a gateway of one's own
        ("$CODEX_HOME/config.toml", r'(?m)^\s*cli_auth_credentials_store\s*=\s*"(keyring|auto)"'),
    ),
    (("CODEX_HOME", "~/.codex"),),
    sure=True,
)
CLAUDE = Login(
    "claude auth login",
    (
        *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK"),
        *("CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_CUSTOM_HEADERS"),
    ),
    ("$CLAUDE_CONFIG_DIR/.credentials.json", "/etc/claude-code/managed-settings.json"),
    (
        ("$CLAUDE_CONFIG_DIR/settings.json", r'"(apiKeyHelper|ANTHROPIC_\w+|CLAUDE_CODE_\w+)"'),
        ("$CLAUDE_CONFIG_DIR/.claude.json", r'"primaryApiKey"'),
        ("~/.claude.json", r'"primaryApiKey"'),
    ),
    (("CLAUDE_CONFIG_DIR", "~/.claude"),),
    sure=True,
)
OPENCODE = Login(
    "opencode auth login",
    (
        *("OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY"),
        *("GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "MISTRAL_API_KEY", "DEEPSEEK_API_KEY"),
        *("OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG_DIR"),
    ),
    ("$XDG_DATA_HOME/opencode/auth.json",),
    (
        ("$XDG_CONFIG_HOME/opencode/opencode.json", r'"provider"'),
        ("$XDG_CONFIG_HOME/opencode/opencode.jsonc", r'"provider"'),
    ),
    (("XDG_DATA_HOME", "~/.local/share"), ("XDG_CONFIG_HOME", "~/.config")),
)
GEMINI = Login(
    "gemini",
    (
        *("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_VERTEXAI"),
        *("GOOGLE_GENAI_USE_GCA",),
    ),
    ("~/.gemini/oauth_creds.json",),
    (("~/.gemini/.env", r"(?m)^\s*(export\s+)?(GEMINI|GOOGLE)_API_KEY="),),
)
CURSOR = Login(
    "cursor-agent login",
    ("CURSOR_API_KEY",),
    ("$XDG_CONFIG_HOME/cursor/auth.json",),
    (("~/.cursor/cli-config.json", r'"authInfo"'),),
    (("XDG_CONFIG_HOME", "~/.config"),),
)
LOGINS = {"codex": CODEX, "claude": CLAUDE, "opencode": OPENCODE, "gemini": GEMINI, "cursor": CURSOR}
PROGRAMS = {"cursor": "cursor-agent"}
"""The program of an engine, where it is not called like it."""


def login_of(engine: Engine) -> Login | None:
    """None for an engine whose login nobody knows, or whose program the settings name: whoever does that
    knows how it gets in."""
    usual = (PROGRAMS.get(engine.name, engine.name),)
    return LOGINS.get(engine.name) if engine.command == usual else None
