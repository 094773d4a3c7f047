"""The configuration: one file and the environment in, one frozen value or every fault out."""

from __future__ import annotations

from core.settings.load import config_file, load
from core.settings.schema import EngineSettings, Settings, TelegramSettings, TranscriptionSettings, is_secret

__all__ = [
    "EngineSettings",
    "Settings",
    "TelegramSettings",
    "TranscriptionSettings",
    "config_file",
    "is_secret",
    "load",
]
