"""A shell's wrapping is taken off, whatever quotes it took."""

from __future__ import annotations

import pytest

from core.wire.shell import script


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("/bin/bash -lc 'echo a; ls'", "echo a; ls"),
        ("bash -lc pwd", "pwd"),
        ("/usr/bin/zsh -lc 'ls -la'", "ls -la"),
        ("sh -c 'exit 1'", "exit 1"),
        (r'/bin/bash -lc "grep \"a b\" \$HOME; echo \`x\` \\n"', 'grep "a b" $HOME; echo `x` \\n'),
        ("""/bin/bash -lc 'it'"'"'s'""", "it's"),
        (r"/bin/bash -lc a\ b", "a b"),
        ("/bin/bash -lc ''", "/bin/bash -lc ''"),
        ("/bin/bash -lc 'a' 'b'", "/bin/bash -lc 'a' 'b'"),
        ("/bin/bash -lc 'never closed", "/bin/bash -lc 'never closed"),
        ("python3 -c 'print(1)'", "python3 -c 'print(1)'"),
        ("", ""),
    ],
)
def test_what_the_shell_was_told(command: str, shown: str) -> None:
    assert script(command) == shown


def test_a_long_script_is_unwrapped_at_once() -> None:
    assert script(f"/bin/bash -lc '{'x' * 5_000_000}'") == "x" * 5_000_000
