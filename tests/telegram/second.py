"""A second client, aiogram's types, reads our calls and what the server made of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pydantic
from aiogram import methods
from aiogram.types import Message

from tests.telegram.server import BotApi
from tests.telegram.server.calls import DOWNLOAD, Call

TAG = re.compile(r"</?[a-z][^>]*>")
STRUCTURED = ("{", "[")
ATTACHED = "attached"
"""How python-telegram-bot calls a part that a parameter names."""
UPLOADS = {"sendPhoto": "photo", "sendDocument": "document"}
"""What is sent as a part of its own, which is no parameter here."""


def unread(api: BotApi) -> list[str]:
    """What aiogram finds wrong with any call, or can't read of any answer; empty if all is well."""
    return [f"{call.method}: {fault}" for call in api.calls for fault in _faults(call)]


def _faults(call: Call) -> Iterator[str]:
    kind = _kind(call.method)
    if kind is None:
        if call.method != DOWNLOAD:
            yield "no method of this name"
        return
    asked = {UPLOADS.get(call.method, ""): "attach://it"} | _asked(call)
    asked.pop("", None)
    unknown = (name for name in asked if name not in kind.model_fields and not name.startswith(ATTACHED))
    yield from (f"no parameter {name}" for name in unknown)
    try:
        kind.model_validate(asked)
        if call.status == 200 and kind is not methods.GetUpdates:  # those are of the tests
            answer = pydantic.TypeAdapter(kind.__returning__).validate_python(call.result)
            for message in answer if isinstance(answer, list) else [answer]:
                yield from _misread(message)
    except pydantic.ValidationError as error:
        yield str(error)


def _kind(name: str) -> type[methods.TelegramMethod[Any]] | None:
    found = getattr(methods, name[:1].upper() + name[1:], None)
    return found if isinstance(found, type) and issubclass(found, methods.TelegramMethod) else None


def _asked(call: Call) -> dict[str, Any]:
    return {
        name: json.loads(value) if isinstance(value, str) and _is_json(name, value) else value
        for name, value in call.params.items()
    }


def _is_json(name: str, value: str) -> bool:
    return value.startswith(STRUCTURED) and name not in ("text", "caption", "callback_data", "markdown")


def _misread(message: object) -> Iterator[str]:
    """Its text is the same once its entities were made tags and the tags are taken out."""
    said = (message.text or message.caption or "") if isinstance(message, Message) else ""
    if isinstance(message, Message) and said:
        tagged = message.html_text
        if unescape(TAG.sub("", tagged)) != said:
            yield f"{said!r} reads {tagged!r}"
