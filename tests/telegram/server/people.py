"""What people do in their chats with a bot, and what the bot is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.telegram.server.about import member_json
from tests.telegram.server.account import Account, Press
from tests.telegram.server.editing import react
from tests.telegram.server.formatting import LONGEST_CAPTION, LONGEST_TEXT, formatted
from tests.telegram.server.media import photo_sizes
from tests.telegram.server.model import Button, Chat, Json, Message, StoredFile, User
from tests.telegram.server.topics import close_topic, open_topic, remove_topic, rename_topic

HIDDEN = User(1087968824, "Group", "GroupAnonymousBot", is_bot=True)
File = tuple[str, bytes]
"""Name and bytes."""


@dataclass(slots=True, eq=False)
class Person:
    account: Account = field(repr=False)
    user: User
    chat: Chat = field(repr=False)
    """The private one with the bot."""

    # --- messages ------------------------------------------------------------------------------------------

    def writes(
        self,
        text: str = "",
        chat: Chat | None = None,
        *,
        reply_to: Message | None = None,
        quote: str = "",
        thread: int = 0,
        document: File | None = None,
        photo: bytes | None = None,
        hidden: bool = False,
        voice: bytes | None = None,
        **extra: Any,
    ) -> Message:
        """One message; *extra* stands in it as it is (`forward_origin`, `media_group_id` …). *hidden*: as the
        group itself, which is all that is told of who wrote it."""
        chat = chat or self.chat
        extra |= {"from": HIDDEN.json(), "sender_chat": chat.json()} if hidden else {}
        self._starts(chat)
        clean = formatted(text, [])
        media = document or photo or voice
        longest = LONGEST_CAPTION if media else LONGEST_TEXT
        assert len(clean.text) <= longest, "no app sends that as one message: pastes() does as they do"
        assert clean.text.strip() or media or extra, "nobody can send an empty message"
        message = Message(
            self.account.next_message_id(chat),
            chat,
            self.user,
            self.account.clock(),
            clean.text,
            clean.entities,
            self._photo(photo),
            self.account.keep(*document) if document else None,
            reply_to=reply_to or chat.messages.get(thread),
            quote=quote,
            thread=thread or _thread_of_reply(chat, reply_to),
            in_topic=thread in chat.topics,
            extra=extra,
            voice=self.account.keep("voice.ogg", voice) if voice else None,
        )
        chat.tell(message.date, "sent", message)
        if self._is_heard(message, reply_to):
            self.account.updates.add("message", message.json())
        return message

    def pastes(self, text: str, chat: Chat | None = None) -> list[Message]:
        """A text of any length, in as many messages as an app makes of it."""
        return [self.writes(text[at : at + LONGEST_TEXT], chat) for at in range(0, len(text), LONGEST_TEXT)]

    def sends_album(
        self,
        photos: list[bytes],
        caption: str = "",
        chat: Chat | None = None,
        *,
        captions: Sequence[str] = (),
    ) -> list[Message]:
        album = self.account.next_album()
        texts = [*(captions or [caption]), *[""] * len(photos)]
        return [
            self.writes(text, chat, photo=photo, media_group_id=album)
            for text, photo in zip(texts, photos, strict=False)
        ]

    def edits(self, message: Message, text: str) -> Message:
        clean = formatted(text, [])
        old, now = message.chat.messages[message.id], self.account.clock()
        new = replace(old, text=clean.text, entities=clean.entities, edits=(*old.edits, now))
        new.chat.tell(now, "edited", new)
        if self._is_heard(new, message.reply_to):
            self.account.updates.add("edited_message", new.json())
        return new

    def deletes(self, message: Message) -> None:
        """For everybody; no bot is told."""
        message.chat.tell(self.account.clock(), "deleted", message)

    # --- buttons and reactions -----------------------------------------------------------------------------

    def presses(self, button: str, message: Message | None = None, *, chat: Chat | None = None) -> Press:
        """The newest button with that label or data; *message* may be an old one, or one that is gone."""
        message = message or self._carrier(button, chat or self.chat)
        found = _button(button, message)
        assert found, f"no button {button!r}: {message.buttons}"
        press = Press(f"q{len(self.account.presses) + 1}", self.account.clock())
        self.account.presses[press.id] = press
        there = message.chat.messages.get(message.id)
        gone = {"message_id": message.id, "chat": message.chat.json(), "date": 0}
        self._tell(
            "callback_query",
            id=press.id,
            message=there.json() if there else gone,
            chat_instance=str(message.chat.id),
            data=found.data,
        )
        return press

    def stops(self) -> None:
        """Lets the bot write no further, where its draft can be stopped."""
        draft = self.chat.drafted(self.account.clock())
        assert draft, "nothing is being written"
        assert draft.can_stop, "it cannot be stopped"
        thread: Json = {"message_thread_id": draft.thread} if draft.thread else {}
        told: Json = {"chat": self.chat.json(), "draft_id": draft.id} | thread
        self.account.updates.add("stopped_message_generation", told)

    def reacts(self, message: Message, emoji: str = "") -> None:
        """Puts *emoji* in the place of their reaction; takes it away where it is empty."""
        now = message.chat.messages[message.id]
        old = [given for user, given in now.reactions if user == self.user.id]
        react(self.account, now, self.user.id, emoji)
        if self.account.is_admin(message.chat):
            told: Json = {"chat": message.chat.json(), "message_id": message.id, "user": self.user.json()}
            told |= {"date": int(self.account.clock()), "old_reaction": _emojis(old)}
            told["new_reaction"] = _emojis([emoji] if emoji else [])
            self.account.updates.add("message_reaction", told)

    # --- membership ----------------------------------------------------------------------------------------

    def joins(self, chat: Chat) -> None:
        """Bots that are admins are told it twice."""
        before = member_json(self.account, chat, self.user.id)
        chat.members[self.user.id] = "member"
        self.account.happen(chat, self.user, new_chat_members=[self.user.json()])
        if self.account.is_admin(chat):
            after = member_json(self.account, chat, self.user.id)
            told: Json = {"chat": chat.json(), "from": self.user.json(), "date": int(self.account.clock())}
            told |= {"old_chat_member": before, "new_chat_member": after}
            self.account.updates.add("chat_member", told)

    def leaves(self, chat: Chat) -> None:
        chat.members[self.user.id] = "left"
        self.account.happen(chat, self.user, left_chat_member=self.user.json())

    def blocks(self) -> None:
        self.sets_bot("kicked", self.chat)

    def unblocks(self) -> None:
        self.sets_bot("member", self.chat)

    def sets_bot(self, status: str, chat: Chat) -> None:
        """Adds, removes, promotes the bot: `member`, `kicked`, `administrator`."""
        old, now = chat.bot, self.account.clock()
        before = member_json(self.account, chat, self.account.user.id)
        chat.bot = status
        after = member_json(self.account, chat, self.account.user.id)
        told: Json = {"chat": chat.json(), "from": self.user.json(), "date": int(now)}
        told |= {"old_chat_member": before, "new_chat_member": after}
        self.account.updates.add("my_chat_member", told)
        if chat.is_group and status == "member" and old != "administrator":
            self.account.happen(chat, self.user, new_chat_members=[self.account.user.json()])

    def makes_public(self, chat: Chat, username: str) -> None:
        """No bot is told; it shows in what is written from now on."""
        chat.username = username

    def opens_topic(self, chat: Chat, name: str, *, implicit: bool = False) -> int:
        """Its thread id."""
        return open_topic(self.account, chat, self.user, name, implicit=implicit)

    def renames_topic(self, chat: Chat, thread: int, name: str) -> None:
        rename_topic(self.account, chat, self.user, thread, name)

    def closes_topic(self, chat: Chat, thread: int) -> None:
        close_topic(self.account, chat, self.user, thread, closed=True)

    def reopens_topic(self, chat: Chat, thread: int) -> None:
        close_topic(self.account, chat, self.user, thread, closed=False)

    def switches_topics_off(self, chat: Chat) -> None:
        """What was said in them is in the group itself from now on; no bot is told."""
        chat.is_forum = False
        chat.topics.clear()

    def deletes_topic(self, chat: Chat, thread: int) -> None:
        remove_topic(self.account, chat, thread)

    def migrates(self, chat: Chat) -> Chat:
        """The supergroup that the basic group becomes, as its owner wishes."""
        new = Chat(-1_001_000_000_000 + chat.id, "supergroup", chat.title, bot=chat.bot, members=chat.members)
        self.account.chats[new.id] = new
        self.account.happen(chat, self.user, migrate_to_chat_id=new.id)
        chat.migrated_to = new.id
        self.account.happen(new, self.user, migrate_from_chat_id=chat.id)
        return new

    # --- inside --------------------------------------------------------------------------------------------

    def _starts(self, chat: Chat) -> None:
        if not chat.is_group and not chat.bot:
            chat.bot = "member"

    def _photo(self, data: bytes | None) -> tuple[StoredFile, ...]:
        sizes = photo_sizes(data) if data else []
        return tuple(
            self.account.keep("photo.jpg", size.data, width=size.width, height=size.height) for size in sizes
        )

    def _tell(self, kind: str, **what: Any) -> None:
        self.account.updates.add(kind, {"from": self.user.json(), **what})

    def _carrier(self, button: str, chat: Chat) -> Message:
        carriers = [message for message in chat.screen() if _button(button, message)]
        assert carriers, f"no button {button!r} is there: {[message.buttons for message in chat.screen()]}"
        return carriers[-1]

    def _is_heard(self, message: Message, reply_to: Message | None) -> bool:
        """Privacy mode: commands not meant for others, and replies to the bot's own. Admins hear it all."""
        chat, account = message.chat, self.account
        if chat.bot not in ("member", "administrator"):
            return False
        if account.is_admin(chat) or account.reads_all:
            return True
        if reply_to and reply_to.sender == account.user and not reply_to.extra:
            return True
        command, _, whose = message.text.split()[0].partition("@") if message.text else ("", "", "")
        return command.startswith("/") and whose.lower() in ("", account.user.username.lower())


def _button(wanted: str, message: Message) -> Button | None:
    buttons = [button for row in message.keyboard for button in row]
    return next((button for button in buttons if wanted in (button.text, button.data)), None)


def _emojis(given: list[str]) -> list[Json]:
    return [{"type": "emoji", "emoji": emoji} for emoji in given]


def _thread_of_reply(chat: Chat, reply_to: Message | None) -> int:
    """In a supergroup a reply carries a thread, without being in a topic."""
    if chat.type != "supergroup" or chat.is_forum or reply_to is None:
        return 0
    return reply_to.thread or reply_to.id
