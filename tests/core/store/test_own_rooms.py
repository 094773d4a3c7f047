"""A room is wanted once for each project and platform, and told each change of its project once."""

from __future__ import annotations

from dataclasses import replace

from core.store import conversations, mirrors, moves, own_rooms, projects, threads
from core.store.database import Db
from core.store.own_rooms import State
from tests.support.store import a_conversation, a_project

US = ("matrix", "@roost:example.org")


def made(db: Db, chat: str = "!shop") -> int:
    (wanted,) = own_rooms.wanted(db, "matrix")
    own_rooms.made(db, wanted.id, *US, chat)
    return wanted.id


def test_it_is_wanted_once_under_one_name_until_it_is_there(db: Db) -> None:
    shop = a_project(db)
    assert own_rooms.want(db, shop, "matrix")
    (first,) = own_rooms.wanted(db, "matrix")
    assert not own_rooms.want(db, shop, "matrix")
    assert own_rooms.wanted(db, "matrix") == [first]
    assert (first.title, own_rooms.wanted(db, "telegram")) == ("shop", [])
    own_rooms.rename(db, first.id)
    assert own_rooms.wanted(db, "matrix")[0].name != first.name
    made(db)
    own_rooms.want(db, shop, "matrix")
    assert own_rooms.wanted(db, "matrix") == []
    assert conversations.room(db, *US, "!shop").project == shop.id
    assert own_rooms.chats(db, *US) == {"!shop"}


def test_it_is_told_how_it_stands_with_its_project(db: Db) -> None:
    shop = a_project(db)
    own_rooms.want(db, shop, "matrix")
    number = made(db)

    def told() -> list[State]:
        news = [one.state for one in own_rooms.changed(db, *US)]
        for state in news:
            own_rooms.said(db, number, state)
        return news

    assert (told(), told()) == ([State.HERE], [])
    projects.change(db, replace(shop, archived=True))
    assert (told(), told()) == ([State.ARCHIVED], [])
    projects.change(db, shop)
    assert told() == [State.HERE]
    projects.remove(db, shop.id)
    assert (told(), told()) == ([State.REMOVED], [])
    assert own_rooms.chats(db, *US) == {"!shop"}


def test_where_it_goes_on_under_another_name_it_is_the_same(db: Db) -> None:
    """With what it is called, and what is shown there too, also where the other was known before."""
    shop = a_project(db)
    own_rooms.want(db, shop, "matrix")
    made(db)
    place = conversations.room(db, *US, "!shop").id
    threads.entitle(db, place, "Our shop")
    mirrors.begin(db, place, shop.id, "@ann:x", "Ann", now=1.0)
    conversations.room(db, *US, "!new")
    moves.move(db, *US, "!shop", "!new", now=2.0)
    assert own_rooms.chats(db, *US) == {"!new"}
    assert conversations.room(db, *US, "!new").project == shop.id
    assert [(one.room, one.title) for one in mirrors.fellows(db, shop.id)] == [(place, "Our shop")]


def test_of_a_project_that_goes_while_it_is_made_it_is_told(db: Db) -> None:
    """One that is put away gets none meanwhile."""
    shop, blog = a_project(db), a_project(db, "blog")
    own_rooms.want(db, shop, "matrix")
    own_rooms.want(db, blog, "matrix")
    (first, second) = own_rooms.wanted(db, "matrix")
    projects.change(db, replace(blog, archived=True))
    assert own_rooms.wanted(db, "matrix") == [first]
    projects.remove(db, shop.id)
    assert own_rooms.wanted(db, "matrix") == []
    own_rooms.made(db, first.id, *US, "!shop")
    own_rooms.made(db, second.id, *US, "!blog")
    states = {one.title: one.state for one in own_rooms.changed(db, *US)}
    assert states == {"shop": State.REMOVED, "blog": State.ARCHIVED}
    assert conversations.room(db, *US, "!shop").project is None
    assert conversations.room(db, *US, "!blog").project == blog.id


def test_of_a_project_that_is_gone_none_is_wanted_any_more(db: Db) -> None:
    shop, blog = a_project(db), a_project(db, "blog")
    own_rooms.want(db, shop, "matrix")
    projects.remove(db, shop.id)
    assert own_rooms.wanted(db, "matrix") == []
    own_rooms.want(db, blog, "matrix")
    made(db, "!blog")
    projects.remove(db, blog.id)
    assert conversations.room(db, *US, "!blog").project is None


def test_one_that_we_are_in_no_more_can_be_followed_by_another(db: Db) -> None:
    shop = a_project(db)
    own_rooms.want(db, shop, "matrix")
    made(db)
    own_rooms.left(db, *US, "!other")
    assert not own_rooms.want(db, shop, "matrix")
    own_rooms.left(db, *US, "!shop")
    assert (own_rooms.chats(db, *US), own_rooms.changed(db, *US)) == (frozenset(), [])
    assert own_rooms.want(db, shop, "matrix")


def test_a_project_with_a_history_keeps_its_room(db: Db) -> None:
    talk = a_conversation(db)
    own_rooms.want(db, projects.get(db, talk.project), "matrix")
    made(db)
    assert [one.state for one in own_rooms.changed(db, *US)] == [State.HERE]


def test_where_it_was_asked_for_that_is_told_once(db: Db) -> None:
    asked = conversations.room(db, "telegram", "7", "1001")
    own_rooms.want(db, a_project(db), "matrix", asked=asked.id)
    assert own_rooms.to_tell(db, "telegram", "7") == []
    number = made(db)
    (told,) = own_rooms.to_tell(db, "telegram", "7")
    assert (told.room, told.platform, told.title, told.refused) == (asked.id, "matrix", "shop", "")
    assert own_rooms.to_tell(db, *US) == []
    own_rooms.told(db, number)
    assert own_rooms.to_tell(db, "telegram", "7") == []
    assert own_rooms.chats(db, *US) == {"!shop"}


def test_one_that_is_refused_is_told_and_may_be_asked_for_again(db: Db) -> None:
    shop, asked = a_project(db), conversations.room(db, *US, "!ann")
    own_rooms.want(db, shop, "matrix", asked=asked.id)
    (wanted,) = own_rooms.wanted(db, "matrix")
    assert own_rooms.refuse(db, wanted.id, "403")
    assert own_rooms.wanted(db, "matrix") == []
    assert [one.refused for one in own_rooms.to_tell(db, *US)] == ["403"]
    own_rooms.told(db, wanted.id)
    own_rooms.want(db, shop, "matrix")
    (again,) = own_rooms.wanted(db, "matrix")
    assert not own_rooms.refuse(db, again.id, "403")
    own_rooms.want(db, shop, "matrix")
    assert len(own_rooms.wanted(db, "matrix")) == 1
