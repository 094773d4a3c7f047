"""The built-in agent, so that Roost can be tried without any other program."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from core.engines import failures
from core.engines.oneshot import OneShot
from core.engines.port import Capabilities, Failure
from core.model.launch import Launch
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.decoder import LineDecoder
from core.wire.demo import demo_decoder

HOME = str(Path(__file__).resolve().parents[2])
"""Where our own `core` package lies."""


@dataclass(frozen=True, slots=True)
class Demo(OneShot):
    name: str = "demo"
    command: tuple[str, ...] = (sys.executable, "-P", "-m", "core.demo")
    """`-P` keeps the working directory, a project that may hold a `core` of its own, off Python's path."""
    label: str = "Demo"
    capabilities: Capabilities = field(
        default=Capabilities(fork=True, enforced=frozenset({Access.READ_ONLY, Access.WORKSPACE}))
    )
    """It runs no command, and writes nothing but one chart, in the project."""
    env_names: tuple[str, ...] = ("DEMO_PACE",)

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        argv = program
        if request.session:
            argv += ("--session", request.session)
        elif request.fork:
            argv += ("--fork", request.fork)
        if request.language:
            argv += ("--language", request.language)
        argv += ("--access", request.access)
        return Launch(argv, request.cwd, {**request.env, "PYTHONPATH": HOME}, request.text.encode())

    def decoder(self) -> LineDecoder:
        return demo_decoder()

    def sort(self, text: str, *, resumed: bool) -> Failure:
        return failures.sort(text)
