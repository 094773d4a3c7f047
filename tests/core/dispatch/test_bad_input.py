"""What goes wrong with an agent is one sentence, in both languages; the message and the session are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.replies import errors
from bot.texts import Texts
from core.model.events import Recovering
from core.model.prompt import Status
from core.store import conversations
from tests.support.fake_chat import visible
from tests.support.play_agent import Play, Step
from tests.support.whole import BEGUN, STARTED, THREAD, SwiftClock, configured, roost, says, turn

KEPT = {"en": "Your message is kept.", "fr": "Votre message est conservé."}


def fails(words: str) -> list[Step]:
    """The turn of an agent that says itself why it can't."""
    return [STARTED, BEGUN, {"json": {"type": "turn.failed", "error": {"message": words}}}, {"exit": 1}]


def dies(words: str, code: int = 1) -> list[Step]:
    return [{"err": words}, {"exit": code}]


@pytest.mark.parametrize(
    ("steps", "reason", "said"),
    [
        (
            dies("error: unexpected argument '--json' found", 2),
            "engine.version",
            "roost check there says more",
        ),
        (dies("Segmentation fault", 2), "prompt.no_answer", "ended without an answer"),
        ([{"out": "Welcome! \x1b[31mPress any key"}, {"exit": 0}], "prompt.no_answer", "without an answer"),
        (dies("Not logged in"), "engine.login", "There: codex login."),
        (fails("unexpected status 401 Unauthorized: key"), "engine.login", "There: codex login."),
        (fails("The model `x` does not exist"), "engine.model", "/model and /effort pick others"),
        (fails("Unsupported value: 'huge': invalid reasoning effort"), "engine.model", "/effort"),
        (fails("You've hit your usage limit."), "engine.usage_limit", "limit is used up"),
        (fails("429 Too Many Requests"), "engine.rate_limit", "three waits did not help"),
        (fails("unexpected status 503 Service Unavailable"), "engine.service", "trouble of its own"),
        (fails("ran out of room in the model's context window"), "engine.context_full", "/new starts"),
        (fails("something new"), "engine.failed", "something new"),
    ],
)
async def test_each_ends_in_its_sentence(tmp_path: Path, steps: list[Step], reason: str, said: str) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("Hello.")), start=1)
    play.steps(*steps)
    async with roost(configured(tmp_path, play.command), clock=SwiftClock()) as whole:
        assert (await whole.ask()).status is Status.DONE
        ended = await whole.ask("-rf is no option")
        assert (ended.status, ended.reason) == (Status.FAILED, reason)
        assert said in await whole.shown(ended.id)
        assert (await whole.talk()).session == THREAD
        for language, kept in KEPT.items():
            texts = Texts(language, strict=True)
            shown = visible(
                errors.failed(ended, errors.About("nest", "Codex", "/p", "codex login"), texts).markdown
            )
            assert kept in shown or reason == "engine.failed"
            assert errors.failed(ended, errors.About("nest"), texts).buttons


async def test_a_session_that_is_gone_is_the_only_one_that_is_let_go(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("Hello.")))
    play.steps(*dies(f"Error: no rollout found for thread id {THREAD}"), start=2)
    async with roost(configured(tmp_path, play.command)) as whole:
        await whole.ask()
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        assert Recovering("session_gone") in await whole.events(prompt.id)
    assert "resume" not in play.starts[2].argv


CLAUDE_SAYS: list[tuple[list[Step], str, str]] = [
    (
        [
            {"read_stdin": "line"},
            {
                "json": {
                    "type": "result",
                    "subtype": "success",
                    "is_error": True,
                    "result": "Prompt is too long",
                    "session_id": THREAD,
                }
            },
        ],
        "engine.context_compact",
        "/compact makes it smaller, /new starts another one",
    ),
    (
        dies("--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons"),
        "engine.root",
        "takes no full access where it runs as root",
    ),
]


@pytest.mark.parametrize(("steps", "reason", "said"), CLAUDE_SAYS)
async def test_what_only_claude_says(tmp_path: Path, steps: list[Step], reason: str, said: str) -> None:
    play = Play(tmp_path / "play")
    play.steps(*steps)
    async with roost(spoken(tmp_path, play, "", "claude")) as whole:
        begun = await whole.app.store.write(
            conversations.begin, whole.project.id, engine="claude", language="en", now=0.0
        )
        ended = await whole.ended(await whole.submit(conversation=begun.id))
        assert (ended.status, ended.reason) == (Status.FAILED, reason)
        assert said in await whole.shown(ended.id)


def spoken(home: Path, play: Play, transport: str, engine: str = "codex") -> Path:
    config = home / "roost.toml"
    config.write_text(
        f'data_dir = "{home / "data"}"\n[engines.{engine}]\n'
        f"command = {json.dumps(play.command)}\n" + (f'transport = "{transport}"\n' if transport else "")
    )
    return config


async def test_a_start_that_hangs_is_bounded_and_told(tmp_path: Path) -> None:
    """An app server that waits for a key: it is ended, and nothing of it is left."""
    play = Play(tmp_path / "play")
    play.steps({"out": "Update available! Press enter to continue"}, {"sleep": 60})
    config = spoken(tmp_path, play, "app-server")
    async with roost(config, answering=0.5) as whole:
        ended = await whole.ask()
        assert (ended.status, ended.reason) == (Status.FAILED, "prompt.mute")
        assert "it may wait for a key there" in await whole.shown(ended.id)
        await whole.quiet()
    assert len(play.starts) == 1


async def test_a_start_that_hangs_goes_the_other_way_where_there_is_one(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps({"sleep": 60}, start=1)
    play.steps(*turn(says("By the other way.")))
    async with roost(spoken(tmp_path, play, "auto"), answering=0.5) as whole:
        prompt = await whole.ask()
        assert (await whole.answer(prompt.id)).text == "By the other way."
        assert Recovering("transport") in await whole.events(prompt.id)
    assert ["app-server" in start.argv for start in play.starts] == [True, False]


async def test_an_old_program_without_the_first_way_is_reached_by_the_other(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*dies("error: unrecognized subcommand 'app-server'", 2), start=1)
    play.steps(*turn(says("Exec will do.")))
    async with roost(spoken(tmp_path, play, "auto")) as whole:
        prompt = await whole.ask()
        assert (await whole.answer(prompt.id)).text == "Exec will do."
