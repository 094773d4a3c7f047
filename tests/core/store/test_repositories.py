"""What people were told of a project's files is told once, and what changes is told again."""

from __future__ import annotations

from core.model.events import OrdersFound
from core.model.repository import Order, OrderKind
from core.store import log, projects, repositories
from core.store.database import Db
from core.store.queue import Work
from tests.support.store import NOW, a_project, running, step

HOOK = Order(OrderKind.GIT, ".git/hooks/pre-commit", "evil")
WORDS = Order(OrderKind.WORDS, "AGENTS.md")


def told(db: Db, work: Work) -> list[OrdersFound]:
    events, _ = log.of_prompt(db, work.prompt.id)
    return [one.event for one in events if isinstance(one.event, OrdersFound)]


def keep(db: Db, work: Work, mark: str, **found: Order) -> None:
    repositories.keep(db, step(work), work.project.id, mark, found, now=NOW)


def test_it_is_told_before_the_first_turn_and_once(db: Db) -> None:
    work = running(db)
    assert repositories.mark(db, work.project.id) == ""
    keep(db, work, "m1", a=HOOK, b=WORDS)
    assert repositories.mark(db, work.project.id) == "m1"
    assert told(db, work) == [OrdersFound((HOOK, WORDS))]
    keep(db, work, "m2", a=HOOK, b=WORDS)
    assert repositories.mark(db, work.project.id) == "m2"
    assert len(told(db, work)) == 1


def test_what_is_new_is_told_again_and_what_has_gone_comes_back_as_new(db: Db) -> None:
    work = running(db)
    keep(db, work, "m1", a=HOOK)
    keep(db, work, "m2", a=HOOK, b=WORDS)
    keep(db, work, "m3", b=WORDS)
    keep(db, work, "m4", a=HOOK, b=WORDS)
    again = [OrdersFound((WORDS,), again=True), OrdersFound((HOOK,), again=True)]
    assert told(db, work) == [OrdersFound((HOOK,)), *again]


def test_a_project_that_holds_nothing_needs_no_word(db: Db) -> None:
    work = running(db)
    keep(db, work, "m1")
    assert told(db, work) == []
    keep(db, work, "m2", a=HOOK)
    assert told(db, work) == [OrdersFound((HOOK,), again=True)]


def test_the_gravest_are_told_and_the_rest_counted(db: Db) -> None:
    work = running(db)
    many = {str(number): Order(OrderKind.RUNS, f"{number}", "x") for number in range(40)}
    keep(db, work, "m1", **many)
    (one,) = told(db, work)
    assert [order.file for order in one.orders] == [str(number) for number in range(12)]
    assert one.more == 28


def test_it_goes_with_its_project(db: Db) -> None:
    work, empty = running(db), a_project(db, "empty")
    repositories.keep(db, step(work), empty.id, "m", {}, now=NOW)
    projects.remove(db, empty.id)
    assert repositories.mark(db, empty.id) == ""
