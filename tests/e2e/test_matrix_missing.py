"""Without its library there is no Matrix, and everything else goes on as if there were no such thing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.roost import Roost
from tests.support.tree import ROOT

INSTALL = "bin/pip install --require-hashes -r deploy/requirements-matrix.lock"
LIBRARIES = ("nio", "aiohttp", "vodozemac", "Crypto", "peewee")
CONFIG = '[matrix]\nhomeserver = "http://127.0.0.1:9"\nuser = "@roost:x"\npassword = "secret"\n'


def without_them(folder: Path) -> str:
    """A path under which none of them is installed."""
    hidden = "".join(f"sys.modules[{name!r}] = None\n" for name in LIBRARIES)
    (folder / "sitecustomize.py").write_text(f"import sys\n{hidden}")
    return f"{folder}:{ROOT}"


def test_nothing_of_it_is_loaded_until_it_is_used() -> None:
    loading = "import sys, bot.app, bot.cli.run, bot.cli.check, bot.cli.chats"
    asked = f"{loading}; print([name for name in {LIBRARIES!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_who_configured_it_is_told_what_to_install(roost: Roost, tmp_path: Path) -> None:
    bare = without_them(tmp_path)
    roost.configure(CONFIG)
    lines = {line["name"]: line for line in roost("check", "--json", PYTHONPATH=bare).json}
    assert (lines["matrix"]["state"], INSTALL in lines["matrix"]["message"]) == ("fault", True)
    ran = roost("run", PYTHONPATH=bare)
    assert ran.status == 2
    assert INSTALL in ran.err
    assert "Roost runs" not in ran.err


def test_setup_asks_nothing_before_it_is_there(roost: Roost, tmp_path: Path) -> None:
    ran = roost("setup", PYTHONPATH=without_them(tmp_path), stdin=b"2\nhttp://127.0.0.1:9\n")
    assert ran.status == 2
    assert INSTALL in ran.err
    assert "homeserver" not in ran.err


def test_other_chats_do_without_it(roost: Roost, tmp_path: Path) -> None:
    roost.says("Hi.")
    roost.with_shop()
    assert roost("ask", "shop", "hello", PYTHONPATH=without_them(tmp_path)).out.strip() == "Hi."
