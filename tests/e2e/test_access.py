"""What each access level lets a real agent program do that tries everything: commands and its own edits.

A scripted model has the program try, in one turn: a write in the project, beside it in HOME, in Roost's
`data_dir` and into another agent's input, a call over the network (to a server on this machine), a read of
Roost's configuration; by a command, and by its own tools for files. *Loosened*: in a repository that brings
settings of its own which allow everything. What was possible (codex-cli 0.171.0, Claude Code 2.1.332,
opencode 1.18.33, gemini-cli 0.61.0; full access: all, but that Gemini's own tools keep to the project):

| engine | read-only | workspace | read-only, loosened | workspace, loosened |
|---|---|---|---|---|
| codex app-server, exec | reads | reads, writes inside | the same | the same |
| claude | nothing | edits inside | nothing | edits inside |
| opencode acp | nothing | edits inside | nothing | edits inside |
| gemini acp | nothing | edits inside | everything by commands | everything by commands |

Reads: the configuration too (behaviour §14.3). The first row is enforced by a sandbox, and asserted. The
others follow rules of their own that no sandbox stands behind: they are asked. Codex's row holds only because
Roost has it distrust the project: in one that it was told to trust, the loosened workspace reached all.
Codex's sandbox lets the folders for temporary files be written, which is left out here.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from core.engines.catalogue import Catalogue
from core.model.events import ToolCall
from core.model.project import Access, Project
from core.model.prompt import Status
from core.store import conversations, projects
from tests.core.engines.test_acp_real import TOOLS
from tests.support.acp_home import environment
from tests.support.acp_model import model as acp_model
from tests.support.claude import ScriptedClaude, scripted_claude
from tests.support.codex import KEY_NAME, ScriptedCodex, script, scripted_codex
from tests.support.whole import Whole, roost, until

__all__ = ["scripted_claude", "scripted_codex"]
pytestmark = pytest.mark.timeout(180)

CANARY = "canary-7c1f"
"""Stands in Roost's configuration."""
ALL = frozenset({"inside", "outside", "data", "input", "network", "configuration"})
EDITED = frozenset({"edit inside", "edit outside", "edit data"})
SANDBOX: dict[Access, frozenset[str]] = {
    Access.READ_ONLY: frozenset({"configuration"}),
    Access.WORKSPACE: frozenset({"inside", "configuration", "edit inside"}),
    Access.FULL: ALL | EDITED,
}
"""What Codex's own sandbox leaves possible, which is enforced; reading is everywhere (behaviour §14.3)."""
RULES = {Access.READ_ONLY: frozenset[str](), Access.WORKSPACE: frozenset({"edit inside"})}
KEEPS_RULES = ("claude", "opencode")
"""Programs whose own rules no repository loosens, though nothing stands behind these."""
TRIES = """
import sys, urllib.request
inside, outside, data, other, network, configuration = sys.argv[1:]
for path in (inside, outside, data, other):
    try:
        with open(path, 'a') as file:
            file.write('reached')
    except OSError as error:
        print('no', path, error)
try:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(network, timeout=2).read()
except OSError as error:
    print('no', network, error)
try:
    text = open(configuration).read()
    print(text)
    open(inside, 'a').write(text)
except OSError as error:
    print('no', configuration, error)
"""
Action = dict[str, Any]


@dataclass
class Bench:
    """A real program as Roost is told of it, on a scripted model. *shell* and *write* are what the model
    says for a command, and for a file of that path."""

    engine: str
    config: str
    env: dict[str, str]
    shell: Callable[[str], Action]
    write: Callable[[str], Action]


@dataclass
class Listener:
    """A server on this machine that remembers what it was asked for."""

    url: str
    asked: set[str] = field(default_factory=set)


@contextmanager
def listener() -> Iterator[Listener]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.add(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found = Listener(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()


# -- the programs ----------------------------------------------------------------------------------------


def codex(transport: str) -> Callable[[pytest.FixtureRequest, Path, ExitStack], Bench]:
    def bench(request: pytest.FixtureRequest, home: Path, stack: ExitStack) -> Bench:
        real: ScriptedCodex = request.getfixturevalue("scripted_codex")
        config = Path(real.env["CODEX_HOME"]) / "config.toml"
        # The test's own folder lies beneath the one for temporary files, which the sandbox lets it write.
        own = "\n[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n"
        trusted = "".join(
            f'[projects."{home}/project-{access}"]\ntrust_level = "trusted"\n' for access in Access
        )
        config.write_text(config.read_text() + own + trusted)
        more = f'transport = "{transport}"\npass_env = ["{KEY_NAME}"]\n'
        words = f"[engines.codex]\ncommand = {json.dumps([str(real.program)])}\n{more}"
        return Bench(
            "codex",
            words,
            dict(real.env),
            lambda command: {"shell": command},
            lambda path: {"write": {"path": path, "content": "reached"}},
        )

    return bench


def claude(request: pytest.FixtureRequest, home: Path, stack: ExitStack) -> Bench:
    real: ScriptedClaude = request.getfixturevalue("scripted_claude")
    words = f"[engines.claude]\ncommand = {json.dumps([str(real.program)])}\n"
    return Bench(
        "claude",
        words,
        dict(real.env),
        lambda command: {"shell": command},
        lambda path: {"write": {"path": path, "content": "reached"}},
    )


def acp(name: str, more: str) -> Callable[[pytest.FixtureRequest, Path, ExitStack], Bench]:
    def bench(request: pytest.FixtureRequest, home: Path, stack: ExitStack) -> Bench:
        program, tools = request.getfixturevalue(f"real_{name}"), TOOLS[name]
        env = environment(stack.enter_context(acp_model()), home / "home", "scripted")
        words = f"[engines.{name}]\ncommand = {json.dumps([str(program)])}\n{more}"
        shell, args = tools["shell"]
        return Bench(
            name,
            words,
            env,
            lambda command: {"tool": {"name": shell, "args": {**args, "command": command}}},  # type: ignore[dict-item]
            lambda path: {
                "tool": {"name": tools["write"], "args": {tools["path"]: path, "content": "reached"}}
            },
        )

    return bench


SWITCHES = [f"OPENCODE_DISABLE_{name}" for name in ("LSP_DOWNLOAD", "DEFAULT_PLUGINS")]
OPENCODE_MORE = f"pass_env = {json.dumps(SWITCHES)}\n"
BENCHES = [
    pytest.param(make, loose, id=f"{name}, {'loosened' if loose else 'plain'}", marks=mark)
    for name, make, mark, ways in (
        ("codex app-server", codex("app-server"), pytest.mark.codex, (False, True)),
        ("codex exec", codex("exec"), pytest.mark.codex, (False, True)),
        ("claude", claude, pytest.mark.claude, (False, True)),
        ("opencode acp", acp("opencode", OPENCODE_MORE), pytest.mark.opencode, (True,)),
        ("gemini acp", acp("gemini", 'model = "gemini-2.5-pro"\n'), pytest.mark.gemini, (True,)),
    )
    for loose in ways
]
"""Where nothing is enforced, the worst is tried: a start of each takes seconds."""


# -- one turn that tries everything ------------------------------------------------------------------------


@dataclass(frozen=True)
class Targets:
    """Where the tries of one turn go: by a command, and by an edit of the program's own."""

    project: Path
    outside: Path
    data: Path
    other: Path
    network: str
    configuration: Path

    @property
    def by_command(self) -> dict[str, Path]:
        return {
            "inside": self.project / "command.txt",
            "outside": self.outside / "command.txt",
            "data": self.data / "command.txt",
            "input": self.other,
        }

    @property
    def by_edit(self) -> dict[str, Path]:
        places = {"inside": self.project, "outside": self.outside, "data": self.data}
        return {f"edit {name}": place / "edit.txt" for name, place in places.items()}

    def reached(self, network: set[str], outputs: str) -> frozenset[str]:
        files = {**self.by_command, **self.by_edit}
        found = {name for name, path in files.items() if path.exists() and "reached" in path.read_text()}
        inside = self.by_command["inside"]
        outputs += inside.read_text() if inside.exists() else ""
        found |= {"network"} if any(self.network.endswith(path) for path in network) else set()
        return frozenset(found | ({"configuration"} if CANARY in outputs else set()))


def prompt(bench: Bench, to: Targets) -> str:
    (to.project / "tries.py").write_text(TRIES)
    words = [*map(str, to.by_command.values()), to.network, str(to.configuration)]
    paths = [str(path) for path in to.by_edit.values()]
    if bench.engine == "codex":  # which may know the project by another of its names
        paths[0] = to.by_edit["edit inside"].name
    actions = [
        bench.shell(f"python3 tries.py {' '.join(words)}"),
        bench.shell(f"cat {to.configuration}"),
        *(bench.write(path) for path in paths),
        {"text": "Done."},
    ]
    return script(*([action] for action in actions))


EVERYTHING = dict.fromkeys(("bash", "edit", "external_directory"), "allow")
CODEX_OPEN = """
sandbox_mode = "danger-full-access"
approval_policy = "never"
[sandbox_workspace_write]
network_access = true
writable_roots = ["/"]
"""
LOOSENED: dict[str, tuple[str, str]] = {
    "codex": (".codex/config.toml", CODEX_OPEN),
    "claude": (".claude/settings.json", '{"permissions": {"allow": ["Bash", "Write", "Edit"]}}'),
    "opencode": ("opencode.json", json.dumps({"agent": {"build": {"permission": EVERYTHING}}})),
    "gemini": (".gemini/settings.json", '{"tools": {"allowed": ["run_shell_command", "write_file"]}}'),
}
"""What a repository can bring that loosens the program's own rules."""


async def tried(
    bench: Bench, whole: Whole, access: Access, config: Path, to_server: Listener, loose: bool
) -> frozenset[str]:
    """What the agent could reach with *access*."""
    project: Project = await whole.add_project(f"project-{access}", access=access)
    if loose and bench.engine == "codex":  # whose trust goes by a directory's name: try another one
        (whole.home / f"link-{access}").symlink_to(f"project-{access}")
        linked = replace(project, path=str(whole.home / f"link-{access}"), real=project.path)
        project = await whole.app.store.write(projects.change, linked)
    outside, other = whole.home / f"beside-{access}", whole.app.data_dir / "agents" / f"other-{access}"
    data = whole.app.data_dir / f"own-{access}"
    for folder in (outside, other, data):
        folder.mkdir(parents=True)
    (other / "inp").touch()
    if loose:
        name, text = LOOSENED[bench.engine]
        (Path(project.path) / name).parent.mkdir(exist_ok=True)
        (Path(project.path) / name).write_text(text)
    network = f"{to_server.url}/{access}"
    to = Targets(Path(project.real or project.path), outside, data, other / "inp", network, config)
    begun = await whole.app.store.write(
        conversations.begin, project.id, engine=bench.engine, language="en", now=time.time()
    )
    asked = await whole.submit(prompt(bench, to), conversation=begun.id)
    ended = await whole.ended(asked, seconds=60)
    assert ended.status is Status.DONE, (ended, await whole.events(asked))
    steps = [event.output for event in await whole.events(asked) if isinstance(event, ToolCall)]
    return to.reached(to_server.asked, "\n".join(steps))


@pytest.mark.parametrize(("make", "loose"), BENCHES)
async def test_what_each_access_lets_it_do(
    make: Callable[[pytest.FixtureRequest, Path, ExitStack], Bench],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    loose: bool,
    record_property: Callable[[str, object], None],
) -> None:
    with ExitStack() as stack:
        to_server = stack.enter_context(listener())
        bench = make(request, tmp_path, stack)
        config = tmp_path / "roost.toml"
        config.write_text(f'# {CANARY}\ndata_dir = "{tmp_path / "data"}"\nwarm_seconds = 0\n{bench.config}')
        stray = tmp_path / "data" / "agents" / "stray"
        stray.mkdir(parents=True)
        async with roost(config, environ=bench.env) as whole:
            await until(lambda: not stray.exists())  # what is not an agent's is seen off at the start
            tries = [tried(bench, whole, access, config, to_server, loose) for access in Access]
            found = dict(zip(Access, await asyncio.gather(*tries), strict=True))
    for access, reached in found.items():
        record_property(f"{bench.engine} {access}", ", ".join(sorted(reached)))
    for access in Access:
        if not Catalogue().only_asked(bench.engine, access) and access is not Access.FULL:
            assert found[access] == SANDBOX[access]
    if bench.engine in KEEPS_RULES:
        assert {access: found[access] for access in RULES} == RULES
    assert found[Access.FULL] >= ALL
    assert found[Access.READ_ONLY] <= found[Access.WORKSPACE] <= found[Access.FULL]
