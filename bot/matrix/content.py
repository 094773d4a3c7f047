"""A message of ours as the content of an event."""

from __future__ import annotations

from dataclasses import replace

from bot.chat import MessageRef
from bot.matrix.cut import Part
from bot.matrix.pictures import Look
from bot.matrix.wire import Json

HTML = "org.matrix.custom.html"
EDITED = "* "
"""Before the words of an edit, for clients that don't know edits."""


def spoken(part: Part) -> Json:
    """A notice rings nobody."""
    said: Json = {"msgtype": "m.notice" if part.silent else "m.text", "body": part.body, "m.mentions": {}}
    return said | ({"format": HTML, "formatted_body": part.html} if part.html else {})


def related(said: Json, reply_to: MessageRef | None, thread: str) -> Json:
    """In its thread, which older clients take for a reply to what began it."""
    relation: Json = {}
    if thread:
        relation = {"rel_type": "m.thread", "event_id": thread, "is_falling_back": reply_to is None}
    if reply_to or thread:
        relation["m.in_reply_to"] = {"event_id": reply_to or thread}
    return said | ({"m.relates_to": relation} if relation else {})


def replacing(message: MessageRef, part: Part) -> Json:
    """Rings nobody, in clients that don't know edits either."""
    new = spoken(replace(part, silent=True))
    old: Json = {key: EDITED + str(new[key]) for key in ("body", "formatted_body") if key in new}
    return {
        **new,
        **old,
        "m.new_content": new,
        "m.relates_to": {"rel_type": "m.replace", "event_id": message},
    }


def attached(part: Part, place: Json, size: int, look: Look | None, small: Json) -> Json:
    """*place*: where the file lies, with what opens it; *small* likewise."""
    info: Json = {"size": size}
    if look:
        info |= {"mimetype": look.mime, "w": look.width, "h": look.height, "xyz.amorgan.blurhash": look.blur}
    if look and small:
        width, height = look.small_size
        about = {"mimetype": "image/jpeg", "size": len(look.small), "w": width, "h": height}
        info |= {"thumbnail_info": about} | {f"thumbnail_{key}": value for key, value in small.items()}
    said: Json = {
        "msgtype": "m.image" if look else "m.file",
        "body": part.body or part.name,
        "filename": part.name,
        "info": info,
        "m.mentions": {},
        **place,
    }
    return said | ({"format": HTML, "formatted_body": part.html} if part.html and part.body else {})
