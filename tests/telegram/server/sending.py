"""What puts something new into a chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.telegram.server.account import Account
from tests.telegram.server.errors import bad
from tests.telegram.server.formatting import LONGEST_CAPTION, LONGEST_TEXT, Formatted, formatted
from tests.telegram.server.keyboards import WIDEST, keyboard
from tests.telegram.server.media import check_upload, photo_sizes
from tests.telegram.server.model import GENERAL, Chat, Entity, Keyboard, Message, StoredFile, Topic
from tests.telegram.server.params import Params

ACTIONS = {
    "typing",
    "upload_photo",
    "upload_document",
    "record_voice",
    "upload_voice",
    "record_video",
    "upload_video",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
}
ALBUM = range(2, 11)


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says."""

    text: Formatted
    photo: tuple[StoredFile, ...] = ()
    document: StoredFile | None = None
    rich: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes, and how."""

    thread: int
    reply_to: Message | None
    quote: str
    keyboard: Keyboard
    preview: bool


# --- parts of a call ---------------------------------------------------------------------------------------


def text_of(account: Account, params: Params, *, edit: bool = False) -> Formatted:
    text, entities = params.text("text"), params.listed("entities")
    if not text:
        raise bad("message text is empty")
    done = _formatted(account, params, text, entities, LONGEST_TEXT)
    if not done.text.strip():
        raise bad("text must be non-empty")
    if len(done.text) > LONGEST_TEXT:
        raise bad("MESSAGE_TOO_LONG" if edit else "message is too long")
    return done


def caption_of(account: Account, params: Params, *, edit: bool = False) -> Formatted:
    text, entities = params.text("caption"), params.listed("caption_entities")
    if not text:
        return Formatted("", ())
    done = _formatted(account, params, text, entities, LONGEST_CAPTION)
    if len(done.text) > LONGEST_CAPTION:
        raise bad("MEDIA_CAPTION_TOO_LONG" if edit else "message caption is too long")
    return done


def _formatted(
    account: Account, params: Params, text: str, entities: Sequence[dict[str, object]], longest: int
) -> Formatted:
    if params.text("parse_mode"):
        account.note(f"parse_mode {params.text('parse_mode')}: entities cannot fail, markup can")
        raise bad("unsupported parse_mode")
    account.check(text, entities, longest)
    return formatted(text, entities)


def photo_of(account: Account, params: Params, name: str) -> tuple[StoredFile, ...]:
    if known := account.files.get(params.text(name)):
        return (known,)
    upload = params.upload(name)
    if upload is None:
        raise _nothing_sent(params, name, "photo")
    return tuple(
        account.keep(
            f"{upload.name.rpartition('.')[0] or upload.name}.jpg",
            size.data,
            width=size.width,
            height=size.height,
        )
        for size in photo_sizes(upload.data)
    )


def document_of(account: Account, params: Params, name: str) -> StoredFile:
    if known := account.files.get(params.text(name)):
        return known
    upload = params.upload(name)
    if upload is None:
        raise _nothing_sent(params, name, "document")
    check_upload(upload.data)
    if upload.name.lower().endswith(".webp"):
        account.note(f"{upload.name}: a .webp document is shown as a sticker")
    return account.keep(upload.name, upload.data)


def _nothing_sent(params: Params, name: str, kind: str) -> Exception:
    given = params.text(name)
    if given.startswith(("http://", "https://")):
        return bad("failed to get HTTP URL content")
    return bad("wrong file identifier/HTTP URL specified" if given else f"there is no {kind} in the request")


def media_of(account: Account, item: Params, *, edit: bool = False) -> Content:
    """One `InputMedia`."""
    caption = caption_of(account, item, edit=edit)
    match item.text("type"):
        case "photo":
            return Content(caption, photo=photo_of(account, item, "media"))
        case "document":
            return Content(caption, document=document_of(account, item, "media"))
        case other:
            raise bad(f"can't parse InputMedia: type {other} is unsupported")


def place_of(account: Account, chat: Chat, params: Params, text: Formatted) -> Place:
    asked = params.table("reply_parameters")
    reply_to = _reply_to(chat, asked)
    quote = asked.get("quote", "") if reply_to else ""
    if reply_to and quote and quote not in reply_to.text:
        raise bad("QUOTE_TEXT_INVALID")
    rows = keyboard(params)
    if any(len(row) > WIDEST for row in rows):
        account.note(f"{max(map(len, rows))} buttons in one row")
    return Place(thread_of(account, chat, params), reply_to, quote, rows, previews(params, text.entities))


def _reply_to(chat: Chat, asked: dict[str, int]) -> Message | None:
    wanted = asked.get("message_id")
    if not wanted:
        return None
    found = chat.messages.get(wanted)
    if found is None and not asked.get("allow_sending_without_reply"):
        raise bad("message to be replied not found")
    return found


def thread_of(account: Account, chat: Chat, params: Params) -> int:
    """Errors: 400 for a thread that is not there; General is one when it is named."""
    thread = params.number("message_thread_id")
    topic = _topic(account, chat, thread)
    replies = chat.type == "supergroup" and not chat.is_forum and thread in chat.messages
    if thread and not topic and not replies:
        raise bad("message thread not found")
    if topic and topic.closed:
        raise bad("TOPIC_CLOSED")
    return thread


def _topic(account: Account, chat: Chat, thread: int) -> Topic | None:
    has_topics = chat.is_forum or (account.private_topics and not chat.is_group)
    return chat.topics.get(thread) if has_topics and thread != GENERAL else None


def previews(params: Params, entities: Sequence[Entity]) -> bool:
    """Whether a page is shown under the text."""
    options = params.table("link_preview_options")
    off = options.get("is_disabled") or params.flag("disable_web_page_preview")
    return not off and any(entity.type in ("url", "text_link") for entity in entities)


# --- the calls ---------------------------------------------------------------------------------------------


def post(
    account: Account, chat: Chat, params: Params, content: Content, place: Place, album: str = ""
) -> Message:
    message = Message(
        account.next_message_id(chat),
        chat,
        account.user,
        account.clock(),
        content.text.text,
        content.text.entities,
        content.photo,
        content.document,
        place.keyboard,
        place.reply_to or (chat.messages.get(place.thread) if place.thread in chat.topics else None),
        place.quote,
        place.thread,
        place.thread in chat.topics,
        params.flag("disable_notification"),
        place.preview,
        album,
        content.rich,
    )
    chat.tell(message.date, "sent", message)
    return message


def send_message(account: Account, params: Params) -> Message:
    text = text_of(account, params)
    chat = account.chat(params)
    return post(account, chat, params, Content(text), place_of(account, chat, params, text))


def send_photo(account: Account, params: Params) -> Message:
    chat = account.chat(params)
    caption = caption_of(account, params)
    place = place_of(account, chat, params, Formatted("", ()))
    return post(account, chat, params, Content(caption, photo=photo_of(account, params, "photo")), place)


def send_document(account: Account, params: Params) -> Message:
    chat = account.chat(params)
    caption = caption_of(account, params)
    place = place_of(account, chat, params, Formatted("", ()))
    return post(
        account, chat, params, Content(caption, document=document_of(account, params, "document")), place
    )


def send_media_group(account: Account, params: Params) -> list[Message]:
    chat = account.chat(params)
    items = [Params(item, params.files) for item in params.listed("media")]
    if len(items) not in ALBUM:
        raise bad("too many messages to send as an album" if items else "there are no messages to send")
    kinds = {item.text("type") for item in items}
    if len(kinds) > 1 and kinds & {"document", "audio"}:
        raise bad("document can't be mixed with other media types")
    place = place_of(account, chat, Params({**params.fields, "reply_markup": None}), Formatted("", ()))
    contents = [media_of(account, item) for item in items]
    album = account.next_album()
    return [post(account, chat, params, content, place, album) for content in contents]


def send_chat_action(account: Account, params: Params) -> bool:
    if params.text("action") not in ACTIONS:
        raise bad("wrong parameter action in request")
    chat = account.chat(params)
    if not (chat.is_forum and params.number("message_thread_id") == GENERAL):
        thread_of(account, chat, params)
    chat.tell(account.clock(), "typing")
    return True


METHODS = {
    "sendmessage": send_message,
    "sendphoto": send_photo,
    "senddocument": send_document,
    "sendmediagroup": send_media_group,
    "sendchataction": send_chat_action,
}
