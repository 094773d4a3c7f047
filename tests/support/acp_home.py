"""A home in which the real OpenCode and Gemini talk to a scripted model, and to nobody else."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.support.codex import NOWHERE


def opencode_config(url: str, key: str) -> str:
    modalities = {"input": ["text", "image"], "output": ["text"]}
    limit = {"context": 200_000, "output": 8_192}
    one = {"name": "T", "attachment": True, "tool_call": True, "limit": limit, "modalities": modalities}
    options = {"baseURL": f"{url}/v1", "apiKey": key}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "S",
        "options": options,
        "models": {"test-model": one, "other-model": one},
    }
    config = {"model": "scripted/test-model", "small_model": "scripted/test-model", "share": "disabled"}
    return json.dumps({**config, "enabled_providers": ["scripted"], "provider": {"scripted": provider}})


def environment(url: str, home: Path, key: str) -> dict[str, str]:
    settings = {
        "general": {"maxAttempts": 1, "disableAutoUpdate": True},
        "privacy": {"usageStatisticsEnabled": False},
        "security": {"auth": {"selectedType": "gemini-api-key"}},
    }
    (home / ".gemini").mkdir(parents=True, exist_ok=True)
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings))
    switches = ("MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "HTTPS_PROXY": NOWHERE,
        "HTTP_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1,localhost",
        "GEMINI_API_KEY": key,
        "GOOGLE_GEMINI_BASE_URL": url,
        "NO_BROWSER": "1",
        **{f"OPENCODE_DISABLE_{name}": "1" for name in switches},
        "OPENCODE_CONFIG_CONTENT": opencode_config(url, key),
    }
