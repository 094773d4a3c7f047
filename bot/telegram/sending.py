"""One message of ours on its way to Telegram: a text, a photo or a document, and what replaces it later."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, TypeVar

from telegram import (
    InlineKeyboardMarkup,
    InputFile,
    InputMediaPhoto,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
)
from telegram import Message as TelegramMessage

from bot.chat import Divided, MessageRef, Refused, RoomAddress, Why
from bot.drawing import png, sheet
from bot.telegram import files
from bot.telegram.api import Api, Patience
from bot.telegram.buttons import keyboard
from bot.telegram.cut import listed
from bot.telegram.errors import calling
from bot.telegram.part import Part, encode, in_turn

TABLE = "table.png"
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

logger = logging.getLogger(__name__)

T = TypeVar("T")


class _AlbumPlace(TypedDict):
    """What every kind of message is sent with."""

    chat_id: int
    message_thread_id: int | None
    disable_notification: bool
    reply_parameters: ReplyParameters | None


class _Place(_AlbumPlace):
    """And what an album can't have."""

    reply_markup: InlineKeyboardMarkup | None


class Sending:
    """*media* gives the path of a kept file. Every call may raise a `ChatError`."""

    def __init__(self, api: Api, patience: Patience, media: Callable[[str], Path]) -> None:
        self._api = api
        self._patience = patience
        self._media = media
        self._rich = True

    async def send(self, room: RoomAddress, part: Part) -> MessageRef:
        sent = await _readable(part, lambda part: self._post(_place(room, part), part))
        return MessageRef(str(sent.message_id))

    async def edit(self, room: RoomAddress, message: MessageRef, part: Part) -> None:
        """One that says so already is no error."""
        try:
            await _readable(part, lambda part: self._edit(room, message, part))
        except Refused as refusal:
            if refusal.why is not Why.SAME:
                raise

    async def _post(self, place: _Place, part: Part) -> TelegramMessage:
        if part.rich:
            return await self._post_rich(place, part)
        if part.album:
            return await self._post_album(place, part)
        if part.table:
            return await self._post_table(place, part)
        if part.content:
            return await self._post_document(place, part, part.content.encode())
        if not part.media:
            return await self._post_text(place, part)
        data = await self._read(part)
        if part.photo and len(data) <= files.LARGEST_PHOTO:
            try:
                return await self._post_photo(place, part, data)
            except Refused as refusal:
                if refusal.why is not Why.MEDIA:
                    raise
                logger.info("a photo goes as a document: %s", refusal)
        return await self._post_document(place, part, data)

    async def _post_rich(self, place: _Place, part: Part) -> TelegramMessage:
        """Errors: `Divided` where this server or this chat doesn't take it; from then on nobody is asked."""
        if self._rich:
            try:
                async with calling(self._patience.call):
                    said = {"html": part.rich, "skip_entity_detection": True}
                    return await self._api.send_rich_message({"rich_message": said, **place})
            except Refused as refusal:
                if refusal.why in (Why.FORBIDDEN, Why.THREAD, Why.MOVED):
                    raise
                logger.info("no more rich messages: %s", refusal)
                self._rich = False
        raise _divided([*part.plainer], part, Refused("not rich"))

    async def _post_album(self, place: _Place, part: Part) -> TelegramMessage:
        """Errors: `Divided` where one of its pictures can't be shown in it, or read."""
        try:
            pictures = [await self._read(one) for one in part.album]
            if max(map(len, pictures)) > files.LARGEST_PHOTO:
                raise Refused("too big for an album", Why.MEDIA)
            seconds = files.seconds_for(sum(map(len, pictures)))
            async with calling(self._patience.call + seconds):
                sent = await self._api.send_media_group(
                    media=[_in_album(*each) for each in zip(part.album, pictures, strict=True)],
                    read_timeout=self._patience.read + seconds,
                    **_without_buttons(place),
                )
        except Refused as refusal:
            if refusal.why not in (Why.MEDIA, Why.OTHER, Why.TEXT):
                raise
            logger.info("an album goes one by one: %s", refusal)
            raise _divided([*part.album], part, refusal) from None
        return sent[0]

    async def _post_table(self, place: _Place, part: Part) -> TelegramMessage:
        """Errors: `Divided` where it can only be told in words."""
        assert part.table
        try:
            drawn = await asyncio.to_thread(sheet, part.table)
            if drawn is None:
                raise Refused("no font for a table", Why.MEDIA)
            data = await asyncio.to_thread(png, drawn, part.theme)
            return await self._post_photo(place, replace(part, name=TABLE), data)
        except Refused as refusal:
            if refusal.why is not Why.MEDIA:
                raise
            logger.info("a table goes as a list: %s", refusal)
            raise _divided(listed(part.table), part, refusal) from None

    async def _read(self, part: Part) -> bytes:
        return await asyncio.to_thread(files.read, self._media(part.media))

    async def _post_text(self, place: _Place, part: Part) -> TelegramMessage:
        async with calling(self._patience.call):
            return await self._api.send_message(
                text=part.text, entities=entities_of(part), link_preview_options=NO_PREVIEW, **place
            )

    async def _post_photo(self, place: _Place, part: Part, data: bytes) -> TelegramMessage:
        seconds = files.seconds_for(len(data))
        async with calling(self._patience.call + seconds):
            return await self._api.send_photo(
                photo=InputFile(data, part.name),
                caption=part.text,
                caption_entities=entities_of(part),
                read_timeout=self._patience.read + seconds,
                **place,
            )

    async def _post_document(self, place: _Place, part: Part, data: bytes) -> TelegramMessage:
        data, name = await asyncio.to_thread(files.as_document, data, part.name)
        seconds = files.seconds_for(len(data))
        async with calling(self._patience.call + seconds):
            return await self._api.send_document(
                document=InputFile(data, name),
                caption=part.text,
                caption_entities=entities_of(part),
                disable_content_type_detection=True,
                read_timeout=self._patience.read + seconds,
                **place,
            )

    async def _edit(self, room: RoomAddress, message: MessageRef, part: Part) -> None:
        async with calling(self._patience.call):
            await self._api.edit_message_text(
                part.text,
                int(room.chat),
                int(message),
                entities=entities_of(part),
                link_preview_options=NO_PREVIEW,
                reply_markup=keyboard(part.buttons),
            )


def _divided(parts: list[Part], whole: Part, refusal: Refused) -> Divided:
    return Divided([encode(part) for part in in_turn(parts, whole)], str(refusal))


def _in_album(part: Part, data: bytes) -> InputMediaPhoto:
    return InputMediaPhoto(
        InputFile(data, part.name, attach=True), caption=part.text, caption_entities=entities_of(part)
    )


def _without_buttons(place: _Place) -> _AlbumPlace:
    return {
        "chat_id": place["chat_id"],
        "message_thread_id": place["message_thread_id"],
        "disable_notification": place["disable_notification"],
        "reply_parameters": place["reply_parameters"],
    }


def thread_of(room: RoomAddress) -> int | None:
    return int(room.thread) if room.thread else None


async def _readable(part: Part, call: Callable[[Part], Awaitable[T]]) -> T:
    """Text that is refused for its marks goes without them: better read plainly than never."""
    try:
        return await call(part)
    except Refused as refusal:
        if refusal.why is not Why.TEXT or not part.entities:
            raise
        logger.error("a text goes without its marks: %s", refusal)
        return await call(part.plain)


def _place(room: RoomAddress, part: Part) -> _Place:
    reply = ReplyParameters(int(part.reply_to), allow_sending_without_reply=True) if part.reply_to else None
    return {
        "chat_id": int(room.chat),
        "message_thread_id": thread_of(room),
        "disable_notification": part.silent,
        "reply_parameters": reply,
        "reply_markup": keyboard(part.buttons),
    }


def entities_of(part: Part) -> list[MessageEntity]:
    return [
        MessageEntity(one.type, one.offset, one.length, url=one.url, language=one.language)
        for one in part.entities
    ]
