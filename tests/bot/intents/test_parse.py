"""Words in, what the person wants out: every form of every chat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat import Edited, FileRef, Message, MessageRef, Press, Toward
from bot.intents.parse import MATRIX_MARKS, Here, parse
from bot.intents.values import (
    AddProject,
    Allow,
    Amend,
    Ask,
    Cancel,
    CancelAll,
    CancelPrompt,
    CancelThose,
    Compact,
    Conversations,
    DidYouMean,
    DropQueued,
    DropThose,
    DropWaiting,
    Everybody,
    Help,
    Intent,
    Invite,
    Listen,
    MoveUp,
    New,
    NewProject,
    NotForUs,
    OpenProject,
    PickConversation,
    PickProject,
    Queue,
    RunIt,
    SetAccess,
    SetEffort,
    SetListen,
    SetModel,
    Setting,
    SetTitle,
    ShowListen,
    ShowProject,
    ShowSetting,
    ShowStatus,
    Start,
    Steer,
    TryAgain,
    WrongUse,
)
from bot.intents.wishes import SetWish, ShowWish, ShowWishes, Wish
from core.model.ids import ConversationId, ProjectId, PromptId
from core.model.project import Access
from core.model.prompt import Source
from tests.support.fake_chat import ANN, ROOM

TELEGRAM = Here(names=("demo_agent_bot",))
MATRIX = Here(names=("roost", "roost:example.org"), marks=MATRIX_MARKS, called=True)
SOURCE = Source("fake", "roost", "1")
SAID = Message(SOURCE, ROOM, ANN, MessageRef("1"))


def want(text: str, here: Here = TELEGRAM, *, toward: Toward = Toward.NOBODY, alone: bool = True) -> Intent:
    return parse(Message(SOURCE, ROOM, ANN, MessageRef("1"), text, toward=toward, alone=alone), here)


COMMANDS: list[tuple[str, Intent]] = [
    ("/settings listen", ShowListen()),
    ("/settings Listen ALL", SetListen(Listen.ALL)),
    ("/settings listen mention", SetListen(Listen.MENTION)),
    ("/settings listen to me", WrongUse("settings")),
    ("/start", Help()),
    ("/start A1B2-C3", Start("A1B2-C3")),
    ("/start two words", WrongUse("start")),
    ("/help", Help()),
    ("/help cancel", Help()),
    ("/allow", Everybody()),
    ("/allow 1002", Allow("1002", "member")),
    ("/allow @ann:example.org Owner", Allow("@ann:example.org", "owner")),
    ("/allow 1002 none", Allow("1002", "none")),
    ("/allow 1002 boss", WrongUse("allow")),
    ("/allow @bob owner", WrongUse("allow")),
    ("/allow Bob owner", WrongUse("allow")),
    ("/allow 1002 owner shop", WrongUse("allow")),
    ("/allow 1002 viewer shop", Allow("1002", "viewer", "shop")),
    ("/allow 1002 none *", Allow("1002", "none", "*")),
    ("/allow 1002 member shop blog", WrongUse("allow")),
    ("/allow invite", Invite("member")),
    ("/allow Invite viewer shop", Invite("viewer", "shop")),
    ("/allow invite none", WrongUse("allow")),
    ("/allow invite owner shop", WrongUse("allow")),
    (f"/allow {2**63 - 1}", Allow(str(2**63 - 1), "member")),
    (f"/allow {2**63}", WrongUse("allow")),
    ("/allow " + "7" * 29, WrongUse("allow")),
    ("/project", ShowProject()),
    ("/project shop", PickProject("shop")),
    ("/project #12", OpenProject(ProjectId(12))),
    ("/project #twelve", WrongUse("project")),
    ("/project add shop ~/my shop", AddProject("shop", "~/my shop")),
    ("/project add shop", AddProject("shop")),
    ("/project add", NewProject()),
    ("/new", New()),
    ("/new checkout is slow", New("checkout is slow")),
    ("/conversations", Conversations()),
    ("/conversations 7", PickConversation(ConversationId(7))),
    ("/conversations last", WrongUse("conversations")),
    ("/cancel", Cancel()),
    ("/stop", Cancel()),
    ("/CANCEL", Cancel()),
    ("  /Cancel ", Cancel()),
    ("/cancel all", CancelAll()),
    ("/stop ALL", CancelAll()),
    ("/cancel 12", CancelPrompt(PromptId(12))),
    ("/cancel -12", WrongUse("cancel")),
    ("/cancel ١٢", WrongUse("cancel")),
    ("/cancel my flight", WrongUse("cancel")),
    ("/queue", Queue()),
    ("/queue drop 12", DropQueued(PromptId(12))),
    ("/queue up  12", MoveUp(PromptId(12))),
    ("/queue again 12", TryAgain(PromptId(12))),
    ("/queue run 12", RunIt(PromptId(12))),
    ("/queue clear", DropWaiting()),
    ("/queue clear 7 123", DropThose(ConversationId(7), PromptId(123))),
    ("/queue clear 7", WrongUse("queue")),
    ("/queue clear 7 x", WrongUse("queue")),
    ("/cancel all 7 123", CancelThose(ConversationId(7), PromptId(123))),
    ("/cancel all 7 8 9", WrongUse("cancel")),
    ("/queue clear 12", WrongUse("queue")),
    ("/queue drop", WrongUse("queue")),
    ("/queue jump 12", WrongUse("queue")),
    ("/status", ShowStatus()),
    ("/status please", WrongUse("status")),
    ("/model", ShowSetting(Setting.MODEL)),
    ("/model gpt-5.5", SetModel("gpt-5.5")),
    ("/model default", SetModel(None)),
    ("/model a b", WrongUse("model")),
    ("/effort high", SetEffort("high")),
    ("/access", ShowSetting(Setting.ACCESS)),
    ("/access FULL", SetAccess(Access.FULL)),
    ("/access default", SetAccess(None)),
    ("/access root", WrongUse("access")),
    ("/title", WrongUse("title")),
    ("/title The *slow* page", SetTitle("The *slow* page")),
    ("/steer use the other file", Steer("use the other file")),
    ("/compact", Compact()),
    ("/settings", ShowWishes()),
    ("/settings View", ShowWish(Wish.VIEW)),
    ("/settings view ATELIER", SetWish(Wish.VIEW, "atelier")),
    ("/settings view workshop", WrongUse("settings")),
    ("/settings notifications 22-7", SetWish(Wish.NOTIFICATIONS, "22-7")),
]


@pytest.mark.parametrize(("text", "intent"), COMMANDS)
def test_a_command_is_what_it_says(text: str, intent: Intent) -> None:
    assert want(text) == intent


WORDS = [
    "/etc/hosts is wrong",
    "//TODO fix",
    "!important",
    "cancel",
    "stop",
    "/",
    "//",
    "/cancel.",
    "/cancel/all",
    "/frobnicate the widget",
    "/models returns 404",
    "/tmp",
    "/newer",
    "please /cancel",
    "`/cancel`",
    "!cancel",
    "//cancel",
    "@demo_agent_bot cancel",
    "/me@example.org is my address",
    "Was ist /cancel?\n/cancel",
]


@pytest.mark.parametrize("text", WORDS)
def test_words_that_only_look_like_a_command_reach_the_agent_unchanged(text: str) -> None:
    assert want(text) == Ask(text)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("/cancel@demo_agent_bot", Cancel()),
        ("/Cancel@Demo_Agent_Bot all", CancelAll()),
        ("/cancel@other_bot", NotForUs()),
        ("/weather@weather_bot Paris", NotForUs()),
        ("/status@demo_agent_bot", ShowStatus()),
        ("/STATUS@DEMO_AGENT_BOT", ShowStatus()),
        ("  /status@demo_agent_bot  ", ShowStatus()),
        ("/status\n@demo_agent_bot", ShowStatus()),
        ("/status @demo_agent_bot", ShowStatus()),
        ("/status @Demo_Agent_Bot", ShowStatus()),
        ("/cancel @demo_agent_bot all", CancelAll()),
        ("/cancel all @demo_agent_bot", CancelAll()),
        ("/status@other_bot", NotForUs()),
        ("/status @other_bot", NotForUs()),
        ("/cancel all @other_bot", NotForUs()),
        ("/cancel @bob", WrongUse("cancel")),
        ("/title Ask @other_bot", SetTitle("Ask @other_bot")),
        ("/title Ask @demo_agent_bot", SetTitle("Ask @demo_agent_bot")),
        ("/status@", Ask("/status@")),
        ("/@demo_agent_bot status", Ask("/@demo_agent_bot status")),
        ("/cancel@somebody", NotForUs()),
    ],
)
def test_a_command_may_say_whom_it_is_for(text: str, intent: Intent) -> None:
    assert want(text) == intent


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        ("/cancle", "cancel", Cancel()),
        ("/cancl all", "cancel", CancelAll()),
        ("/stpo", "stop", Cancel()),
        ("/cancell", "cancel", Cancel()),
        ("/xtatus", "status", ShowStatus()),
        ("/titel The slow page", "title", SetTitle("The slow page")),
        ("/models", "model", ShowSetting(Setting.MODEL)),
    ],
)
def test_a_near_miss_is_asked_about(text: str, name: str, command: Cancel) -> None:
    assert want(text) == DidYouMean(name, command)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("!cancel", Cancel()),
        ("/cancel", Cancel()),
        ("//cancel", Cancel()),
        ("roost: cancel", Cancel()),
        ("@roost:example.org status", ShowStatus()),
        ("Roost, !cancel all", CancelAll()),
        ("!cancle", DidYouMean("cancel", Cancel())),
        ("roost: !cancel it", WrongUse("cancel")),
        ("roost: cancel the flight", Ask("roost: cancel the flight")),
        ("roost cancle", Ask("roost cancle")),
        ("roosters cancel", Ask("roosters cancel")),
        ("//TODO fix", Ask("//TODO fix")),
        ("!important", Ask("!important")),
        ("cancel", Ask("cancel")),
    ],
)
def test_matrix_has_marks_of_its_own(text: str, intent: Intent) -> None:
    assert want(text, MATRIX) == intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("@demo_agent_bot /status@other_bot", NotForUs()),
        ("@demo_agent_bot /status@demo_agent_bot", ShowStatus()),
        ("@demo_agent_bot, /cancel@Demo_Agent_Bot all", CancelAll()),
        ("@demo_agent_bot /weather@weather_bot Paris", NotForUs()),
        ("@demo_agent_bot /status", ShowStatus()),
        ("@demo_agent_bot status", ShowStatus()),
        ("@demo_agent_bot status@example.org is down", Ask("@demo_agent_bot status@example.org is down")),
    ],
)
def test_called_by_our_name_a_command_may_still_be_another_bots(text: str, intent: Intent) -> None:
    assert want(text, Here(names=("demo_agent_bot",), called=True)) == intent


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("roost: echo hello", "echo hello"),
        ("Roost, echo hello", "echo hello"),
        ("roost echo hello", "echo hello"),
        ("@roost:example.org: echo\n hello", "echo\n hello"),
        ("@roost echo hello", "echo hello"),
        ("roost:\necho", "echo"),
        ("roosters crow", "roosters crow"),
        ("ask roost: why", "ask roost: why"),
        ("roost:", "roost:"),
    ],
)
def test_the_mention_of_us_before_a_prompt_is_no_word_of_it(text: str, prompt: str) -> None:
    mentioned = replace(SAID, text=text, mentions_us=True, toward=Toward.US)
    assert parse(mentioned, MATRIX) == Ask(prompt)
    assert parse(replace(mentioned, mentions_us=False), MATRIX) == Ask(text)
    assert parse(replace(mentioned, foreign=True), MATRIX) == Ask(text)
    edited = Edited(SOURCE, ROOM, ANN, MessageRef("1"), text, mentions_us=True)
    assert parse(edited, MATRIX) == Amend(prompt)


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("roost is what it is called", "roost is what it is called"),
        ("roost: echo hello", "echo hello"),
        ("@roost echo hello", "echo hello"),
    ],
)
def test_in_a_reply_our_name_alone_may_be_a_word_of_the_prompt(text: str, prompt: str) -> None:
    """An app mentions whom it replies to by itself."""
    reply = replace(SAID, text=text, mentions_us=True, toward=Toward.US, reply_to=MessageRef("0"))
    assert parse(reply, MATRIX) == Ask(prompt)


OWN, ALL, CALLED = Here(own_topic=True), Here(listen=Listen.ALL), Here(listen=Listen.MENTION)


@pytest.mark.parametrize(
    ("here", "toward", "alone", "heard"),
    [
        (Here(), Toward.NOBODY, True, True),
        (Here(), Toward.OTHERS, True, True),
        (Here(), Toward.NOBODY, False, False),
        (Here(), Toward.US, False, True),
        (Here(), Toward.OTHERS, False, False),
        (OWN, Toward.NOBODY, False, True),
        (OWN, Toward.OTHERS, False, False),
        (ALL, Toward.NOBODY, False, True),
        (ALL, Toward.OTHERS, False, False),
        (CALLED, Toward.NOBODY, True, False),
        (CALLED, Toward.US, True, True),
    ],
)
def test_who_is_spoken_to_decides_what_is_a_prompt(
    here: Here, toward: Toward, *, alone: bool, heard: bool
) -> None:
    assert want("look at this", here, toward=toward, alone=alone) == (
        Ask("look at this") if heard else NotForUs()
    )
    assert want("/cancel", here, toward=toward, alone=alone) == Cancel()
    near = want("/cancle", here, toward=toward, alone=alone)
    assert isinstance(near, DidYouMean if heard else NotForUs)


@pytest.mark.parametrize("text", ["/cancel all", "/stpo", "/allow 1002 owner"])
def test_what_somebody_else_wrote_is_no_command(text: str) -> None:
    """Whoever forwards a message has read it at best; it must not act in their name."""
    forwarded = Message(SOURCE, ROOM, ANN, MessageRef("1"), text, foreign=True)
    assert parse(forwarded, TELEGRAM) == Ask(text)


def test_a_file_without_words_is_a_prompt_and_nothing_at_all_is_none() -> None:
    picture = FileRef("f1", "shot.png", 4_000, "image/png")
    sent = Message(SOURCE, ROOM, ANN, MessageRef("1"), "", (picture,))
    assert parse(sent, TELEGRAM) == Ask("", (picture,))
    assert want(" \n ") == NotForUs()


@pytest.mark.parametrize("text", ["Look:\n  indented\n", "\t/x", "é\u202e ab", "x" * 300_000])
def test_a_prompt_keeps_every_sign(text: str) -> None:
    assert want(text) == Ask(text)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("/cancel 12", CancelPrompt(PromptId(12))),
        ("/queue again 3", TryAgain(PromptId(3))),
        ("/queue drop x", WrongUse("queue")),
        ("hello", NotForUs()),
    ],
)
def test_a_press_is_the_same_as_typing(text: str, intent: Intent) -> None:
    assert parse(Press(SOURCE, ROOM, ANN, MessageRef("1"), text), MATRIX) == intent
