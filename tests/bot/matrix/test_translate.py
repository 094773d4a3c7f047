"""Events of a timeline as what people said, whatever is wrong with them (cases 83 and 84)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import Edited, Message, Redacted, Seal, Toward
from bot.kept import decoded, encoded
from bot.matrix.translate import Here, file_of, translate
from bot.matrix.wire import RoomEvent, room_event

BOT, OWNER = "@roost:example.org", "@owner:example.org"
HERE = Here(BOT, "!room:example.org", 1, encrypted=False)
SEALED = {
    "url": "mxc://example.org/abc",
    "key": {"k": "secret", "kty": "oct", "alg": "A256CTR"},
    "iv": "iv",
    "hashes": {"sha256": "hash"},
    "v": "v2",
}


def event(content: object, kind: str = "m.room.message", **more: object) -> RoomEvent:
    source = {
        "type": kind,
        "event_id": "$1",
        "sender": OWNER,
        "origin_server_ts": 1790000000000,
        "content": content,
        **more,
    }
    found = room_event(source, "")
    assert found
    return found


def said(
    content: object, here: Here = HERE, *, kind: str = "m.room.message", **more: object
) -> Message | None:
    found = translate(event(content, kind, **more), here)
    assert found is None or isinstance(found, Message)
    return found


def text(body: str, **content: object) -> dict[str, object]:
    return {"msgtype": "m.text", "body": body, **content}


def relation(**terms: object) -> dict[str, object]:
    return {"m.relates_to": terms}


def test_a_prompt_is_word_for_word() -> None:
    message = said(text("* fix the bug\n> not a quote"))
    assert message
    assert (message.text, message.id, message.at) == ("* fix the bug\n> not a quote", "$1", 1790000000.0)
    assert (message.person.id, message.room.chat, message.room.thread) == (OWNER, "!room:example.org", "")
    assert (message.alone, message.toward, message.unreadable) == (True, Toward.NOBODY, False)


@pytest.mark.parametrize(
    "content",
    [
        {"msgtype": "m.notice", "body": "from a bot"},
        {},
    ],
)
def test_notices_and_what_was_taken_back_are_nothing(content: dict[str, object]) -> None:
    assert said(content) is None


def test_other_events_and_our_own_words_are_nothing() -> None:
    assert said({}, kind="m.room.redaction") is None
    assert said(text("* fix", **relation(rel_type="m.replace", event_id="$0"))) is None
    assert said({"membership": "join"}, kind="m.room.member", state_key=OWNER) is None
    assert said(text("ours"), sender=BOT) is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("> <@owner:example.org> /cancel\n\nwhy did you write this?", "why did you write this?"),
        ("> <@a:b> one\n> two\n>\n\n> mine\nwords", "> mine\nwords"),
        ("no quotation", "no quotation"),
    ],
)
def test_of_a_reply_only_what_its_sender_wrote(body: str, words: str) -> None:
    message = said(text(body, **relation(**{"m.in_reply_to": {"event_id": "$0"}})))
    assert message
    assert (message.text, message.reply_to, message.room.thread) == (words, "$0", "")


def test_in_a_thread_a_reply_is_told_from_what_only_stands_there() -> None:
    thread = {"rel_type": "m.thread", "event_id": "$root", "m.in_reply_to": {"event_id": "$last"}}
    there = said(text("in the thread", **relation(**thread, is_falling_back=True)))
    reply = said(text("real reply", **relation(**thread, is_falling_back=False)))
    assert there
    assert reply
    assert (there.room.thread, there.reply_to) == ("$root", None)
    assert (reply.room.thread, reply.reply_to) == ("$root", "$last")


@pytest.mark.parametrize(
    ("content", "toward"),
    [
        (text("fix", **{"m.mentions": {"user_ids": [BOT]}}), Toward.US),
        (text("fix", **{"m.mentions": {"user_ids": ["@bob:x", BOT]}}), Toward.US),
        (text("fix", **{"m.mentions": {"user_ids": ["@bob:x"]}}), Toward.OTHERS),
        (text("fix", **{"m.mentions": {}}), Toward.NOBODY),
        (text(f"{BOT} fix", **{"m.mentions": {}}), Toward.NOBODY),
        (text(f"{BOT} fix"), Toward.US),
        (text("Roost: fix", formatted_body=f'<a href="https://matrix.to/#/{BOT}">Roost</a>: fix'), Toward.US),
        (text("fix"), Toward.NOBODY),
    ],
)
def test_whom_it_speaks_to_is_what_its_client_says(content: dict[str, object], toward: Toward) -> None:
    message = said(content)
    assert message
    assert message.toward is toward
    assert message.mentions_us is (toward is Toward.US)


def test_an_encrypted_picture_has_its_caption_and_what_opens_it() -> None:
    message = said(
        {
            "msgtype": "m.image",
            "body": "the *caption*",
            "filename": "shot.png",
            "file": SEALED,
            "info": {"mimetype": "image/png", "size": 60_000_000, "w": 3, "h": 4},
        }
    )
    assert message
    (file,) = message.files
    assert (message.text, file.name, file.mime, file.size) == (
        "the *caption*",
        "shot.png",
        "image/png",
        60_000_000,
    )
    url, sealed = file_of(file.ref)
    assert sealed
    assert (url, sealed.key.k, sealed.hashes) == ("mxc://example.org/abc", "secret", {"sha256": "hash"})


def test_a_file_without_a_caption_says_nothing() -> None:
    message = said({"msgtype": "m.file", "body": "report.pdf", "url": "mxc://example.org/abc"})
    assert message
    (file,) = message.files
    assert (message.text, file.name, file_of(file.ref)) == ("", "report.pdf", ("mxc://example.org/abc", None))


def test_what_was_sent_can_be_changed_and_taken_back() -> None:
    """By a new text in full; newer rooms name what is taken back within, older ones beside."""
    edit = {**text("* fix the bug in a.py"), "m.new_content": text("fix the bug in a.py")}
    edit |= relation(rel_type="m.replace", event_id="$0")
    changed = translate(event(edit), HERE)
    assert isinstance(changed, Edited)
    assert (changed.message, changed.text, changed.person.id) == ("$0", "fix the bug in a.py", OWNER)
    assert translate(event(edit), replace(HERE, encrypted=True)) is None
    for gone in (event({"redacts": "$5"}, "m.room.redaction"), event({}, "m.room.redaction", redacts="$5")):
        taken = translate(gone, HERE)
        assert isinstance(taken, Redacted)
        assert (taken.message, taken.person.id) == ("$5", OWNER)


def test_words_can_be_made_of_what_is_sent_as_sound() -> None:
    """Whether an app recorded it for us or it was a file before, as on every platform."""
    sound = {"msgtype": "m.audio", "body": "a.ogg", "url": "mxc://x/y"}
    voice = {**sound, "org.matrix.msc3245.voice": {}}
    for content, spoken in ((voice, True), (sound, True), ({**sound, "msgtype": "m.file"}, False)):
        message = said(content)
        assert message
        assert message.files[0].spoken is spoken


def test_what_is_neither_words_nor_a_file_is_unreadable() -> None:
    """Nor is a wish to compare emojis, which nobody answers here."""
    verifying = {"msgtype": "m.key.verification.request", "body": "Ann wants to verify."}
    others = ("m.sticker", {"body": "😀"}), ("m.room.message", {"msgtype": "m.location"})
    for kind, content in (*others, ("m.room.message", verifying)):
        message = said(content, kind=kind)
        assert message
        assert (message.unreadable, message.text, message.seal) == (True, "", Seal.SOUND)


def test_in_an_encrypted_room_plain_words_are_not_even_shown() -> None:
    message = said(text("/cancel all"), replace(HERE, encrypted=True))
    assert message
    assert (message.seal, message.text, message.unreadable) == (Seal.OPEN, "", True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
PARTS = ("msgtype", "body", "filename", "url", "file", "info", "m.relates_to", "m.mentions", "formatted_body")


@given(st.dictionaries(st.sampled_from(PARTS), JSON), st.sampled_from(["m.text", "m.image", "m.file", None]))
def test_nothing_of_any_shape_gets_out_of_hand(content: dict[str, object], kind: str | None) -> None:
    """What is told of it can be kept, and is somebody's."""
    found = room_event(
        {"type": "m.room.message", "sender": OWNER, "content": content | ({"msgtype": kind} if kind else {})},
        "",
    )
    message = translate(found, HERE) if found else None
    assert message is None or message.person.id == OWNER
    assert message is None or decoded(encoded(message)) == message
