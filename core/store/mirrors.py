"""Rooms of one project that show the same: who agreed to that, and where a prompt is shown beside its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from core.model.ids import ConversationId, ProjectId, PromptId, RoomId
from core.model.prompt import ChatPlace
from core.store import deliveries, rows
from core.store.database import Db

MirrorId = NewType("MirrorId", int)
FOLDS = "body LIKE '{\"fold\"%'"
OPEN = "status IN ('queued', 'running')"
TOGETHER = (
    "SELECT o.room FROM mirrors m JOIN rooms h ON h.id = m.room AND h.project = m.project"
    " JOIN mirrors o ON o.project = m.project AND o.state = 'on' AND o.room <> m.room"
    " JOIN rooms r ON r.id = o.room AND r.project = o.project"
    " WHERE m.state = 'on' AND m.room = ?"
)
LEADS = (
    "SELECT m.room FROM mirrors m JOIN rooms h ON h.id = m.room AND h.project = m.project"
    " JOIN rooms t ON t.id = ?1 AND t.project = m.project WHERE m.state = 'on' AND (m.room = t.id OR"
    " m.threads AND h.thread = '' AND t.thread <> '' AND NOT EXISTS (SELECT 1 FROM mirrors WHERE room = t.id)"
    " AND (h.platform, h.account, h.chat) = (t.platform, t.account, t.chat))"
)
"""A room that shows the same as others; for a thread, of which nothing else was said, the main part of its
chat."""
NESTED = (
    "(SELECT t.id FROM rooms t WHERE (t.platform, t.account, t.chat) = (r.platform, r.account, r.chat)"
    " AND t.thread <> '' AND t.conversation = ?3 AND NOT EXISTS (SELECT 1 FROM mirrors WHERE room = t.id))"
)
"""The thread in the chat of room *r* that shows a conversation."""

CALLED = (
    "coalesce(nullif(r.name, ''), (SELECT nullif(c.title, '') FROM rooms c WHERE c.thread = ''"
    " AND (c.platform, c.account, c.chat) = (r.platform, r.account, r.chat)),"
    " (SELECT o.title FROM own_rooms o WHERE o.room = r.id),"
    " (SELECT p.name FROM projects p WHERE p.id = r.project)) AS called"
)
"""A thread by its name, a room by what people see it as, else by its project."""


class State(StrEnum):
    OFF = "off"
    ASKED = "asked"
    """It waits until an owner agrees."""
    ON = "on"


@dataclass(frozen=True, slots=True)
class Mirror:
    """*project* is shown in *room* as in the others."""

    id: MirrorId
    room: RoomId
    project: ProjectId
    state: State


@dataclass(frozen=True, slots=True)
class Fellow:
    """A room that shows a project as others do, called *title*, as far as is known; *sealed*: what is said
    there is encrypted. *public*: anybody at all reads along; *strangers*: how many do who are nothing in the
    project, None where nobody knows."""

    room: RoomId
    address: rows.Address
    language: str
    sealed: bool
    public: bool
    strangers: int | None
    title: str

    @property
    def exposed(self) -> bool:
        """Whether others may read along than those who work there."""
        return self.public or self.strangers != 0


# -- which rooms -------------------------------------------------------------------------------------------


def of_room(db: Db, room: RoomId) -> Mirror | None:
    """What is agreed or asked there; None where neither is."""
    row = db.execute("SELECT * FROM mirrors WHERE room = ? AND state <> 'off'", (room,)).fetchone()
    return _mirror(row) if row else None


def asked(db: Db, number: MirrorId) -> Mirror | None:
    """What still waits for an owner under this number."""
    row = db.execute("SELECT * FROM mirrors WHERE id = ? AND state = 'asked'", (number,)).fetchone()
    return _mirror(row) if row else None


def together(db: Db, room: RoomId) -> list[RoomId]:
    """The other rooms that show what *room* shows."""
    return [RoomId(row["room"]) for row in db.execute(f"{TOGETHER} ORDER BY o.room", (room,))]


def is_together(db: Db, platform: str, account: str, chat: str, thread: str) -> bool:
    """Whether the room at this address shows what others show."""
    here = "SELECT id FROM rooms WHERE (platform, account, chat, thread) = (?, ?, ?, ?)"
    row = db.execute(here, (platform, account, chat, thread)).fetchone()
    return row is not None and bool(together(db, RoomId(row["id"])))


def fellows(db: Db, project: ProjectId) -> list[Fellow]:
    """All rooms that show *project* together, or would if there were more than one."""
    found = db.execute(
        f"SELECT r.*, {CALLED} FROM mirrors m JOIN rooms r ON r.id = m.room AND r.project = m.project"
        " WHERE m.state = 'on' AND m.project = ? ORDER BY r.id",
        (project,),
    )
    return [_fellow(row) for row in found]


def fellow(db: Db, room: RoomId) -> Fellow:
    return _fellow(db.execute(f"SELECT r.*, {CALLED} FROM rooms r WHERE r.id = ?", (room,)).fetchone())


def in_chat(db: Db, platform: str, account: str, chat: str) -> list[RoomId]:
    """The rooms of a chat that show a project together with others."""
    found = db.execute(
        "SELECT r.id FROM mirrors m JOIN rooms r ON r.id = m.room WHERE m.state = 'on'"
        " AND (r.platform, r.account, r.chat) = (?, ?, ?)",
        (platform, account, chat),
    )
    return [RoomId(row["id"]) for row in found]


def on_platform(db: Db, platform: str) -> list[tuple[Mirror, rows.Address]]:
    """All that is agreed or asked in the rooms of a platform."""
    found = db.execute(
        "SELECT m.id AS number, m.state, m.project AS of, r.* FROM mirrors m JOIN rooms r ON r.id = m.room"
        " WHERE m.state <> 'off' AND r.platform = ?",
        (platform,),
    )
    return [
        (
            Mirror(MirrorId(row["number"]), RoomId(row["id"]), ProjectId(row["of"]), State(row["state"])),
            rows.address(row),
        )
        for row in found
    ]


def concerned(db: Db, project: ProjectId, room: RoomId) -> list[tuple[RoomId, rows.Address]]:
    """The rooms that show *project* together, and *room*, which may come to them."""
    found = db.execute(
        "SELECT r.* FROM rooms r WHERE r.id = ?2 OR r.project = ?1 AND r.id IN"
        " (SELECT room FROM mirrors WHERE state = 'on' AND project = ?1) ORDER BY r.id",
        (project, room),
    )
    return [(RoomId(row["id"]), rows.address(row)) for row in found]


def rooms_on(db: Db, platform: str) -> list[tuple[RoomId, rows.Address]]:
    """The rooms of a platform that show a project together, or may come to that."""
    return [(mirror.room, address) for mirror, address in on_platform(db, platform)]


def looked_at(db: Db, strangers: Mapping[RoomId, int | None]) -> None:
    """So many may read along in each, as its chat told just now."""
    db.executemany(
        "UPDATE rooms SET strangers = ? WHERE id = ?", [(many, room) for room, many in strangers.items()]
    )


def seal(db: Db, room: RoomId) -> bool:
    """What is said there is encrypted from now on, for good. Whether that is news."""
    return db.execute("UPDATE rooms SET sealed = 1 WHERE id = ? AND NOT sealed", (room,)).rowcount > 0


# -- agreed and ended --------------------------------------------------------------------------------------


def ask(db: Db, room: RoomId, project: ProjectId, *, now: float) -> MirrorId:
    """An owner is to agree, under this number."""
    return _begin(db, room, project, State.ASKED, now=now)


def puts(db: Db, number: MirrorId, question: str) -> None:
    """What is asked under this number, in our words."""
    db.execute("UPDATE mirrors SET question = ? WHERE id = ?", (question, number))


def question_of(db: Db, number: MirrorId) -> str:
    return str(db.execute("SELECT question FROM mirrors WHERE id = ?", (number,)).fetchone()["question"])


def begin(db: Db, room: RoomId, project: ProjectId, person: str, name: str, *, now: float) -> None:
    """*person*, an owner, has *room* show *project* as the others do: all of them go on with a conversation
    that is new, so that nothing that was said before is known elsewhere. What was asked for others of them
    would mean something else by now."""
    number = _begin(db, room, project, State.ON, now=now)
    db.execute("UPDATE mirrors SET person = ?, name = ?, threads = 1 WHERE id = ?", (person, name, number))
    db.execute("UPDATE mirrors SET state = 'off' WHERE project = ? AND state = 'asked'", (project,))
    if others := together(db, room):
        _forget_conversation(db, [room, *others])


def end(db: Db, room: RoomId) -> list[RoomId]:
    """*room* shows what is its own from now on, in a conversation that is new; the others keep that which
    all had. They are told: these. Threads of its chat keep their own."""
    others = together(db, room)
    parts = [room, *_threads(db, room)]
    gone = db.execute("UPDATE mirrors SET state = 'off' WHERE room = ? AND state <> 'off'", (room,)).rowcount
    if gone and others:
        _forget_conversation(db, [room])
        for part in parts:
            _part(db, part)
    return others


def stay_apart(db: Db, thread: RoomId, project: ProjectId, *, now: float) -> None:
    """Of a *thread* nothing is shown elsewhere any more, nor anything there, whatever its chat shows."""
    _begin(db, thread, project, State.OFF, now=now)
    _part(db, thread)


def _threads(db: Db, room: RoomId) -> list[RoomId]:
    """Those of its chat that go by what was said of *room*."""
    found = db.execute(
        "SELECT t.id FROM rooms r JOIN rooms t USING (platform, account, chat) WHERE r.id = ?1"
        " AND r.thread = '' AND t.thread <> '' AND NOT EXISTS (SELECT 1 FROM mirrors WHERE room = t.id)",
        (room,),
    )
    return [RoomId(row["id"]) for row in found]


def _begin(db: Db, room: RoomId, project: ProjectId, state: State, *, now: float) -> MirrorId:
    db.execute("UPDATE mirrors SET state = 'off' WHERE room = ? AND state <> 'off'", (room,))
    row = db.execute(
        "INSERT INTO mirrors (room, project, state, at) VALUES (?, ?, ?, ?) RETURNING id",
        (room, project, state, now),
    ).fetchone()
    return MirrorId(row["id"])


def _forget_conversation(db: Db, here: Sequence[RoomId]) -> None:
    db.executemany("UPDATE rooms SET conversation = NULL WHERE id = ?", [(room,) for room in here])


def _part(db: Db, room: RoomId) -> None:
    """Nothing more of what is shown elsewhere reaches *room*, and of what was asked there no other, but what
    folds a message that shows it."""
    closed = db.execute(
        "UPDATE seats SET closed = 1 WHERE room = ?1 OR prompt IN (SELECT id FROM prompts WHERE room = ?1)"
        " RETURNING room",
        (room,),
    ).fetchall()
    db.executemany(
        "DELETE FROM deliveries WHERE room = ? AND state IN ('pending', 'sending', 'unknown', 'refused')"
        f" AND kind IN ('part', 'reply') AND NOT {FOLDS}"
        " AND prompt IN (SELECT prompt FROM seats s WHERE s.room = deliveries.room AND s.closed)",
        [(other,) for other in {row["room"] for row in closed}],
    )


# -- where a prompt is shown -------------------------------------------------------------------------------


def lead(db: Db, room: RoomId) -> RoomId | None:
    """Whose fellows see what is asked in *room*: itself, or the main part of its chat."""
    row = db.execute(LEADS, (room,)).fetchone()
    return RoomId(row["room"]) if row else None


def seat(db: Db, prompt: PromptId, room: RoomId, conversation: ConversationId) -> list[RoomId]:
    """*prompt*, asked in *room*, is shown in all rooms that show the same, if it is about what they show;
    where a chat has the conversation in a thread, there. These. Of a conversation that stands in a thread,
    nothing is shown to who agreed later."""
    first = lead(db, room)
    if first is None:
        return []
    others = db.execute(
        f"INSERT INTO seats (prompt, room) SELECT ?2, coalesce({NESTED}, r.id)"
        f" FROM ({TOGETHER.replace('?', '?1')}) o JOIN rooms r ON r.id = o.room"
        " JOIN conversations c ON c.id = ?3 AND c.project = r.project WHERE ?1 = ?4 OR c.created_at >="
        " (SELECT max(at) FROM mirrors WHERE state = 'on' AND room IN (?1, r.id)) RETURNING room",
        (first, prompt, conversation, room),
    ).fetchall()
    return sorted(RoomId(row["room"]) for row in others)


def title_in(db: Db, room: RoomId, conversation: ConversationId) -> str | None:
    """What a conversation is called for who sees it in *room*; None where that is the one shown there, empty
    where it has no name."""
    row = db.execute(
        "SELECT coalesce(nullif(c.title, ''), (SELECT name FROM rooms WHERE conversation = c.id"
        " AND name <> ''), '') AS title FROM conversations c WHERE c.id = ?2"
        " AND NOT EXISTS (SELECT 1 FROM rooms WHERE id = ?1 AND conversation = ?2)",
        (room, conversation),
    ).fetchone()
    return str(row["title"]) if row else None


def seat_in(db: Db, prompt: PromptId, room: RoomId) -> ChatPlace | None:
    """Where *prompt* is shown in *room*, in reply to what tells of it there; None where it was not asked
    elsewhere."""
    if db.execute("SELECT 1 FROM seats WHERE prompt = ? AND room = ?", (prompt, room)).fetchone() is None:
        return None
    return ChatPlace(room, deliveries.message_of(db, prompt, room, deliveries.ASKED))


def rooms_of(db: Db, prompt: PromptId, platform: str, account: str) -> list[RoomId]:
    """All rooms of an account in which *prompt* is or was shown, its own first."""
    found = db.execute(
        "SELECT r.id FROM prompts p JOIN rooms r ON r.id = p.room OR r.id IN"
        " (SELECT room FROM seats WHERE prompt = p.id)"
        " WHERE p.id = ? AND r.platform = ? AND r.account = ? ORDER BY r.id <> p.room, r.id",
        (prompt, platform, account),
    )
    return [RoomId(row["id"]) for row in found]


def is_open(db: Db, prompt: PromptId, room: RoomId) -> bool:
    """Whether more is shown there than that it has ended, by what shows it already."""
    row = db.execute("SELECT closed FROM seats WHERE prompt = ? AND room = ?", (prompt, room)).fetchone()
    return row is None or not row["closed"]


def sees(db: Db, prompt: PromptId, room: RoomId) -> bool:
    """Whether *prompt* is shown in *room*, its own or another."""
    found = db.execute(
        "SELECT 1 FROM prompts WHERE id = ?1 AND room = ?2"
        " UNION SELECT 1 FROM seats WHERE prompt = ?1 AND room = ?2 AND NOT closed",
        (prompt, room),
    )
    return found.fetchone() is not None


def told(db: Db, prompt: PromptId) -> list[RoomId]:
    """The other rooms in which *prompt* is shown, as long as they are to see what becomes of it."""
    found = db.execute("SELECT room FROM seats WHERE prompt = ? AND NOT closed ORDER BY room", (prompt,))
    return [RoomId(row["room"]) for row in found]


def knows(db: Db, prompt: PromptId, room: RoomId) -> None:
    """Somebody dropped *prompt* in *room*, where that is said."""
    db.execute("UPDATE seats SET closed = 2 WHERE prompt = ? AND room = ? AND NOT closed", (prompt, room))


def shown_beside(db: Db, platform: str, account: str) -> list[tuple[RoomId, PromptId]]:
    """What runs and waits and is shown in rooms of an account, having been asked elsewhere."""
    found = db.execute(
        "SELECT s.room, s.prompt FROM prompts p CROSS JOIN seats s ON s.prompt = p.id AND NOT s.closed"
        f" JOIN rooms r ON r.id = s.room WHERE p.{OPEN} AND r.platform = ? AND r.account = ?"
        " ORDER BY s.prompt",
        (platform, account),
    )
    return [(RoomId(row["room"]), PromptId(row["prompt"])) for row in found]


def parted(db: Db, room: RoomId, conversation: ConversationId) -> bool:
    """Whether *room* had a part in *conversation* that was ended: others may go on with it."""
    return bool(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM seats s JOIN prompts p ON p.id = s.prompt WHERE s.closed = 1"
            " AND p.conversation = ?2 AND ?1 IN (s.room, p.room))"
            " AND NOT EXISTS (SELECT 1 FROM rooms WHERE id = ?1 AND conversation = ?2)",
            (room, conversation),
        ).fetchone()[0]
    )


def _mirror(row: rows.Row) -> Mirror:
    return Mirror(MirrorId(row["id"]), RoomId(row["room"]), ProjectId(row["project"]), State(row["state"]))


def _fellow(row: rows.Row) -> Fellow:
    seen = bool(row["sealed"]), bool(row["public"]), row["strangers"]
    return Fellow(RoomId(row["id"]), rows.address(row), row["language"], *seen, row["called"] or "")
