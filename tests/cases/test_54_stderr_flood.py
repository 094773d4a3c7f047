"""Case 54: 5 MB on stderr in the middle of a turn stop nobody, and only the end of it is kept."""

from __future__ import annotations

from pathlib import Path

from core.hosts.local import LocalHost
from core.model.launch import Exited
from tests.support.agents import hear, hear_until, new_agent, shell

FLOOD = "i=0; yes 'noise noise noise' | head -c 5000000 >&2; echo the last words >&2; "


async def test_the_turn_goes_on(tmp_path: Path) -> None:
    host, agent = LocalHost(tmp_path.parent / f"{tmp_path.name}-data"), new_agent()
    await host.start(agent, shell(FLOOD + "echo FINAL-54", tmp_path))
    heard = await hear(host, agent)
    assert (heard.said, heard.end) == (b"FINAL-54\n", Exited(0))
    errors = await host.errors(agent)
    assert errors.endswith("the last words\n")
    assert len(errors) <= 64 * 1024


async def test_it_takes_no_room_while_we_live(tmp_path: Path) -> None:
    host, agent = LocalHost(tmp_path.parent / f"{tmp_path.name}-data"), new_agent()
    await host.start(agent, shell(FLOOD + "echo flooded; read -r go; echo more >&2", tmp_path, spoken=True))
    await hear_until(host, agent, b"flooded\n")
    assert (await host.errors(agent)).endswith("the last words\n")
    assert host.directory(agent).err.stat().st_size <= 64 * 1024
    await host.write(agent, b"go\n")
    await hear(host, agent)
    assert (await host.errors(agent)).endswith("the last words\nmore\n")
