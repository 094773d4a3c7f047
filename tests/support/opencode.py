"""The real OpenCode on a scripted model: no account, no traffic beyond this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engines.opencode_run import OpenCodeRun
from tests.support.chat_model import ChatModel
from tests.support.oneshot import OneShot, environment, opencode_config


@pytest.fixture
def opencode(real_opencode: Path, tmp_path: Path) -> Iterator[OneShot]:
    project = tmp_path / "project"
    project.mkdir()
    with ChatModel() as model:
        env = environment(tmp_path / "home")
        env |= dict.fromkeys(("OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_LSP_DOWNLOAD"), "1")
        env["OPENCODE_CONFIG_CONTENT"] = opencode_config(model.url)
        yield OneShot(OpenCodeRun(), str(real_opencode), project, model, env)
