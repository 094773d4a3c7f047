"""How each engine has fared lately."""

from __future__ import annotations

from core.model.events import Unrecognised
from core.model.prompt import Status
from core.store import turns
from core.store.database import Db
from core.store.record import Record, records
from core.store.turns import Ending
from tests.support.store import NOW, a_conversation, finish, running, step


def test_the_last_prompt_of_each_engine_and_what_nobody_understood(db: Db) -> None:
    assert records(db, since=NOW) == {}
    conversation = a_conversation(db)
    finish(db, running(db, conversation))
    work = running(db, conversation)
    said = [Unrecognised("item/dreamt"), Unrecognised("item/dreamt"), Unrecognised("item/sung")]
    turns.progress(db, [step(work, *said, offset=1)], now=NOW)
    turns.end(db, [step(work)], Ending(Status.FAILED, reason="engine.login"), now=NOW + 60)
    found = Record(Status.FAILED, "engine.login", NOW + 60, {"item/dreamt": 2, "item/sung": 1})
    assert records(db, since=NOW) == {"codex": found}
    (later,) = records(db, since=NOW + 1).values()
    assert later.unrecognised == {}


def test_what_a_person_stopped_says_nothing_about_the_engine(db: Db) -> None:
    finish(db, running(db), Ending(Status.CANCELLED))
    assert records(db, since=0) == {}
