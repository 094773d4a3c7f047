"""Prompts in the store: accepted, cancelled, moved, looked up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import UnknownPrompt
from core.model.events import Event, PromptAccepted, PromptEnded
from core.model.ids import ConversationId, ProjectId, PromptId, RoomId
from core.model.prompt import Attachment, ChatPlace, Kind, Prompt, Source, Status
from core.model.reasons import DROPPED, DROPPED_ELSEWHERE, TOLD
from core.store import deliveries, log, mirrors, pieces, rows
from core.store.database import Db

UNPAIRED = re.compile("[\ud800-\udfff]")
OPEN = "status IN ('queued', 'running')"
ASKED_IN = "(SELECT i.room FROM inbox i WHERE i.id = prompts.inbox)"
"""Where a prompt was asked that is not answered in a room: somebody reads its events."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """*ahead* prompts of its conversation come first. *again*: the same update was accepted before. *beside*:
    the other rooms in which it is shown."""

    prompt: Prompt
    ahead: int
    again: bool = False
    beside: tuple[RoomId, ...] = ()


@dataclass(frozen=True, slots=True)
class Cancelled:
    """*stopping* run and have been asked to end; *dropped* never started and are cancelled now."""

    stopping: tuple[Prompt, ...] = ()
    dropped: tuple[Prompt, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.stopping or self.dropped)


def accept(
    db: Db,
    source: Source,
    conversation: ConversationId,
    text: str,
    *,
    now: float,
    attachments: Sequence[Attachment] = (),
    author: str = "",
    retry_of: PromptId | None = None,
    place: ChatPlace | None = None,
    kind: Kind = Kind.WORDS,
    person: str = "",
    steers: bool = False,
    beside: str = "",
    room: RoomId | None = None,
) -> Accepted:
    """Store what a person sent, once per *source*, behind everything that its conversation has. *beside* is
    what its agent is told behind the words. *room* is where it was asked, answered there or not."""
    earlier = made_by(db, source)
    if earlier is not None:
        return Accepted(earlier, _ahead(db, earlier), again=True)
    inbox = _dealt_with(db, source, room, now=now)
    text = storable(text)
    number = db.execute(
        "INSERT INTO prompts (conversation, inbox, text, author, attachments, status, position, retry_of,"
        " created_at, kind, person, steers, beside) VALUES (?, ?, ?, ?, ?, 'queued',"
        " (SELECT coalesce(max(id), 0) + 1 FROM prompts), ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            *(conversation, inbox, text, author, rows.json(list(attachments)), retry_of, now),
            *(kind, person, steers, storable(beside)),
        ),
    ).fetchone()["id"]
    if place is not None:
        db.execute(
            "UPDATE prompts SET room = ?, message = ?, files = ? WHERE id = ?",
            (place.room, place.message, rows.json(list(place.files)), number),
        )
        pieces.add(db, PromptId(number), place.room, place.pieces)
    seats = mirrors.seat(db, PromptId(number), place.room, conversation) if place else []
    prompt = get(db, PromptId(number))
    ahead = _ahead(db, prompt)
    if kind is Kind.WORDS:
        db.execute(
            "INSERT INTO messages (conversation, prompt, role, text, created_at) VALUES (?, ?, 'user', ?, ?)",
            (conversation, number, text, now),
        )
    _log(db, prompt, PromptAccepted(ahead), now=now)
    return Accepted(prompt, ahead, beside=tuple(seats))


def storable(text: str) -> str:
    """NUL is taken out (no program takes it), a half of a surrogate pair is no character and becomes U+FFFD;
    everything else stays as it was sent."""
    return UNPAIRED.sub("\ufffd", text.replace("\0", ""))


def reword(db: Db, prompt: PromptId, text: str) -> None:
    """What a person sent reads so, wherever it is read from now on."""
    text = storable(text)
    db.execute("UPDATE prompts SET text = ? WHERE id = ?", (text, prompt))
    db.execute("UPDATE messages SET text = ? WHERE prompt = ? AND role = 'user'", (text, prompt))


def _dealt_with(db: Db, source: Source, room: RoomId | None, *, now: float) -> int:
    """The inbox row of *source*: it has become a prompt."""
    row = db.execute(
        "INSERT INTO inbox (platform, account, update_key, room, received_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET state = 'done', body = '' RETURNING id",
        (source.platform, source.account, source.update, room, now),
    ).fetchone()
    return int(row["id"])


def fetched(db: Db, prompt: PromptId, attachments: Sequence[Attachment]) -> None:
    """Its files are where the agent finds them: it may start."""
    db.execute(
        "UPDATE prompts SET attachments = ?, files = '[]' WHERE id = ?",
        (rows.json(list(attachments)), prompt),
    )


def fetching(db: Db, platform: str, account: str) -> list[PromptId]:
    """The waiting prompts of an account whose files are still on their way."""
    found = db.execute(
        f"SELECT p.id FROM prompts p JOIN rooms r ON r.id = p.room WHERE p.{OPEN} AND p.files <> '[]'"
        " AND r.platform = ? AND r.account = ? ORDER BY p.id",
        (platform, account),
    )
    return [PromptId(row["id"]) for row in found]


def place_of(db: Db, prompt: PromptId) -> ChatPlace | None:
    """Where a prompt is answered; None where somebody reads the events instead."""
    row = db.execute("SELECT * FROM prompts WHERE id = ?", (prompt,)).fetchone()
    return rows.chat_place(row) if row and row["room"] else None


def asked_at(db: Db, prompt: PromptId) -> RoomId | None:
    """The room in which a prompt was asked; None for one that was asked in none."""
    row = db.execute(f"SELECT coalesce(room, {ASKED_IN}) FROM prompts WHERE id = ?", (prompt,)).fetchone()
    return RoomId(row[0]) if row and row[0] else None


def project_of(db: Db, prompt: PromptId) -> ProjectId:
    """The project that a prompt is about."""
    row = db.execute(
        "SELECT c.project FROM prompts p JOIN conversations c ON c.id = p.conversation WHERE p.id = ?",
        (prompt,),
    ).fetchone()
    return ProjectId(row["project"])


def in_chats(db: Db, platform: str, account: str) -> list[tuple[RoomId, Prompt]]:
    """What runs and waits for the rooms of an account, each with its room."""
    found = db.execute(
        f"SELECT p.* FROM prompts p JOIN rooms r ON r.id = p.room WHERE p.{OPEN}"
        " AND r.platform = ? AND r.account = ? ORDER BY p.id",
        (platform, account),
    )
    return [(RoomId(row["room"]), rows.prompt(row)) for row in found]


def rooms_open(db: Db, platform: str) -> list[tuple[RoomId, rows.Address]]:
    """The rooms of a platform for which something runs, waits, or is parked, each with its address."""
    found = db.execute(
        f"SELECT * FROM rooms WHERE platform = ? AND id IN (SELECT room FROM prompts WHERE {OPEN}"
        " UNION SELECT room FROM inbox WHERE state <> 'done' AND state = 'parked')",
        (platform,),
    )
    return [(RoomId(row["id"]), rows.address(row)) for row in found]


def get(db: Db, prompt: PromptId) -> Prompt:
    row = db.execute("SELECT * FROM prompts WHERE id = ?", (prompt,)).fetchone()
    if row is None:
        raise UnknownPrompt(id=prompt)
    return rows.prompt(row)


def at_work_with(db: Db, prompt: Prompt) -> bool:
    """Whether an agent is at work with the words of *prompt*, be it that they were told to another turn."""
    told = prompt.steers or prompt.reason == TOLD
    here = open_of(db, prompt.conversation) if told else [get(db, prompt.id)]
    return any(one.status is Status.RUNNING for one in here)


def open_of(db: Db, conversation: ConversationId, *, most: int = -1) -> list[Prompt]:
    """What runs and waits in a conversation, in order; only the first *most* if that is told."""
    found = db.execute(
        f"SELECT * FROM prompts WHERE conversation = ? AND {OPEN} ORDER BY status = 'queued', position, id"
        " LIMIT ?",
        (conversation, most),
    )
    return [rows.prompt(row) for row in found]


def ended_last(db: Db, conversation: ConversationId) -> PromptId | None:
    """The newest that was asked there of those that have ended, no compaction."""
    row = db.execute(
        "SELECT max(id) AS id FROM prompts WHERE conversation = ? AND kind = ?"
        " AND status NOT IN ('queued', 'running')",
        (conversation, Kind.WORDS),
    ).fetchone()
    return PromptId(row["id"]) if row["id"] else None


def retries(db: Db, prompt: Prompt) -> list[Prompt]:
    """Those that were made of *prompt*, in order."""
    found = db.execute(
        "SELECT * FROM prompts WHERE conversation = ? AND retry_of = ? ORDER BY id",
        (prompt.conversation, prompt.id),
    )
    return [rows.prompt(row) for row in found]


def failed_last(db: Db, *, since: float, most: int) -> list[Prompt]:
    """What failed since then and nothing was asked after in its conversation, the newest first."""
    newest = "(SELECT max(id) FROM prompts WHERE conversation = p.conversation)"
    found = db.execute(
        f"SELECT * FROM prompts p WHERE status = 'failed' AND ended_at > ? AND id = {newest}"
        " ORDER BY ended_at DESC LIMIT ?",
        (since, most),
    )
    return [rows.prompt(row) for row in found]


def asked_in(db: Db, room: RoomId) -> list[Prompt]:
    """What runs and waits and was asked in a room, in order."""
    found = db.execute(
        f"SELECT * FROM prompts WHERE {OPEN} AND coalesce(room, {ASKED_IN}) = ?"
        " ORDER BY status = 'queued', position, id",
        (room,),
    )
    return [rows.prompt(row) for row in found]


def waiting_on(db: Db, platform: str) -> list[tuple[Prompt, ProjectId]]:
    """What waits and was asked by somebody in the rooms of a platform, each with its project."""
    found = db.execute(
        f"SELECT p.*, c.project FROM prompts p JOIN rooms r ON r.id = p.room"
        f" JOIN conversations c ON c.id = p.conversation WHERE p.{OPEN} AND p.status = 'queued'"
        " AND p.person <> '' AND r.platform = ? ORDER BY p.id",
        (platform,),
    )
    return [(rows.prompt(row), ProjectId(row["project"])) for row in found]


def every_open(db: Db) -> list[Prompt]:
    """What runs and waits anywhere, in order."""
    found = db.execute(f"SELECT * FROM prompts WHERE {OPEN} ORDER BY status = 'queued', position, id")
    return [rows.prompt(row) for row in found]


def cancel(db: Db, prompt: PromptId, *, by: RoomId | None = None, now: float) -> Cancelled:
    """Cancel one prompt: at once if it waits, by its dispatcher if it runs; nothing if it has ended. *by*:
    the room in which somebody said so, if it was in one."""
    return cancel_each(db, [get(db, prompt)], by=by, now=now)


def cancel_here(db: Db, conversation: ConversationId, *, everything: bool, now: float) -> Cancelled:
    """What runs in a conversation, or what waits first when nothing does; or *everything* of it."""
    here = open_of(db, conversation)
    return cancel_each(db, here if everything else foremost(here), now=now)


def ended_with(db: Db, prompt: Prompt) -> list[Prompt]:
    """Those of its conversation and its room that were dropped or set aside in one go with it, itself
    included, in the order in which they were asked."""
    found = db.execute(
        "SELECT * FROM prompts WHERE conversation = ? AND reason = ? AND ended_at = ?"
        " AND room = (SELECT room FROM prompts WHERE id = ?) ORDER BY id",
        (prompt.conversation, prompt.reason, prompt.ended_at, prompt.id),
    )
    return [rows.prompt(row) for row in found]


def fail(db: Db, prompt: PromptId, *, reason: str, detail: str = "", now: float) -> None:
    """End a prompt that can't begin, if it still waits; the files that it was to have are remembered."""
    failed = get(db, prompt)
    if failed.status is Status.QUEUED:
        _end(db, failed, PromptEnded(Status.FAILED, reason, detail), now=now)


def cancel_all(db: Db, *, now: float) -> Cancelled:
    """Everything, everywhere."""
    return cancel_each(db, every_open(db), now=now)


def move_up(db: Db, prompt: PromptId) -> None:
    """Put a waiting prompt before the others that wait in its conversation. They share the places that
    they have: no other conversation is overtaken."""
    moved = get(db, prompt)
    if moved.status is not Status.QUEUED:
        return
    waiting = [other for other in open_of(db, moved.conversation) if other.status is Status.QUEUED]
    order = [moved, *(other for other in waiting if other != moved)]
    places = [(place.position, each.id) for place, each in zip(waiting, order, strict=True)]
    db.executemany("UPDATE prompts SET position = ? WHERE id = ?", places)


def foremost(here: Sequence[Prompt]) -> list[Prompt]:
    """What runs, that which nobody has told to stop before others, and the last to begin before the first;
    else what waits first. One of them."""
    running = [prompt for prompt in here if prompt.status is Status.RUNNING]
    last = sorted(running, key=lambda one: (one.cancelling, -(one.started_at or 0.0)))
    return [*(last or here)][:1]


def cancel_each(db: Db, prompts: Sequence[Prompt], *, by: RoomId | None = None, now: float) -> Cancelled:
    """The same of each of *prompts*, which are as the store has them now."""
    stopping = tuple(prompt for prompt in prompts if prompt.status is Status.RUNNING)
    dropped = tuple(prompt for prompt in prompts if prompt.status is Status.QUEUED)
    for prompt in stopping:
        db.execute("UPDATE prompts SET cancelling = 1 WHERE id = ?", (prompt.id,))
    for prompt in dropped:
        place = place_of(db, prompt.id)
        reason = DROPPED if place is None or place.room == by else DROPPED_ELSEWHERE
        if by is not None:
            mirrors.knows(db, prompt.id, by)
        _end(db, prompt, PromptEnded(Status.CANCELLED, reason), now=now)
    return Cancelled(stopping, dropped)


def _end(db: Db, prompt: Prompt, end: PromptEnded, *, now: float) -> None:
    db.execute(
        "UPDATE prompts SET status = ?, reason = ?, detail = ?, ended_at = ? WHERE id = ?",
        (end.status, end.reason, end.detail, now, prompt.id),
    )
    _log(db, prompt, end, now=now)
    deliveries.announce(db, prompt.id, now=now)


def made_by(db: Db, source: Source) -> Prompt | None:
    """What an update was made to."""
    row = db.execute(
        "SELECT p.* FROM inbox i JOIN prompts p ON p.inbox = i.id"
        " WHERE (i.platform, i.account, i.update_key) = (?, ?, ?)",
        (source.platform, source.account, source.update),
    ).fetchone()
    return rows.prompt(row) if row else None


def _ahead(db: Db, prompt: Prompt) -> int:
    found = db.execute(
        f"SELECT count(*) FROM prompts WHERE conversation = ? AND {OPEN} AND id <> ?"
        " AND (status = 'running' OR position < ?)",
        (prompt.conversation, prompt.id, prompt.position),
    )
    return int(found.fetchone()[0])


def _log(db: Db, prompt: Prompt, event: Event, *, now: float) -> None:
    log.append(db, [event], conversation=prompt.conversation, prompt=prompt.id, now=now)
