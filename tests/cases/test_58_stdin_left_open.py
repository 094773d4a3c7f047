"""Case 58: a program that reads its input to the end gets one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.hosts.local import LocalHost
from core.model.launch import Exited
from tests.support.agents import hear, new_agent, shell


@pytest.mark.parametrize("prompt", [b"", b"- what is this?", b"--help\n", "größer\n".encode() * 30_000])
async def test_its_input_is_exactly_the_prompt_and_ends(tmp_path: Path, prompt: bytes) -> None:
    host, agent = LocalHost(tmp_path.parent / f"{tmp_path.name}-data"), new_agent()
    async with asyncio.timeout(5):
        reading = "echo Reading additional input from stdin... >&2; cat >stdin.bin; echo done"
        await host.start(agent, shell(reading, tmp_path, told=prompt))
        heard = await hear(host, agent)
    assert (heard.said, heard.end) == (b"done\n", Exited(0))
    assert (tmp_path / "stdin.bin").read_bytes() == prompt
