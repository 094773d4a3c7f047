#!/usr/bin/env python3
"""Sets a checkout of Roost up, once, and opens it: `python3 deploy/start.py`, or `… test` for its tests.

Standard library only, and readable for Python 3.6 and later, so that an old one is told that it is old.
Nothing here is trusted unless its stamp, written last, says that it was finished.
"""

import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BASE = os.path.realpath(sys.executable)  # from within .venv too: it may be about to go
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
MINE = os.path.join(VENV, "made-by-roost")
RUNTIME = os.path.join(HERE, "requirements.lock")
TESTS = os.path.join(HERE, "requirements-dev.lock")
OLDEST = (3, 11)
TWO_AT_ONCE = ["-n", "2", "--dist", "worksteal"]  # most of them wait most of the time
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")

HELP = """\
python3 deploy/start.py [--project P] [--engine E]   sets this checkout up, once, and opens `roost chat`
python3 deploy/start.py test [WORDS]                 sets it up for its tests and passes them, with pytest,
                                                     two at a time unless WORDS say what pytest is to do
The other commands: .venv/bin/roost --help"""


def say(words: str) -> None:
    print("roost: " + words, file=sys.stderr, flush=True)


def give_up(words: str, remedy: str) -> None:
    say(words)
    say(remedy)
    sys.exit(1)


def need_python() -> None:
    """Goes on under a newer Python where the machine has one; otherwise says what to install."""
    if sys.version_info >= OLDEST:
        return
    for name in NEWER:
        program = shutil.which(name)
        if program:
            os.execv(program, [program, os.path.abspath(__file__), *sys.argv[1:]])
    give_up(
        f"Roost needs Python 3.11 or newer; this is Python {sys.version_info[0]}.{sys.version_info[1]}.",
        "Debian 12, Ubuntu 24.04 and later have one: `sudo apt install python3-venv`. Then run this again.",
    )


def need_venv() -> None:
    from importlib.util import find_spec

    if not (find_spec("venv") and find_spec("ensurepip")):
        give_up(
            "This Python has no venv module, which keeps Roost's libraries apart from the system's.",
            "Debian, Ubuntu, Raspberry Pi OS: `sudo apt install python3-venv`. Then run this again.",
        )


def need_room() -> None:
    """A `.venv` that somebody else made stays theirs."""
    if os.path.exists(VENV) and not os.path.exists(MINE):
        give_up(
            "There is a .venv here that this script did not make, so it is left alone.",
            "Move it away (`mv .venv .venv.mine`) and run this again.",
        )


def run(argv: "list[str]", failure: str, remedy: str) -> None:
    """One quiet step; when it fails, its own last words come before ours."""
    nothing, kept, same = subprocess.DEVNULL, subprocess.PIPE, subprocess.STDOUT
    done = subprocess.run(argv, cwd=ROOT, stdin=nothing, stdout=kept, stderr=same)
    if done.returncode:
        last = done.stdout.decode("utf-8", "replace").strip().splitlines()[-12:]
        print("\n".join("    " + line for line in last), file=sys.stderr)
        give_up(failure, remedy)


def fingerprint(*paths: str) -> str:
    """What a step was made from: the files, and where they stand."""
    digest = hashlib.sha256(ROOT.encode())
    for path in sorted(paths):
        with open(path, "rb") as file:
            digest.update(path.encode() + b"\0" + file.read())
    return digest.hexdigest()


class Step:
    """A part of the set-up with its stamp: gone before the work begins, written when all of it is done."""

    def __init__(self, name: str, *sources: str) -> None:
        self.stamp = os.path.join(VENV, name + ".done")
        self.wanted = fingerprint(*sources)

    def done(self) -> bool:
        """Whichever Python asks, as long as the one that made it is still there."""
        if not os.path.exists(PYTHON):
            return False
        try:
            with open(self.stamp) as file:
                return file.read() == self.wanted
        except OSError:
            return False

    def __enter__(self) -> None:
        if os.path.exists(self.stamp):
            os.remove(self.stamp)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            with open(self.stamp + ".new", "w") as file:
                file.write(self.wanted)
            os.replace(self.stamp + ".new", self.stamp)


def install(lock: str) -> None:
    run(
        [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", lock],
        "The libraries could not be fetched and checked; pip's own words stand above.",
        "Is the machine online, and the disk not full? Run this again; it starts afresh.",
    )


def make_venv() -> None:
    say("first start, this is done once: making .venv …")
    shutil.rmtree(VENV, ignore_errors=True)
    os.mkdir(VENV)
    open(MINE, "w").close()
    run(
        [BASE, "-m", "venv", VENV],
        "The .venv could not be made; Python's own words stand above.",
        "Debian, Ubuntu, Raspberry Pi OS: `sudo apt install python3-venv`. Then run this again.",
    )
    say("fetching the libraries …")
    install(RUNTIME)


def make_checkout() -> None:
    run(
        [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT],
        "Roost itself could not be installed into .venv; pip's own words stand above.",
        "If the checkout was changed, undo the change; otherwise remove .venv. Then run this again.",
    )


def sources() -> "list[str]":
    """What the installed checkout was made from: its description and its catalogues."""
    found = [os.path.join(ROOT, "pyproject.toml"), os.path.join(ROOT, "hatch_build.py")]
    for folder, _, names in os.walk(os.path.join(ROOT, "locales")):
        found += [os.path.join(folder, name) for name in names if name.endswith(".po")]
    return found


def set_up(testing: bool) -> None:
    """Brings `.venv` up to the locks; without a change it only compares three stamps."""
    libraries, tests = Step("libraries", RUNTIME), Step("tests", TESTS)
    checkout = Step("checkout", *sources())
    if not libraries.done():
        with libraries:
            make_venv()
    if testing and not tests.done():
        with tests:
            say("fetching what the tests need …")
            install(TESTS)
    if not checkout.done():
        with checkout:
            make_checkout()


def main(words: "list[str]") -> None:
    import fcntl

    if words[:1] in (["--help"], ["-h"]):
        print(HELP)
        return
    testing = words[:1] == ["test"]
    if words and not testing and not words[0].startswith("-"):
        say(
            f"there is no `{words[0]}` here: without a word this opens `roost chat`, `test` passes the tests,"
            " and the other commands are those of .venv/bin/roost, which the first start makes."
        )
        sys.exit(2)
    need_venv()
    need_room()
    with open(os.path.abspath(__file__)) as turn:  # two starts at once: the second waits, then finds all done
        fcntl.flock(turn, fcntl.LOCK_EX)
        set_up(testing)
    if testing:
        os.chdir(ROOT)
        os.execv(PYTHON, [PYTHON, "-m", "pytest", *(words[1:] or TWO_AT_ONCE)])
    roost = os.path.join(VENV, "bin", "roost")
    os.execv(roost, [roost, "chat", *words])


if __name__ == "__main__":
    need_python()
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
