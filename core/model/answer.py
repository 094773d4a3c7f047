"""An answer: the agent's final text, and the files that stand in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.model.ids import ConversationId, MessageId, PromptId


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of an image or file that the answer names by *src* (its beginning, if it was refused).

    photo and file stand where an image does, made is a file to which it links and which the turn made, linked
    one that is sent if somebody asks. *media* is a file name in `data_dir/media`, *original* too where the
    photo was scaled down. *reason* is a locale key: why it was refused, or why it is no photo.
    """

    src: str
    kind: Literal["photo", "file", "refused", "made", "linked"]
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
