"""What a conversation and a room can be told to go by."""

from __future__ import annotations

from enum import StrEnum


class Setting(StrEnum):
    """What a conversation can be told to use."""

    ENGINE = "engine"
    MODEL = "model"
    EFFORT = "effort"
    ACCESS = "access"
    APPROVALS = "approvals"


class Listen(StrEnum):
    """Which messages of a room are prompts: what it is told to hear."""

    AUTO = "auto"
    ALL = "all"
    MENTION = "mention"
