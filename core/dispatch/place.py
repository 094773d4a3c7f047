"""A turn that can do nothing gives its place to others, and goes on once it has one again."""

from __future__ import annotations

from core.dispatch.means import Means
from core.dispatch.voice import Voice
from core.model.prompt import Slot
from core.store import aside
from core.store.queue import Work


class Place:
    """The right to run of one prompt. Others have it in two cases.

    Its agent has asked a person, and nobody answers: only the place under the caps is given. The agent lives,
    in a directory that it may have half changed, so its keys stay; and it hears the answer once it has a
    place again, which it waits for in its turn. It acts no earlier, unless it does so by itself (it stops
    waiting, or a part of it never did): then it counts at once, be it one more than may run.

    Its account is used up: no agent lives, so project and groups are free too, and are claimed again with the
    place. Only its conversation's next prompts stay behind it.

    What was given is written down, and found by the next start.
    """

    def __init__(self, means: Means, work: Work, voice: Voice) -> None:
        self._store = means.store
        self._prompt, self._conversation = work.prompt.id, work.conversation.id
        self._voice = voice
        self._held = work.prompt.slot is Slot.HELD

    async def give(self) -> None:
        """The place alone."""
        if self._held:
            self._held = False
            await self._store.insist(aside.give_place, self._prompt)
            self._voice.look()

    async def give_all(self) -> None:
        """Everything but the order of its conversation."""
        self._held = False
        await self._store.insist(aside.give_all, self._prompt, self._conversation)
        self._voice.look()

    async def regained(self) -> bool:
        """Whether it has its place. If not, it waits for one from now on, and there will be news of it."""
        if not self._held:
            self._held = await self._store.insist(aside.want, self._prompt)
            if not self._held:
                self._voice.look()
        return self._held

    async def awaited(self) -> None:
        """Until it has its place, or somebody asks to stop."""
        while not self._voice.cancel.is_set() and not await self.regained():
            await self._voice.stirs()

    async def resume(self) -> None:
        """Its agent goes on by itself."""
        if not self._held:
            await self._store.insist(aside.resume, self._prompt)
            self._held = True
            self._voice.news.set()
