"""The stage with phones on it: people write in their chats and read there, while calls fail at random."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

from core.model.ids import ConversationId, PromptId
from core.store import conversations
from tests.campaign.stage import STARTED_SECONDS, Stage
from tests.telegram.server import BotApi, Chat, Message, Person, own_token

PEOPLE, GROUPS = 5, 3
"""Each person has a private chat; the rest of the rooms are groups, in which anybody writes."""
MENTION = "@demo_agent_bot "
MARK = re.compile(r"\(may be a repeat\)\s*")
TAG = re.compile(r"\[\d+/\d+\]")


@dataclass
class Phones(Stage):
    """*asked*: every message with a prompt in it, by its tag."""

    crash_points: ClassVar[tuple[str, ...]] = (*Stage.crash_points, "before-ack", *["delivering"] * 3)
    longest_life: ClassVar[float] = 1.0

    api: BotApi = field(default_factory=lambda: BotApi(token=own_token()))
    people: list[Person] = field(default_factory=list)
    chats: dict[ConversationId, Chat] = field(default_factory=dict)
    asked: dict[str, Message] = field(default_factory=dict)

    @classmethod
    async def built(cls, home: Path, chance: random.Random) -> Self:
        stage = await super().built(home, chance)
        api = stage.api
        await api.open_port()
        stage.people = [api.person(f"Person{number}", 1001 + number) for number in range(PEOPLE)]
        owners = [person.user.id for person in stage.people]
        where = f'token = "{api.token}"\nbase_url = "{api.url}"'
        stage._configure(f"[telegram]\n{where}\nallowed_users = {json.dumps(owners)}\n")
        groups = [api.group(f"g{n}", *stage.people, chat_id=-500001 - n) for n in range(GROUPS)]
        for group in groups:
            group.bot = "administrator"  # who is shown every message
        rooms = zip(stage.rooms, [*(person.chat for person in stage.people), *groups], strict=True)
        for room, chat in rooms:
            stage.chats[room] = chat
            place = await stage.store.write(
                conversations.room, "telegram", str(api.bot.user.id), str(chat.id)
            )
            project = (await stage.store.read(conversations.get, room)).project
            await stage.store.write(conversations.bind, place.id, project, room)
        api.bot.flood.longest = 2  # whoever is killed every second can't remember which chats are shut
        api.faults.by_chance(chance.randrange(2**32), share=0.03, longest_hang=1.0)
        return stage

    async def close(self) -> None:
        await super().close()
        await self.api.close_port()

    # -- the people ------------------------------------------------------------------------------------

    async def submit(self) -> None:
        room = self.chance.choice(self.rooms)
        tag, chat = f"[{room}/{len(self.asked)}]", self.chats[room]
        sender = self.chance.choice([one for one in self.people if chat.is_group or one.chat is chat])
        mention = MENTION if chat.is_group else ""
        self.asked[tag] = sender.writes(f"{mention}do {tag}", chat)

    async def ask_and_die(self) -> None:
        """Whoever takes it dies when it is stored and nobody has been told so."""
        await self.submit()
        self.start("before-ack")
        if await self.working():
            async with asyncio.timeout(STARTED_SECONDS):
                while self.service and self.service.poll() is None:
                    await asyncio.sleep(0.01)

    async def pending(self) -> int:
        """How many have no answer on their screen yet; at the end, what is still to be folded too."""
        return sum(not self._answers(message) for message in self.asked.values()) or len(await self._due())

    async def _due(self) -> list[int]:
        return await self.store.read(
            lambda db: [row[0] for row in db.execute("SELECT id FROM deliveries WHERE state IN ('pending',"
                        " 'sending', 'unknown') AND kind <> 'progress'")])  # fmt: skip

    def _answers(self, asked: Message) -> list[str]:
        """What was said in reply to it, oldest first."""
        return [
            message.text
            for message in asked.chat.screen()
            if message.sender.is_bot and message.reply_to and message.reply_to.id == asked.id
        ]

    async def working(self) -> bool:
        """Whether the service has come as far as to poll, or has died on the way."""
        before, until = len(self.api.called("getUpdates")), time.monotonic() + STARTED_SECONDS
        while time.monotonic() < until:
            if self.service and self.service.poll() is not None:
                return False
            if len(self.api.called("getUpdates")) > before:
                return True
            await asyncio.sleep(0.01)
        raise AssertionError("the service did not poll: " + self.log())

    # -- the books -------------------------------------------------------------------------------------

    async def wrong(self) -> list[str]:
        return [*await self._not_one_prompt_each(), *self._not_answered_once(), *self.api.bot.violations]

    async def _not_one_prompt_each(self) -> list[str]:
        """Every message became one prompt; which one is noted in `prompts`."""
        stored = await self.store.read(lambda db: db.execute("SELECT id, text FROM prompts").fetchall())
        made = Counter[str]()
        for number, text in stored:
            tag = TAG.search(text)
            assert tag, text
            self.prompts[PromptId(number)] = tag[0]
            made[tag[0]] += 1
        return [f"{tag} became {made[tag]} prompts" for tag in self.asked if made[tag] != 1]

    def _not_answered_once(self) -> list[str]:
        wrong = []
        for tag, asked in self.asked.items():
            told = Counter(self._answers(asked))
            wrong += [
                f"{tag}: {n} times: {text}" for text, n in told.items() if n > 1 and not MARK.match(text)
            ]
            wrong += [] if told else [f"{tag} got no answer"]
            self.hits["answers"] += 1
            self.hits["repeats, with their mark"] += sum(n for text, n in told.items() if MARK.match(text))
        shown = [m.text for chat in self.chats.values() for m in chat.screen() if m.text.startswith("⏳")]
        self.hits["progress that nobody could fold"] += len(shown)
        calls = self.api.called()
        self.hits["calls"] = len(calls)
        self.hits["calls that failed"] = sum(call.status != 200 for call in calls)
        return wrong
