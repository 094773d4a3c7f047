"""What each fault of the network and each refusal says about the message, by the library's own errors."""

from __future__ import annotations

import logging

import pytest

from bot.chat import ChatError, Flood, MessageRef, NotSent, Refused, Text, Unknown, Why
from tests.bot.telegram.rig import Rig
from tests.bot.telegram.test_poller import NO_ANSWERS
from tests.telegram.server import TOKEN, Rule

HELLO = Text("hello")


def refusal(code: int, description: str, **parameters: int) -> Rule:
    body = {"ok": False, "error_code": code, "description": description, "parameters": parameters}
    return Rule("sendMessage", times=1, status=code, body=body if parameters else {**body, "parameters": {}})


async def failure(rig: Rig, rule: Rule) -> ChatError:
    rig.api.faults.add(rule)
    with pytest.raises(ChatError) as failed:
        await rig.adapter.send(rig.room, HELLO)
    return failed.value


@pytest.mark.parametrize(
    "rule",
    [
        Rule("sendMessage", drop_connection=True),
        Rule("sendMessage", drop_connection=True, store_anyway=True),
        Rule("sendMessage", html=True),
        Rule("sendMessage", html=True, store_anyway=True),
        Rule("sendMessage", hang=5.0),
        Rule("sendMessage", delay=5.0, store_anyway=True),
        refusal(500, "Internal Server Error"),
        refusal(200, "an answer that is none"),
        *(Rule("sendMessage", times=1, status=200, body=body) for body in NO_ANSWERS),
        Rule("sendMessage", times=1, status=200, body={"ok": True, "result": {}}),
        Rule("sendMessage", times=1, status=200, body={"ok": True, "result": "sent"}),
    ],
)
async def test_what_left_may_have_arrived(rig: Rig, rule: Rule) -> None:
    assert type(await failure(rig, rule)) is Unknown


async def test_what_found_nobody_did_not_leave(rig: Rig) -> None:
    await rig.api.close_port()
    with pytest.raises(NotSent) as failed:
        await rig.adapter.send(rig.room, HELLO)
    assert not isinstance(failed.value, Flood)
    await rig.api.open_port()
    await rig.adapter.send(rig.room, HELLO)
    assert rig.reads() == ["hello"]


async def test_a_flood_says_for_how_long(rig: Rig) -> None:
    failed = await failure(rig, refusal(429, "Too Many Requests: retry after 7", retry_after=7))
    assert isinstance(failed, Flood)
    assert failed.seconds == 7.0


@pytest.mark.parametrize(
    "body",
    [
        {"ok": False, "error_code": 429, "description": "Too Many Requests"},
        {"ok": False, "description": "Too Many Requests", "parameters": {"retry_after": 0}},
        {"ok": False, "description": "Too Many Requests", "parameters": {"retry_after": "soon"}},
        {"ok": False, "description": "Too Many Requests", "parameters": {"retry_after": -4}},
        {"error": "a gateway's own limit"},
    ],
)
async def test_a_flood_that_does_not_say_for_how_long_is_one(rig: Rig, body: dict[str, object]) -> None:
    failed = await failure(rig, Rule("sendMessage", times=1, status=429, body=body))
    assert isinstance(failed, Flood)
    assert failed.seconds == 0.0


async def test_no_flood_lasts_longer_than_a_day(rig: Rig) -> None:
    failed = await failure(rig, refusal(429, "Too Many Requests", retry_after=10**20))
    assert isinstance(failed, Flood)
    assert failed.seconds == 86_400.0


async def test_a_revoked_token_keeps_what_was_not_sent(rig: Rig) -> None:
    """A new one, after a restart, delivers it."""
    rig.api.revoke()
    with pytest.raises(NotSent):
        await rig.adapter.send(rig.room, HELLO)


@pytest.mark.parametrize(
    ("code", "description", "why"),
    [
        (400, "Bad Request: message is not modified: specified new message content …", Why.SAME),
        (400, "Bad Request: message thread not found", Why.THREAD),
        (400, "Bad Request: TOPIC_CLOSED", Why.THREAD),
        (400, "Bad Request: message to edit not found", Why.GONE),
        (400, "Bad Request: there is no text in the message to edit", Why.GONE),
        (400, "Bad Request: chat not found", Why.FORBIDDEN),
        (400, "Bad Request: not enough rights to send text messages to the chat", Why.FORBIDDEN),
        (400, "Bad Request: not enough rights to send photos to the chat", Why.MEDIA),
        (403, "Forbidden: bot was blocked by the user", Why.FORBIDDEN),
        (403, "Forbidden: bot was kicked from the group chat", Why.FORBIDDEN),
        (400, "Bad Request: PHOTO_INVALID_DIMENSIONS", Why.MEDIA),
        (400, "Bad Request: IMAGE_PROCESS_FAILED", Why.MEDIA),
        (413, "Request Entity Too Large", Why.TOO_LARGE),
        (400, "Bad Request: can't parse entities: unsupported start tag", Why.TEXT),
        (400, "Bad Request: message is too long", Why.TEXT),
        (400, "Bad Request: MESSAGE_TOO_LONG", Why.TEXT),
        (400, "Bad Request: text must be non-empty", Why.TEXT),
        (400, "Bad Request: something new", Why.OTHER),
    ],
)
async def test_a_refusal_says_what_it_is_about(rig: Rig, code: int, description: str, why: Why) -> None:
    failed = await failure(rig, refusal(code, description))
    assert isinstance(failed, Refused)
    assert failed.why is why


async def test_a_group_that_moved_tells_where(rig: Rig) -> None:
    group = rig.api.group("shop", rig.ann)
    new = rig.ann.migrates(group)
    with pytest.raises(Refused) as failed:
        await rig.adapter.send(rig.address(group), HELLO)
    assert (failed.value.why, failed.value.to) == (Why.MOVED, str(new.id))


async def test_a_message_that_is_there_already_is_said(rig: Rig) -> None:
    message = await rig.adapter.send(rig.room, HELLO)
    await rig.adapter.edit(rig.room, message, HELLO)
    assert rig.reads() == ["hello"]


async def test_an_edit_of_what_is_gone_is_refused(rig: Rig) -> None:
    with pytest.raises(Refused) as failed:
        await rig.adapter.edit(rig.room, MessageRef("99"), HELLO)
    assert failed.value.why is Why.GONE


async def test_no_error_and_no_log_holds_the_token(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    """Not even a gateway's, that repeats the address which it was asked for."""
    caplog.set_level(logging.DEBUG)
    page = {"description": f"no route to /bot{TOKEN}/sendMessage", "ok": False}
    rules = [
        Rule("sendMessage", times=1, status=502, body=page),
        Rule("sendMessage", times=1, status=404, body=page),
        Rule("sendMessage", times=1, html=True),
        Rule("sendMessage", times=1, drop_connection=True),
    ]
    said = [str(await failure(rig, rule)) for rule in rules]
    await rig.adapter.send(rig.room, HELLO)
    assert all(said)
    assert TOKEN not in caplog.text + repr(said)
    assert TOKEN.partition(":")[2] not in caplog.text + repr(said) + repr(rig.adapter)
