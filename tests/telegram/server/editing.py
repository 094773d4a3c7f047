"""What changes something that is in a chat already."""

from __future__ import annotations

from dataclasses import replace

from tests.telegram.server.account import Account
from tests.telegram.server.errors import NOT_MODIFIED, TOO_OLD, bad
from tests.telegram.server.formatting import Formatted
from tests.telegram.server.keyboards import keyboard
from tests.telegram.server.model import Chat, Message
from tests.telegram.server.params import Params
from tests.telegram.server.sending import caption_of, media_of, previews, text_of

DELETE_SECONDS = 48 * 3600.0
QUERY_SECONDS = 15.0
LONGEST_NOTICE = 200
MOST_DELETED = 100
REACTIONS = {
    *"👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐",
    *"🍓🍾💋🖕😈😴😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾🤷😡",
    "❤\u200d🔥",
    "👨\u200d💻",
    "🤷\u200d♂",
    "🤷\u200d♀",
}
"""The only ones, without the sign that asks for colour."""
EMOJI_STYLE = "\ufe0f"


def _target(account: Account, params: Params) -> Message:
    chat = account.chat(params)
    if params.number("message_id") <= 0:
        raise bad("message identifier is not specified")
    found = chat.messages.get(params.number("message_id"))
    if found is None:
        raise bad("message to edit not found")
    if found.sender != account.user or found.extra:
        raise bad("message can't be edited")
    return found


def _edited(account: Account, old: Message, new: Message) -> Message:
    if new.content == old.content:
        raise bad(NOT_MODIFIED)
    new = replace(new, edits=(*old.edits, account.clock()))
    new.chat.tell(new.edits[-1], "edited", new)
    return new


def edit_text(account: Account, params: Params) -> Message:
    text = text_of(account, params, edit=True)
    old = _target(account, params)
    if old.media:
        raise bad("there is no text in the message to edit")
    shown = previews(params, text.entities)
    rows = keyboard(params)
    return _edited(
        account, old, replace(old, text=text.text, entities=text.entities, keyboard=rows, preview=shown)
    )


def edit_caption(account: Account, params: Params) -> Message:
    text = caption_of(account, params, edit=True)
    old = _target(account, params)
    if not old.media:
        raise bad("there is no caption in the message to edit")
    return _edited(
        account, old, replace(old, text=text.text, entities=text.entities, keyboard=keyboard(params))
    )


def edit_markup(account: Account, params: Params) -> Message:
    old = _target(account, params)
    return _edited(account, old, replace(old, keyboard=keyboard(params)))


def edit_media(account: Account, params: Params) -> Message:
    old = _target(account, params)
    content = media_of(account, Params(params.table("media"), params.files), edit=True)
    if old.album and bool(content.photo) != bool(old.photo):
        raise bad("can't change media type in the album")
    text: Formatted = content.text
    changed = replace(
        old,
        text=text.text,
        entities=text.entities,
        photo=content.photo,
        document=content.document,
        keyboard=keyboard(params),
        preview=False,
    )
    return _edited(account, old, changed)


# --- deletes -----------------------------------------------------------------------------------------------


def delete_message(account: Account, params: Params) -> bool:
    chat = account.chat(params)
    found = chat.messages.get(params.number("message_id"))
    if found is None:
        raise bad("message to delete not found")
    if not _may_delete(account, chat, found):
        raise bad("message can't be deleted for everyone")
    chat.tell(account.clock(), "deleted", found)
    return True


def delete_messages(account: Account, params: Params) -> bool:
    chat = account.chat(params)
    wanted = params.listed("message_ids")
    if not wanted:
        raise bad("message identifiers are not specified")
    if len(wanted) > MOST_DELETED:
        raise bad("too many message identifiers specified")
    for message_id in wanted:
        found = chat.messages.get(int(message_id))
        if found and _may_delete(account, chat, found):
            chat.tell(account.clock(), "deleted", found)
    return True


def _may_delete(account: Account, chat: Chat, message: Message) -> bool:
    if chat.is_group and account.is_admin(chat):
        return True
    ours = message.sender == account.user or not chat.is_group
    return ours and account.clock() - message.date <= DELETE_SECONDS


# --- reactions, presses ------------------------------------------------------------------------------------


def set_reaction(account: Account, params: Params) -> bool:
    chat = account.chat(params)
    found = chat.messages.get(params.number("message_id"))
    if found is None:
        raise bad("message to react not found")
    wanted = params.listed("reaction")
    if len(wanted) > 1:
        raise bad("REACTIONS_TOO_MANY")
    given = [one.get("emoji", "").replace(EMOJI_STYLE, "") for one in wanted]
    if any(emoji not in REACTIONS for emoji in given):
        raise bad("REACTION_INVALID")
    react(account, found, account.user.id, given[0] if given else "")
    return True


def react(account: Account, message: Message, user: int, emoji: str) -> None:
    others = tuple(one for one in message.reactions if one[0] != user)
    mine = ((user, emoji),) if emoji else ()
    message.chat.tell(account.clock(), "reacted", replace(message, reactions=others + mine))


def answer_callback(account: Account, params: Params) -> bool:
    press = account.presses.get(params.text("callback_query_id"))
    if press is None or press.answered or account.clock() - press.at > QUERY_SECONDS:
        raise bad(TOO_OLD)
    if len(params.text("text")) > LONGEST_NOTICE:
        raise bad("MESSAGE_TOO_LONG")
    press.answered, press.text = account.clock(), params.text("text")
    press.alert = params.flag("show_alert")
    return True


METHODS = {
    "editmessagetext": edit_text,
    "editmessagecaption": edit_caption,
    "editmessagereplymarkup": edit_markup,
    "editmessagemedia": edit_media,
    "deletemessage": delete_message,
    "deletemessages": delete_messages,
    "setmessagereaction": set_reaction,
    "answercallbackquery": answer_callback,
}
