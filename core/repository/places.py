"""Where agent programs and git look in a project, unasked, for what to run and what to obey."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from pathlib import PurePosixPath


class Form(Enum):
    """How a file is to be read."""

    SETTINGS = auto()
    GIT_CONFIG = auto()
    ATTRIBUTES = auto()
    GIT_LINK = auto()
    HOOK = auto()
    PROGRAM = auto()
    WORDS = auto()


FILES: Mapping[str, Form] = {
    ".mcp.json": Form.SETTINGS,
    ".codex/config.toml": Form.SETTINGS,
    ".codex/hooks.json": Form.SETTINGS,
    ".claude/settings.json": Form.SETTINGS,
    ".claude/settings.local.json": Form.SETTINGS,
    "opencode.json": Form.SETTINGS,
    "opencode.jsonc": Form.SETTINGS,
    ".opencode/opencode.json": Form.SETTINGS,
    ".opencode/opencode.jsonc": Form.SETTINGS,
    ".gemini/settings.json": Form.SETTINGS,
    ".git": Form.GIT_LINK,
    ".git/config": Form.GIT_CONFIG,
    ".git/config.worktree": Form.GIT_CONFIG,
    ".git/info/attributes": Form.ATTRIBUTES,
    ".gitattributes": Form.ATTRIBUTES,
    "AGENTS.md": Form.WORDS,
    "AGENTS.override.md": Form.WORDS,
    "CLAUDE.md": Form.WORDS,
    "CLAUDE.local.md": Form.WORDS,
    ".claude/CLAUDE.md": Form.WORDS,
    "GEMINI.md": Form.WORDS,
    ".cursorrules": Form.WORDS,
}
FOLDERS: Mapping[str, Form] = {
    ".git/hooks": Form.HOOK,
    ".opencode/plugin": Form.PROGRAM,
    ".opencode/plugins": Form.PROGRAM,
    ".opencode/tool": Form.PROGRAM,
    ".opencode/tools": Form.PROGRAM,
    ".cursor": Form.SETTINGS,
    ".cursor/rules": Form.WORDS,
}
"""Every file that lies directly in one of these."""
SAMPLE = ".sample"
"""How the names of hooks end that git itself brings, and does not run."""
SETTINGS_ENDINGS = (".json", ".jsonc", ".toml")


def form_of(path: str) -> Form:
    """How a watched file is read, by its name."""
    form = FILES.get(path) or FOLDERS.get(str(PurePosixPath(path).parent), Form.WORDS)
    return Form.WORDS if form is Form.SETTINGS and not path.endswith(SETTINGS_ENDINGS) else form
