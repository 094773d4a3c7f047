"""The files that a message carries."""

from __future__ import annotations

from collections.abc import Iterator

from telegram import ExternalReplyInfo, Message

from bot.chat import FileRef

Carrier = Message | ExternalReplyInfo
"""A message, or what is told of one in another chat."""


def files_of(carrier: Carrier, number: int) -> tuple[FileRef, ...]:
    """*number* tells those apart to which Telegram gives no name."""
    return (*_nameless(carrier, number), *_named(carrier, number))


def _nameless(carrier: Carrier, number: int) -> Iterator[FileRef]:
    """What is taken or spoken on the spot; Telegram gives it no name."""
    if carrier.photo:
        largest = max(carrier.photo, key=lambda size: (size.width, size.height))
        yield FileRef(largest.file_id, f"photo-{number}.jpg", largest.file_size or 0, "image/jpeg")
    if voice := carrier.voice:
        name, size = f"voice-{number}.ogg", voice.file_size or 0
        yield FileRef(voice.file_id, name, size, voice.mime_type or "", spoken=True)
    if note := carrier.video_note:
        yield FileRef(note.file_id, f"video-{number}.mp4", note.file_size or 0, "video/mp4")


def _named(carrier: Carrier, number: int) -> Iterator[FileRef]:
    for named, kind in ((carrier.document, "file"), (carrier.audio, "audio"), (carrier.video, "video")):
        if named:
            name, spoken = named.file_name or f"{kind}-{number}", kind == "audio"
            yield FileRef(named.file_id, name, named.file_size or 0, named.mime_type or "", spoken=spoken)
