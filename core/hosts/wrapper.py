"""The few words of `sh` that stand between Roost and an agent, so that neither needs the other to live."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from core.errors import EngineMissing, HostError, ProjectGone, ProjectMoved
from core.hosts.directory import AgentDirectory
from core.hosts.processes import MARKER, family, look, send
from core.model.launch import Launch

# $1 the agent's directory, $2 how it is fed, $3 its umask, then its argv. What the agent has in its
# environment under the name of one of our variables would be passed on changed, hence `roost_`.
# - The claim is taken with `set -C` (O_EXCL); who loses says nothing and goes.
# - `trap :` lets the wrapper live to write the status; in the agent the signals act as ever (POSIX: what is
#   trapped is reset in a subshell).
# - fd 1 is the feeding end of the agent's input until `tail` has it; nobody else keeps it. `tail` ignores
#   what is meant for the agent, or with the signal the agent would get the end of its input.
# - `-s`: where the inotify instances of a user are used up (128), `tail` looks at intervals, of a whole
#   second unless told otherwise.
# - The agent is the kernel's first choice when memory runs out: rather it than its keeper.
# - `exit` is one write of at most 4 bytes: a reader sees nothing, or all of it with its newline. On a full
#   disk it is tried until there is room, or nobody wants to know; then stderr says why the spool may be cut.
#   Where an agent has put a folder or a link in its place, there is never room.
_WORDS = """\
set -C
trap : TERM INT HUP
read -r roost_stat </proc/$$/stat && printf '%s\\n' "$roost_stat" >"$1/claim" || exit 1
set +C
roost_directory=$1 roost_umask=$3 roost_feeder=
if [ "$2" = spoken ]; then
    (trap '' TERM INT HUP; exec tail -s 0.01 -c +1 -f "$1/inp") & roost_feeder=$!
fi
exec >/dev/null
shift 3
(
    umask "$roost_umask"
    echo 500 2>/dev/null >/proc/self/oom_score_adj
    exec "$@"
) >>"$roost_directory/out" 2>>"$roost_directory/err"
roost_code=$?
[ -z "$roost_feeder" ] || kill -KILL "$roost_feeder"
until echo "$roost_code" >"$roost_directory/exit" || [ ! -d "$roost_directory" ] ||
    [ -d "$roost_directory/exit" ] || [ -L "$roost_directory/exit" ]; do
    sleep 1
    echo 'No space left on device' >>"$roost_directory/err"
done
wait
"""

FEEDER = "tail"
CLAIM_BOUND = 10.0
"""Seconds that a wrapper has to take its claim."""
_GLANCE = 0.001


def check(launch: Launch) -> str:
    """The agent's program as an absolute path. Errors: `EngineMissing`."""
    word = launch.argv[0]
    place = os.path.join(launch.cwd, word) if "/" in word else word
    program = shutil.which(place, path=launch.env.get("PATH", os.defpath))
    if program is None:
        raise EngineMissing(program=word)
    return os.path.abspath(program)


@contextmanager
def place(launch: Launch, *, forbidden: Path) -> Iterator[str]:
    """The agent's working directory, opened and looked at in one step, as a name that leads to nothing else
    whatever is put in its place meanwhile. Errors: `ProjectGone`, `ProjectMoved`, and `HostError` where it
    holds *forbidden* or lies in it."""
    try:
        folder = os.open(launch.cwd, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except (OSError, ValueError):
        raise ProjectGone(path=launch.cwd) from None
    try:
        opened = f"/proc/self/fd/{folder}"
        real = Path(os.readlink(opened))
        if launch.real and str(real) != launch.real:
            raise ProjectMoved(path=launch.cwd, real=real)
        if forbidden.is_relative_to(real):
            raise HostError("project.holds_data", path=launch.cwd)
        if real.is_relative_to(forbidden):
            raise HostError("project.inside_data", path=launch.cwd)
        yield opened
    finally:
        os.close(folder)


def spawn(directory: AgentDirectory, launch: Launch, program: str, *, cwd: str, umask: int) -> int:
    """Start the wrapper in *cwd* and in a session of its own; its pid, which is ours to wait for.

    A spoken agent reads from a socket and not from a pipe: a pipe can be opened for writing by its
    name under `/proc`, and so could be used to answer the agent's questions in its owner's place.
    """
    with ExitStack() as ours:
        if launch.spoken:
            heard, told = socket.socketpair()
            heard.shutdown(socket.SHUT_WR)
            source, feed = ours.enter_context(heard).fileno(), ours.enter_context(told).fileno()
        else:
            source = ours.enter_context(open(directory.inp, "rb")).fileno()
            feed = subprocess.DEVNULL
        way = "spoken" if launch.spoken else "once"
        words = ("/bin/sh", "-c", _WORDS, "roost-agent", str(directory.path), way, f"{umask:03o}")
        argv, env = (*words, program, *launch.argv[1:]), {**launch.env, MARKER: directory.agent}
        return _popen(argv, env, cwd, source, feed)


def await_claim(directory: AgentDirectory, pid: int) -> None:
    """Wait until somebody has the claim: who looks at the agent from now on finds it started.
    Errors: `HostError` when the wrapper has gone, or has had its time, and nobody has it."""
    until = time.monotonic() + CLAIM_BOUND
    while True:
        over = look(pid) is None or time.monotonic() > until  # asked first: who has gone leaves its claim
        if not directory.unclaimed() or directory.taken_away():
            return
        if over:
            raise HostError("host.not_started")
        time.sleep(_GLANCE)


def hang_up(directory: AgentDirectory) -> None:
    """End the feeder of a spoken agent, which reads to the end of what it was fed."""
    keeper = directory.wrapper()
    for process in family(directory.agent, keeper):
        if keeper and process.parent == keeper.pid and process.name == FEEDER:
            send(process.identity, signal.SIGKILL)


def _popen(argv: Sequence[str], env: Mapping[str, str], cwd: str, source: int, feed: int) -> int:
    try:
        process = subprocess.Popen(
            argv,
            stdin=source,
            stdout=feed,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env=env,
            start_new_session=True,
            umask=0o077,
        )
    except (OSError, ValueError) as fault:  # ValueError: a zero byte where none can be
        raise HostError(why=fault) from fault
    # It may outlive us, so `Popen` must not mourn it: `LocalHost` waits for the pid.
    process.returncode = 0
    return process.pid
