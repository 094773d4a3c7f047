"""What a bot says of itself and asks about chats and files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.telegram.server.account import Account
from tests.telegram.server.errors import bad, forbidden
from tests.telegram.server.media import LARGEST_DOWNLOAD
from tests.telegram.server.model import Chat, Json, StoredFile, User
from tests.telegram.server.params import Params

COMMAND = re.compile(r"[a-z0-9_]{1,32}")
MOST_COMMANDS = 100
MOST_COMMAND_BYTES = 4_000
"""Names and descriptions together; the real cap is not documented, reports put it between 4 and 7.8 kB."""
LONGEST = {"name": 64, "description": 512, "short_description": 120}
PRIVATE_SCOPES = ("chat", "all_private_chats", "default")
GROUP_SCOPES = (
    "chat_member",
    "chat_administrators",
    "chat",
    "all_chat_administrators",
    "all_group_chats",
    "default",
)


def get_me(account: Account, params: Params) -> Json:
    return {
        **account.user.json(),
        "can_join_groups": True,
        "can_read_all_group_messages": account.reads_all,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": account.private_topics,
    }


# --- commands and texts ------------------------------------------------------------------------------------


def _scope(params: Params) -> tuple[str, str]:
    scope = params.table("scope") or {"type": "default"}
    return json.dumps(scope, sort_keys=True), params.text("language_code")


def set_commands(account: Account, params: Params) -> bool:
    commands = params.listed("commands")
    if len(commands) > MOST_COMMANDS or sum(map(_bytes, commands)) > MOST_COMMAND_BYTES:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for one in commands:
        if not COMMAND.fullmatch(one["command"]):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(one["description"]) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    account.commands[_scope(params)] = commands
    return True


def _bytes(command: Json) -> int:
    return len(f"{command['command']}{command['description']}".encode())


def get_commands(account: Account, params: Params) -> list[Json]:
    return account.commands.get(_scope(params), [])


def delete_commands(account: Account, params: Params) -> bool:
    account.commands.pop(_scope(params), None)
    return True


def menu(account: Account, chat: Chat, user: User) -> list[str]:
    """The commands that a person is offered there: the most specific scope wins, then their language."""
    for kind in GROUP_SCOPES if chat.is_group else PRIVATE_SCOPES:
        for language in (user.language_code, ""):
            for (scope, spoken), commands in account.commands.items():
                if spoken == language and _fits(json.loads(scope), kind, chat, user):
                    return [one["command"] for one in commands]
    return []


def _fits(scope: Json, kind: str, chat: Chat, user: User) -> bool:
    here = str(scope.get("chat_id", chat.id)) == str(chat.id)
    admin = "administrators" not in kind or chat.members.get(user.id) in ("administrator", "creator")
    return scope["type"] == kind and here and admin and scope.get("user_id", user.id) == user.id


def _text_setter(field: str) -> Callable[[Account, Params], bool]:
    def setter(account: Account, params: Params) -> bool:
        if len(params.text(field)) > LONGEST[field]:
            raise bad(f"bot {field.replace('_', ' ')} is too long")
        account.about[field, params.text("language_code")] = params.text(field)
        return True

    return setter


def _text_getter(field: str) -> Callable[[Account, Params], Json]:
    return lambda account, params: {field: account.about.get((field, params.text("language_code")), "")}


# --- chats and files ---------------------------------------------------------------------------------------


def get_chat(account: Account, params: Params) -> Json:
    chat = account.chat(params)
    told = {**chat.json(), "accent_color_id": 0, "max_reaction_count": 11}
    gifts = {
        "unlimited_gifts": True, "limited_gifts": True, "unique_gifts": True, "premium_subscription": True,
        "gifts_from_channels": True,
    }  # fmt: skip
    told["accepted_gift_types"] = gifts
    if pinned := chat.messages.get(chat.pinned):
        told["pinned_message"] = pinned.json(whole=False)
    return told


def member_json(account: Account, chat: Chat, user: int) -> Json:
    """Errors: 400 for somebody unknown."""
    if user == account.user.id:
        told = _member(account.user, chat.bot or "left")
        return told | ({"can_manage_topics": chat.manages_topics} if chat.bot == "administrator" else {})
    if user not in account.people:
        raise bad("PARTICIPANT_ID_INVALID")
    return _member(account.people[user], chat.members.get(user, "left"))


def _member(user: User, status: str) -> Json:
    told: Json = {"status": status, "user": user.json()}
    if status == "administrator":
        rights = (
            "can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats"
            " can_restrict_members can_promote_members can_change_info can_invite_users can_post_stories"
            " can_edit_stories can_delete_stories can_pin_messages can_manage_topics"
            " can_send_welcome_messages"
        )
        told |= {right: right not in ("can_be_edited", "is_anonymous") for right in rights.split()}
    if status == "creator":
        told["is_anonymous"] = False
    if status == "kicked":
        told["until_date"] = 0
    return told


def get_member(account: Account, params: Params) -> Json:
    return member_json(account, account.chat(params), params.number("user_id"))


def get_administrators(account: Account, params: Params) -> list[Json]:
    chat = account.chat(params)
    if not chat.is_group:
        raise bad("there are no administrators in the private chat")
    everybody = {**chat.members, account.user.id: chat.bot}
    found = [user for user, status in everybody.items() if status in ("administrator", "creator")]
    return [member_json(account, chat, user) for user in found]


def get_member_count(account: Account, params: Params) -> int:
    chat = account.chat(params)
    return 1 + sum(status not in ("left", "kicked") for status in chat.members.values())


def pin(account: Account, params: Params) -> bool:
    chat = account.chat(params)
    found = chat.messages.get(params.number("message_id"))
    if found is None:
        raise bad("message to pin not found")
    if not account.is_admin(chat):
        raise bad("not enough rights to manage pinned messages in the chat")
    chat.pinned = found.id
    silent = params.flag("disable_notification")
    account.happen(chat, account.user, silent=silent, pinned_message=found.json(whole=False))
    return True


def unpin(account: Account, params: Params) -> bool:
    account.chat(params).pinned = 0
    return True


def leave(account: Account, params: Params) -> bool:
    chat = account.chat(params)
    if not chat.is_group:
        raise forbidden("bot can't leave the private chat")
    chat.bot = "left"
    return True


def get_file(account: Account, params: Params) -> Json:
    file = account.files.get(params.text("file_id"))
    if file is None:
        raise bad("invalid file_id")
    if len(file.data) > LARGEST_DOWNLOAD and not account.folder:
        raise bad("file is too big")
    account.file_times[file.path] = account.clock()
    told = {"file_id": file.id, "file_unique_id": f"u{file.id}", "file_size": len(file.data)}
    return {**told, "file_path": _kept(account, file) if account.folder else file.path}


def _kept(account: Account, file: StoredFile) -> str:
    """Where a server of this machine keeps it."""
    assert account.folder
    path = account.folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.data)
    return str(path)


METHODS: dict[str, Callable[[Account, Params], Any]] = {
    "getme": get_me,
    "setmycommands": set_commands,
    "getmycommands": get_commands,
    "deletemycommands": delete_commands,
    "setmyname": _text_setter("name"),
    "getmyname": _text_getter("name"),
    "setmydescription": _text_setter("description"),
    "getmydescription": _text_getter("description"),
    "setmyshortdescription": _text_setter("short_description"),
    "getmyshortdescription": _text_getter("short_description"),
    "getchat": get_chat,
    "getchatmember": get_member,
    "getchatadministrators": get_administrators,
    "getchatmembercount": get_member_count,
    "pinchatmessage": pin,
    "unpinchatmessage": unpin,
    "leavechat": leave,
    "getfile": get_file,
}
