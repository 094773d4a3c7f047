"""The real Codex on a scripted model: no account, no traffic beyond this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.model_server import ModelServer

KEY_NAME = "SCRIPTED_KEY"
MODEL = "gpt-5.5"
CONFIG = """\
model = "{model}"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{url}"
env_key = "{key_name}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there: what is not for this machine goes no further."""


def script(*rounds: list[dict[str, object]]) -> str:
    """A prompt that tells the model what to say in each round (`tests.support.model_server`)."""
    return f"<<SCRIPT {json.dumps(rounds)} SCRIPT>>"


@dataclass(frozen=True)
class ScriptedCodex:
    """*program* is the real one; *env* is what it needs to talk to *model* and to nobody else."""

    program: Path
    model: ModelServer
    env: Mapping[str, str]


@pytest.fixture
def scripted_codex(real_codex: Path, tmp_path: Path) -> Iterator[ScriptedCodex]:
    with scripted_home(real_codex, tmp_path) as codex:
        yield codex


@contextmanager
def scripted_home(program: Path, folder: Path) -> Iterator[ScriptedCodex]:
    """The program at *program*, with a home in *folder* and a model of its own."""
    home = folder / "home"
    codex_home = home / ".codex"
    codex_home.mkdir(parents=True)
    with ModelServer() as model:
        (codex_home / "config.toml").write_text(CONFIG.format(model=MODEL, url=model.url, key_name=KEY_NAME))
        env = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "CODEX_HOME": str(codex_home),
            "HTTPS_PROXY": NOWHERE,
            "HTTP_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1",
            KEY_NAME: "scripted",
        }
        yield ScriptedCodex(program, model, env)
