"""Our Bot API server: which texts, entities, replies and buttons it takes, and what becomes of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.telegram.client import Client
from tests.telegram.server import BotApi, Person


def entity(kind: str, offset: int, length: int, **more: str) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length, **more}


def kinds(message: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(one["type"], one["offset"], one["length"]) for one in message.get("entities", [])]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "message text is empty"),
        (" \n\t ", "text must be non-empty"),
        ("a" * 4097, "message is too long"),
        ("é" * 16_385, "text is too long"),
    ],
)
async def test_texts_that_are_refused(bot: Client, ann: Person, text: str, why: str) -> None:
    assert await bot.refused("sendMessage", chat_id=1001, text=text) == f"Bad Request: {why}"


async def test_length_is_counted_in_code_points_after_trimming(api: BotApi, bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendMessage", chat_id=1001, text="🙂" * 4096 + " " * 50)
    assert sent["text"] == "🙂" * 4096
    why = await bot.refused("editMessageText", chat_id=1001, message_id=sent["message_id"], text="a" * 4097)
    assert why == "Bad Request: MESSAGE_TOO_LONG"
    assert any("message is too long: 8242" in one for one in api.violations)


async def test_texts_are_cleaned_and_their_entities_move_along(bot: Client, ann: Person) -> None:
    text = "\n  a\r\n\tb\x01\u202ec 🙂d  \n"
    sent = await bot.ok("sendMessage", chat_id=1001, text=text, entities=[entity("bold", 11, 3)])
    assert sent["text"] == "a\n b c 🙂d"
    assert kinds(sent) == [("bold", 6, 3)]


async def test_the_beginning_is_kept_from_the_first_entity_on(bot: Client, ann: Person) -> None:
    sent = await bot.ok("sendMessage", chat_id=1001, text="   a b", entities=[entity("code", 1, 3)])
    assert (sent["text"], kinds(sent)) == ("  a b", [("code", 0, 3)])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (entity("bold", 1, 2), "begins in a middle of a UTF-16 symbol"),
        (entity("bold", 0, 1), "beginning at UTF-16 offset 0 ends in a middle"),
        (entity("bold", 0, 9), "ends after the end of the text at UTF-16 offset 9"),
        (entity("bold", 7, 1), "begins after the end of the text"),
        (entity("bold", -1, 1), "incorrect offset"),
        (entity("sparkle", 0, 2), "unsupported type"),
    ],
)
async def test_entities_that_do_not_fit(bot: Client, ann: Person, wrong: dict[str, Any], why: str) -> None:
    assert why in await bot.refused("sendMessage", chat_id=1001, text="🙂 ab", entities=[wrong])


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ([entity("code", 0, 5), entity("bold", 1, 2)], [("code", 0, 5)]),
        ([entity("bold", 0, 9), entity("code", 2, 3)], [("bold", 0, 2), ("code", 2, 3), ("bold", 5, 4)]),
        ([entity("blockquote", 0, 9), entity("blockquote", 2, 3)], [("blockquote", 0, 9)]),
        ([entity("blockquote", 0, 9), entity("pre", 2, 3)], [("blockquote", 0, 9), ("pre", 2, 3)]),
        ([entity("blockquote", 0, 5), entity("code", 3, 5)], [("blockquote", 0, 5)]),
        ([entity("text_link", 0, 4, url="https://a.org")], [("text_link", 0, 4)]),
        ([entity("text_link", 0, 4, url="docs/a.md b")], []),
        ([entity("text_link", 0, 4, url="javascript:x")], []),
        ([entity("bold", 0, 3), entity("italic", 2, 4)], [("bold", 0, 3), ("italic", 2, 4)]),
        ([entity("bold", 4, 1)], []),
    ],
)
async def test_what_may_lie_within_what(
    bot: Client, ann: Person, given: list[dict[str, Any]], shown: list[tuple[str, int, int]]
) -> None:
    assert kinds(await bot.ok("sendMessage", chat_id=1001, text="abcd fghi", entities=given)) == shown


async def test_a_hundred_entities_are_kept_and_the_rest_noted(api: BotApi, bot: Client, ann: Person) -> None:
    many = [entity("bold", 2 * n, 1) for n in range(120)]
    sent = await bot.ok("sendMessage", chat_id=1001, text="a " * 120, entities=many)
    assert len(kinds(sent)) == 100
    assert api.violations == [f"120 entities · in {('a ' * 30)!r}"]


async def test_names_of_files_become_links_but_in_code(api: BotApi, bot: Client, ann: Person) -> None:
    text = "see main.py, a.rs and /stop @you_there #tag https://a.org/b."
    sent = await bot.ok("sendMessage", chat_id=1001, text=text, entities=[entity("code", 4, 7)])
    assert [kind for kind, _, _ in kinds(sent)] == ["code", "url", "bot_command", "mention", "hashtag", "url"]
    assert ann.chat.screen()[-1].preview
    off = {"is_disabled": True}
    await bot.ok("sendMessage", chat_id=1001, text="README.md", link_preview_options=off)
    assert not ann.chat.screen()[-1].preview
    assert api.violations == []


async def test_markup_instead_of_entities_is_refused_and_noted(api: BotApi, bot: Client, ann: Person) -> None:
    await bot.refused("sendMessage", chat_id=1001, text="<b>a</b>", parse_mode="HTML")
    assert api.violations == ["parse_mode HTML: entities cannot fail, markup can"]


async def test_replies_and_quotes(bot: Client, ann: Person) -> None:
    asked = ann.writes("why is it slow?")

    async def reply(**parameters: Any) -> dict[str, Any]:
        return await bot.call("sendMessage", chat_id=1001, text="so", reply_parameters=parameters)

    told = await reply(message_id=asked.id, quote="it slow")
    assert told["result"]["reply_to_message"]["text"] == "why is it slow?"
    assert told["result"]["quote"]["text"] == "it slow"
    assert (await reply(message_id=asked.id, quote="it fast"))[
        "description"
    ] == "Bad Request: QUOTE_TEXT_INVALID"
    assert (await reply(message_id=99))["description"] == "Bad Request: message to be replied not found"
    alone = await reply(message_id=99, allow_sending_without_reply=True)
    assert "reply_to_message" not in alone["result"]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([[{"text": "a", "callback_data": "é" * 33}]], "BUTTON_DATA_INVALID"),
        ([[{"text": "a", "callback_data": ""}]], "BUTTON_DATA_INVALID"),
        ([[{"text": "a"}]], "text buttons are unallowed in the inline keyboard"),
        ([[{"text": "a", "callback_data": "b"}] * 8] * 13, "reply markup is too long"),
    ],
)
async def test_buttons_that_are_refused(bot: Client, ann: Person, rows: list[Any], why: str) -> None:
    markup = {"inline_keyboard": rows}
    assert (
        await bot.refused("sendMessage", chat_id=1001, text="a", reply_markup=markup) == f"Bad Request: {why}"
    )


async def test_what_rings_and_what_does_not(bot: Client, ann: Person) -> None:
    await bot.ok("sendMessage", chat_id=1001, text="at work", disable_notification=True)
    await bot.ok("sendMessage", chat_id=1001, text="done")
    assert [ring.message and ring.message.words for ring in ann.chat.rung] == ["done"]
    assert ann.chat.reads() == ["at work", "done"]
