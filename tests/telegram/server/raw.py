"""Updates as the cases write them: told as they are; their chats, people and messages are known then."""

from __future__ import annotations

from tests.telegram.server.account import Account
from tests.telegram.server.model import Chat, ChatType, Entity, Json, Message, User

KINDS: dict[str, ChatType] = {
    "private": "private",
    "group": "group",
    "supergroup": "supergroup",
    "channel": "supergroup",
}
MESSAGES = ("message", "edited_message", "channel_post")


def deliver(account: Account, update: Json) -> None:
    """Hand *update* out with the next poll."""
    for kind in MESSAGES:
        if kind in update:
            _learn(account, update[kind])
    if press := update.get("callback_query"):
        _learn_user(account, press["from"])
        if "message" in press:
            _learn(account, press["message"])
    account.updates.deliver(update)


def _learn(account: Account, told: Json) -> Message:
    chat = _learn_chat(account, told["chat"])
    sender = _learn_user(account, told.get("from") or {"id": 0, "first_name": chat.title})
    replied = told.get("reply_to_message")
    thread = told.get("message_thread_id", 0)
    message = Message(
        told["message_id"],
        chat,
        sender,
        account.clock(),
        told.get("text") or told.get("caption", ""),
        tuple(_entity(one) for one in told.get("entities") or told.get("caption_entities", [])),
        reply_to=_learn(account, replied) if replied else None,
        thread=thread,
        in_topic=told.get("is_topic_message", False),
        silent=True,
    )
    account.taken(chat, message.id)
    chat.tell(message.date, "sent", message)
    return message


def _entity(one: Json) -> Entity:
    return Entity(one["type"], one["offset"], one["length"], one.get("url"), one.get("language"))


def _learn_chat(account: Account, told: Json) -> Chat:
    title = told.get("title") or told.get("first_name", "")
    kind: ChatType = KINDS[told["type"]]
    chat = account.chats.setdefault(
        told["id"], Chat(told["id"], kind, title, is_forum=told.get("is_forum", False))
    )
    chat.bot = chat.bot or "member"
    return chat


def _learn_user(account: Account, told: Json) -> User:
    if told["id"] == account.user.id:
        return account.user
    user = User(told["id"], told["first_name"], told.get("username", ""), told.get("is_bot", False))
    return account.people.setdefault(user.id, user)
