"""Help, status, projects, conversations, settings and first contact, as they are read."""

from __future__ import annotations

import re

import pytest

from bot.access import Role
from bot.chat import Button
from bot.intents.commands import NOT_YET, READERS
from bot.intents.spelling import spelling
from bot.intents.values import Cancel, DidYouMean, NotYet, Setting, WrongUse
from bot.intents.wishes import Wish
from bot.replies import conversations, help, project, settings, start  # noqa: A004
from bot.replies.status import Machine, Status, status
from bot.texts import Texts
from core.model.conversation import Conversation
from core.model.events import Usage
from core.model.ids import ConversationId, ProjectId
from core.model.project import Access, Project
from tests.support.fake_chat import visible

EN, FR = Texts("en", strict=True), Texts("fr", strict=True)
SHOP = Project(ProjectId(1), "shop", "/home/ann/shop", "codex")
BLOG = Project(ProjectId(2), "my_blog\u202e", "/home/ann/blog", "codex")
TALK = Conversation(ConversationId(5), ProjectId(1), "codex", title="checkout is *slow*")


def test_status_is_the_storyboards() -> None:
    usage = Usage(150_000, 0, 6_160, window=256_000)
    machine = Machine("pi5", 2, 3, 1_200_000_000, 54.2)
    now = Status(
        "shop", "checkout is slow", "Codex", Access.WORKSPACE, machine, "gpt-5.5", "high", usage, 65, 2
    )
    assert visible(status(now, EN).markdown).split("\n") == [
        "shop · checkout is slow",
        "Codex gpt-5.5 high · workspace · context 61 %",
        "▸ at work 1:05 · 2 wait",
        "pi5: 2 of 3 agents, 1.2 GB free, 54 °C",
    ]


def test_status_leaves_out_what_nobody_knows() -> None:
    now = Status("shop", "", "Codex", Access.READ_ONLY, Machine("pi5", 0))
    assert visible(status(now, EN).markdown).split("\n") == [
        "shop",
        "Codex · read-only",
        "Nothing runs here.",
        "pi5: 0 agents",
    ]


@pytest.mark.parametrize(("agents", "said"), [(1, "pi5 : 1 agent sur 3"), (2, "pi5 : 2 agents sur 3")])
def test_agents_are_counted_as_one_counts_in_french(agents: int, said: str) -> None:
    now = Status("shop", "", "Codex", Access.FULL, Machine("pi5", agents, 3))
    assert status(now, FR).markdown.split("\n")[-1] == said


def test_help_says_who_and_what() -> None:
    said = visible(help.help_text("pi5", EN, engine="Codex", project="shop").markdown)
    assert said.startswith("I am Roost on pi5. What you write goes to Codex, which works in shop.")
    assert "/cancel stop what runs, or drop what waits" in said.split("\n")
    forms = {"/cancel all", "/queue now N", "/queue up N", "/queue drop N", "/queue clear", "/queue run N"}
    assert forms <= set(re.findall(r"/\w+ (?:all|clear|\w+ N)", said))
    assert "/stop the same as /cancel" in said.split("\n")
    assert "/quit" not in said
    assert "/queue run" not in help.help_text("pi5", EN, role=Role.MEMBER).markdown
    assert "/quit leave this chat" in visible(help.help_text("pi5", EN, leaves=True).markdown).split("\n")
    assert "Pick a project" in help.help_text("pi5", EN).markdown
    assert "`!cancel`" in help.help_text("pi5", FR.spelled(spelling("matrix"))).markdown


@pytest.mark.parametrize("texts", [EN, FR])
@pytest.mark.parametrize("name", sorted(READERS.keys() - {*NOT_YET, "help", "new"}))
def test_every_command_that_can_be_misused_says_how_it_is_written(name: str, texts: Texts) -> None:
    assert "`" in help.wrong_use(WrongUse(name), texts).markdown


def test_every_setting_is_among_the_ways_to_write_them() -> None:
    said = help.wrong_use(WrongUse("settings"), EN).markdown
    assert [wish for wish in Wish if f"/settings {wish} " not in said] == []
    assert "/settings language default|en|fr ·" in said


def test_a_near_miss_is_asked_about() -> None:
    asked = help.did_you_mean(DidYouMean("cancel", Cancel()), Cancel(), EN)
    assert visible(asked.markdown) == "Did you mean /cancel?"
    assert [(one.label, one.intent) for one in asked.buttons] == [("/cancel", "/cancel")]
    on_matrix = help.did_you_mean(DidYouMean("cancel", Cancel()), None, EN.spelled(spelling("matrix")))
    assert (visible(on_matrix.markdown), on_matrix.buttons) == (
        "Perhaps you meant !cancel. Nothing runs or waits here.",
        (),
    )


def test_a_command_of_a_later_version_says_so() -> None:
    assert visible(help.not_yet(NotYet("goal"), EN).markdown) == "/goal is not in this version yet."


def test_a_project_is_shown_with_the_others_to_pick() -> None:
    said = project.shown(SHOP, [BLOG], EN)
    assert visible(said.markdown) == "This room works in shop: /home/ann/shop."
    assert [button.label for button in said.buttons] == ["my_blog"]
    assert visible(project.picked(BLOG, EN).markdown) == "This room works in my_blog from now on."
    assert visible(project.added(SHOP, EN).markdown) == "shop is there, and this room works in it."


def test_without_a_project_one_is_asked_for() -> None:
    assert project.which([SHOP], EN).markdown == "Which project?"
    assert project.which([SHOP], EN).buttons == (Button("shop", "/project shop"),)
    assert "/project add NAME PATH" in project.which([], EN).markdown
    assert "waits" in project.parked([SHOP], EN).markdown
    assert project.parked([SHOP], EN).buttons == (Button("shop", "/project shop"),)


def test_conversations_are_listed_with_their_numbers() -> None:
    untitled = Conversation(ConversationId(6), ProjectId(1), "codex")
    said = conversations.listed([TALK, untitled], "shop", EN)
    assert visible(said.markdown).split("\n") == [
        "The last ones in shop:",
        "5 checkout is *slow*",
        "6 untitled 6",
    ]
    assert said.buttons == (
        Button("checkout is *slow*", "/conversations 5"),
        Button("untitled 6", "/conversations 6"),
    )
    assert "no conversation in **shop**" in conversations.listed([], "shop", EN).markdown


def test_a_conversation_is_named_where_it_matters() -> None:
    assert visible(conversations.picked(TALK, EN).markdown) == "Carrying on: checkout is *slow*."
    assert visible(conversations.titled(TALK, EN).markdown).endswith("checkout is *slow*.")
    begun = visible(conversations.begun(TALK, "shop", EN).markdown)
    assert begun == "checkout is *slow*\nA new conversation in shop. What is to be done?"


def test_a_setting_is_shown_with_its_choices() -> None:
    said = settings.shown(
        Setting.ACCESS, "workspace", "Codex", EN, choices=settings.Choices(("read-only", "workspace"))
    )
    assert visible(said.markdown) == "Access: workspace."
    assert said.buttons == (Button("read-only", "/access read-only"), Button("As usual", "/access default"))
    unset = settings.shown(Setting.EFFORT, "", "Codex", EN, choices=settings.Choices(("low",)))
    assert unset.markdown == "Effort: as Codex is set up."
    assert unset.buttons == (Button("low", "/effort low"),)
    said = settings.shown(
        Setting.ACCESS, "workspace", "Codex", FR, choices=settings.Choices(("read-only", "workspace"))
    )
    assert said.markdown == "Accès : `dossier du projet`."
    assert said.buttons[0] == Button("lecture seule", "/access read-only")
    assert settings.shown(Setting.MODEL, "gpt-5.5", "Codex", FR).markdown == "Modèle : `gpt-5.5`."
    honest = settings.shown(Setting.ACCESS, "workspace", "Gemini", FR, asked=True).markdown
    assert honest.endswith("\nCela est demandé à Gemini ; rien ici ne l’impose.")


def test_what_the_engine_has_not_got_is_said() -> None:
    assert settings.no_effort("Demo", (), EN).markdown == "Demo has no effort to choose."
    assert "`low`, `high`" in settings.no_effort("Codex", ("low", "high"), EN).markdown
    assert settings.no_model("Demo", EN).markdown == "Demo has no model to choose."


def test_first_contact() -> None:
    assert visible(start.no_owner("pi5", EN).markdown) == (
        "Roost runs on pi5 and has no owner yet. There: roost pair."
    )
    owner = start.welcome(Role.OWNER, "pi5", None, [SHOP], EN)
    assert visible(owner.markdown) == "You are the owner of Roost on pi5. What is this chat about?"
    assert owner.buttons == (Button("shop", "/project shop"), Button("New project", "/project add"))
    viewer = start.welcome(Role.VIEWER, "pi5", SHOP, [], EN)
    assert "/status, /queue and /conversations" in visible(viewer.markdown)
    assert "pi5" in start.bad_code("pi5", FR).markdown
    assert "pi5" in start.not_needed("pi5", FR).markdown
