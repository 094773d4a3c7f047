"""The queue in the real store, under any order of what people, agents and crashes do to it."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from core.dispatch.queue import decide
from core.model.conversation import Conversation
from core.model.events import Recovering
from core.model.ids import ConversationId, PromptId
from core.model.project import HOST_AGENT_GROUP, Project
from core.model.prompt import Prompt, Status
from core.model.slots import Caps, conversation_key, keys_of
from core.store import aside, projects, prompts, queue, turns
from core.store.queue import Work
from core.store.turns import Ending
from tests.support.store import (
    DONE,
    NOW,
    a_conversation,
    a_project,
    connected,
    finish,
    new_agent,
    step,
    submit,
)

CAPS = Caps(per_engine=3, total=4)
GROUPS = st.lists(st.sampled_from(["salon", "tv", "media", HOST_AGENT_GROUP]), unique=True).map(tuple)
ROUNDS_MOST = 400


class Queue(RuleBasedStateMachine):
    """*running* is what this machine knows to hold keys, with the groups that counted at its claim. Of those
    *given* have no place, *bare* neither project nor groups either; *wanted* could go on."""

    conversations = Bundle("conversations")
    asked = Bundle("asked")

    @initialize(target=conversations)
    def begin(self) -> object:
        self.folder = Path(tempfile.mkdtemp())
        self.db = connected(self.folder / "roost.db")
        self.projects: list[Project] = []
        self.running: dict[PromptId, Work] = {}
        self.given: set[PromptId] = set()
        self.bare: set[PromptId] = set()
        self.wanted: set[PromptId] = set()
        self.order: dict[ConversationId, list[PromptId]] = {}
        one = self.found_project(("salon", "tv"), "codex")
        other = self.found_project(("media", "tv"), "claude")
        return multiple(*(a_conversation(self.db, project) for project in (one, one, other)))

    def teardown(self) -> None:
        if hasattr(self, "db"):
            self.everybody_gets_a_turn()
            self.db.close()
            shutil.rmtree(self.folder)

    @rule(target=conversations, groups=GROUPS, engine=st.sampled_from(["codex", "claude"]))
    def another_project(self, groups: tuple[str, ...], engine: str) -> Conversation:
        return a_conversation(self.db, self.found_project(groups, engine))

    def found_project(self, groups: tuple[str, ...], engine: str) -> Project:
        self.projects.append(a_project(self.db, f"project-{len(self.projects)}", groups, engine))
        return self.projects[-1]

    @rule(groups=GROUPS, data=st.data())
    def change_groups(self, groups: tuple[str, ...], data: st.DataObject) -> None:
        project = data.draw(st.sampled_from(self.projects))
        projects.change(self.db, replace(project, groups=groups))

    @rule(target=asked, conversation=conversations)
    def ask(self, conversation: Conversation) -> Prompt:
        prompt = submit(self.db, conversation)
        self.order.setdefault(conversation.id, []).append(prompt.id)
        return prompt

    @rule()
    def claim(self) -> None:
        for work in queue.claim(self.db, decide, CAPS, new_agent, now=NOW):
            assert work.back is (work.prompt.id in self.wanted) is (work.prompt.id in self.running)
            if not work.back or work.prompt.id in self.bare:
                self.excludes_nobody(work)
            kept = self.running.get(work.prompt.id, work)
            self.running[work.prompt.id] = work if work.prompt.id in self.bare else kept
            for known in (self.given, self.bare, self.wanted):
                known.discard(work.prompt.id)

    def excludes_nobody(self, work: Work) -> None:
        mine = self.order[work.conversation.id]
        for earlier in mine[: mine.index(work.prompt.id)]:
            assert prompts.get(self.db, earlier).status.ended
        for number, other in self.running.items():
            if number not in self.bare:
                now = projects.get(self.db, other.project.id)
                taken = now.excluding_groups | other.project.excluding_groups
                assert not work.project.excluding_groups & taken
                assert work.project.id != other.project.id

    def at_work(self) -> list[PromptId]:
        """Those that run and have a place."""
        at_work = sorted(set(self.running) - self.given)
        return [number for number in at_work if not prompts.get(self.db, number).status.ended]

    @precondition(lambda self: self.running)
    @rule(data=st.data(), everything=st.booleans())
    def give(self, data: st.DataObject, everything: bool) -> None:
        """Nobody answers its agent, or its account is used up."""
        if not (able := self.at_work()):
            return
        number = data.draw(st.sampled_from(able))
        self.given.add(number)
        if everything:
            aside.give_all(self.db, number, self.running[number].conversation.id)
            self.bare.add(number)
        else:
            aside.give_place(self.db, number)

    @precondition(lambda self: self.given)
    @rule(data=st.data())
    def want(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.given)))
        if not prompts.get(self.db, number).status.ended and not prompts.get(self.db, number).cancelling:
            assert not aside.want(self.db, number)
            self.wanted.add(number)

    @rule()
    def crash_in_a_claim(self) -> None:
        """Killed before the commit: nobody runs that did not run before."""
        self.db.execute("BEGIN IMMEDIATE")
        queue.claim(self.db, decide, CAPS, new_agent, now=NOW)
        self.restart()

    @rule()
    def restart(self) -> None:
        self.db.close()
        self.db = connected(self.folder / "roost.db")
        assert {work.prompt.id for work in queue.held(self.db)} == set(self.running)

    @precondition(lambda self: self.running)
    @rule(data=st.data(), released=st.booleans())
    def end(self, data: st.DataObject, released: bool) -> None:
        """Answered; its process may still be there, and holds the keys until it has gone."""
        work = self.running[data.draw(st.sampled_from(sorted(self.running)))]
        turns.end(self.db, [step(work)], DONE, now=NOW)
        if released:
            queue.release(self.db, work.prompt.id)
            self.forget(work.prompt.id)
        self.wanted.discard(work.prompt.id)

    def forget(self, number: PromptId) -> None:
        del self.running[number]
        for known in (self.given, self.bare, self.wanted):
            known.discard(number)

    @precondition(lambda self: self.running)
    @rule(data=st.data())
    def recover(self, data: st.DataObject) -> None:
        """The machine went down with an agent: its prompt keeps what it holds and gets another one."""
        work = self.running[data.draw(st.sampled_from(sorted(self.running)))]
        if not prompts.get(self.db, work.prompt.id).status.ended:
            note = Recovering("interrupted")
            turns.follow_up(self.db, [step(work)], note, outcome="interrupted", now=NOW)
            turns.begin(self.db, work.prompt.id, new_agent(), session=None, carry_on=False, now=NOW)

    @rule(prompt=consumes(asked))
    def cancel(self, prompt: Prompt) -> None:
        before = prompts.get(self.db, prompt.id).status
        done = prompts.cancel(self.db, prompt.id, now=NOW)
        after = prompts.get(self.db, prompt.id)
        assert bool(done) != before.ended
        if before is Status.QUEUED:
            assert (after.status, after.started_at) == (Status.CANCELLED, None)
        elif before is Status.RUNNING:
            assert turns.end(self.db, [step(self.running[prompt.id])], DONE, now=NOW) is Status.CANCELLED
            self.wanted.discard(prompt.id)

    @invariant()
    def holders_are_who_we_know(self) -> None:
        if not hasattr(self, "db"):
            return
        _, holders = queue.line(self.db)
        assert {holder.prompt for holder in holders} == set(self.running)
        held = {row["key"]: row["prompt"] for row in self.db.execute("SELECT * FROM holds")}
        given = {
            key: work.prompt.id
            for work in self.running.values()
            for key in keys_of(work.conversation.id, work.project)
            if work.prompt.id not in self.bare or key == conversation_key(work.conversation.id)
        }
        assert held == given
        engines = [holder.engine for holder in holders if holder.seated]
        assert {holder.prompt for holder in holders if not holder.seated} == self.given
        assert len(engines) <= CAPS.total
        assert max(map(engines.count, engines), default=0) <= CAPS.per_engine

    @invariant()
    def one_runs_in_a_conversation(self) -> None:
        if hasattr(self, "db"):
            found = self.db.execute("SELECT conversation FROM prompts WHERE status = 'running'").fetchall()
            assert len(found) == len({row["conversation"] for row in found})

    def everybody_gets_a_turn(self) -> None:
        """Turns end sooner or later, the oldest first; then all that ever waited is run, also what had given
        up its place."""
        for number in self.given - self.wanted:
            if not prompts.get(self.db, number).status.ended:
                aside.want(self.db, number)
                self.wanted.add(number)
        for _ in range(ROUNDS_MOST):
            self.claim()
            over = [number for number in self.running if number not in self.wanted]
            if not over:
                break
            finish(self.db, self.running[over[0]], Ending(Status.FAILED))
            self.forget(over[0])
        assert not prompts.every_open(self.db)
        assert not queue.line(self.db)[1]


TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
