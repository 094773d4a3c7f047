"""Each wish changes alone; what is none of its values is refused and changes nothing."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest

from bot.access import Role
from bot.chat import Limits, RoomAddress
from bot.intents.wishing import lacking
from core.model.preferences import Quiet, RoomWishes, Theme, View
from core.store import boards, conversations, preferences
from tests.support import store as shelf
from tests.support.fake_chat import ANN, ROOM
from tests.support.office import Office, open_office

HEARS = (
    "Among several people I hear what mentions me, what replies to me,"
    " and everything in a topic or thread that began that way."
)
ZONE = time.localtime(shelf.NOW).tm_zone
BARE = Limits(text=100, buttons=0, edit_interval=0.1, pins=False, company=False, drawn=False, workbench=False)
TOPIC = RoomAddress(ROOM.platform, ROOM.account, ROOM.chat, "7")


@pytest.fixture
def chat(office: Office) -> Office:
    """An office whose chat can pin."""
    office.desk = replace(office.desk, delivers=True)
    return office


async def wishes(office: Office, room: RoomAddress = ROOM) -> RoomWishes:
    found = await office.store.write(conversations.room, room.platform, room.account, room.chat, room.thread)
    return await office.store.read(preferences.of_room, found.id)


async def test_all_of_them_are_shown_with_a_button_for_each(office: Office) -> None:
    (said,) = await office.says("/settings")
    assert said.splitlines() == [
        "Auto-compact: off.",
        "View: dashboard. A turn at work is one short message.",
        "Dashboard: off.",
        "Theme: system, for the pictures that I draw.",
        "Language: as configured.",
        "Drafts: off. An answer that is being written stands beneath its progress.",
        "Rich messages: off. Every app shows my answers.",
        "Shared rooms: off. This room shows what was asked here.",
        "Notifications: on. Your answers ring at any time.",
        HEARS,
    ]
    assert office.chat.buttons() == [
        *(
            "Auto-compact",
            "View",
            "Dashboard",
            "Theme",
            "Language",
            "Drafts",
            "Rich messages",
            "Shared rooms",
            "Notifications",
        ),
        "What I hear",
    ]
    (said,) = await office.presses("View")
    assert office.chat.buttons() == ["atelier"]
    assert (await office.presses("atelier"))[0].startswith("View: atelier. A turn shows its whole plan")
    assert await wishes(office) == RoomWishes(View.ATELIER)


async def test_what_the_chat_lacks_is_neither_offered_nor_taken(office: Office) -> None:
    office.desk = replace(office.desk, lacks=lacking(BARE))
    (said,) = await office.says("/settings")
    assert office.chat.buttons() == ["Auto-compact", "Language", "Notifications"]
    assert not re.search("Drafts|Rich|View|Dashboard|Shared|people", said)
    (said,) = await office.says("/settings no")
    assert "/settings language" in said
    assert not re.search("theme|drafts|rich|view|dashboard|mirror|listen", said)


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("drafts", "on", "This chat has no such setting: Drafts."),
        ("rich", "on", "This chat has no such setting: Rich messages."),
        ("theme", "dark", "This chat has no such setting: Theme."),
        ("view", "atelier", "This chat has one way to show a turn: its last steps, while it works."),
        ("dashboard", "on", "This chat has no dashboard. /status says how things stand."),
        ("mirror", "on", "This one is yours alone; it isn’t shared."),
        ("listen", "all", "You are alone here: everything that you write is for the agent."),
    ],
)
async def test_one_that_the_chat_lacks_says_so_in_one_sentence(
    office: Office, setting: str, value: str, told: str
) -> None:
    office.desk = replace(office.desk, lacks=lacking(BARE))
    await office.project()
    for words in (setting, f"{setting} {value}", f"{setting} blah"):
        assert await office.says(f"/settings {words}") == [told]
    assert await wishes(office) == RoomWishes()


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("view blah", "/settings view dashboard|atelier"),
        ("THEME blue", "/settings theme system|light|dark"),
        ("notifications 25-7", "/settings notifications on|off|22:00-07:00"),
        ("language de", ""),
        ("language no language", "/settings language default|en|fr"),
        ("listen to me", "/settings listen auto|all|mention"),
    ],
)
async def test_a_wrong_value_is_told_those_of_that_setting(office: Office, words: str, form: str) -> None:
    (said,) = await office.says(f"/settings {words}")
    assert said == (f"It is written like this: {form}" if form else "I don’t speak de. I know: en, fr.")


async def test_each_changes_alone(chat: Office) -> None:
    office = chat
    await office.project()
    for words in ("view atelier", "theme dark", "dashboard on", "language fr"):
        await office.says(f"/settings {words}")
    assert await wishes(office) == RoomWishes(View.ATELIER, Theme.DARK, "fr", board=True)
    assert await office.says("/settings theme light") == ["Thème : clair, pour les images que je dessine."]
    assert await office.says("/settings language default") == ["Language: as configured."]
    assert await wishes(office) == RoomWishes(View.ATELIER, Theme.LIGHT, board=True)
    for words in ("drafts on", "rich on"):
        await office.says(f"/settings {words}")
    assert await wishes(office) == RoomWishes(View.ATELIER, Theme.LIGHT, board=True, drafts=True, rich=True)
    assert await office.says("/settings drafts off") == [
        "Drafts: off. An answer that is being written stands beneath its progress."
    ]
    assert await wishes(office) == RoomWishes(View.ATELIER, Theme.LIGHT, board=True, rich=True)


@pytest.mark.parametrize(
    "words", ["view workshop", "theme blue", "dashboard maybe", "notifications 25-7", "sound on", "view a b"]
)
async def test_an_unknown_value_is_refused_and_changes_nothing(office: Office, words: str) -> None:
    await office.says("/settings theme dark")
    (said,) = await office.says(f"/settings {words}")
    assert said.startswith("It is written like this: /settings")
    assert await wishes(office) == RoomWishes(theme=Theme.DARK)


async def test_a_language_without_sentences_is_refused(office: Office) -> None:
    assert await office.says("/settings language xx") == ["I don’t speak xx. I know: en, fr."]
    assert (await wishes(office)).language == ""


async def test_a_new_topic_begins_as_its_chat_is(office: Office) -> None:
    await office.says("/settings view atelier")
    await office.says("/settings language fr")
    assert await wishes(office, TOPIC) == RoomWishes(View.ATELIER, language="fr")
    await office.says("/settings view dashboard", room=TOPIC)
    assert (await wishes(office)).view is View.ATELIER


@pytest.mark.parametrize(
    ("words", "kept", "said"),
    [
        ("22-7", Quiet(1320, 420), f"Notifications: quiet 22:00–07:00 by the clock of pi5 ({ZONE})."),
        ("22:30-6:05", Quiet(1350, 365), f"Notifications: quiet 22:30–06:05 by the clock of pi5 ({ZONE})."),
        ("off", Quiet(0, 0), "Notifications: off."),
        ("on", None, "Notifications: on."),
    ],
)
async def test_quiet_hours_are_a_persons_own(
    office: Office, words: str, kept: Quiet | None, said: str
) -> None:
    assert (await office.says(f"/settings notifications {words}"))[0].startswith(said)
    assert await office.store.read(preferences.quiet_of, "fake", ANN.id) == kept
    assert await office.store.read(preferences.quiet_of, "fake", "1002") is None


async def test_a_board_needs_a_project_and_stands_in_the_main_part_of_the_chat(chat: Office) -> None:
    office = chat
    assert "project" in (await office.says("/settings dashboard on"))[0]
    assert await office.store.read(boards.every, "fake", "roost") == []
    project = await office.project()
    await office.says("/settings dashboard on", room=TOPIC)
    (board,) = await office.store.read(boards.every, "fake", "roost")
    assert (board.address, board.project, board.wanted) == (("fake", "roost", "1001", ""), project.id, True)
    await office.says("/settings dashboard off")
    assert await office.store.read(boards.every, "fake", "roost") == []


async def test_a_viewer_chooses_for_themselves_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    async with open_office(tmp_path_factory.mktemp("data"), role=Role.VIEWER) as office:
        assert len(await office.says("/settings")) == 1
        await office.says("/settings notifications off")
        assert await office.store.read(preferences.quiet_of, "fake", ANN.id) == Quiet(0, 0)
        await office.says("/settings view atelier")
        assert await wishes(office) == RoomWishes()


async def test_a_context_is_compacted_by_itself_where_a_conversation_wants_it(office: Office) -> None:
    """Another conversation of the room begins without it."""
    assert "project" in (await office.says("/settings auto-compact on"))[0]
    await office.project(engine="claude")
    assert await office.says("/settings auto-compact on") == [
        "Auto-compact: on. When the context is nearly full, it is compacted between two turns."
    ]
    assert (await office.conversation()).auto_compact
    await office.says("/settings auto-compact")
    assert office.chat.buttons() == ["off"]
    assert await office.presses("off") == ["Auto-compact: off."]
    assert not (await office.conversation()).auto_compact


async def test_an_engine_that_compacts_nothing_says_so_in_one_sentence(office: Office) -> None:
    await office.project(engine="cursor")
    assert await office.says("/settings auto-compact on") == [
        "Cursor can’t compact its context here. /new begins with an empty one."
    ]
    assert (await office.says("/settings"))[0].startswith("Auto-compact: off.")
