"""Projects, conversations and rooms are kept as they were told."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from core.errors import Refused, UnknownConversation, UnknownProject
from core.model.ids import ConversationId, ProjectId
from core.model.project import Access
from core.store import conversations, projects
from core.store.database import Db
from tests.support.store import NOW, a_conversation, a_project, submit


def test_a_project_is_found_by_number_and_by_name_in_any_case(db: Db) -> None:
    shop = a_project(db, "Shop", ("salon", "tv"))
    assert projects.get(db, shop.id) == projects.named(db, "sHOP") == shop
    with pytest.raises(UnknownProject):
        projects.named(db, "sho")
    with pytest.raises(UnknownProject):
        projects.get(db, ProjectId(9))


def test_of_two_that_are_called_alike_only_the_exact_name_finds_one(db: Db) -> None:
    """An earlier version let them be."""
    shop, other = a_project(db, "shop"), a_project(db, "other")
    db.execute("UPDATE projects SET name = 'SHOP' WHERE id = ?", (other.id,))
    assert (projects.named(db, "shop").id, projects.named(db, "SHOP").id) == (shop.id, other.id)
    with pytest.raises(UnknownProject):
        projects.named(db, "sHop")


@pytest.mark.parametrize(("there", "name"), [("shop", "SHOP"), ("Shop", "shop"), ("café", "CAFÉ")])
def test_a_name_is_taken_in_whatever_case(db: Db, there: str, name: str) -> None:
    a_project(db, there)
    with pytest.raises(Refused, match=r"project\.name_taken") as caught:
        a_project(db, name)
    assert caught.value.fields["name"] == there


def test_a_name_is_given_once(db: Db) -> None:
    a_project(db)
    with pytest.raises(Refused) as caught:
        a_project(db)
    assert (caught.value.key, caught.value.fields) == (
        "project.name_taken",
        {"name": "shop", "project": "shop"},
    )


def test_a_folder_is_one_project_s_though_it_be_put_away(db: Db) -> None:
    shop, blog = (replace(a_project(db, name), real=f"/srv/{name}") for name in ("shop", "blog"))
    assert [projects.change(db, one) for one in (shop, blog)] == [shop, blog]
    with pytest.raises(Refused, match="folder_taken"):
        projects.change(db, replace(blog, real=shop.real))
    projects.change(db, replace(shop, archived=True))
    for wanted in (replace(blog, real=shop.real), replace(shop, id=ProjectId(0), name="new")):
        with pytest.raises(Refused, match="folder_archived"):
            (projects.change if wanted.id else partial(projects.add, now=NOW))(db, wanted)


def test_everything_but_the_name_can_change(db: Db) -> None:
    shop = a_project(db)
    changed = replace(
        shop,
        path="/elsewhere",
        engine="demo",
        access=Access.FULL,
        groups=("a",),
        host="desk",
        background=True,
        archived=True,
    )
    assert projects.change(db, replace(changed, name="other")) == changed == projects.get(db, shop.id)
    blog = a_project(db, "blog")
    assert projects.every(db) == [blog, changed]
    assert projects.every(db, archived=False) == [blog]


def test_with_another_engine_its_rooms_begin_a_new_conversation(db: Db) -> None:
    shop, blog = a_project(db), a_project(db, "blog")
    for chat, project in (("1", shop), ("2", blog)):
        room = conversations.room(db, "terminal", "here", chat)
        conversations.bind(db, room.id, project.id, a_conversation(db, project).id)

    def begins_anew(chat: str) -> bool:
        return conversations.room(db, "terminal", "here", chat).conversation is None

    projects.change(db, replace(shop, path="/elsewhere"))
    assert not begins_anew("1")
    projects.change(db, replace(shop, engine="demo"))
    assert (begins_anew("1"), begins_anew("2")) == (True, False)


def test_a_project_with_a_history_stays(db: Db) -> None:
    shop, blog = a_project(db), a_project(db, "blog")
    room = conversations.room(db, "terminal", "here", "1")
    conversations.bind(db, room.id, blog.id)
    projects.remove(db, blog.id)
    assert conversations.room(db, "terminal", "here", "1").project is None
    a_conversation(db, shop)
    with pytest.raises(Refused) as caught:
        projects.remove(db, shop.id)
    assert caught.value.key == "project.has_history"


def test_a_room_is_one_address_and_shows_what_it_was_told(db: Db) -> None:
    here = a_conversation(db)
    room = conversations.room(db, "telegram", "bot", "-100", "7")
    assert (room.project, room.conversation) == (None, None)
    conversations.bind(db, room.id, here.project, here.id)
    again = conversations.room(db, "telegram", "bot", "-100", "7")
    assert (again.id, again.project, again.conversation) == (room.id, here.project, here.id)
    assert conversations.room(db, "telegram", "bot", "-100").id != room.id


def test_a_conversation_keeps_its_own_choices(db: Db) -> None:
    project = a_project(db)
    begun = conversations.begin(db, project.id, engine="codex", language="fr", title="Mine", now=NOW)
    conversations.set_model(db, begun.id, "gpt")
    conversations.set_effort(db, begun.id, "high")
    conversations.set_access(db, begun.id, Access.READ_ONLY)
    kept = replace(begun, model="gpt", effort="high", access=Access.READ_ONLY)
    assert conversations.get(db, begun.id) == kept
    assert (kept.title, kept.title_by, kept.language, kept.begun) == ("Mine", "person", "fr", False)
    with pytest.raises(UnknownConversation):
        conversations.get(db, ConversationId(9))


def test_the_newest_messages_come_oldest_first(db: Db) -> None:
    here = a_conversation(db)
    for number in range(5):
        submit(db, here, str(number))
    assert [m.text for m in conversations.messages(db, here.id, most=3)] == ["2", "3", "4"]
    assert conversations.answer_to(db, submit(db, here).id) is None
