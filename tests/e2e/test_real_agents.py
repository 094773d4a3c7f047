"""The whole of Roost with the real Claude Code, OpenCode and Gemini, which speak to a scripted model."""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass, field, replace

import pytest

from core.model.events import (
    Asked,
    Compacted,
    Grant,
    Message,
    MessageDelta,
    PlanUpdated,
    Recovering,
    Resolved,
    Retrying,
    ToolCall,
    ToolKind,
)
from core.model.ids import PromptId, SessionId
from core.model.project import Access
from core.model.prompt import Status
from core.store import conversations, turns
from tests.e2e.test_codex import agents, drawn
from tests.e2e.test_codex_spoken import asking, compact, decide, question
from tests.support.codex import script
from tests.support.real import Real, connections, real, tree
from tests.support.whole import Room, Service, SwiftClock, Whole, until

pytestmark = pytest.mark.timeout(180)
__all__ = ["real"]

PATIENT = 90.0
"""Seconds that a turn may take where two of them start at once on a busy machine."""


async def ask(whole: Whole, text: str) -> PromptId:
    """A prompt that is done."""
    prompt = await whole.submit(text)
    ended = await whole.ended(prompt, seconds=PATIENT)
    assert (ended.status, ended.reason) == (Status.DONE, ""), await whole.shown(prompt)
    return prompt


async def agent_of(whole: Whole, prompt: PromptId) -> str:
    return str((await whole.app.store.read(turns.latest, prompt)).agent)


async def test_what_it_says_makes_and_is_shown_from_one_prompt_to_the_next(real: Real) -> None:
    """Steps, a file, a picture out and one in; warm, forked, compacted, and cold."""
    picture = base64.b64encode(drawn("WEBP")).decode()
    answer = "<!-- roost-title: The chart -->\nHere it is:\n\n![chart](output/chart.webp)\n\nDone."
    plan: list[list[dict[str, object]]] = [[{"plan": [["draw", "in_progress"]]}]]
    plan = plan if real.name == "opencode" else []  # the other two offer their models no tool for it
    async with real.whole() as whole:
        made = whole.workspace / "notes.txt"
        first = await ask(
            whole,
            script(
                *plan,
                [{"write": {"path": str(made), "content": "hello\n"}}],
                [{"shell": f"mkdir -p output && echo {picture} | base64 -d >output/chart.webp"}],
                [{"text": answer, "delay": 0.01}],
            ),
        )
        events, found = await whole.events(first), await whole.answer(first)
        assert found.text == "Here it is:\n\n![chart](output/chart.webp)\n\nDone."
        (placed,) = found.placed
        assert (placed.kind, placed.name) == ("photo", "chart.webp")
        assert whole.app.means.media.path(placed.media).read_bytes() == drawn("WEBP")
        assert (await whole.talk()).title == "The chart"
        assert made.read_text() == "hello\n"
        steps = [event for event in events if isinstance(event, ToolCall)]
        assert {ToolKind.EDIT, ToolKind.EXECUTE} <= {step.kind for step in steps}
        assert any(isinstance(event, MessageDelta) for event in events)
        assert any(isinstance(event, PlanUpdated) for event in events) is bool(plan)

        session = (await whole.talk()).session
        room = Room(whole)
        await room.says("What is it?", {"photo.png": drawn("PNG")})
        (second,) = room.took
        await whole.ended(second, seconds=PATIENT)
        assert (await whole.answer(second)).text == "ECHO images=1 users=2: What is it?"
        assert await agent_of(whole, first) == await agent_of(whole, second)
        assert connections(await agent_of(whole, first)) == []

        able = whole.app.catalogue.engine(real.name).capabilities
        if able.compact:
            ended = await whole.ended(await compact(whole), seconds=PATIENT)
            assert (ended.status, ended.reason) == (Status.DONE, "")
            assert any(isinstance(event, Compacted) for event in await whole.events(ended.id))
            assert (await whole.talk()).baseline
        if able.fork:
            await fork(whole, session)
    async with real.whole(warm=0) as again:
        whole = replace(again, conversation=whole.conversation)
        third = await ask(whole, "And on")
        assert await session_of(whole) == session
        assert (await whole.answer(third)).text.endswith(": And on")
        assert await agent_of(whole, third) != await agent_of(whole, first)
        await whole.quiet()
    assert [asked for asked in real.astray if real.seeks not in asked] == []
    assert real.told_once()


async def test_every_process_of_a_session_has_all_that_was_said(real: Real) -> None:
    """However soon the next one follows: because another model is wanted, or none is kept."""
    async with real.whole() as whole:
        first = await ask(whole, "One")
        await whole.app.store.write(conversations.set_model, whole.conversation, real.other)
        second = await ask(whole, "Two")
        assert await agent_of(whole, first) != await agent_of(whole, second)
        third = await ask(whole, "Three")
        assert await agent_of(whole, second) == await agent_of(whole, third)
    for number, text in enumerate(("Four", "Five", "Six"), 4):
        async with real.whole(warm=0) as again:
            whole = replace(again, conversation=whole.conversation)
            prompt = await ask(whole, text)
            assert (await whole.answer(prompt)).text == f"ECHO images=0 users={number}: {text}"
            assert Recovering("session_gone") not in await whole.events(prompt)
    assert real.told_once()


async def session_of(whole: Whole) -> str:
    """By its name, without what only one process knows it by."""
    return str((await whole.talk()).session).strip()


async def fork(whole: Whole, session: SessionId | None) -> None:
    forked = await whole.app.store.write(
        conversations.fork, whole.conversation, natively=True, now=time.time()
    )
    prompt = await whole.submit("Two", conversation=forked.id)
    assert (await whole.ended(prompt, seconds=PATIENT)).status is Status.DONE
    assert (await whole.talk(forked.id)).session not in (None, session)
    assert (await whole.talk()).session == session


LONG = "perl -e 'sleep 300'"
"""Claude Code refuses a bare `sleep`."""


# -- cancel ----------------------------------------------------------------------------------------------


async def test_cancelled_in_a_stream_and_in_a_tool_nothing_is_left(real: Real) -> None:
    async with real.whole() as whole:
        speaks = await whole.submit(script([{"text": "word " * 300, "delay": 0.2}]))
        await seen(whole, speaks, MessageDelta)
        (first,) = agents(whole)
        await cancelled(whole, speaks, first)
        assert (await whole.answer(speaks)).text.startswith("word")

        works = await whole.submit(script([{"text": "Now."}, {"shell": LONG}], [{"text": "Done."}]))
        await until(lambda: any("perl" in tree(agent) for agent in agents(whole)), PATIENT)
        (second,) = agents(whole)
        assert tree(first) == []
        await cancelled(whole, works, second)
        found = await whole.answer(works)
        assert (found.text, found.partial) == ("Now.", True)

        session = await session_of(whole)
        after = await ask(whole, "Go on")
        assert await session_of(whole) == session
        assert (await whole.answer(after)).text.endswith(": Go on")
    assert real.told_once()


async def seen(whole: Whole, prompt: PromptId, kind: type) -> None:
    """Wait for an event of that kind in a turn that has not ended."""

    async def there() -> bool:
        events = await whole.events(prompt)
        found = any(isinstance(event, kind) for event in events)
        assert found or not (await whole.prompt(prompt)).status.ended, (await whole.shown(prompt), events)
        return found

    await until(there, PATIENT)


async def cancelled(whole: Whole, prompt: PromptId, agent: str) -> None:
    began = time.monotonic()
    await whole.cancel(prompt)
    assert (await whole.ended(prompt)).status is Status.CANCELLED
    await whole.quiet()
    assert tree(agent) == []
    limits = whole.app.means.limits
    assert time.monotonic() - began < limits.asking + limits.grace + 5


# -- what goes wrong -------------------------------------------------------------------------------------


@dataclass
class Patient(SwiftClock):
    """By the time that Roost has waited, the limit is over."""

    real: Real | None = field(default=None)

    async def sleep(self, seconds: float) -> None:
        if seconds >= 15 and self.real:
            self.real.model.refusing = 0
        await super().sleep(seconds)


async def test_a_rate_limit_is_waited_out_and_the_words_are_not_repeated(real: Real) -> None:
    clock = Patient(real=real)
    async with real.whole(clock=clock) as whole:
        real.model.refusing = 429
        prompt = await ask(whole, script([{"text": "fine"}]))
        assert [event for event in await whole.events(prompt) if isinstance(event, Retrying)] == [
            Retrying("rate_limit", 15.0, 1, 3)
        ]
        assert (await whole.answer(prompt)).text
    assert clock.waited == [15.0]
    assert real.told_once()


async def test_a_session_that_is_gone_is_told_and_begun_anew(real: Real) -> None:
    async with real.whole() as whole:
        await whole.app.store.write(
            lambda db: db.execute("UPDATE conversations SET session = ?", (real.unknown,)).rowcount
        )
        prompt = await ask(whole, "Hello again")
        assert Recovering("session_gone") in await whole.events(prompt)
        assert (await whole.answer(prompt)).text == "ECHO images=0 users=1: Hello again"
        assert (await whole.talk()).session not in (None, real.unknown)


async def test_a_fork_of_a_session_that_is_gone_is_told_what_was_said(real: Real) -> None:
    async with real.whole() as whole:
        if not whole.app.catalogue.engine(real.name).capabilities.fork:
            return
        await ask(whole, "One")
        await whole.app.store.write(
            lambda db: db.execute("UPDATE conversations SET session = ?", (real.unknown,)).rowcount
        )
        forked = await whole.app.store.write(
            conversations.fork, whole.conversation, natively=True, now=time.time()
        )
        prompt = await whole.submit("Two", conversation=forked.id)
        ended = await whole.ended(prompt, seconds=PATIENT)
        assert ended.status is Status.DONE, await whole.shown(prompt)
        assert Recovering("session_gone") in await whole.events(prompt)
    assert "user: One" in real.model.calls[-1].users[-1]


async def test_without_a_login_it_says_so_at_once(real: Real) -> None:
    clock = SwiftClock()
    async with real.whole(clock=clock) as whole:
        await ask(whole, "Hello")
        session = (await whole.talk()).session
        real.model.refusing = 401
        prompt = await whole.submit("Hello")
        ended = await whole.ended(prompt, seconds=PATIENT)
        assert (ended.status, ended.reason) == (Status.FAILED, "engine.login"), await whole.shown(prompt)
        assert "Incorrect API key provided" in await whole.shown(prompt)
        assert (await whole.talk()).session == session
    assert clock.waited == []


async def test_a_compaction_that_fails_costs_neither_the_session_nor_what_waits(real: Real) -> None:
    """Case 65. Gemini has none that can be asked for."""
    async with real.whole() as whole:
        if not whole.app.catalogue.engine(real.name).capabilities.compact:
            return
        await ask(whole, "Hello")
        session = (await whole.talk()).session
        real.model.refusing = 401
        compaction = await compact(whole)
        waiting = await whole.submit("And on")
        ended = await whole.ended(compaction, seconds=PATIENT)
        said = {"claude": "engine.login", "opencode": "engine.failed"}  # the latter gives no reason
        assert (ended.status, ended.reason) == (Status.FAILED, said[real.name])
        assert (await whole.talk()).session == session
        assert (await whole.talk()).baseline is None
        await whole.ended(waiting, seconds=PATIENT)
        real.model.refusing = 0
        await ask(whole, "Once more")
        assert (await whole.talk()).session == session


# -- approvals and restarts ------------------------------------------------------------------------------


ONCE = "echo once >>made; python3 -V"
"""What no engine does without asking."""


async def test_roost_is_killed_in_a_question_and_in_the_turn_and_all_happens_once(real: Real) -> None:
    async with real.whole(duty=False, access=Access.WORKSPACE) as whole:
        await asking(whole)
        prompt = await whole.submit(script([{"shell": ONCE}], [{"sleep": 2}, {"text": "FINAL"}]))
        with Service(real.config(), real.env) as service:
            service.start()
            await seen(whole, prompt, Asked)
            one, number = await question(whole, prompt)
            assert "made" in one.title
            service.end()
            await decide(whole, number, one, Grant.ONCE)
            service.start()
            await until(lambda: len(real.model.calls) >= 2, PATIENT)
            service.end()
            service.start()
            assert (await whole.ended(prompt, seconds=PATIENT)).status is Status.DONE
            assert (await whole.answer(prompt)).text == "FINAL"
        events = await whole.events(prompt)
        assert events.count(Resolved(one.key)) == 1
        assert [event.text for event in events if isinstance(event, Message)] == ["FINAL"]
        assert (whole.workspace / "made").read_text() == "once\n"
    assert [len(call.users) for call in real.model.calls] == [1, 1]


async def test_roost_is_killed_while_the_context_is_compacted(real: Real) -> None:
    """It goes on meanwhile; it is done once, and what waits behind it runs. Gemini has none."""
    async with real.whole(duty=False) as whole:
        if not whole.app.catalogue.engine(real.name).capabilities.compact:
            return
        with Service(real.config(), real.env) as service:
            service.start()
            await ask(whole, "Hello")
            before, session = len(real.model.calls), (await whole.talk()).session
            real.model.slow = 3.0
            compaction = await compact(whole)
            waiting = await whole.submit("And on")
            await until(lambda: len(real.model.calls) > before, PATIENT)
            service.end()
            service.start()
            ended = await whole.ended(compaction, seconds=PATIENT)
            assert (ended.status, ended.reason) == (Status.DONE, ""), await whole.shown(compaction)
            compacted = [one for one in await whole.events(compaction) if isinstance(one, Compacted)]
            assert len(compacted) == 1
            assert len(real.model.calls) - before <= 2  # and what waits may have begun
            real.model.slow = 0.0
            assert (await whole.ended(waiting, seconds=PATIENT)).status is Status.DONE
        talk = await whole.talk()
        assert talk.session == session
        assert talk.baseline
        assert talk.baseline.turns == 1


async def test_what_a_person_denies_is_not_done(real: Real) -> None:
    async with real.whole(access=Access.WORKSPACE) as whole:
        await asking(whole)
        prompt = await whole.submit(script([{"shell": ONCE}], [{"text": "Done."}]))
        await seen(whole, prompt, Asked)
        one, number = await question(whole, prompt)
        await decide(whole, number, one, Grant.DENY)
        assert (await whole.ended(prompt, seconds=PATIENT)).status is Status.DONE
        assert not (whole.workspace / "made").exists()
        assert Resolved(one.key) in await whole.events(prompt)
