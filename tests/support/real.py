"""The real Claude Code, OpenCode and Gemini, each on a scripted model, as Roost is told of them."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from core.dispatch.clock import Clock
from core.hosts.processes import family
from core.model.project import Access
from tests.support.acp_home import environment
from tests.support.chat_model import ChatModel
from tests.support.codex import NOWHERE
from tests.support.messages_server import MessagesServer
from tests.support.model_server import ModelServer
from tests.support.whole import Whole, configured, roost

LOOPBACK = ("127.", "::1", "::ffff:127.")
REAL = [pytest.param(name, marks=getattr(pytest.mark, name)) for name in ("claude", "opencode", "gemini")]
UNKNOWN = {
    "claude": "99999999-2222-4333-8444-555555555555",
    "opencode": "ses_nope",
    "gemini": "99999999-2222-4333-8444-555555555555",
}
OTHER = {"claude": "sonnet", "opencode": "scripted/other-model", "gemini": "gemini-2.5-flash"}


@dataclass(frozen=True)
class Real:
    """*program* is the real one; *env* is what it needs to talk to *model* and to nobody else. *astray* is
    what it wanted to say elsewhere."""

    name: str
    program: Path
    home: Path
    model: ModelServer
    env: Mapping[str, str]
    astray: list[str] = field(default_factory=list)

    @property
    def unknown(self) -> str:
        """A session that it does not have."""
        return UNKNOWN[self.name]

    @property
    def other(self) -> str:
        """Another model than the configured one."""
        return OTHER[self.name]

    @property
    def seeks(self) -> str:
        """Part of the one name that it asks the proxy for, which connects nobody: OpenCode looks for its
        plugin package, whatever it is told."""
        return "CONNECT registry." if self.name == "opencode" else "\0"

    def config(self, *, warm: int = 300) -> Path:
        passed = [name for name in self.env if name.startswith(("OPENCODE_", "CLAUDE_", "NO_BROWSER"))]
        model = {"gemini": "gemini-2.5-pro", "opencode": "scripted/test-model"}.get(self.name, "")
        more = f'pass_env = {json.dumps(passed)}\nmodel = "{model}"\n'
        first = f"warm_seconds = {warm}\n"
        return configured(self.home.parent, [str(self.program)], more, first=first, engine=self.name)

    @asynccontextmanager
    async def whole(
        self,
        *,
        warm: int = 300,
        access: Access = Access.FULL,
        duty: bool = True,
        clock: Clock | None = None,
        **environ: str,
    ) -> AsyncIterator[Whole]:
        """Roost with this engine; *environ* stands in place of what *env* says."""
        env, config = {**self.env, **environ}, self.config(warm=warm)
        async with roost(
            config, environ=env, access=access, duty=duty, clock=clock, engine=self.name
        ) as whole:
            yield whole

    def path(self, whole: Whole, name: str) -> str:
        """A file of the project as its tool for files wants it."""
        return str(whole.workspace / name)

    def told_once(self) -> bool:
        """No request of any session holds the same words of a person twice."""
        return all(max(Counter(call.users).values(), default=0) <= 1 for call in self.model.calls)


@pytest.fixture(params=REAL)
def real(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Real]:
    name: str = request.param
    with scripted(name, request.getfixturevalue(f"real_{name}"), tmp_path) as found:
        yield found


@contextmanager
def scripted(name: str, program: Path, folder: Path) -> Iterator[Real]:
    """The program of engine *name*, with a home in *folder* and a model of its own."""
    home, claude = folder / "home", name == "claude"
    home.mkdir()
    with MessagesServer() if claude else ChatModel() as model, listening() as (proxy, astray):
        env = claude_environment(model, home) if claude else environment(model.url, home, "scripted")
        env = {key: proxy if value == NOWHERE else value for key, value in env.items()}
        yield Real(name, program, home, model, env, astray)


def claude_environment(model: ModelServer, home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": model.url.removesuffix("/v1"),
        "ANTHROPIC_API_KEY": "scripted",
        "CLAUDE_CODE_MAX_RETRIES": "1",
        "IS_SANDBOX": "1",
        "HTTPS_PROXY": NOWHERE,
        "HTTP_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1,localhost",
    }


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """A proxy that connects nobody: its address, and whom it was to connect with."""
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    asked.append(connection.recv(200).decode(errors="replace").partition("\r")[0])

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def tree(agent: str) -> list[str]:
    """The programs of an agent that are alive, by their first word's name, found by their marker."""
    return [process.name for process in family(agent, None)]


def connections(agent: str) -> list[str]:
    """Whom the processes of an agent are connected with, but for this machine."""
    return [
        one.raddr.ip
        for process in family(agent, None)
        for one in psutil.Process(process.pid).net_connections("inet")
        if one.status == psutil.CONN_ESTABLISHED and not one.raddr.ip.startswith(LOOPBACK)
    ]
