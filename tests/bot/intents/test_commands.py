"""A button's text is the command that it stands for."""

from __future__ import annotations

import dataclasses
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from bot.chat import MessageRef, Press
from bot.intents.commands import EVERY, FORMS, NOBODY, NOT_YET, READERS, ROLES, encode
from bot.intents.parse import Here, parse
from bot.intents.values import (
    AddProject,
    Allow,
    Command,
    Invite,
    Listen,
    New,
    NewProject,
    NotYet,
    PickProject,
    Setting,
    SetTitle,
    ShowSetting,
)
from bot.intents.wishes import SetWish, Wish
from bot.intents.wishing import WISHES
from core.model.conversation import Approvals
from core.model.events import Grant
from core.model.project import Access
from core.model.prompt import Source
from tests.support.fake_chat import ANN, ROOM

WORD = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True).filter(
    lambda word: word.casefold() not in ("add", "default")
)
WORDS = st.lists(WORD, min_size=1, max_size=4).map(" ".join)

PERSONS = st.integers(0, 10**12).map(str) | WORD.map(lambda name: f"@{name}:example.org")

FIELDS = {
    "str": WORD,
    "str | None": WORD | st.none(),
    "Access | None": st.sampled_from(Access) | st.none(),
    "Setting": st.sampled_from(Setting),
    "ProjectId": st.integers(0, 10**12),
    "PromptId": st.integers(0, 10**12),
    "MessageId": st.integers(0, 10**12),
    "EventId": st.integers(0, 10**12),
    "int": st.integers(0, 30),
    "Listen": st.sampled_from(Listen),
    "Approvals": st.sampled_from(Approvals),
    "Grant": st.sampled_from([Grant.ONCE, Grant.ALWAYS, Grant.DENY]),
    "ConversationId": st.integers(0, 10**12),
    "Wish": st.sampled_from(Wish),
}


def any_of(kind: type[Command]) -> st.SearchStrategy[Command]:
    return st.builds(kind, **{field.name: FIELDS[str(field.type)] for field in dataclasses.fields(kind)})


def value_of(wish: Wish) -> st.SearchStrategy[str]:
    return st.from_regex(WISHES[wish], fullmatch=True).filter(str.isascii)


COMMANDS = (
    st.one_of([any_of(kind) for kind in get_args(Command) if kind not in (NotYet, Allow, Invite, SetWish)])
    | st.builds(NotYet, st.sampled_from(NOT_YET))
    | st.builds(Allow, PERSONS, st.sampled_from([*ROLES, NOBODY]))
    | st.builds(Allow, PERSONS, st.sampled_from(["member", "viewer", NOBODY]), WORD)
    | st.builds(Invite, st.sampled_from(ROLES))
    | st.builds(Invite, st.sampled_from(["member", "viewer"]), WORD | st.just(EVERY))
    | st.builds(NewProject)
    | st.builds(AddProject, WORD, st.just("") | WORDS)
    | st.builds(PickProject, WORD)
    | st.builds(New, WORDS | st.just(""))
    | st.builds(SetTitle, WORDS)
    | st.one_of([st.builds(SetWish, st.just(one), value_of(one)) for one in Wish])
)


@given(COMMANDS)
def test_what_a_button_carries_reads_as_the_command_again(command: Command) -> None:
    press = Press(Source("fake", "roost", "1"), ROOM, ANN, MessageRef("1"), encode(command))
    assert parse(press, Here()) == command


def test_every_command_has_a_text_form_under_a_name_of_the_table() -> None:
    assert FORMS.keys() == set(get_args(Command))
    names = {form.removeprefix("/").split()[0] for form in FORMS.values()}
    assert {name for name in names if "{" not in name} <= READERS.keys()


def test_every_name_of_the_interface_is_known() -> None:
    table = (
        "start help project new conversations cancel stop queue steer compact status engine model effort"
        " access provider fork title archive allow approvals diff get search schedule goal usage settings"
    )
    assert READERS.keys() == set(table.split())


def test_forms_read_as_a_person_would_type_them() -> None:
    assert encode(New()) == "/new"
    assert encode(ShowSetting(Setting.MODEL)) == "/model"
    assert encode(AddProject("shop", "~/my shop")) == "/project add shop ~/my shop"
