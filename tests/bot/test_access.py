"""Who may do what, for every intent there is."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.access import Allowed, Ignored, NotAllowed, Rights, Role, may, needs
from bot.intents.values import (
    AddProject,
    Allow,
    Amend,
    Ask,
    AskAgain,
    Cancel,
    CancelAll,
    CancelPrompt,
    CancelThose,
    Command,
    Compact,
    Conversations,
    Decide,
    DecideHere,
    DidYouMean,
    DiffOf,
    DropQueued,
    DropThose,
    DropWaiting,
    Everybody,
    Fork,
    ForkFrom,
    GetFile,
    GetPlaced,
    GetSecret,
    Help,
    ImportSession,
    Intent,
    Invite,
    Listen,
    Misheard,
    MoveUp,
    New,
    NewProject,
    NotForUs,
    NotYet,
    OpenProject,
    PickConversation,
    PickProject,
    Queue,
    RunIt,
    SendCorrection,
    SetAccess,
    SetApprovals,
    SetEffort,
    SetEngine,
    SetListen,
    SetModel,
    Setting,
    SetTitle,
    ShowDiff,
    ShowListen,
    ShowProject,
    ShowSetting,
    ShowStatus,
    ShowUsage,
    Start,
    Steer,
    TellNow,
    TryAgain,
    Unreadable,
    WrongUse,
)
from bot.intents.wishes import AgreeMirror, RefuseMirror, SetWish, ShowWish, ShowWishes, Wish
from core.model.conversation import Approvals
from core.model.events import Grant
from core.model.ids import ConversationId, EventId, MessageId, ProjectId, PromptId
from core.model.project import Access

ONE = PromptId(1)

TABLE: dict[Role, list[Intent]] = {
    Role.STRANGER: [Start("code"), NotForUs()],
    Role.VIEWER: [
        Help(),
        ShowProject(),
        Conversations(),
        Queue(),
        ShowStatus(),
        ShowUsage(),
        GetPlaced(MessageId(1), 0),
        ShowWishes(),
        ShowWish(Wish.VIEW),
        SetWish(Wish.NOTIFICATIONS, "off"),
        ShowSetting(Setting.MODEL),
        NotYet("goal"),
        ShowListen(),
        WrongUse("cancel"),
        DidYouMean("cancel", Cancel()),
        PickProject("shop"),
        OpenProject(ProjectId(1)),
        Unreadable(),
        Amend("Fix it."),
    ],
    Role.MEMBER: [
        Ask("Fix the tests."),
        New(),
        PickConversation(ConversationId(1)),
        ImportSession("s-1"),
        SetEngine("codex"),
        SetApprovals(Approvals.ASK),
        Decide(EventId(1), 0),
        DecideHere(Grant.ONCE),
        Steer("Not that one."),
        TellNow(PromptId(1)),
        SendCorrection(ONE),
        Misheard(ONE),
        Compact(),
        Fork(),
        GetFile("app.py"),
        ShowDiff(),
        DiffOf(ONE),
        AskAgain(),
        ForkFrom(ONE),
        Cancel(),
        CancelAll(),
        CancelPrompt(ONE),
        DropQueued(ONE),
        DropWaiting(),
        DropThose(ConversationId(1), ONE),
        CancelThose(ConversationId(1), ONE),
        MoveUp(ONE),
        TryAgain(ONE),
        SetModel("gpt"),
        SetEffort("high"),
        SetAccess(None),
        SetTitle("checkout"),
        SetListen(Listen.ALL),
        SetWish(Wish.VIEW, "atelier"),
        SetWish(Wish.DASHBOARD, "on"),
        SetWish(Wish.MIRROR, "off"),
    ],
    Role.OWNER: [
        NewProject(),
        AddProject("shop", "~/shop"),
        Everybody(),
        Allow("1002", "member"),
        Invite("viewer"),
        SetWish(Wish.MIRROR, "on"),
        AgreeMirror(1),
        RefuseMirror(1),
        RunIt(ONE),
        GetSecret(".env"),
    ],
}
ROWS = [(intent, least) for least, intents in TABLE.items() for intent in intents]


def test_the_table_holds_every_intent() -> None:
    kinds = {*get_args(Command), Ask, WrongUse, DidYouMean, Unreadable, Amend, NotForUs}
    assert {type(intent) for intent, _ in ROWS} == kinds


@pytest.mark.parametrize(("intent", "least"), ROWS)
@pytest.mark.parametrize("role", Role)
def test_nobody_does_more_than_they_may(role: Role, intent: Intent, least: Role) -> None:
    assert needs(intent) is least
    verdict = may(role, intent)
    if role.rank <= least.rank:
        assert verdict == Allowed()
    elif role is Role.STRANGER:
        assert verdict == Ignored()
    else:
        assert verdict == NotAllowed(f"access.{least}")


@pytest.mark.parametrize("role", [Role.OWNER, Role.MEMBER])
def test_a_chat_never_raises_access_above_what_the_terminal_set(role: Role) -> None:
    ceiling = Access.WORKSPACE
    assert may(role, SetAccess(Access.READ_ONLY), ceiling=ceiling) == Allowed()
    assert may(role, SetAccess(Access.WORKSPACE), ceiling=ceiling) == Allowed()
    assert may(role, SetAccess(None), ceiling=ceiling) == Allowed()
    refused = may(role, SetAccess(Access.FULL), ceiling=ceiling)
    assert refused == NotAllowed("access.ceiling", "workspace", "full")


@pytest.mark.parametrize("intent", [PickProject("shop"), OpenProject(ProjectId(1))])
def test_what_others_see_too_is_not_chosen_by_who_looks_on(intent: Intent) -> None:
    assert may(Role.VIEWER, intent, own=False) == NotAllowed("access.member")
    assert may(Role.MEMBER, intent, own=False) == Allowed()


def test_what_is_said_of_one_project_stands_before_what_is_said_of_all() -> None:
    shop, blog = ProjectId(1), ProjectId(2)
    rights = Rights(Role.VIEWER, {shop: Role.MEMBER, blog: Role.STRANGER})
    assert [rights.within(one) for one in (shop, blog, ProjectId(3), None)] == [
        Role.MEMBER,
        Role.STRANGER,
        Role.VIEWER,
        Role.MEMBER,
    ]
    assert Rights(Role.STRANGER).within(None) is Role.STRANGER


def test_who_may_not_at_all_is_not_told_of_the_ceiling() -> None:
    assert may(Role.VIEWER, SetAccess(Access.FULL), ceiling=Access.READ_ONLY) == NotAllowed("access.member")
