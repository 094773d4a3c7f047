"""The whole of Roost with the real Codex app server: asked, told more, compacted, forked, kept warm."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from core.dispatch.bell import ring
from core.model.conversation import Approvals
from core.model.events import (
    Asked,
    Compacted,
    Grant,
    MessageDelta,
    Recovering,
    Resolved,
    Retrying,
    ToolCall,
    Usage,
)
from core.model.ids import ConversationId, EventId, PromptId
from core.model.prompt import Kind, Source, Status
from core.store import conversations, log, prompts, said, turns
from core.store.said import Reply
from tests.e2e.test_codex import asked as model_asked
from tests.e2e.test_codex import configured_codex, forget, whole_roost
from tests.support.codex import ScriptedCodex, script, scripted_codex
from tests.support.codex_app import escalated
from tests.support.whole import Service, SwiftClock, Whole, until

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]


@pytest.fixture
def config(scripted_codex: ScriptedCodex, tmp_path: Path) -> Path:
    return configured_codex(scripted_codex, tmp_path, "app-server")


async def question(whole: Whole, prompt: PromptId) -> tuple[Asked, EventId]:
    """What Codex asks in *prompt*, once it does, and the number of its event."""

    async def there() -> bool:
        return any(isinstance(one, Asked) for one in await whole.events(prompt))

    await until(there)
    found, _ = await whole.app.store.read(log.of_prompt, prompt)
    (one,) = (each for each in found if isinstance(each.event, Asked))
    assert isinstance(one.event, Asked)
    return one.event, one.id


async def decide(whole: Whole, number: EventId, asked: Asked, grant: Grant) -> None:
    choice = next(one for one in asked.choices if one.grant is grant)
    turn = await whole.app.store.read(log.turn_of, number)
    await whole.app.store.write(said.reply, Reply(turn, asked.key, choice.id, person="Ann"), now=time.time())
    ring(whole.app.data_dir)


async def asking(whole: Whole) -> None:
    await whole.app.store.write(conversations.set_approvals, whole.conversation, Approvals.ASK)


@pytest.mark.parametrize(("grant", "made"), [(Grant.ONCE, True), (Grant.DENY, False)])
async def test_a_step_waits_for_a_persons_word(
    config: Path, scripted_codex: ScriptedCodex, grant: Grant, made: bool
) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        await asking(whole)
        prompt = await whole.submit(script([escalated("touch made")], [{"text": "Done."}]))
        asked, number = await question(whole, prompt)
        assert "touch made" in asked.title
        await decide(whole, number, asked, grant)
        assert (await whole.ended(prompt)).status is Status.DONE
        assert (whole.workspace / "made").exists() is made
        assert Resolved(asked.key) in await whole.events(prompt)


async def test_roost_is_killed_while_a_question_is_open(config: Path, scripted_codex: ScriptedCodex) -> None:
    """The answer that comes while it is away counts, and no word is said twice."""
    async with whole_roost(config, scripted_codex, duty=False) as whole:
        await asking(whole)
        prompt = await whole.submit(script([escalated("echo once >>made")], [{"text": "Done."}]))
        with Service(config, scripted_codex.env) as service:
            service.start()
            asked, number = await question(whole, prompt)
            service.end()
            await decide(whole, number, asked, Grant.ONCE)
            service.start()
            assert (await whole.ended(prompt)).status is Status.DONE
        assert (whole.workspace / "made").read_text() == "once\n"
    assert [len(call.users) for call in scripted_codex.model.calls] == [1, 1]


async def test_a_running_turn_is_told_more(config: Path, scripted_codex: ScriptedCodex) -> None:
    """What was told ends with that, and is no prompt of its own."""
    async with whole_roost(config, scripted_codex) as whole:
        first = await whole.submit(script([{"shell": "sleep 1"}], [{"text": "."}]))
        await model_asked(scripted_codex.model, 1)
        second = await whole.submit("use the other file", beside="> a.txt")
        assert await whole.app.store.write(said.steer, second)
        ring(whole.app.data_dir)
        told = await whole.ended(second)
        assert (told.status, told.reason) == (Status.DONE, "prompt.told")
        assert (await whole.ended(first)).status is Status.DONE
    assert scripted_codex.model.calls[-1].users[-1] == "use the other file\n\n> a.txt"
    assert sum("use the other file" in "".join(call.users[-1:]) for call in scripted_codex.model.calls) == 1


async def test_a_used_up_account_is_waited_for(config: Path, scripted_codex: ScriptedCodex) -> None:
    """With the answer of the real Codex, whose gateway says when the account is renewed."""
    ends, clock = int(time.time()) + 600, SwiftClock()
    headers = {
        "x-codex-primary-used-percent": "100",
        "x-codex-primary-window-minutes": "300",
        "x-codex-primary-reset-at": str(ends),
    }
    body = {"error": {"type": "usage_limit_reached", "message": "limit", "resets_at": ends}}
    used_up: dict[str, object] = {"status": 429, "body": body, "headers": headers}
    async with whole_roost(config, scripted_codex, clock=clock) as whole:
        prompt = await whole.ask(script([used_up], [{"text": "."}]))
        assert (await whole.answer(prompt.id)).text.endswith("Carry on where you stopped.")
        (waited,) = [one for one in await whole.events(prompt.id) if isinstance(one, Retrying)]
        assert (waited.reason, waited.until, waited.attempt) == ("usage_limit", ends, 1)
    assert 500 < sum(seconds for seconds in clock.waited if seconds > 10) <= 600


async def compact(whole: Whole) -> PromptId:
    source = Source("test", "whole", f"compact-{time.monotonic_ns()}")
    accepted = await whole.app.store.write(
        prompts.accept, source, whole.conversation, "/compact", kind=Kind.COMPACT, now=time.time()
    )
    ring(whole.app.data_dir)
    return accepted.prompt.id


@pytest.mark.parametrize("warm", [0, 300])
async def test_the_context_is_compacted_and_the_baseline_kept(
    scripted_codex: ScriptedCodex, tmp_path: Path, warm: int
) -> None:
    config = configured_codex(scripted_codex, tmp_path, "app-server", first=f"warm_seconds = {warm}\n")
    async with whole_roost(config, scripted_codex) as whole:
        await whole.ask(script([{"text": "An answer"}]))
        ended = await whole.ended(await compact(whole))
        assert (ended.status, ended.reason) == (Status.DONE, "")
        assert any(isinstance(one, Compacted) for one in await whole.events(ended.id))
        baseline = (await whole.talk()).baseline
        assert baseline
        assert baseline.turns == 1
        rows = await whole.app.store.read(
            lambda db: db.execute("SELECT metadata FROM messages WHERE metadata <> '{}'").fetchall()
        )
        (metadata,) = (json.loads(row["metadata"]) for row in rows)
        assert metadata["context_compaction"]
        assert [action["status"] for action in metadata["actions"]] == ["done"]
        assert (await whole.ask("And on")).status is Status.DONE


async def test_a_compaction_that_fails_costs_neither_the_session_nor_what_waits(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    """Case 65."""
    model = scripted_codex.model
    async with whole_roost(config, scripted_codex) as whole:
        await whole.ask("Hello")
        session = (await whole.talk()).session
        model.refusing = 401
        compaction = await compact(whole)
        waiting = await whole.submit("And on")
        ended = await whole.ended(compaction)
        assert (ended.status, ended.reason) == (Status.FAILED, "engine.login")
        assert ((await whole.talk()).session, (await whole.talk()).baseline) == (session, None)
        await whole.ended(waiting)
        model.refusing = 0
        assert (await whole.ask("Once more")).status is Status.DONE
        assert (await whole.talk()).session == session


async def test_roost_is_killed_while_the_context_is_compacted(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    """It goes on meanwhile: it is done once, and what waits behind it runs."""
    model = scripted_codex.model
    async with whole_roost(config, scripted_codex, duty=False) as whole:
        with Service(config, scripted_codex.env) as service:
            service.start()
            await whole.ask("Hello")
            model.slow = 2.0
            compaction = await compact(whole)
            waiting = await whole.submit("And on")
            await model_asked(model, 2)
            service.end()
            service.start()
            ended = await whole.ended(compaction)
            assert (ended.status, ended.reason) == (Status.DONE, "")
            assert sum(isinstance(one, Compacted) for one in await whole.events(compaction)) == 1
            assert (await whole.ended(waiting)).status is Status.DONE
        assert len(model.calls) == 3
        baseline = (await whole.talk()).baseline
        assert baseline
        assert baseline.turns == 1


async def test_a_session_that_is_gone_is_begun_anew_instead(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        unknown = "01a22b5f-0000-7213-a3bd-e7801b866283"
        await whole.app.store.write(
            lambda db: db.execute("UPDATE conversations SET session = ?", (unknown,)).rowcount
        )
        ended = await whole.ended(await compact(whole))
        assert ended.status is Status.DONE
        talk = await whole.talk()
        assert (talk.session, talk.baseline is not None) == (None, True)
        assert (await whole.ask("Hello")).status is Status.DONE


async def test_a_fork_knows_what_was_said_and_leaves_its_parent_alone(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        await whole.ask("One")
        before = await whole.talk()
        fork = await whole.app.store.write(
            conversations.fork, whole.conversation, natively=True, now=time.time()
        )
        prompt = await whole.submit("Two", conversation=fork.id)
        assert (await whole.ended(prompt)).status is Status.DONE
        forked = await whole.talk(ConversationId(fork.id))
        assert forked.session not in (None, before.session)
        assert (await whole.talk()).session == before.session
    assert [user.splitlines()[0] for user in scripted_codex.model.calls[-1].users] == ["One", "Two"]


async def test_a_fork_of_a_thread_that_is_gone_is_told_what_was_said(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        await whole.ask("One")
        await whole.app.store.write(forget, whole.conversation)
        fork = await whole.app.store.write(
            conversations.fork, whole.conversation, natively=True, now=time.time()
        )
        prompt = await whole.submit("Two", conversation=fork.id)
        assert (await whole.ended(prompt)).status is Status.DONE
        assert Recovering("session_gone") in await whole.events(prompt)
        assert (await whole.talk(fork.id)).session is not None
    (asked,) = scripted_codex.model.calls[-1].users
    assert asked.startswith("Two\n")
    assert "user: One" in asked


async def test_a_second_turn_finds_its_agent_warm(config: Path, scripted_codex: ScriptedCodex) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        first, second = await whole.ask("One"), await whole.ask("Two")
        agents = [(await whole.app.store.read(turns.latest, prompt.id)).agent for prompt in (first, second)]
        assert agents[0] == agents[1]
        assert any(isinstance(one, MessageDelta) for one in await whole.events(second.id))
        told = [one for one in await whole.events(second.id) if isinstance(one, Usage)]
        assert told[-1].context > 0
        assert told[-1].window > 0


async def test_a_warm_agent_that_dies_is_replaced(config: Path, scripted_codex: ScriptedCodex) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        first = await whole.ask("One")
        agent = (await whole.app.store.read(turns.latest, first.id)).agent
        await whole.app.host.stop(agent, grace=1)
        second = await whole.ask("Two")
        assert second.status is Status.DONE
        assert (await whole.app.store.read(turns.latest, second.id)).agent != agent
    assert [len(call.users) for call in scripted_codex.model.calls] == [1, 2]


async def test_where_the_app_server_is_not_codex_is_run_for_the_turn(
    scripted_codex: ScriptedCodex, tmp_path: Path
) -> None:
    """An older program, say, that has no such word."""
    old = tmp_path / "old-codex"
    refuses = """[ "$word" = app-server ] && { echo 'unrecognized subcommand' >&2; exit 2; }"""
    old.write_text(f'#!/bin/sh\nfor word; do {refuses}; done\nexec {scripted_codex.program} "$@"\n')
    os.chmod(old, 0o755)
    config = configured_codex(scripted_codex, tmp_path, "auto")
    config.write_text(config.read_text().replace(str(scripted_codex.program), str(old)))
    async with whole_roost(config, scripted_codex) as whole:
        ended = await whole.ask(script([{"shell": "echo hi"}], [{"text": "Done."}]))
        assert ended.status is Status.DONE
        assert (await whole.app.store.read(turns.latest, ended.id)).fallback
        assert any(isinstance(one, ToolCall) for one in await whole.events(ended.id))
    assert len(scripted_codex.model.calls) == 2
