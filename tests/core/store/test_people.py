"""Who was let in, who knocked, and what a one-time code is worth."""

from __future__ import annotations

from bot.handlers import inviting
from core.model.people import Admission, Known
from core.store import people
from core.store.database import Db
from tests.support.store import NOW, a_project

DAY = 86_400.0


def knocks(db: Db, person: str, at: float) -> bool:
    return people.knocked(db, "telegram", person, f"name of {person}", now=at)


def offer(db: Db, code: str = "k7", role: str = "owner") -> None:
    people.offer(db, code, role, salt="salt", expires_at=NOW + 600)


def test_who_was_let_in_keeps_the_newest_role_and_a_name(db: Db) -> None:
    people.let_in(db, "telegram", "1002", "viewer", name="Bob")
    people.let_in(db, "telegram", "1002", "member")
    assert people.everybody(db, "telegram") == [Known("1002", "Bob", "member")]
    assert people.everybody(db, "matrix") == []


def test_who_was_put_out_is_a_stranger(db: Db) -> None:
    people.let_in(db, "telegram", "1002", "member")
    people.let_in(db, "telegram", "1002", "stranger")
    assert people.everybody(db, "telegram") == []


def test_strangers_are_told_of_once_each_and_one_a_day(db: Db) -> None:
    assert knocks(db, "2", NOW)
    assert not knocks(db, "2", NOW + 1)
    assert not knocks(db, "3", NOW + DAY - 1)
    assert knocks(db, "3", NOW + DAY)
    assert not knocks(db, "2", NOW + 3 * DAY)
    assert people.everybody(db, "telegram") == []


def test_a_clock_that_was_set_back_silences_nobody(db: Db) -> None:
    assert knocks(db, "2", NOW)
    assert knocks(db, "3", NOW - 30 * DAY)


def test_who_knocked_can_be_let_in(db: Db) -> None:
    knocks(db, "2", NOW)
    people.let_in(db, "telegram", "2", "member")
    assert people.everybody(db, "telegram") == [Known("2", "name of 2", "member")]


def test_a_code_is_good_once(db: Db) -> None:
    offer(db)
    assert people.offered(db, now=NOW)
    assert [people.redeem(db, "k7", now=NOW + 599) for _ in range(2)] == [Admission("owner"), None]
    assert not people.offered(db, now=NOW)


def test_a_late_code_is_none(db: Db) -> None:
    offer(db)
    assert people.redeem(db, "k7", now=NOW + 600) is None
    assert not people.offered(db, now=NOW + 600)


def test_too_many_wrong_tries_end_it(db: Db) -> None:
    offer(db)
    db.execute("UPDATE pairings SET tries = ?", (people.TRIES_MOST - 2,))
    assert people.redeem(db, "wrong", now=NOW) is None
    assert people.offered(db, now=NOW)
    people.redeem(db, "", now=NOW)
    assert people.redeem(db, "k7", now=NOW) is None


def test_all_tries_together_find_no_code(db: Db) -> None:
    assert people.TRIES_MOST / len(inviting.LETTERS) ** inviting.LENGTH < 1e-7


def test_each_code_has_a_number_of_its_own(db: Db) -> None:
    numbers = []
    for code in ("one", "two"):
        offer(db, code)
        numbers.append(people.offered(db, now=NOW))
        people.redeem(db, code, now=NOW)
    assert numbers[0] != numbers[1]


def test_a_new_code_ends_the_one_before_for_the_same(db: Db) -> None:
    shop = a_project(db, "shop")
    offer(db, "old", "viewer")
    offer(db, "new", "viewer")
    offer(db, "other", "owner")
    people.offer(db, "one", "viewer", salt="salt", expires_at=NOW + 600, project=shop.id)
    found = [people.redeem(db, code, now=NOW) for code in ("old", "new", "other", "one")]
    assert found == [None, Admission("viewer"), Admission("owner"), Admission("viewer", shop.id)]


def test_what_somebody_is_in_one_project_stands_before_what_they_are_in_all(db: Db) -> None:
    shop, blog = a_project(db, "shop"), a_project(db, "blog")
    people.let_in(db, "telegram", "1002", "viewer", name="Bob", project=shop.id)
    assert people.everybody(db, "telegram") == [Known("1002", "Bob", "stranger", {shop.id: "viewer"})]
    people.let_in(db, "telegram", "1002", "member", project=blog.id)
    people.let_in(db, "telegram", "1002", "stranger", project=shop.id)
    assert people.everybody(db, "telegram")[0].projects == {shop.id: "stranger", blog.id: "member"}
    people.let_in(db, "telegram", "1002", "stranger", project=blog.id)
    assert people.everybody(db, "telegram") == []
    people.let_in(db, "telegram", "1002", "member")
    assert people.everybody(db, "telegram") == [Known("1002", "Bob", "member")]


def test_no_code_is_kept_as_it_is(db: Db) -> None:
    offer(db, "very-secret")
    assert not [row for row in db.execute("SELECT * FROM pairings") if "very-secret" in str(tuple(row))]
