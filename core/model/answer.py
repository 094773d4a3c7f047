"""An answer: the agent's final text, and the files that stand in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.model.ids import ConversationId, MessageId, PromptId


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of one image that the answer names by *src* (of one that was refused, its beginning).

    photo and file: *media* is a file name in `data_dir/media`, *original* too where the photo was scaled
    down. *reason* is a locale key: why it was refused, or why it is no photo.
    """

    src: str
    kind: Literal["photo", "file", "refused"]
    media: str = ""
    original: str = ""
    name: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message of a conversation. *partial*: the turn was cancelled or failed before its end."""

    id: MessageId
    conversation: ConversationId
    prompt: PromptId | None
    role: Literal["user", "assistant"]
    text: str
    placed: tuple[Placed, ...] = ()
    partial: bool = False
