"""Conversations in the store, and the rooms that show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import UnknownConversation
from core.model.answer import StoredMessage
from core.model.conversation import Approvals, Conversation
from core.model.ids import ConversationId, MessageId, ProjectId, PromptId, RoomId, SessionId
from core.model.project import Access
from core.store import boards, deliveries, mirrors, preferences, rows
from core.store.database import Db

SELECT = (
    "SELECT c.*, c.session IS NOT NULL OR"
    " EXISTS (SELECT 1 FROM prompts p WHERE p.conversation = c.id) AS begun FROM conversations c"
)


HANDED_MESSAGES, HANDED_MOST = 100, 50_000
"""How much of a conversation a fork is told where the engine doesn't fork by itself."""


@dataclass(frozen=True, slots=True)
class Room:
    """A place in a chat, bound to one project and showing one conversation. A thread without a project of its
    own is in that of the main part of its chat."""

    id: RoomId
    project: ProjectId | None
    conversation: ConversationId | None
    language: str


def begin(
    db: Db, project: ProjectId, *, engine: str, language: str = "", title: str = "", now: float
) -> Conversation:
    """A new, empty conversation. A *title* given here is a person's."""
    row = db.execute(
        "INSERT INTO conversations (project, engine, language, title, title_by, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        (project, engine, language, title, "person" if title else "", now),
    ).fetchone()
    return get(db, ConversationId(row["id"]))


def carry_on(
    db: Db,
    project: ProjectId,
    session: SessionId,
    *,
    engine: str,
    language: str = "",
    title: str = "",
    now: float,
) -> Conversation:
    """The conversation that goes on with *session*: the one that it belongs to, else a new one."""
    if (known := by_session(db, project).get(session)) is not None:
        return get(db, known)
    begun = begin(db, project, engine=engine, language=language, now=now)
    db.execute(
        "UPDATE conversations SET session = ?, title = ?, title_by = ? WHERE id = ?",
        (session, title, "agent" if title else "", begun.id),
    )
    return get(db, begun.id)


def by_session(db: Db, project: ProjectId) -> dict[SessionId, ConversationId]:
    """Every session that *project* has worked in, and its newest conversation."""
    found = db.execute(
        "SELECT c.session, c.id FROM conversations c WHERE c.project = ?1"
        " UNION SELECT t.session, p.conversation FROM turns t JOIN prompts p ON p.id = t.prompt"
        " JOIN conversations c ON c.id = p.conversation WHERE c.project = ?1 ORDER BY 2",
        (project,),
    )
    return {SessionId(row[0]): ConversationId(row[1]) for row in found if row[0] is not None}


def fork(
    db: Db,
    parent: ConversationId,
    *,
    after: MessageId | None = None,
    natively: bool = False,
    title: str = "",
    now: float,
) -> Conversation:
    """A new conversation that goes on from *parent*, as it is or as it was *after* a message; *natively*
    where the engine forks its session itself. A *title* given here is a person's."""
    old = get(db, parent)
    forked = begin(db, old.project, engine=old.engine, language=old.language, title=title, now=now)
    native = natively and after is None and old.session is not None
    until = after or newest(db, parent)
    db.execute(
        "UPDATE conversations SET parent = ?, forked_after = ?, fork_of = ?, handed = ?, model = ?,"
        " effort = ?, access = ?, approvals = ?, auto_compact = ? WHERE id = ?",
        (
            *(parent, until, old.session if native else None),
            "" if native else _handed(db, parent, until),
            *(old.model, old.effort, old.access, old.approvals, old.auto_compact, forked.id),
        ),
    )
    return get(db, forked.id)


def lose_session(db: Db, conversation: ConversationId) -> None:
    """Its engine has no session for it, or none that can be forked: the next turn begins one, and what was
    said before a fork is told there."""
    row = db.execute("SELECT parent, forked_after, fork_of FROM conversations WHERE id = ?", (conversation,))
    forked = row.fetchone()
    db.execute("UPDATE conversations SET session = NULL, fork_of = NULL WHERE id = ?", (conversation,))
    if forked["fork_of"]:
        handed = _handed(db, forked["parent"], forked["forked_after"] or newest(db, forked["parent"]))
        db.execute("UPDATE conversations SET handed = ? WHERE id = ?", (handed, conversation))


def _handed(db: Db, conversation: ConversationId, after: MessageId | None) -> str:
    """What was said until *after*, its newest `HANDED_MOST` characters."""
    found = db.execute(
        "SELECT role, text FROM messages WHERE conversation = ? AND id <= ? AND text <> ''"
        " ORDER BY id DESC LIMIT ?",
        (conversation, after or 0, HANDED_MESSAGES),
    ).fetchall()
    told = "\n\n".join(f"{one['role']}: {one['text']}" for one in reversed(found))
    return told[-HANDED_MOST:]


def get(db: Db, conversation: ConversationId) -> Conversation:
    row = db.execute(f"{SELECT} WHERE c.id = ?", (conversation,)).fetchone()
    if row is None:
        raise UnknownConversation(id=conversation)
    return rows.conversation(row)


def latest(db: Db, project: ProjectId, *, most: int = 10) -> list[Conversation]:
    """The project's conversations that took a prompt, newest use first; before them those whose session was
    begun elsewhere, and nothing was said here yet."""
    found = db.execute(
        f"{SELECT} WHERE c.project = ? AND begun AND NOT archived ORDER BY"
        " (SELECT p.id FROM prompts p WHERE p.conversation = c.id ORDER BY p.position DESC LIMIT 1) DESC"
        " NULLS FIRST, c.id DESC LIMIT ?",
        (project, most),
    )
    return [rows.conversation(row) for row in found]


def last_used(db: Db, these: Iterable[ConversationId]) -> dict[ConversationId, float]:
    """When each of them took its last prompt (seconds since the epoch), of those that took any."""
    newest = "SELECT created_at FROM prompts WHERE conversation = ? ORDER BY position DESC LIMIT 1"
    found = ((one, db.execute(newest, (one,)).fetchone()) for one in these)
    return {one: row["created_at"] for one, row in found if row}


def rename(db: Db, conversation: ConversationId, title: str) -> None:
    """A person's title; no agent overwrites it."""
    db.execute("UPDATE conversations SET title = ?, title_by = 'person' WHERE id = ?", (title, conversation))


def speak(db: Db, conversation: ConversationId, language: str) -> None:
    """The agent is to speak *language* from now on."""
    db.execute("UPDATE conversations SET language = ? WHERE id = ?", (language, conversation))


def set_engine(db: Db, conversation: ConversationId, engine: str) -> None:
    """Of an empty conversation; model and effort are another engine's words."""
    db.execute(
        "UPDATE conversations SET engine = ?, model = '', effort = '' WHERE id = ?", (engine, conversation)
    )


def set_approvals(db: Db, conversation: ConversationId, approvals: Approvals) -> None:
    db.execute("UPDATE conversations SET approvals = ? WHERE id = ?", (approvals, conversation))


def set_auto_compact(db: Db, conversation: ConversationId, *, on: bool) -> None:
    """Whether its context is compacted by itself, from the next turn's end on."""
    db.execute("UPDATE conversations SET auto_compact = ? WHERE id = ?", (on, conversation))


def set_model(db: Db, conversation: ConversationId, model: str) -> None:
    db.execute("UPDATE conversations SET model = ? WHERE id = ?", (model, conversation))


def set_effort(db: Db, conversation: ConversationId, effort: str) -> None:
    db.execute("UPDATE conversations SET effort = ? WHERE id = ?", (effort, conversation))


def set_access(db: Db, conversation: ConversationId, access: Access | None) -> None:
    db.execute("UPDATE conversations SET access = ? WHERE id = ?", (access, conversation))


def messages(db: Db, conversation: ConversationId, *, most: int = 200) -> list[StoredMessage]:
    """The newest messages, oldest first."""
    found = db.execute(
        "SELECT * FROM messages WHERE conversation = ? ORDER BY id DESC LIMIT ?", (conversation, most)
    ).fetchall()
    return [rows.message(row) for row in reversed(found)]


def newest(db: Db, conversation: ConversationId, prompt: PromptId | None = None) -> MessageId | None:
    """The message that was said last there, or last of all that *prompt* came to."""
    row = db.execute(
        "SELECT max(id) AS id FROM messages WHERE conversation = ?1 AND (?2 IS NULL OR prompt = ?2)",
        (conversation, prompt),
    ).fetchone()
    return MessageId(row["id"]) if row["id"] else None


def answer_to(db: Db, prompt: PromptId) -> StoredMessage | None:
    """What the agent answered to *prompt*, whole or partial."""
    row = db.execute(
        "SELECT * FROM messages WHERE prompt = ? AND role = 'assistant' AND metadata = '{}'", (prompt,)
    ).fetchone()
    return rows.message(row) if row else None


def answer(db: Db, number: MessageId) -> StoredMessage | None:
    """A message of an agent; None where there is none of that number."""
    row = db.execute("SELECT * FROM messages WHERE id = ? AND role = 'assistant'", (number,)).fetchone()
    return rows.message(row) if row else None


def message(db: Db, number: MessageId) -> StoredMessage:
    return rows.message(db.execute("SELECT * FROM messages WHERE id = ?", (number,)).fetchone())


def room(db: Db, platform: str, account: str, chat: str, thread: str = "") -> Room:
    """The room at this address, remembered from now on. One that is known needs no room on the disk."""
    address = (platform, account, chat, thread)
    if found := known_room(db, *address):
        return found
    row = db.execute(
        "INSERT INTO rooms (platform, account, chat, thread) VALUES (?, ?, ?, ?) RETURNING id", address
    ).fetchone()
    preferences.inherit(db, RoomId(row["id"]))
    made = known_room(db, *address)
    assert made
    return made


def known_room(db: Db, platform: str, account: str, chat: str, thread: str = "") -> Room | None:
    row = db.execute(
        "SELECT * FROM rooms WHERE (platform, account, chat, thread) = (?, ?, ?, ?)",
        (platform, account, chat, thread),
    ).fetchone()
    if row is None:
        return None
    project = row["project"] or (_main_project(db, row) if thread else None)
    return Room(
        RoomId(row["id"]),
        ProjectId(project) if project else None,
        ConversationId(row["conversation"]) if row["conversation"] else None,
        row["language"],
    )


def _main_project(db: Db, row: rows.Row) -> int | None:
    """That of the main part of the chat in which a room is."""
    found = db.execute(
        "SELECT project FROM rooms WHERE (platform, account, chat, thread) = (?, ?, ?, '')",
        (row["platform"], row["account"], row["chat"]),
    ).fetchone()
    return found["project"] if found else None


def address_of(db: Db, place: RoomId) -> tuple[rows.Address, str]:
    """What a room is called, and its language."""
    row = db.execute("SELECT * FROM rooms WHERE id = ?", (place,)).fetchone()
    return rows.address(row), row["language"]


def language_at(db: Db, platform: str, account: str, chat: str, thread: str) -> str:
    """That of the room at this address, empty where there is none yet."""
    row = db.execute(
        "SELECT language FROM rooms WHERE (platform, account, chat, thread) = (?, ?, ?, ?)",
        (platform, account, chat, thread),
    ).fetchone()
    return str(row["language"]) if row else ""


def move(db: Db, platform: str, account: str, chat: str, to: str) -> None:
    """The platform calls this chat *to* now: each of its rooms goes along with all that is known of it. Done
    again it changes nothing.

    A room that is known under both names becomes one: the old one if it has a project, else the new one. The
    other stays behind under the old name, empty, since whoever works for it still holds its number.
    """
    if chat == to:
        return
    here = "SELECT * FROM rooms WHERE (platform, account, chat) = (?, ?, ?)"
    there = {row["thread"]: row for row in db.execute(here, (platform, account, to))}
    for row in db.execute(here, (platform, account, chat)).fetchall():
        deliveries.left_behind(db, RoomId(row["id"]))
        boards.shows_none(db, RoomId(row["id"]))
        if (new := there.get(row["thread"])) is None:
            _call(db, row["id"], to)
        elif row["project"] is None:
            _join(db, row["id"], new["id"])
        else:
            _change_places(db, row, new)
            _join(db, new["id"], row["id"])


def _change_places(db: Db, old: rows.Row, new: rows.Row) -> None:
    """The old room has the new one's name from now on; what people chose there last is what it shows."""
    for number, name in ((new["id"], ""), (old["id"], new["chat"]), (new["id"], old["chat"])):
        _call(db, number, name)
    if new["project"]:
        bind(db, old["id"], new["project"], new["conversation"])
        bind(db, new["id"], None)


def _join(db: Db, old: int, new: int) -> None:
    """What one room said and is to get is the other's."""
    for table in ("inbox", "prompts", "deliveries", "pieces", "seats"):
        db.execute(f"UPDATE OR REPLACE {table} SET room = ? WHERE room = ?", (new, old))
    chosen = "EXISTS (SELECT 1 FROM rooms r WHERE r.id = inbox.room AND r.project IS NOT NULL)"
    db.execute(f"UPDATE inbox SET state = 'new' WHERE state = 'parked' AND room = ? AND {chosen}", (new,))


def _call(db: Db, place: int, chat: str) -> None:
    db.execute("UPDATE rooms SET chat = ? WHERE id = ?", (chat, place))


def bind(
    db: Db, place: RoomId, project: ProjectId | None, conversation: ConversationId | None = None
) -> None:
    """Let the room show this project and conversation from now on, and with it all that show the same; in
    another project it shows its own."""
    if (mirrored := mirrors.of_room(db, place)) and mirrored.project != project:
        mirrors.end(db, place)
    chosen = (
        "CASE WHEN project IS ?1 THEN chosen_after ELSE (SELECT coalesce(max(id), 0) FROM deliveries) END"
    )
    db.execute(
        f"UPDATE rooms SET project = ?1, conversation = ?2, chosen_after = {chosen} WHERE id = ?3",
        (project, conversation, place),
    )
    for other in mirrors.together(db, place):
        db.execute("UPDATE rooms SET conversation = ? WHERE id = ?", (conversation, other))


def chosen_since(db: Db, place: RoomId, message: str) -> bool:
    """Whether the room's project was chosen after *message* of ours was made."""
    return bool(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM deliveries d JOIN rooms r ON r.id = d.room"
            " WHERE d.room = ? AND d.chat_message = ? AND d.id <= r.chosen_after)",
            (place, message),
        ).fetchone()[0]
    )
