"""What a message points at: what it replies to, the words that it quotes, and whose words it passes on."""

from __future__ import annotations

from collections.abc import Iterator

from telegram import (
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
)

from bot.chat import How, Pointed
from bot.telegram.attached import files_of
from core.answers.markdown import clean


def pointed(message: Message, answered: Message | None, us: int) -> Iterator[Pointed]:
    """*answered* is what it replies to; *us* is the number of our bot."""
    if message.forward_origin:
        yield Pointed(How.ITSELF, author=_origin(message.forward_origin))
    if answered:
        sender = answered.from_user
        author = sender.full_name if sender else answered.sender_chat.title if answered.sender_chat else ""
        yield from _pointed(message, answered, clean(author or ""), ours=bool(sender and sender.id == us))
    elif message.external_reply:
        yield from _elsewhere(message)


def _pointed(message: Message, answered: Message, author: str, *, ours: bool) -> Iterator[Pointed]:
    files = files_of(answered, answered.message_id)
    if message.quote:
        yield Pointed(How.QUOTE, message.quote.text, author, ours, files)
    elif (text := answered.text or answered.caption or "") or files:
        yield Pointed(How.REPLY, text, author, ours, files)


def _elsewhere(message: Message) -> Iterator[Pointed]:
    """It replies to a message of another chat, of which only the quoted words and the files are told."""
    reply = message.external_reply
    assert reply
    files = files_of(reply, reply.message_id or message.message_id)
    if message.quote or files:
        how, text = (How.QUOTE, message.quote.text) if message.quote else (How.REPLY, "")
        yield Pointed(how, text, _origin(reply.origin), files=files)


def _origin(origin: object) -> str:
    """What whoever wrote it is called."""
    match origin:
        case MessageOriginUser():
            return clean(origin.sender_user.full_name)
        case MessageOriginHiddenUser():
            return clean(origin.sender_user_name)
        case MessageOriginChat():
            return clean(origin.sender_chat.title or "")
        case MessageOriginChannel():
            return clean(origin.chat.title or "")
        case _:
            return ""
