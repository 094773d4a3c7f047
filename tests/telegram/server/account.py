"""One bot and its world: the people, chats and files that it can see, and what it has not yet been told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import telegram_rules
from tests.telegram.server.errors import bad, forbidden
from tests.telegram.server.flood import Flood
from tests.telegram.server.media import mime_of
from tests.telegram.server.model import Chat, Entity, Json, Message, StoredFile, User
from tests.telegram.server.params import Params
from tests.telegram.server.updates import Updates

OUT_OF_REACH = {
    "": "bot can't initiate conversation with a user",
    "kicked": "bot was kicked from the {kind} chat",
    "left": "bot is not a member of the {kind} chat",
}


@dataclass(slots=True)
class Press:
    """A pressed button; *answered* is when the bot answered it, with *text*."""

    id: str
    at: float
    answered: float | None = None
    text: str = ""
    alert: bool = False


@dataclass(slots=True)
class Account:
    """*violations*: whatever it sent that a person would not see as it was meant. *lacks*: methods, in lower
    case, that its server is too old for."""

    token: str
    user: User
    clock: Callable[[], float]
    updates: Updates
    flood: Flood
    folder: Path | None = None
    """Where a local server keeps files; then they may have any size."""
    reads_all: bool = False
    lacks: set[str] = field(default_factory=set)
    private_topics: bool = False
    chats: dict[int, Chat] = field(default_factory=dict)
    people: dict[int, User] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    file_times: dict[str, float] = field(default_factory=dict)
    presses: dict[str, Press] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[Json]] = field(default_factory=dict)
    about: dict[tuple[str, str], str] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    _messages: int = 0
    _files: int = 0
    _albums: int = 0

    # --- what a call is about ------------------------------------------------------------------------------

    def chat(self, params: Params) -> Chat:
        """The chat that is spoken to. Errors: 400 where there is none, 403 where the bot may not write."""
        if not params.text("chat_id"):
            raise bad("chat_id is empty")
        chat = self.chats.get(params.number("chat_id"))
        if chat is None:
            raise bad("chat not found")
        if chat.migrated_to:
            raise bad("group chat was upgraded to a supergroup chat", migrate_to_chat_id=chat.migrated_to)
        if chat.bot == "kicked" and not chat.is_group:
            raise forbidden("bot was blocked by the user")
        if chat.bot in OUT_OF_REACH:
            raise forbidden(OUT_OF_REACH[chat.bot].format(kind=chat.type))
        return chat

    def is_admin(self, chat: Chat) -> bool:
        return not chat.is_group or chat.bot == "administrator"

    def next_message_id(self, chat: Chat) -> int:
        """Supergroups count for themselves; private chats and basic groups share one sequence."""
        if chat.type == "supergroup":
            chat.count += 1
            return chat.count
        self._messages += 1
        return self._messages

    def taken(self, chat: Chat, message_id: int) -> None:
        """That id came from outside: the next ones are higher."""
        chat.count = max(chat.count, message_id)
        self._messages = max(self._messages, message_id)

    def happen(
        self,
        chat: Chat,
        sender: User,
        thread: int = 0,
        *,
        message_id: int = 0,
        silent: bool = True,
        **service: object,
    ) -> Message:
        """A service message; the bot is told of it even if it did it itself."""
        message = Message(
            message_id or self.next_message_id(chat),
            chat,
            sender,
            self.clock(),
            thread=thread,
            in_topic=bool(thread),
            silent=silent,
            extra=service,
        )
        chat.tell(message.date, "sent", message)
        if chat.bot in ("member", "administrator"):
            self.updates.add("message", message.json())
        return message

    def next_album(self) -> str:
        self._albums += 1
        return f"A{self._albums}"

    # --- files ---------------------------------------------------------------------------------------------

    def keep(
        self, name: str, data: bytes, *, width: int = 0, height: int = 0, file_id: str = ""
    ) -> StoredFile:
        self._files += 1
        folder = "photos" if width else "documents"
        suffix = name.rpartition(".")[2] if "." in name else "bin"
        path = f"{folder}/file_{self._files}.{suffix}"
        file = StoredFile(file_id or f"F{self._files}", path, name, mime_of(name), data, width, height)
        self.files[file.id] = file
        return file

    # --- what is wrong -------------------------------------------------------------------------------------

    def note(self, violation: str) -> None:
        self.violations.append(violation)

    def check(self, text: str, entities: Sequence[Json], longest: int) -> None:
        """Note what the independent rules find in a text as it was sent."""
        read = [Entity(e["type"], e["offset"], e["length"], e.get("url")) for e in entities]
        for fault in telegram_rules.faults(text, read, longest=longest):
            self.note(f"{fault} · in {text[:60]!r}")
