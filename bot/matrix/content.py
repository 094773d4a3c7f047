"""A message of ours as the content of an event."""

from __future__ import annotations

from dataclasses import replace

from bot.chat import MessageRef
from bot.matrix.cut import Part
from bot.matrix.pictures import Look
from bot.matrix.sounds import Sound
from bot.matrix.wire import Json

HTML = "org.matrix.custom.html"
VOICE, HEARD = "org.matrix.msc3245.voice", "org.matrix.msc1767.audio"
"""What tells a voice message from other sound."""
EDITED = "* "
"""Before the words of an edit, for clients that don't know edits."""


def spoken(part: Part) -> Json:
    """A notice rings nobody."""
    kind = "m.notice" if part.silent else "m.text"
    said: Json = {"msgtype": kind, "body": part.body, "m.mentions": _mentions(part)}
    return said | ({"format": HTML, "formatted_body": part.html} if part.html else {})


def _mentions(part: Part) -> Json:
    """Beside the words, which stay as they are."""
    return {"user_ids": [part.to]} if part.to and not part.silent else {}


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


def attached(part: Part, place: Json, size: int, kind: Look | Sound | str, small: Json) -> Json:
    """*place*: where the file lies, with what opens it; *small* likewise. *kind*: what is known of it, its
    type alone where it is neither shown nor heard."""
    more: Json = {}
    match kind:
        case Look():
            msgtype, info = "m.image", _shown(kind, small)
        case Sound(mime, length, spoken):
            msgtype, info = "m.audio", {"mimetype": mime} | ({"duration": length} if length else {})
            more = {VOICE: {}, HEARD: {"duration": length}} if spoken else {}
        case _:
            msgtype, info = "m.file", {"mimetype": kind}
    said: Json = {
        "msgtype": msgtype,
        "body": part.body or part.name,
        "filename": part.name,
        "info": {"size": size, **info},
        **more,
        "m.mentions": _mentions(part),
        **place,
    }
    return said | ({"format": HTML, "formatted_body": part.html} if part.html and part.body else {})


def _shown(look: Look, small: Json) -> Json:
    info: Json = {"mimetype": look.mime, "w": look.width, "h": look.height, "xyz.amorgan.blurhash": look.blur}
    if not small:
        return info
    width, height = look.small_size
    about = {"mimetype": "image/jpeg", "size": len(look.small), "w": width, "h": height}
    return info | {"thumbnail_info": about} | {f"thumbnail_{key}": value for key, value in small.items()}
