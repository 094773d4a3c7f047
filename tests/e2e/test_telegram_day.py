"""A day in a forum of three topics, with Ann and Bob at work and Eve a stranger: also where calls fail."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.e2e.test_telegram_people import invited
from tests.e2e.test_telegram_topics import a_forum, topic_called
from tests.e2e.test_telegram_voice import OGG, hears_at
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.support.transcription_server import Transcription, transcription
from tests.support.tree import ROOT
from tests.telegram.client import picture
from tests.telegram.server import Chat, Message, Person, Press
from tests.telegram.server.flood import COUNTED, NOT_COUNTED, Flood

BOB, EVE = 2002, 3003
COMMAND = json.dumps([sys.executable, "-m", "tests.support.acp_agent", "elephant"])
GOOSE = f'[engines.goose]\nkind = "acp"\ncommand = {COMMAND}\n'
MOST_A_MINUTE, LATEST = 20, 5.0
MARK = "(may be a repeat)\n\n"
PROGRESS = ("⏳", "✓", "■", "✗")
TABLE = "\n".join(["| tea | spring | summer | autumn | winter |", "|---|---|---|---|---|", f"| jasmine |{' 12 boxes sold |' * 4}"])
Step = dict[str, object]


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
        self.began = 0.0

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
        for wrong in (self.eve, self.bob):
            wrong.presses("Once", question)
        presses = [press for press in self.held.api.bot.presses.values()]
        self.ann.presses("Once", question)
        await self.reads("Allowed by Ann", "Checkout")
        await self.reads("got once: done (shop)", "Checkout")
        self.told = presses[-1]

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

    # -- what is said and seen -------------------------------------------------------------------------

    def says(self, who: Person, words: str, topic: str) -> Message:
        return who.writes(words, self.forum, thread=self.topics[topic])

    async def reads(self, words: str, topic: str = "") -> Message:
        """The message of the bot that says so, once it is in that topic."""
        return await self._there(words, self.forum, self.topics[topic])

    async def hears(self, words: str) -> Message:
        """The same in Ann's private chat."""
        return await self._there(words, self.held.chat, 0)

    async def _there(self, words: str, chat: Chat, thread: int) -> Message:
        found = lambda: [m for m in said(chat, thread, self.began) if words in m.words]
        await self.held.api.until(found, seconds=60)
        return found()[-1]


def said(chat: Chat, thread: int, since: float) -> list[Message]:
    return [m for m in chat.screen() if m.sender.is_bot and m.thread == thread and m.date >= since]
