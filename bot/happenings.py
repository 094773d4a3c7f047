"""What people do to a room without a word: we come and go, topics get names, others join."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from bot.access import Role
from bot.bodies import sendable
from bot.chat import (
    DeliveringChat,
    Happened,
    Joined,
    Missed,
    Named,
    Person,
    RoomAddress,
    Standing,
    Stranded,
    Text,
)
from bot.handlers import mirroring
from bot.handlers.desk import Desk, shown
from bot.handlers.folders import named_after
from bot.handlers.room import open_to
from bot.replies import group as reply
from bot.roster import Roster
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.ids import RoomId
from core.model.project import Project
from core.store import accounts, conversations, deliveries, mirrors, own_rooms, people, projects, threads
from core.store.conversations import Room
from core.store.database import Db


class Happenings:
    """Followed in the store, each in one transaction with what is said about it."""

    def __init__(self, chat: DeliveringChat, desk: Desk, roster: Roster) -> None:
        self._chat = chat
        self._desk = desk
        self._roster = roster

    def follow(self, db: Db, happened: Happened, *, now: float) -> list[Text]:
        """What the room is to read about it; what its owners are, is due."""
        place, project = _look(db, happened.room)
        texts = self._desk.words(place.language)
        if isinstance(happened, Standing | Joined):
            self._learn(db, happened, place, now=now)
        match happened:
            case Named():
                self._name(db, happened, place, project, now=now)
                return []
            case Joined():
                return self._join(db, happened, place, project, texts, now=now)
            case Standing():
                private = self._chat.private_to(happened.room)
                return [] if private else self._stand(db, happened, project, texts, now=now)
            case Stranded():
                if project:
                    self.tell(db, reply.stranded(happened, project.name, self._desk.words("")), now=now)
                return []
            case Missed():
                return [reply.missed(texts)] if self._concerned(happened.room, project) else []
            case _:
                assert_never(happened)

    def _learn(self, db: Db, happened: Standing | Joined, place: Room, *, now: float) -> None:
        """What it says of the room besides."""
        if happened.public:
            self.opened(db, happened.room, now=now)
        if happened.title:
            _entitle(db, place, happened.title)

    def tell(self, db: Db, text: Text, *, note: str = "", now: float) -> None:
        """Say *text* to everybody who owns this Roost here, each in private; a *note* of that name once a day
        at most."""
        if note and not accounts.note(db, self._chat.platform, self._chat.account, note, now=now):
            return
        bodies = sendable(self._chat, [text])
        for owner in self._roster.owners:
            private = conversations.room(db, self._chat.platform, self._chat.account, owner)
            deliveries.add(db, private.id, bodies, now=now)

    def _concerned(self, room: RoomAddress, project: Project | None) -> bool:
        """Whether somebody who may is at work there."""
        return bool(project or self._chat.private_to(room)) and self._roster.reads(room)

    # -- we come and go --------------------------------------------------------------------------------

    def _stand(
        self, db: Db, told: Standing, project: Project | None, texts: Texts, *, now: float
    ) -> list[Text]:
        if not told.inside:
            own_rooms.left(db, told.room.platform, told.room.account, told.room.chat)
            self._reads_changed(db, told.room, now=now)
            if project:
                self.tell(db, reply.taken_out(told, project.name, self._desk.words("")), now=now)
            return []
        if not told.new:
            return [reply.hears(texts) if told.hears else reply.deaf(told.remedy, texts)] if project else []
        return self._begin(db, told, project, texts, now=now)

    def _begin(
        self, db: Db, told: Standing, project: Project | None, texts: Texts, *, now: float
    ) -> list[Text]:
        """Whoever may not work with us there gets nothing by taking us in."""
        rights = self._roster.rights(told.person)
        role = rights.within(project.id if project else None)
        if not role.at_least(Role.MEMBER):
            if role is not Role.STRANGER or self._knocked(db, told.person, now=now):
                self.tell(db, reply.taken_in(told, self._desk.words("")), now=now)
            return []
        if project:
            return [reply.back(project.name, told, texts)]
        known, adds = open_to(db, rights, own=False), role is Role.OWNER
        fresh = named_after(told.title, projects.every(db))
        return reply.welcome(self._desk.machine, known, told, texts, adds=adds, fresh=fresh)

    def _knocked(self, db: Db, person: Person, *, now: float) -> bool:
        return people.knocked(db, self._chat.platform, person.id, person.name, now=now)

    # -- others join -----------------------------------------------------------------------------------

    def _join(
        self, db: Db, told: Joined, place: Room, project: Project | None, texts: Texts, *, now: float
    ) -> list[Text]:
        """Owners hear of strangers who read along from now on; the room is told its rules once."""
        if project is None:
            return []
        strangers = [one for one in told.people if not self._sees(one, project)]
        if strangers:
            said = reply.joined(strangers, told.title, project.name, self._desk.words(""))
            self.tell(db, said, now=now)
            self._reads_changed(db, told.room, now=now)
        alone = self._chat.private_to(told.room)
        return [reply.rule(texts)] if told.people and not alone and threads.rule(db, place.id) else []

    def _sees(self, person: Person, project: Project) -> bool:
        return self._roster.rights(person).within(project.id) is not Role.STRANGER

    def opened(self, db: Db, room: RoomAddress, *, now: float) -> bool:
        """Anybody at all can read along in the chat of *room*: owners are told once. Whether they know."""
        place, project = _look(db, replace(room, thread=""))
        if project and threads.public(db, place.id):
            self.tell(db, reply.public(project.name, self._desk.words("")), now=now)
            self._reads_changed(db, room, now=now)
        return project is not None

    def sealed(self, db: Db, room: RoomAddress, *, now: float) -> None:
        """What is said in *room* is encrypted by now: it is seen elsewhere once an owner agrees to that."""
        place, _ = _look(db, room)
        if mirrors.seal(db, place.id):
            self._ask_again(db, [place.id], now=now)

    def _reads_changed(self, db: Db, room: RoomAddress, *, now: float) -> None:
        """Others read in its chat than when an owner agreed to what is seen there."""
        self._ask_again(db, mirrors.in_chat(db, room.platform, room.account, room.chat), now=now)

    def _ask_again(self, db: Db, rooms: list[RoomId], *, now: float) -> None:
        for room, question in mirroring.changed(db, rooms, self._desk.words_on, now=now):
            deliveries.add(db, room, sendable(self._chat, [question]), now=now)

    # -- topics get names ------------------------------------------------------------------------------

    def _name(self, db: Db, told: Named, place: Room, project: Project | None, *, now: float) -> None:
        """What a person calls a topic, its conversation is called too, where they may work in its project;
        what an app calls it, only until there is a title."""
        if not told.room.thread:
            _entitle(db, place, told.name)
            return
        threads.named(db, place.id, told.name)
        if project is None or not self._roster.rights(told.person).within(project.id).at_least(Role.MEMBER):
            return
        if told.chosen and place.conversation:
            conversations.rename(db, place.conversation, told.name)
        elif not (told.chosen or place.conversation):
            texts, engine = self._desk.words(place.language), self._desk.engine_for(project)
            begun = conversations.begin(db, project.id, engine=engine, language=texts.language, now=now)
            conversations.bind(db, place.id, project.id, begun.id)


def _look(db: Db, room: RoomAddress) -> tuple[Room, Project | None]:
    found = conversations.room(db, room.platform, room.account, room.chat, room.thread)
    project, _ = shown(db, found)
    return found, project


def _entitle(db: Db, place: Room, title: str) -> None:
    threads.entitle(db, place.id, plain_label(title))
