"""What every chat is to Roost: messages in, messages out, and how sending fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Protocol

from bot.address import MessageRef as MessageRef
from bot.address import Person as Person
from bot.address import RoomAddress as RoomAddress
from bot.button import LONGEST_INTENT as LONGEST_INTENT
from bot.button import Button as Button
from bot.button import Sign as Sign
from bot.failing import ChatError as ChatError
from bot.failing import Divided as Divided
from bot.failing import Flood as Flood
from bot.failing import NotSent as NotSent
from bot.failing import Refused as Refused
from bot.failing import TooLarge as TooLarge
from bot.failing import Unknown as Unknown
from bot.failing import Why as Why
from bot.happened import Happened as Happened
from bot.happened import Joined as Joined
from bot.happened import Missed as Missed
from bot.happened import Moved as Moved
from bot.happened import Named as Named
from bot.happened import Standing as Standing
from bot.happened import Stranded as Stranded
from bot.incoming import Edited as Edited
from bot.incoming import FileRef as FileRef
from bot.incoming import How as How
from bot.incoming import Incoming as Incoming
from bot.incoming import Message as Message
from bot.incoming import Pointed as Pointed
from bot.incoming import Press as Press
from bot.incoming import Redacted as Redacted
from bot.incoming import Seal as Seal
from bot.incoming import Toward as Toward
from bot.limits import Limits as Limits
from bot.ourselves import OurDevice as OurDevice
from bot.outgoing import File as File
from bot.outgoing import Outgoing as Outgoing
from bot.outgoing import Picture as Picture
from bot.outgoing import Text as Text
from bot.readers import Readers as Readers

Heard = Incoming | Happened | Moved


class ChatAdapter(Protocol):
    """One account on one platform. Every call may raise a `ChatError`, and nothing else."""

    @property
    def platform(self) -> str: ...

    @property
    def account(self) -> str: ...

    @property
    def limits(self) -> Limits: ...

    def incoming(self) -> AsyncIterator[Heard]:
        """What people send, each room's in order, and which chats moved. Asking for the next one says that
        the one before is stored; without that it comes again, with the same source."""

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef: ...

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        """Put *text*, with its buttons or none, in the place of what *message* said; never rings. Where one
        message does not hold it, it says what is `shorter`."""

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        """Take our own *message* away; one that is gone already is no error."""

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        """Show on a person's *message* that it was stored."""

    async def fetch(self, file: FileRef) -> bytes: ...


class DeliveringChat(ChatAdapter, Protocol):
    """A chat behind a network, which gets what is said as deliveries: stored, then sent until it has them."""

    def cut(self, what: Outgoing) -> list[str]:
        """The messages that *what* comes to here, each in a form that is stored and sent as it is."""

    async def deliver(
        self,
        room: RoomAddress,
        body: str,
        *,
        mark: str = "",
        replies: bool = True,
        once: str = "",
        hush: bool = False,
    ) -> MessageRef:
        """Send one of `cut`'s messages; *mark* stands above it on a line of its own. It *replies* to what it
        was made to reply to, unless the room has moved since. *once* names this delivery, the same at every
        try, for a chat that can keep it to one. *hush*: nobody is called for it."""

    def private_to(self, room: RoomAddress) -> str:
        """The id of the one person who can be there besides us, empty where others can be too."""

    def sealed(self, room: RoomAddress) -> bool:
        """Whether what is said there is encrypted from one device to the other."""

    async def readers(self, room: RoomAddress, people: Collection[str]) -> Readers:
        """How many read along there, and which of *people* are among them."""

    def drafts(self, room: RoomAddress) -> bool:
        """Whether what is being written can be shown there as that, beside all messages."""

    async def draft(self, room: RoomAddress, number: int, text: Text) -> None:
        """Show for half a minute what is being written under *number*, which is a prompt's; no words: nothing
        yet, or no more. A person may stop that prompt there."""

    async def typing(self, room: RoomAddress) -> None:
        """Show for a few seconds that something is being written."""

    def most_a_minute(self, room: RoomAddress) -> int:
        """Messages and edits that the chat of *room* takes in a minute, of all its rooms; 0: no limit."""

    async def pin(self, room: RoomAddress, message: MessageRef) -> None:
        """Let *message* of ours stand out in its room; nobody is called for it. Errors: `Why.FORBIDDEN`."""

    async def unpin(self, room: RoomAddress, message: MessageRef) -> None:
        """Let it be a message like any other; one that is no more than that, or gone, is no error."""

    def pace(self, room: RoomAddress, elapsed: float) -> float:
        """Seconds between two edits of the progress of a turn that has taken *elapsed* seconds."""

    async def open_thread(self, room: RoomAddress, title: str) -> RoomAddress:
        """A new thread in the chat of *room* that people see as *title*, cut to what is allowed; called where
        a message said that there are `threads`. Errors: `Why.THREAD` where none can be opened after all."""

    async def rename_thread(self, room: RoomAddress, title: str) -> None:
        """Let people see the thread *room* as *title*, where threads have names; that they do is no error."""

    async def make_room(self, name: str, title: str, people: Collection[str]) -> RoomAddress:
        """A room of ours called *title*, into which *people* are asked: under the same *name* it is the same
        one. Errors: `Why.UNKNOWN` where we make none, `Why.GONE` where what has the name is none of ours."""

    async def ask_in(self, room: RoomAddress, people: Collection[str]) -> None:
        """Into a room of ours; who was asked before is not asked again."""

    async def our_device(self) -> OurDevice | None:
        """What we encrypt with, as far as is known; None where we don't. Errors: none."""

    async def called(self) -> tuple[str, ...]:
        """What we are called there, without `@`; waits until the platform has said so."""

    async def pressed(self, press: Press, words: str = "") -> bool:
        """Let the button rest: its press is stored. One that is too old is no error. Whether the person, and
        nobody else, was shown *words* (Markdown)."""
