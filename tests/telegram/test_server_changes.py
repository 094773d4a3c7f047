"""Our Bot API server: edits, deletes, reactions, presses, pictures, documents and files."""

from __future__ import annotations

import io
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.telegram.client import Client, Clock, picture
from tests.telegram.server import TOKEN, BotApi, Person

STOP = {"inline_keyboard": [[{"text": "Stop", "callback_data": "s:1"}]]}


async def edit(bot: Client, message: dict[str, Any], text: str, **more: Any) -> dict[str, Any]:
    return await bot.call(
        "editMessageText", chat_id=1001, message_id=message["message_id"], text=text, **more
    )


async def test_an_edit_changes_keeps_its_date_and_does_not_ring(
    bot: Client, ann: Person, clock: Clock
) -> None:
    sent = await bot.ok("sendMessage", chat_id=1001, text="0:01", reply_markup=STOP)
    clock.now += 2
    told = (await edit(bot, sent, "0:03", reply_markup=STOP))["result"]
    assert (told["date"], told["edit_date"]) == (sent["date"], sent["date"] + 2)
    [shown] = [message for message in ann.chat.screen() if message.sender.is_bot]
    assert (shown.text, shown.edits, shown.buttons) == ("0:03", (clock.now,), [["Stop"]])
    assert ann.chat.reads(at=clock.now - 1) == ["0:01"]
    assert len(ann.chat.rung) == 1


async def test_an_edit_without_the_keyboard_removes_it(bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendMessage", chat_id=1001, text="a", reply_markup=STOP)
    assert (await edit(bot, sent, "a"))["ok"]
    assert ann.chat.buttons() == []
    again = await edit(bot, sent, "a  \n")
    assert again["description"].startswith(
        "Bad Request: message is not modified: specified new message content"
    )
    await bot.ok("editMessageReplyMarkup", chat_id=1001, message_id=sent["message_id"], reply_markup=STOP)
    assert ann.chat.buttons() == ["Stop"]


async def test_what_cannot_be_edited(bot: Client, ann: Person) -> None:
    theirs = ann.writes("mine")
    photo = await bot.ok("sendPhoto", chat_id=1001, files={"photo": ("a.png", picture())})
    words = await bot.ok("sendMessage", chat_id=1001, text="a")
    for message, why in (
        ({"message_id": theirs.id}, "message can't be edited"),
        ({"message_id": 77}, "message to edit not found"),
        ({"message_id": 0}, "message identifier is not specified"),
        (photo, "there is no text in the message to edit"),
    ):
        assert (await edit(bot, message, "b"))["description"] == f"Bad Request: {why}"
    why = await bot.refused("editMessageCaption", chat_id=1001, message_id=words["message_id"], caption="b")
    assert why == "Bad Request: there is no caption in the message to edit"


async def test_text_becomes_a_picture_and_its_caption_changes(bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendMessage", chat_id=1001, text="a")
    place = {"chat_id": 1001, "message_id": sent["message_id"]}
    media = {"type": "photo", "media": "attach://part", "caption": "shot"}
    await bot.ok("editMessageMedia", files={"part": ("shot.png", picture())}, media=media, **place)
    assert ann.chat.reads() == ["[shot.jpg] shot"]
    await bot.ok("editMessageCaption", caption="the shot", **place)
    assert ann.chat.reads() == ["[shot.jpg] the shot"]
    assert (
        await bot.refused("editMessageCaption", caption="a" * 1025, **place)
        == "Bad Request: MEDIA_CAPTION_TOO_LONG"
    )


async def test_deletes_within_two_days(bot: Client, ann: Person, clock: Clock) -> None:
    old, gone, new = [(await bot.ok("sendMessage", chat_id=1001, text=word))["message_id"] for word in "abc"]
    await bot.ok("deleteMessage", chat_id=1001, message_id=gone)
    assert await bot.refused("deleteMessage", chat_id=1001, message_id=gone) == (
        "Bad Request: message to delete not found"
    )
    await bot.ok("deleteMessages", chat_id=1001, message_ids=[new, gone, 4711])
    assert ann.chat.reads() == ["a"]
    clock.now += 49 * 3600
    assert "can't be deleted" in await bot.refused("deleteMessage", chat_id=1001, message_id=old)
    assert "too many" in await bot.refused("deleteMessages", chat_id=1001, message_ids=[*range(101)])


async def test_a_reaction_from_the_list(bot: Client, ann: Person) -> None:
    message = ann.writes("do it")

    async def react(*emojis: str) -> dict[str, Any]:
        reaction = [{"type": "emoji", "emoji": emoji} for emoji in emojis]
        return await bot.call("setMessageReaction", chat_id=1001, message_id=message.id, reaction=reaction)

    assert (await react("👀"))["ok"]
    assert ann.chat.screen()[-1].reactions == ((7000001, "👀"),)
    assert (await react("✅"))["description"] == "Bad Request: REACTION_INVALID"
    assert (await react("👀", "👍"))["description"] == "Bad Request: REACTIONS_TOO_MANY"
    assert (await react())["ok"]
    assert ann.chat.screen()[-1].reactions == ()


async def test_a_press_is_answered_once_and_soon(bot: Client, ann: Person, clock: Clock) -> None:
    await bot.ok("sendMessage", chat_id=1001, text="at work", reply_markup=STOP)
    press, late = ann.presses("Stop"), ann.presses("s:1")
    query = (await bot.ok("getUpdates"))[-2]["callback_query"]
    assert (query["data"], query["message"]["text"], query["from"]["id"]) == ("s:1", "at work", 1001)
    await bot.ok("answerCallbackQuery", callback_query_id=query["id"], text="stopped")
    assert (press.answered, press.text) == (clock.now, "stopped")
    clock.now += 16
    for query_id in (query["id"], late.id, "nonsense"):
        assert "query is too old" in await bot.refused("answerCallbackQuery", callback_query_id=query_id)


async def test_a_button_of_a_message_that_is_gone(bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendMessage", chat_id=1001, text="old", reply_markup=STOP)
    message = ann.chat.screen()[-1]
    await bot.ok("deleteMessage", chat_id=1001, message_id=sent["message_id"])
    ann.presses("Stop", message)
    query = (await bot.ok("getUpdates"))[-1]["callback_query"]
    assert query["message"] == {"message_id": message.id, "chat": ann.chat.json(), "date": 0}


async def test_typing_is_seen_for_5_s_or_until_a_message(bot: Client, ann: Person, clock: Clock) -> None:
    await bot.ok("sendChatAction", chat_id=1001, action="typing")
    start = clock.now
    assert ann.chat.typing(start + 4.9)
    assert not ann.chat.typing(start + 5.1)
    clock.now += 1
    await bot.ok("sendMessage", chat_id=1001, text="a")
    assert ann.chat.typing(start + 0.5)
    assert not ann.chat.typing(start + 1.5)
    assert "wrong parameter" in await bot.refused("sendChatAction", chat_id=1001, action="dance")


# --- files -------------------------------------------------------------------------------------------------


async def test_a_photo_is_made_small_and_can_be_fetched(api: BotApi, bot: Client, ann: Person) -> None:
    files = {"photo": ("shot.png", picture(2000, 1000))}
    sent = await bot.ok("sendPhoto", files=files, chat_id=1001, caption="a")
    assert [(size["width"], size["height"]) for size in sent["photo"]] == [(90, 45), (1280, 640)]
    file = await bot.ok("getFile", file_id=sent["photo"][-1]["file_id"])
    async with httpx.AsyncClient(verify=False) as http:
        data = (await http.get(f"{api.base_file_url}{TOKEN}/{file['file_path']}")).content
    assert Image.open(io.BytesIO(data)).format == "JPEG"
    again = await bot.ok("sendPhoto", chat_id=1001, photo=sent["photo"][-1]["file_id"])
    assert again["photo"] == sent["photo"][-1:]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "file must be non-empty"),
        (b"not a picture", "IMAGE_PROCESS_FAILED"),
        (picture()[:60], "IMAGE_PROCESS_FAILED"),
        (picture(2100, 100), "PHOTO_INVALID_DIMENSIONS"),
        (picture(6000, 4001), "PHOTO_INVALID_DIMENSIONS"),
        (
            b"x" * 10_485_761,
            "file of size 10485761 bytes is too big for a photo; the maximum size is 10485760 bytes",
        ),
    ],
)
async def test_photos_that_are_refused(bot: Client, ann: Person, data: bytes, why: str) -> None:
    refused = await bot.refused("sendPhoto", files={"photo": ("a.png", data)}, chat_id=1001)
    assert refused == f"Bad Request: {why}"


async def test_documents(api: BotApi, bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendDocument", files={"document": ("a b.pdf", b"%PDF\r\n\r\n--")}, chat_id=1001)
    assert (sent["document"]["file_name"], sent["document"]["file_size"]) == ("a b.pdf", 10)
    shown = ann.chat.screen()[-1].document
    assert shown is not None
    assert shown.data == b"%PDF\r\n\r\n--"
    assert "non-empty" in await bot.refused("sendDocument", files={"document": ("a", b"")}, chat_id=1001)
    assert "no document" in await bot.refused("sendDocument", chat_id=1001)
    await bot.ok("sendDocument", files={"document": ("a.webp", b"x")}, chat_id=1001)
    assert api.violations == ["a.webp: a .webp document is shown as a sticker"]


async def test_what_is_too_large(bot: Client, ann: Person) -> None:
    big = {"document": ("a.bin", bytes(52_428_801))}
    told = await bot.call("sendDocument", files=big, chat_id=1001)
    assert (told["error_code"], told["description"]) == (413, "Request Entity Too Large")
    huge = {"document": ("a.bin", bytes(60_000_000))}
    assert (await bot.call("sendDocument", files=huge, chat_id=1001))["error_code"] == 413
    theirs = ann.writes("look", document=("film.mp4", bytes(25_000_000))).document
    assert theirs is not None
    assert await bot.refused("getFile", file_id=theirs.id) == "Bad Request: file is too big"
    assert await bot.refused("getFile", file_id="nothing") == "Bad Request: invalid file_id"


async def test_a_path_is_good_for_an_hour(api: BotApi, bot: Client, ann: Person, clock: Clock) -> None:
    document = ann.writes(document=("a.txt", b"words")).document
    assert document is not None
    path = (await bot.ok("getFile", file_id=document.id))["file_path"]
    async with httpx.AsyncClient(verify=False) as http:
        assert (await http.get(f"{api.base_file_url}{TOKEN}/{path}")).content == b"words"
        clock.now += 3601
        assert (await http.get(f"{api.base_file_url}{TOKEN}/{path}")).status_code == 404
    assert [call.status for call in api.called("file")] == [200, 404]


async def test_albums(bot: Client, ann: Person) -> None:
    files = {"a": ("a.png", picture()), "b": ("b.png", picture())}
    photos = [{"type": "photo", "media": f"attach://{name}", "caption": name} for name in files]
    sent = await bot.ok("sendMediaGroup", files=files, chat_id=1001, media=photos)
    assert len({message["media_group_id"] for message in sent}) == 1
    assert ann.chat.reads() == ["[a.jpg] a", "[b.jpg] b"]
    mixed = [photos[0], {"type": "document", "media": "attach://b"}]
    for media, why in (
        (mixed, "can't be mixed"),
        (photos * 6, "too many messages"),
        ([], "no messages to send"),
    ):
        assert why in await bot.refused("sendMediaGroup", files=files, chat_id=1001, media=media)
