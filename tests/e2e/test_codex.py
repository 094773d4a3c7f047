"""The whole of Roost with the real Codex, which speaks to a scripted model."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import signal
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from bot.live import Told
from core.hosts.processes import family, send
from core.model.events import Message, PlanUpdated, Progress, Recovering, Retrying, ToolCall, ToolKind
from core.model.ids import ConversationId, PromptId
from core.model.project import Access
from core.model.prompt import Status
from core.store.database import Db
from tests.support.codex import KEY_NAME, ScriptedCodex, script, scripted_codex
from tests.support.model_server import ModelServer
from tests.support.whole import Room, Service, SwiftClock, Whole, configured, roost, until

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]

UNKNOWN = "01a22b5f-0000-7213-a3bd-e7801b866283"
ACCESSES = [Access.WORKSPACE, Access.FULL]


@pytest.fixture(params=["app-server", "exec"])
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def config(scripted_codex: ScriptedCodex, tmp_path: Path, transport: str) -> Path:
    return configured_codex(scripted_codex, tmp_path, transport)


def configured_codex(codex: ScriptedCodex, home: Path, transport: str, *, first: str = "") -> Path:
    more = f'pass_env = ["{KEY_NAME}"]\ntransport = "{transport}"\n'
    return configured(home, [str(codex.program)], more, first=first)


@asynccontextmanager
async def whole_roost(
    config: Path,
    codex: ScriptedCodex,
    *,
    duty: bool = True,
    clock: SwiftClock | None = None,
    access: Access = Access.WORKSPACE,
) -> AsyncIterator[Whole]:
    async with roost(config, environ=codex.env, duty=duty, clock=clock, access=access) as whole:
        yield whole


def drawn(form: str, size: tuple[int, int] = (64, 48)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "teal").save(buffer, form)
    return buffer.getvalue()


async def asked(model: ModelServer, times: int) -> None:
    """Wait until the model was asked that often."""
    await until(lambda: len(model.calls) >= times)


def told_once(model: ModelServer) -> bool:
    """No request of any session holds the same words of a person twice."""
    return all(max(Counter(call.users).values(), default=0) <= 1 for call in model.calls)


def agents(whole: Whole) -> list[str]:
    return [path.name for path in (whole.app.data_dir / "agents").glob("*")]


def was_told(whole: Whole, agent: str) -> bytes:
    return (whole.app.data_dir / "agents" / agent / "inp").read_bytes()


def tree(agent: str) -> list[str]:
    """The programs of an agent that are alive, by name."""
    return [process.name for process in family(agent, None)]


async def running_tool(whole: Whole, prompt: PromptId) -> str:
    """The agent of *prompt*, once its `sleep 300` runs."""

    async def runs() -> bool:
        events = await whole.events(prompt)
        return any(isinstance(event, ToolCall) and event.progress is Progress.IN_PROGRESS for event in events)

    await until(runs)
    (agent,) = [agent for agent in agents(whole) if "sleep" in tree(agent)]
    return agent


# -- what it says and makes ------------------------------------------------------------------------------


async def test_steps_a_file_and_a_picture_that_the_agent_made(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    picture = base64.b64encode(drawn("WEBP")).decode()
    answer = "<!-- roost-title: The chart -->\nHere it is:\n\n![chart](output/chart.webp)\n\nDone."
    text = script(
        [{"plan": [["draw", "in_progress"]]}],
        [{"write": {"path": "notes.txt", "content": "hello"}}],
        [{"shell": f"mkdir -p output && echo {picture} | base64 -d >output/chart.webp"}],
        [{"text": answer}],
    )
    async with whole_roost(config, scripted_codex) as whole:
        prompt = await whole.ask(text)
        assert prompt.status is Status.DONE
        events, found = await whole.events(prompt.id), await whole.answer(prompt.id)
        assert found.text == "Here it is:\n\n![chart](output/chart.webp)\n\nDone."
        (placed,) = found.placed
        assert (placed.src, placed.kind, placed.name) == ("output/chart.webp", "photo", "chart.webp")
        assert whole.app.means.media.path(placed.media).read_bytes() == drawn("WEBP")
        assert (await whole.talk()).title == "The chart"
        assert (whole.workspace / "notes.txt").read_text() == "hello\n"
    steps = [event for event in events if isinstance(event, ToolCall)]
    assert {step.kind for step in steps} == {ToolKind.EDIT, ToolKind.EXECUTE}
    assert any(isinstance(event, PlanUpdated) for event in events)


async def test_the_second_prompt_carries_on_and_a_picture_goes_in(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        first = await whole.ask("Hello")
        session = (await whole.talk()).session
        room = Room(whole)
        assert await room.says("What is it?", {"photo.png": drawn("PNG")}) == []
        (second,) = room.took
        assert (await whole.ended(second)).status is Status.DONE
        assert (await whole.answer(first.id)).text == "ECHO images=0 users=1: Hello"
        assert (await whole.answer(second)).text == "ECHO images=1 users=2: What is it?"
        assert (await whole.talk()).session == session
    assert scripted_codex.model.calls[-1].users[0].startswith("Hello\n")
    assert told_once(scripted_codex.model)


# -- what goes wrong -------------------------------------------------------------------------------------


async def test_a_rate_limit_is_waited_out_and_the_words_are_not_repeated(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    clock, text = SwiftClock(), script([{"once": [{"status": 429}]}, {"text": "fine"}])
    async with whole_roost(config, scripted_codex, clock=clock) as whole:
        prompt = await whole.ask(text)
        assert prompt.status is Status.DONE
        assert [event for event in await whole.events(prompt.id) if isinstance(event, Retrying)] == [
            Retrying("rate_limit", 15.0, 1, 3)
        ]
    first, second = scripted_codex.model.calls
    assert clock.waited == [15.0]
    assert first.users[0].startswith(text)
    assert second.users[0] == first.users[0]
    assert text not in second.users[1]
    assert told_once(scripted_codex.model)


async def test_the_wait_for_the_next_try_can_be_cancelled(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    async with whole_roost(config, scripted_codex) as whole, asyncio.timeout(10):
        prompt = await whole.submit(script([{"status": 429}]))
        await until(partial(waits, whole, prompt))
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        await whole.quiet()
    assert len(scripted_codex.model.calls) == 1


async def waits(whole: Whole, prompt: PromptId) -> bool:
    return any(isinstance(event, Retrying) for event in await whole.events(prompt))


async def test_a_session_that_another_program_writes_is_waited_for(
    tmp_path: Path, scripted_codex: ScriptedCodex, transport: str
) -> None:
    """None of ours may be warm, or it would be the writer."""
    clock, codex = SwiftClock(), scripted_codex
    config = configured_codex(codex, tmp_path, transport, first="warm_seconds = 0\n")
    async with whole_roost(config, codex, clock=clock) as whole:
        await whole.ask("Hello")
        session = str((await whole.talk()).session)
        words = [str(codex.program), "exec", "--json", "--skip-git-repo-check", "resume", session, "-"]
        outside = subprocess.Popen(
            words, cwd=whole.workspace, env=dict(codex.env), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        with outside:
            assert outside.stdin
            outside.stdin.write(script([{"sleep": 30}]).encode())
            outside.stdin.close()
            await asked(codex.model, 2)
            refused = await whole.ask("And on")
            outside.kill()
        assert (refused.status, refused.reason) == (Status.FAILED, "engine.thread_writer")
        assert clock.waited == [2.0, 5.0, 15.0, 30.0]
        assert "And on" not in repr(codex.model.calls)
        assert (await whole.ask("And on")).status is Status.DONE
    assert told_once(codex.model)


async def test_a_session_that_is_gone_is_told_and_begun_anew(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    async with whole_roost(config, scripted_codex) as whole:
        await whole.app.store.write(forget, whole.conversation)
        prompt = await whole.submit("Hello again")
        told = [view async for view in whole.app.watch(prompt) if isinstance(view, Told)]
        assert [view.event for view in told] == [Recovering("session_gone")]
        assert (await whole.answer(prompt)).text == "ECHO images=0 users=1: Hello again"
        session = (await whole.talk()).session
        assert session not in (None, UNKNOWN)
        assert (await whole.ask("And on")).status is Status.DONE
        assert (await whole.talk()).session == session
    assert len(scripted_codex.model.calls[-1].users) == 2


def forget(db: Db, conversation: ConversationId) -> None:
    """The session is one that Codex does not have."""
    db.execute("UPDATE conversations SET session = ? WHERE id = ?", (UNKNOWN, conversation))


async def test_without_a_login_it_says_so_at_once(config: Path, scripted_codex: ScriptedCodex) -> None:
    clock = SwiftClock()
    async with whole_roost(config, scripted_codex, clock=clock) as whole:
        prompt = await whole.ask(script([{"status": 401, "message": "Incorrect API key provided"}]))
        assert (prompt.status, prompt.reason) == (Status.FAILED, "engine.login")
        shown = await whole.shown(prompt.id)
        assert "codex login" in shown
        assert shown.count("Incorrect API key provided") == 1
    assert clock.waited == []
    assert len(scripted_codex.model.calls) == 1


# -- cancel and kill -------------------------------------------------------------------------------------


async def test_cancelled_while_the_model_speaks(config: Path, scripted_codex: ScriptedCodex) -> None:
    model = scripted_codex.model
    async with whole_roost(config, scripted_codex) as whole:
        prompt = await whole.submit(script([{"text": "word " * 200, "delay": 0.2}]))
        await asked(model, 1)
        (agent,) = agents(whole)
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        await whole.quiet()
        assert tree(agent) == []
        after = await whole.ask("Go on")
        assert (await whole.answer(after.id)).text == "ECHO images=0 users=2: Go on"
    assert told_once(model)


@pytest.mark.parametrize("access", ACCESSES)
async def test_cancelled_while_a_command_runs(
    config: Path, scripted_codex: ScriptedCodex, access: Access
) -> None:
    async with whole_roost(config, scripted_codex, access=access) as whole:
        prompt = await whole.submit(script([{"text": "Now."}, {"shell": "sleep 300"}], [{"text": "Done."}]))
        agent = await running_tool(whole, prompt)
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        await whole.quiet()
        assert tree(agent) == []
        assert "Now." in [event.text for event in await whole.events(prompt) if isinstance(event, Message)]
        found = await whole.answer(prompt)
        assert (found.text, found.partial) == ("Now.", True)
        assert (await whole.ask("Go on")).status is Status.DONE
    assert told_once(scripted_codex.model)


@pytest.mark.parametrize("access", ACCESSES)
async def test_however_codex_is_killed_nothing_of_it_is_left(
    config: Path, scripted_codex: ScriptedCodex, access: Access, transport: str
) -> None:
    async with whole_roost(config, scripted_codex, access=access) as whole:
        prompts: dict[signal.Signals, PromptId] = {}
        found: set[str] = set()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            room = await whole.begin(await whole.add_project(number.name, access=access))
            text = script([{"shell": "sleep 300"}], [{"text": "Done."}])
            prompts[number] = await whole.submit(text, conversation=room)
            await until(lambda: any("sleep" in tree(agent) for agent in set(agents(whole)) - found))
            (agent,) = {agent for agent in agents(whole) if "sleep" in tree(agent)} - found
            found.add(agent)
            os.kill(next(one.pid for one in family(agent, None) if one.name == "codex"), number)
        ended = {number: await whole.ended(prompt) for number, prompt in prompts.items()}
        await whole.quiet()
        assert [tree(agent) for agent in found] == [[], [], []]
        assert {prompt.status for prompt in ended.values()} == {Status.FAILED}
        gently, killed = signal.SIGINT, signal.SIGTERM  # one of them Codex takes as a wish to end
        if transport == "app-server":
            gently, killed = killed, gently
        assert ended[gently].reason == "prompt.no_answer"
        assert (ended[killed].reason, ended[killed].detail) == ("prompt.signal", str(int(killed)))
        assert (ended[signal.SIGKILL].reason, ended[signal.SIGKILL].detail) == ("prompt.killed", "9")


async def test_roost_is_killed_twice_in_a_turn_and_the_answer_arrives(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    model = scripted_codex.model
    text = script([{"shell": "sleep 0.5; echo once >>ran.txt"}], [{"sleep": 1.5}, {"text": "FINAL"}])
    async with whole_roost(config, scripted_codex, duty=False) as whole:
        prompt = await whole.submit(text)
        with Service(config, scripted_codex.env) as service:
            for calls in (1, 2):
                service.start()
                await asked(model, calls)
                service.end()
            service.start()
            assert (await whole.ended(prompt)).status is Status.DONE
            assert (await whole.answer(prompt)).text == "FINAL"
            assert (await whole.ended(await whole.submit("Go on"))).status is Status.DONE
        assert (whole.workspace / "ran.txt").read_text() == "once\n"
    assert [len(call.users) for call in model.calls] == [1, 1, 2]
    assert told_once(model)


async def test_the_machine_goes_down_in_a_turn_and_it_is_carried_on(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    model, text = scripted_codex.model, script([{"text": "Half of it."}, {"sleep": 30}])
    async with whole_roost(config, scripted_codex, duty=False) as whole:
        prompt = await whole.submit(text)
        with Service(config, scripted_codex.env) as service:
            service.start()
            await asked(model, 1)
            (agent,) = agents(whole)
            service.end()
            for process in family(agent, None):
                send(process.identity, signal.SIGKILL)
            service.start()
            assert (await whole.ended(prompt)).status is Status.DONE
        assert Recovering("interrupted") in await whole.events(prompt)
    first, second = model.calls
    assert second.users[0] == first.users[0]
    assert text not in second.users[1]
    assert told_once(model)
