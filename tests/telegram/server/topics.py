"""Topics of forums, and of private chats where the bot has them."""

from __future__ import annotations

from tests.telegram.server.account import Account
from tests.telegram.server.errors import bad
from tests.telegram.server.model import Chat, Json, Topic, User
from tests.telegram.server.params import Params

LONGEST_NAME = 128
COLOUR = 7322096


def open_topic(account: Account, chat: Chat, by: User, name: str, *, implicit: bool = False) -> int:
    """Its thread id: that of the message that tells of it. *implicit*: the app made the name up."""
    thread = account.next_message_id(chat)
    chat.topics[thread] = Topic(name)
    told: Json = {"name": name, "icon_color": COLOUR} | ({"is_name_implicit": True} if implicit else {})
    account.happen(chat, by, thread, message_id=thread, forum_topic_created=told)
    return thread


def _forum(account: Account, params: Params) -> Chat:
    chat = account.chat(params)
    if not chat.is_forum and not (account.private_topics and not chat.is_group):
        raise bad("the chat is not a forum")
    if chat.is_group and not (account.is_admin(chat) and chat.manages_topics):
        raise bad("not enough rights to manage topics")
    return chat


def _topic(account: Account, params: Params) -> tuple[Chat, int, Topic]:
    chat = _forum(account, params)
    thread = params.number("message_thread_id")
    if thread not in chat.topics:
        raise bad("TOPIC_ID_INVALID")
    return chat, thread, chat.topics[thread]


def _name(params: Params) -> str:
    name = params.text("name").strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise bad("TOPIC_TITLE_EMPTY" if not name else "TOPIC_TITLE_TOO_LONG")
    return name


def create(account: Account, params: Params) -> Json:
    chat, name = _forum(account, params), _name(params)
    thread = open_topic(account, chat, account.user, name)
    return {"message_thread_id": thread, "name": name, "icon_color": COLOUR}


def edit(account: Account, params: Params) -> bool:
    chat, thread, topic = _topic(account, params)
    name = _name(params)
    if name == topic.name:
        raise bad("TOPIC_NOT_MODIFIED")
    rename_topic(account, chat, account.user, thread, name)
    return True


def rename_topic(account: Account, chat: Chat, by: User, thread: int, name: str) -> None:
    chat.topics[thread].name = name
    account.happen(chat, by, thread, forum_topic_edited={"name": name})


def _set_closed(account: Account, params: Params, *, closed: bool) -> bool:
    chat, thread, topic = _topic(account, params)
    if topic.closed == closed:
        raise bad("TOPIC_NOT_MODIFIED")
    close_topic(account, chat, account.user, thread, closed=closed)
    return True


def close_topic(account: Account, chat: Chat, by: User, thread: int, *, closed: bool) -> None:
    chat.topics[thread].closed = closed
    told: Json = {"forum_topic_closed" if closed else "forum_topic_reopened": {}}
    account.happen(chat, by, thread, **told)


def close(account: Account, params: Params) -> bool:
    return _set_closed(account, params, closed=True)


def reopen(account: Account, params: Params) -> bool:
    return _set_closed(account, params, closed=False)


def delete(account: Account, params: Params) -> bool:
    """Its messages go with it; nobody is told."""
    chat, thread, _ = _topic(account, params)
    remove_topic(account, chat, thread)
    return True


def remove_topic(account: Account, chat: Chat, thread: int) -> None:
    del chat.topics[thread]
    for message in list(chat.messages.values()):
        if thread in (message.thread, message.id):
            chat.tell(account.clock(), "deleted", message)


METHODS = {
    "createforumtopic": create,
    "editforumtopic": edit,
    "closeforumtopic": close,
    "reopenforumtopic": reopen,
    "deleteforumtopic": delete,
}
