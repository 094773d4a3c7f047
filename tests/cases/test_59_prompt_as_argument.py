"""Case 59: what a person writes reaches the agent byte for byte, and is no word of its command line."""

from __future__ import annotations

from pathlib import Path

from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import THREAD, Room, configured, roost, says, turn

PROMPTS = (
    "--help",
    "-",
    "resume",
    "--dangerously-bypass-approvals-and-sandbox now",
    "$(id) `id` ; rm -rf x",
    "a\0b",
    "\n  leading, trailing and \r\n line ends \t\n\n",
    "   ",
    "p" * 300_000,
    "ä€😀" * 30_000,
)


async def test_the_agent_gets_exactly_the_words(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps({"read_stdin": "eof"}, *turn(says("ok")))
    async with roost(configured(tmp_path, play.command)) as whole:
        asked = [await whole.submit(text) for text in PROMPTS]
        assert {(await whole.ended(prompt)).status for prompt in asked} == {Status.DONE}
    first, *others = play.starts
    for start, text in zip(play.starts, PROMPTS, strict=True):
        words, rest = text.replace("\0", "").encode(), start.stdin
        assert rest.startswith(words)
        assert rest[len(words) :].startswith(b"\n\n")
    assert first.argv[:4] == ["--sandbox", "workspace-write", "--ask-for-approval", "never"]
    assert first.argv[-1] == "-"
    assert {tuple(start.argv) for start in others} == {(*first.argv[:-1], "resume", THREAD, "-")}
    assert list((tmp_path / "project").iterdir()) == []


async def test_what_is_blank_is_no_prompt(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    async with roost(configured(tmp_path, play.command)) as whole:
        room = Room(whole)
        for text in ("", "   ", "\n\t", "\0", " \0\n"):
            assert await room.says(text) == []
        assert room.took == []
    assert play.starts == []
