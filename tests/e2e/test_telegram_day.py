"""A day in a forum of three topics, with Ann and Bob at work and Eve a stranger: also where calls fail."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing

import pytest

from tests.e2e.test_telegram_people import invited
from tests.e2e.test_telegram_topics import a_forum, topic_called
from tests.e2e.test_telegram_voice import OGG, hears_at
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.support.transcription_server import Transcription, transcription
from tests.support.tree import ROOT
from tests.telegram.client import picture
from tests.telegram.server import Chat, Message, Person
from tests.telegram.server.flood import COUNTED, NOT_COUNTED, Flood

BOB, EVE = 2002, 3003
COMMAND = json.dumps([sys.executable, str(ROOT / "tests/support/acp_agent.py"), "elephant"])
GOOSE = f'[engines.goose]\nkind = "acp"\ncommand = {COMMAND}\n'
MOST_A_MINUTE, LATEST = 20, 5.0
MARK = re.compile(r"\(may be a repeat\)\n\n|\s?\(may be a repeat\)\Z")
"""Above words, or alone under a file."""
ENDED = "This has ended, whatever a message above still says."
UNDER_WAY = ("⏳", "Waits for")
PROGRESS = (*UNDER_WAY, "✓", "■", "✗")
TABLE = "\n".join(
    [
        "| tea | spring | summer | autumn | winter |",
        "|---|---|---|---|---|",
        f"| jasmine |{' 12 boxes sold |' * 4}",
    ]
)
TIME = re.compile(r"\d+:\d\d")
VIEW = "View: atelier. A turn shows its whole plan, and every step with what it said; from the next turn on."
DIARY = {
    "": ["Two pictures (shop)"],
    "Checkout": ["Checkout built (shop)", "got once: done (shop)", "rm basket.db"],
    "Basket": ["Basket built (shop)"],
    "Blog": ["Blog built (blog)", "[table.jpg] • tea: jasmine"],
    "Ann": [
        "2002 is out of shop.",
        "A new conversation in shop. What is to be done?",
        "Carried on (shop)",
        "Changed (shop)",
        'Changed: [{"where": "Changed"}].',
        "Heard (shop)",
        "I heard:",
        "Nothing waits here.",
        "See app.py (app.py:1) (shop)",
        "Someone I don’t know wrote to me (id 3003, called Eve). /allow 3003 lets them in.",
        "Stopped after …, 0 steps done. Nothing is left running; the conversation can go on.",
        VIEW,
        "[app.py]",
    ],
    "Bob": [],
    "Eve": [],
}
"""What is read at the end of the day, by place."""
Step = dict[str, object]
pytestmark = pytest.mark.slow


def play(*steps: Step) -> str:
    """A prompt, in which its agent reads what it shall do."""
    return json.dumps(steps)


def says(words: str) -> Step:
    """…and in which project it is."""
    return {"where": words}


def works(*commands: str, seconds: float = 1.0) -> Iterator[Step]:
    for command in commands:
        call = {"toolCallId": command, "title": command, "kind": "execute", "status": "in_progress"}
        yield {"tool": call}
        yield {"sleep": seconds}
        yield {"update": {"toolCallId": command, "status": "completed"}}


class Day:
    """Its hours, one after the other."""

    def __init__(self, held: Phone, endpoint: Transcription) -> None:
        self.held, self.endpoint, self.ann = held, endpoint, held.ann
        self.forum = a_forum(held)
        self.bob, self.eve = held.api.person("Bob", BOB), held.api.person("Eve", EVE)
        self.topics: dict[str, int] = {"": 0}
        self.began, self.mishaps = 0.0, 0

    async def evening_before(self) -> None:
        """The forum is about the shop, its topic Blog about the blog; Bob is let into the shop."""
        held, ann, forum = self.held, self.ann, self.forum
        await held.start()
        await held.works_in_shop(forum)
        await held.works_in_shop()
        ann.writes("/settings listen all", forum)
        await held.until("Everything that is said here", forum)
        ann.writes("/settings dashboard on", forum)
        await held.api.until(lambda: forum.pinned)
        code = await invited(held, "Link for a member of shop")
        self.bob.writes(f"/start {code}")
        await held.until("You may work in shop", self.bob.chat)
        self.topics["Checkout"] = ann.opens_topic(forum, "Checkout")
        self.says(ann, "/approvals ask", "Checkout")
        await held.until("does not cover: ask", forum)
        self.bob.writes("/new Basket", forum)
        await held.until("Basket has a topic of its own.", forum)
        self.topics["Basket"] = topic_called(forum, "Basket")
        await held.until("Basket\nA new conversation in shop", forum)
        self.topics["Blog"] = ann.opens_topic(forum, "Blog")
        self.says(ann, "/project blog", "Blog")
        await held.until("This room works in blog", forum)
        self.eve.joins(forum)
        await held.until("Someone I don’t know reads along")
        await held.until("With several people here", forum)

    async def night(self) -> None:
        """Which is not waited for: what was said in the evening is no part of this day's first minute."""
        await self.held.end(signal.SIGTERM)
        self.began = self.held.api.clock()
        self.held.api.bot.flood = Flood(self.held.api.clock, enforced=True)
        if self.mishaps:
            self.held.api.faults.by_chance(self.mishaps)
        await self.held.start()

    async def morning(self) -> None:
        """An album, a voice, a table; Eve's words and Bob's, where he is not let in, are nothing."""
        self.ann.sends_album([picture(90, 60), picture(60, 90)], play(says("Two pictures")), self.forum)
        self.says(self.eve, "@demo_agent_bot and what do you think?", "")
        self.endpoint.text = play(says("Heard"))
        self.ann.writes(voice=OGG)
        self.says(self.ann, play({"say": TABLE}), "Blog")
        self.says(self.bob, play(says("Not for Bob")), "Blog")
        await self.reads("Two pictures (shop)")
        await self.reads("[table.jpg]", "Blog")
        await self.hears("Heard (shop)")

    async def noon(self) -> None:
        """The agent asks; only who may answer it does."""
        asking = play({"ask": {"title": "rm basket.db", "kind": "execute"}}, says(": done"))
        self.says(self.ann, asking, "Checkout")
        question = await self.reads("goose wants to run", "Checkout")
        for who in (self.eve, self.bob, self.ann):
            who.presses("Once", question)
        await self.reads("Allowed by Ann", "Checkout")
        await self.reads("got once: done (shop)", "Checkout")

    async def afternoon(self) -> None:
        """Ann in private: a plan is watched and stopped, what waits is changed, an older answer goes on."""
        ann, heard = self.ann, await self.hears("Heard (shop)")
        ann.writes("/settings view atelier")
        await self.hears("View: atelier.")
        plan: Step = {"plan": [["measure", "completed"], ["fix", "in_progress"]]}
        ann.writes(play(plan, *works("make all", seconds=60.0)))
        shown = await self.hears("☑ measure\n▸ fix")
        waiting = ann.writes(play(says("Too early")))
        await self.hears("Second in line")
        ann.edits(waiting, play(says("Changed")))
        await self.hears("Changed: ")
        ann.presses("Stop", shown)
        await self.hears("Stopped after")
        await self.hears("Changed (shop)")
        ann.writes("/new")
        await self.hears("A new conversation")
        ann.writes(play(says("See [app.py](app.py:1)")))
        answer = await self.hears("See app.py (app.py:1) (shop)")
        ann.presses("app.py", answer)
        await self.hears("[app.py]")
        ann.writes(play(says("Carried on")), reply_to=heard)
        await self.hears("Carried on (shop)")

    async def rush_hour(self) -> None:
        """All three topics at work at once."""
        for topic, who in (("Checkout", self.ann), ("Basket", self.bob), ("Blog", self.ann)):
            self.says(who, play(*works("lint", "test", "build", "ship"), says(f"{topic} built")), topic)
        for topic in ("Checkout", "Basket", "Blog"):
            await self.reads(f"{topic} built ({'blog' if topic == 'Blog' else 'shop'})", topic)

    async def evening(self) -> None:
        """Bob is let out, and heard no more; the board says that all is quiet."""
        self.ann.writes(f"/allow {BOB} none shop")
        await self.hears("is out of shop")
        self.says(self.bob, play(says("Too late")), "Basket")
        self.ann.writes("/queue")
        await self.hears("Nothing waits here.")
        await self.held.api.until(lambda: not self.shows_work(), seconds=60)

    def shows_work(self) -> bool:
        """Whether a message says that a turn is at work, but for those of which another says that it isn't:
        the ones whose names were lost."""
        read = [words for chat in (self.forum, self.held.chat) for words in chat.reads()]
        return sum(words.startswith(UNDER_WAY) for words in read) > sum(
            words.endswith(ENDED) for words in read
        )

    async def passes(self) -> None:
        """From the evening before to this evening."""
        hours = (self.evening_before, self.night, self.morning, self.noon, self.afternoon, self.rush_hour)
        for hour in (*hours, self.evening):
            await hour()

    # -- what is said and seen -------------------------------------------------------------------------

    def says(self, who: Person, words: str, topic: str) -> Message:
        return who.writes(words, self.forum, thread=self.topics[topic])

    async def reads(self, words: str, topic: str = "") -> Message:
        """The message of the bot that says so, once it is in that topic."""
        return await self._there(words, self.forum, self.topics[topic])

    async def hears(self, words: str) -> Message:
        """The same in Ann's private chat."""
        return await self._there(words, self.held.chat, 0)

    @property
    def rung(self) -> list[str]:
        """What called somebody, everywhere."""
        chats = (self.forum, self.held.chat, self.bob.chat, self.eve.chat)
        return [one.message.words for chat in chats for one in chat.rung if one.message]

    async def _there(self, words: str, chat: Chat, thread: int) -> Message:
        def found() -> list[Message]:
            return [m for m in said(chat, thread, self.began) if words in m.words]

        await self.held.api.until(found, seconds=60)
        return found()[-1]


def said(chat: Chat, thread: int, since: float) -> list[Message]:
    """What the bot said there that is still to be read, oldest first."""
    return [m for m in chat.screen() if m.sender.is_bot and m.thread == thread and m.date >= since]


def diary(day: Day) -> dict[str, list[str]]:
    """The first lines of all that is read in the end, in no order, but for what shows a turn."""
    places = {name: (day.forum, thread) for name, thread in day.topics.items()}
    places |= {"Ann": (day.held.chat, 0), "Bob": (day.bob.chat, 0), "Eve": (day.eve.chat, 0)}
    return {name: sorted(_lines(said(*place, day.began))) for name, place in places.items()}


def _lines(messages: list[Message]) -> Iterator[str]:
    """Each once: what is there twice has a mark, but for one of them."""
    told = [message.words for message in messages if not message.words.startswith(PROGRESS)]
    unmarked = [words for words in told if not MARK.search(words)]
    assert len(unmarked) == len(set(unmarked)), unmarked
    lines = [TIME.sub("…", MARK.sub("", words)).split("\n")[0] for words in told]
    yield from dict.fromkeys(filter(None, lines))


def late(day: Day) -> list[float]:
    """Seconds from each turn's end until its answer was in its chat."""
    with closing(sqlite3.connect(day.held.roost.data_dir / "roost.db")) as db:
        ended = db.execute(
            "SELECT r.chat, d.chat_message, p.ended_at FROM deliveries d JOIN prompts p ON p.id = d.prompt"
            " JOIN rooms r ON r.id = d.room WHERE d.kind = 'part' AND d.part = 0 AND d.chat_message <> ''"
        ).fetchall()
    there = {(str(c.id), str(m.id)): m.date for c in (day.forum, day.held.chat) for m in c.screen()}
    return [there[chat, message] - at for chat, message, at in ended if at >= day.began]


def busiest_minute(day: Day) -> int:
    """Most messages and edits that came to the forum within any 60 seconds of the day."""
    counted = [call for call in day.held.api.called() if call.params.get("chat_id") == day.forum.id]
    counted = [
        c for c in counted if c.method.lower().startswith(COUNTED) and c.method.lower() not in NOT_COUNTED
    ]
    times = [call.at for call in counted if call.at >= day.began]
    return max(sum(0 <= later - first < 60 for later in times) for first in times)


@asynccontextmanager
async def a_day(roost: Roost) -> AsyncIterator[Day]:
    """Not yet begun; the agent of both projects does what it is told."""
    roost.forks = False
    roost.configure(GOOSE)
    for project in (roost.shop, roost.home / "blog"):
        project.mkdir(exist_ok=True)
        (project / "app.py").write_text("print()\n")
        assert roost("project", "add", project.name, str(project), "--engine", "goose").status == 0
    async with transcription() as endpoint, phone(roost, more=GOOSE) as held:
        hears_at(roost, endpoint)
        yield Day(held, endpoint)


@pytest.mark.timeout(150)
async def test_a_day_in_a_forum(roost: Roost) -> None:
    """Nothing crosses, nothing rings twice, nothing is refused, no minute is too full, no answer is late."""
    async with a_day(roost) as day:
        await day.passes()
        for place, words in diary(day).items():
            assert words == DIARY[place], place
        assert len(day.rung) == len(set(day.rung))
        assert {call.status for call in day.held.api.called() if call.ended} == {200}
        assert day.held.api.violations == []
        assert busiest_minute(day) <= MOST_A_MINUTE
        assert max(late(day)) <= LATEST
        shown = [press.text for press in day.held.api.bot.presses.values() if press.text]
        assert shown == ["Only Ann or an owner can answer this."]


@pytest.mark.timeout(200)
@pytest.mark.parametrize("seed", [1, 2])
async def test_the_same_day_with_calls_that_fail(roost: Roost, seed: int) -> None:
    """The same is read in the end; what is there twice says so."""
    async with a_day(roost) as day:
        day.mishaps = seed
        await day.passes()
        for place, words in diary(day).items():
            assert words == DIARY[place], place
        assert day.held.api.violations == []
