"""Databases as the versions of Roost so far left them: made once, kept, and never made again.

`python -m tests.support.old_database` writes `tests/data/roost-v<N>.db` for the newest version, if it is
not there yet.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from core.model import events
from core.model.answer import Placed
from core.model.ids import ItemId, SessionId
from core.model.prompt import Attachment, Source, Status
from core.store import (
    accounts,
    buttons,
    conversations,
    deliveries,
    floods,
    heard,
    inbox,
    own_rooms,
    people,
    prompts,
    turns,
)
from core.store.database import Db
from core.store.migrate import NEWEST, upgrade
from core.store.turns import Ending
from tests.support.store import NOW, a_conversation, a_project, claimed, finish, running, step, submit

FOLDER = Path(__file__).parent.parent / "data"
ITEM = ItemId("item-1")
SAID: tuple[events.Event, ...] = (
    events.SessionStarted(SessionId("session-1")),
    events.TurnStarted(),
    events.Reasoning(ITEM, "Hm."),
    events.MessageDelta(ITEM, "Par"),
    events.Message(ITEM, "Partly."),
    events.ToolCall(ITEM, events.ToolKind.EXECUTE, "ls", events.Progress.COMPLETED, "a", 0, ("a",)),
    events.PlanUpdated((events.PlanEntry("look", events.Progress.PENDING),)),
    events.Usage(10, 5, 3, 1, 200, cumulative=True),
    events.Notice("careful"),
    events.Unrecognised("item.new"),
    events.Malformed("{", "cut"),
    events.TurnFailed("429"),
    events.Retrying("rate_limit", 15.0, 1, 3),
    events.Recovering("session_gone"),
    events.Leftovers(("sleep",), ended=True),
    events.TurnCompleted("All."),
)


def fill(db: Db) -> None:
    """A bit of everything that a store can hold, with prompts in each of the five states."""
    shop, blog = a_project(db, "shop", ("salon", "tv")), a_project(db, "blog", engine="demo")
    here, there = a_conversation(db, shop), a_conversation(db, blog)
    room = conversations.room(db, "terminal", "here", "1")
    conversations.bind(db, room.id, shop.id, here.id)
    done = running(db, here, "Où ? \u202e😀")
    turns.progress(db, [step(done, *SAID, offset=900)], now=NOW)
    placed = (Placed("output/a.png", "photo", "ab.png", "cd.png", "a.png"),)
    finish(db, done, Ending(Status.DONE, "All. ![a](output/a.png)", placed, "Checkout"))
    finish(db, running(db, here), Ending(Status.FAILED, "So", reason="engine.login", detail="401"))
    prompts.cancel(db, submit(db, here).id, now=NOW)
    files = (Attachment("a.png", "/srv/blog/a.png", image=True),)
    source = Source("telegram", "bot", "1")
    prompts.accept(db, source, there.id, "Runs", now=NOW, attachments=files, retry_of=done.prompt.id)
    claimed(db)
    submit(db, there, "Waits")
    chat = conversations.room(db, "telegram", "7", "1001")
    inbox.receive(db, Source("telegram", "7", "2"), chat.id, "{}", said_at=NOW, now=NOW)
    deliveries.add(db, chat.id, ["{}"], now=NOW)
    people.let_in(db, "telegram", "1001", "owner", name="Ann")
    people.let_in(db, "telegram", "1002", "member", project=shop.id)
    people.offer(db, "code", "member", salt="salt", expires_at=NOW)
    accounts.called(db, "telegram", "7", "roost_bot")
    buttons.keep(db, "telegram", "1001", [buttons.Fresh("token", "/cancel 7", ("stop",))], now=NOW)
    floods.close(db, "telegram", "7", "1001", seconds=60.0, now=NOW)
    own_rooms.want(db, blog, "matrix", asked=chat.id)
    heard.hear(db, "matrix", "@roost:here", "s1", [heard.Sealed("$1", "!room", "session", "{}", NOW)])


def make(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA page_size = 512")
        upgrade(db, path)
        fill(db)


if __name__ == "__main__":
    newest = FOLDER / f"roost-v{NEWEST}.db"
    if not newest.exists():
        make(newest)
