"""Every button there is, by who may press it; and what somebody is told who presses in vain."""

from __future__ import annotations

import pytest

from bot.access import Allowed, Ignored, NotAllowed, Role, may
from bot.chat import Button, MessageRef, Person, Press, RoomAddress
from bot.intents.parse import Here, parse
from bot.intents.values import DropThose, Setting
from bot.replies import approval, cancelled, errors, people, progress, project, queue, settings
from bot.replies.errors import About
from bot.replies.progress import Live, Phase
from bot.replies.queue import Entry, InLine
from bot.replies.settings import Choices
from bot.texts import Texts
from bot.tokens import Tokens
from core.model.events import Asked, AskKind, Choice, Grant, Resolved
from core.model.ids import ConversationId, EventId, ProjectId, PromptId
from core.model.people import Known
from core.model.project import Access, Project
from core.model.prompt import Prompt, Source, Status
from core.model.turn import Turn
from core.store import buttons
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB, ROOM

EN = Texts("en", strict=True)
ONE = PromptId(1)
SHOP = Project(ProjectId(1), "shop", "/srv/shop", "codex", Access.WORKSPACE)
REST = DropThose(ConversationId(1), ONE)
CHOICES = tuple(Choice(one.value, one, "") for one in (Grant.ONCE, Grant.ALWAYS, Grant.DENY))
QUESTION = Asked("q", AskKind.COMMAND, "git push", CHOICES)
LINE = [Entry(PromptId(n), "x", 2.0 if n == 1 else None) for n in (1, 2, 3, 4)]


def failed(reason: str) -> Prompt:
    return Prompt(ONE, ConversationId(1), "Go", Status.FAILED, 1.0, 0.0, reason=reason)


SAID = [
    progress.progress(Live(ONE, "Codex", "shop", Turn(), 2.0), EN),
    progress.progress(Live(ONE, "Codex", "shop", Turn(), 2.0, phase=Phase.COMPACTING), EN),
    queue.place(ONE, InLine(2, "x"), EN, steers=True),
    queue.queue(LINE, REST, EN),
    cancelled.stopped(32.0, 4, EN, following="fix the tests", rest=REST),
    errors.failed(failed("turn.exited"), About("pi5"), EN),
    errors.failed(failed("prompt.set_aside"), About("pi5"), EN),
    approval.asked(EventId(1), QUESTION, "Codex", "shop", EN),
    settings.shown(Setting.EFFORT, "low", "Codex", EN, choices=Choices(("low", "high"))),
    project.which([SHOP], EN),
    people.everybody([Known("1002", "Bob", "member")], {}, SHOP, EN),
]
LEAST = {
    "Stop": Role.MEMBER,
    "Tell it now": Role.MEMBER,
    "Move up": Role.MEMBER,
    "Remove": Role.MEMBER,
    "Remove the rest": Role.MEMBER,
    "Try again": Role.MEMBER,
    "Carry on": Role.MEMBER,
    "Drop": Role.MEMBER,
    "Once": Role.MEMBER,
    "Always here": Role.MEMBER,
    "No": Role.MEMBER,
    "high": Role.MEMBER,
    "As usual": Role.MEMBER,
    "shop": Role.VIEWER,
    "Link for a member of shop": Role.OWNER,
    "Link for a viewer of shop": Role.OWNER,
    "Let out Bob": Role.OWNER,
}
ALL = [one for said in SAID for one in said.buttons]


def test_every_button_of_the_storyboard_is_in_the_table() -> None:
    assert {one.label.rstrip(" 0123456789") for one in ALL} == LEAST.keys()


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("carried", ALL, ids=lambda one: one.label)
def test_who_may_press_it(carried: Button, role: Role) -> None:
    press = Press(Source("fake", "roost", "1"), ROOM, ANN, MessageRef("1"), carried.intent)
    verdict = may(role, parse(press, Here()))
    least = LEAST[carried.label.rstrip(" 0123456789")]
    if role.at_least(least):
        assert verdict == Allowed()
    else:
        assert verdict == (Ignored() if role is Role.STRANGER else NotAllowed(f"access.{least}"))


# -- in a room -------------------------------------------------------------------------------------------

GROUP = RoomAddress("fake", "roost", "-1")
LATER = "Later\nA new conversation in shop. What is to be done?"
TOO_OLD = "This button is too old. /help shows how to say the same."


class Room:
    """A group in which buttons carry tokens, as on Telegram."""

    def __init__(self, work: AtWork) -> None:
        self.work = work
        self.tokens = Tokens(work.store, "fake", work.clock.now)

    async def token(self, intent: str) -> str:
        (carried,) = await self.tokens.fresh(GROUP.chat, [Button("x", intent)])
        return carried.intent

    async def pressed(self, token: str, person: Person = ANN, *, forgeable: bool = False) -> list[str]:
        """What is read in the room in return."""
        kept = await self.tokens.find(token)
        before = len(self.work.chat.reads(GROUP))
        source, text = self.work.chat._source(), kept.intent if kept else ""
        press = Press(source, GROUP, person, MessageRef("1"), text, token=token, forgeable=forgeable)
        self.work.chat._arrive(press)
        await self.work.passes()
        return self.work.chat.reads(GROUP)[before:]


@pytest.fixture
async def room(work: AtWork) -> Room:
    await work.project(room=GROUP)
    return Room(work)


async def says(room: Room, words: str, person: Person = ANN) -> None:
    room.work.chat.writes(words, room=GROUP, person=person)
    await room.work.passes()


async def test_pressed_twice_is_once_and_says_by_whom(room: Room) -> None:
    token = await room.token("/new Later")
    assert await room.pressed(token) == [LATER]
    assert await room.pressed(token) == []
    (told,) = room.work.chat.alerts
    assert told.startswith("Ann pressed here already, ")
    assert len(room.work.chat.rested) == 2


async def test_a_year_later_it_is_one_sentence(room: Room) -> None:
    token = await room.token("/new Later")
    room.work.clock.move(366 * 86_400.0)
    await room.token("/help")
    assert await room.pressed(token) == []
    assert room.work.chat.alerts == [TOO_OLD]


async def test_a_stranger_is_not_told_that_it_is_old(room: Room) -> None:
    assert await room.pressed("made-up", BOB) == []
    assert (room.work.chat.alerts, room.work.chat.rested) == ([], [])


async def test_who_may_not_press_it_uses_nothing_up(room: Room) -> None:
    await says(room, "/allow 1002 viewer")
    token = await room.token("/new Later")
    assert await room.pressed(token, BOB) == []
    assert room.work.chat.alerts == ["Only a member or an owner can do that."]
    assert await room.pressed(token) == [LATER]


async def test_what_is_refused_can_be_pressed_again(room: Room) -> None:
    token = await room.token("/project blog")
    assert await room.pressed(token) == ["There is no project called blog. /project lists them."]
    await room.work.project("blog", room=None)
    assert await room.pressed(token) == ["This room works in blog from now on."]


async def test_only_who_asked_or_an_owner_answers(room: Room) -> None:
    """And of two who do the first; the question says who."""
    await says(room, "/allow 1002")
    await says(room, "/allow 1003")
    carol = Person("1003", "Carol")
    await says(room, "Go", BOB)
    (running,) = await room.work.starts()
    await room.work.tells(running, QUESTION)
    await room.work.passes(0.5)
    (once,) = [one for one in room.work.chat.carried(GROUP) if one.label == "Once"]
    token = await room.token(once.intent)
    assert await room.pressed(token, carol) == []
    assert room.work.chat.alerts == ["Only Bob or an owner can answer this."]
    assert await room.pressed(token, BOB) == []
    other = await room.token(once.intent.replace(" 0", " 2"))
    await room.pressed(other)
    await room.work.tells(running, Resolved(QUESTION.key))
    await room.work.passes(0.5)
    assert "Allowed by Bob, " in room.work.chat.reads(GROUP)[-1]
    await room.work.ends(running)


async def test_a_message_that_is_edited_keeps_its_buttons_until_they_are_used(room: Room) -> None:
    stop, more = Button("Stop", "/cancel 7"), Button("More", "/queue")
    message = MessageRef("m1")
    first = await room.tokens.under("-1", message, [stop])
    again = await Tokens(room.work.store, "fake", room.work.clock.now).under("-1", message, [stop, more])
    assert (again[0], again[1].label) == (first[0], "More")
    await room.work.store.write(buttons.use, first[0].intent, "Ann", now=room.work.clock.now())
    other = await Tokens(room.work.store, "fake", room.work.clock.now).under("-1", message, [stop])
    assert other != first
    assert len(first[0].intent) <= 20


async def test_who_may_be_made_up_stops_and_drops_and_allows_nothing(room: Room) -> None:
    """As reactions in an encrypted room are (behaviour §14.7)."""
    await says(room, "Go")
    (running,) = await room.work.starts()
    await room.work.tells(running, QUESTION)
    await room.work.passes(0.5)
    once, _, no = room.work.chat.carried(GROUP)[-3:]
    assert (once.label, no.label) == ("Once", "No")
    assert await room.pressed(await room.token(once.intent), forgeable=True) == []
    assert await room.pressed(await room.token("/new Later"), forgeable=True) == []
    assert [alert.partition(":")[0] for alert in room.work.chat.alerts] == [
        "In an encrypted room a reaction can't allow anything"
    ] * 2
    await room.pressed(await room.token(no.intent), forgeable=True)
    await room.work.tells(running, Resolved(QUESTION.key))
    await room.work.passes(0.5)
    assert "Refused by Ann, " in room.work.chat.reads(GROUP)[-1]
    await room.pressed(await room.token("/cancel"), forgeable=True)
    assert room.work.chat.alerts[2:] == []
    await room.work.ends(running)
